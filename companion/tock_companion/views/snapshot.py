"""The snapshot that views are built from: the state of the table with its surroundings, as one value."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tock_companion.boardfile import BoardFile, fingerprint
from tock_companion.core.lobby import counts_for, players_now, rules_of, team_size_now
from tock_companion.core.state import CoreState
from tock_companion.observation import UNSEEN, HoleReading
from tock_companion.referee.diagnosis.disputes import disputes
from tock_companion.referee.tracking.watch import Watch
from tock_companion.views.names import Names
from tock_companion.views.parts import BoardInfo
from tock_companion.views.phrases import phrase
from tock_companion.views.state import (
    FarPeople,
    HealthNote,
    LobbyState,
    PracticeState,
    SourceState,
    TableState,
    WithheldCards,
)
from tock_rules import Hole, Position, Seat, team_sizes


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Everything that people are shown besides the game."""

    troubles: tuple[HealthNote, ...] = ()
    """Faults of the machine: the disk, the clock, a source."""
    seat_requests: tuple[tuple[int, Seat, str], ...] = ()
    """Requests for taken seats: number of the request, seat, name."""
    photos_kept: bool = False
    """Whether the host records photos of hands."""
    withheld: Mapping[Seat, WithheldCards] = field(default_factory=dict)
    """Hands withheld from the holders of these seats, with their owners."""
    host: Seat | None = None
    """The seat that has the host's rights."""
    recording: bool = False
    """Whether the host records observations, pictures too."""
    last: tuple[tuple[Seat, str, str], ...] = ()
    """Players of the last game who have no seat now: seat, name, language."""
    far: FarPeople = field(default_factory=FarPeople)


def snapshot(state: CoreState, around: Surroundings, board: BoardInfo, revision: int) -> TableState:
    """Put together everything that views may draw from."""
    camps = camp_holes(state.watch, state.position)
    return TableState(
        revision=revision,
        game=state.game,
        position=state.position,
        hands=state.hands,
        names=Names.of(state.roster),
        board=board,
        camps=camps,
        seen=differences(state.watch, state.position, camps),
        sources=tuple(
            SourceState(name, status.condition, status.code) for name, status in state.sources.items()
        ),
        sees=state.sees,
        sees_colors=state.sees_colors,
        seat_requests=around.seat_requests,
        photos_kept=around.photos_kept,
        recording=around.recording,
        withheld=around.withheld,
        proposal=state.open_proposal,
        health=(*around.troubles, *dispute_notes(state)),
        planned=state.planned,
        guidance=state.guidance,
        held_seats=frozenset(seat.name for seat in state.roster.players.keys() - state.roster.expected),
        host=around.host,
        lobby=lobby_state(state),
        givers=state.givers,
        must_give=bool(state.must_give),
        absent=state.absent,
        practice=practice_state(state),
        left=state.left,
        newcomers=state.newcomers,
        last=tuple(one for one in around.last if one[0] in state.position.seats),
        far=around.far,
    )


def dispute_notes(state: CoreState) -> tuple[HealthNote, ...]:
    """Holes on which sources have contradicted each other for a while."""
    return tuple(
        HealthNote(
            dispute.code,
            phrase(
                f"health/{dispute.code}",
                hole=Names.of(state.roster).place(dispute.hole) if dispute.hole else "",
            ),
            dispute.hole,
        )
        for dispute in disputes(state.fusion)
    )


def board_info(board_file: BoardFile) -> BoardInfo:
    """The board, as views describe it."""
    return {"id": fingerprint(board_file), "name": board_file.name, "zones": board_file.zones}


def lobby_state(state: CoreState) -> LobbyState | None:
    """The contents of the lobby; None once somebody has begun to play."""
    lobby = state.lobby
    if lobby is None:
        return None
    players, started = players_now(state), state.game.started
    return LobbyState(
        players,
        counts_for(started),
        lobby.players,
        lobby.computers,
        team_sizes(rules_of(started), players),
        team_size_now(state),
        lobby.team_size,
    )


def practice_state(state: CoreState) -> PracticeState | None:
    """The lesson on the table; None for a game that counts."""
    practice = state.practice
    if practice is None:
        return None
    return PracticeState(practice.learner, practice.other, practice.at + 1, practice.lesson, practice.shown)


def same_to_the_eye(new: CoreState, old: CoreState) -> bool:
    """Whether nothing shown can have changed: a quick look, so that an idle table costs nothing.

    Switches and a camera may fall out with each other by time alone; with switches the answer is always no.
    """
    return (
        new.game is old.game
        and new.hands is old.hands
        and new.roster is old.roster
        and new.sources == old.sources
        and new.planned is old.planned
        and new.ballot is old.ballot
        and new.guidance == old.guidance
        and new.following == old.following
        and new.lobby is old.lobby
        and new.left is old.left
        and not new.fusion.switch_sources
        and new.watch.holes == old.watch.holes
    )


def camp_holes(watch: Watch, position: Position) -> dict[Hole, Seat]:
    """The camp holes to draw pawns in: where they are seen when the number is right, else from the first."""
    drawn: dict[Hole, Seat] = {}
    for seat in position.seats:
        count = position.board.camp_count(seat)
        camp = position.shape.camp_holes(seat)
        seen = [hole for hole in camp if watch.pawn_at(hole) is seat]
        drawn.update(dict.fromkeys(seen if len(seen) == count else camp[:count], seat))
    return drawn


def differences(watch: Watch, position: Position, camps: Mapping[Hole, Seat]) -> dict[Hole, HoleReading]:
    """The holes that look different from the position or are occluded, with their readings."""
    expected = {**position.board.occupied(), **camps}
    found: dict[Hole, HoleReading] = {}
    for hole in position.shape.hole_ids():
        tracked = watch.hole(hole)
        if hole not in watch.holes:
            continue
        if tracked.occluded:
            found[hole] = UNSEEN
        elif tracked.belief.contradicts(expected.get(hole)):
            found[hole] = tracked.belief.reading()
    return found
