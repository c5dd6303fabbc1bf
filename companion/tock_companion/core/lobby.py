"""Before a game: the host's choices, the players, and the beginning."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tock_companion.boardfile import BoardFile
from tock_companion.core.bodies import (
    AnswerAbsent,
    Begin,
    Body,
    NewGame,
    Pair,
    Prepare,
    Rematch,
    Strength,
)
from tock_companion.core.game_setup import GameSetup, OtherBoardError, again, check_board, game_started
from tock_companion.core.requests import Reply, bad_request, refused
from tock_companion.core.state import CoreState, Lobby
from tock_companion.errors import BadInputError
from tock_companion.events.facts import (
    CardPlayed,
    CardsDealt,
    Correction,
    Event,
    GameStarted,
    MoveAccepted,
    TurnEnded,
)
from tock_companion.events.game import begin
from tock_companion.events.terms import Term, board_term
from tock_companion.referee.tracking.estimate import estimated_setup
from tock_rules import (
    Ruleset,
    Seat,
    check_setup,
    load_preset,
    player_counts,
    seats_keeping,
    team_sizes,
    teams_of,
)

BEGINS = (CardPlayed, CardsDealt, MoveAccepted, TurnEnded, Correction)
"""Facts that begin the game without a "begin"."""
KEPT_AS = "lobby"
NOT_BEGUN = "not begun"
"""Why a game ended that was prepared in the lobby and never played."""


@dataclass(frozen=True, slots=True)
class Opening:
    """The game with which the table goes on."""

    setup: GameSetup | None
    """The game to begin; None where the one that is prepared stays."""
    lobby: Lobby | None = None
    """None where play begins at once."""
    computers: Mapping[Seat, Strength] = field(default_factory=dict)
    """The free seats that a computer plays for from now on."""
    rotates: bool = False
    """People change places once it has begun."""


def plays_on(body: Body) -> bool:
    """Whether a computer is to go on for a player who has left: people answer that, not the game."""
    return isinstance(body, AnswerAbsent) and body.choice == "computer"


def counts_for(started: GameStarted) -> tuple[int, ...]:
    """The numbers of players that these rules allow on this board."""
    return player_counts(rules_of(started), started.zones)


def players_now(state: CoreState) -> int:
    lobby, started = state.lobby, state.game.started
    if lobby is None or lobby.players is not None or lobby.computers is not None:
        return len(started.seats)
    counts = counts_for(started)
    return next((count for count in counts if count >= len(state.roster.players)), counts[-1])


def team_size_now(state: CoreState) -> int:
    """The size of the teams if the game begins now: the host's choice, where the rules have it for that many."""
    return _size(
        rules_of(state.game.started), players_now(state), state.lobby.team_size if state.lobby else None
    )


def rules_of(started: GameStarted) -> Ruleset:
    """The rules of a game."""
    return load_preset(started.ruleset).with_options(started.options)


def _size(rules: Ruleset, players: int, chosen: int | None) -> int:
    sizes = team_sizes(rules, players)
    return chosen if chosen in sizes else sizes[0]


def opening_of(
    body: NewGame | Prepare | Begin | Rematch, state: CoreState, board_file: BoardFile
) -> Opening | Reply:
    """The game that the host asks for; a refusal when the choices do not fit together."""
    try:
        opening = _opening(body, state, board_file)
        if isinstance(opening, Opening) and opening.setup is not None:
            started = game_started(opening.setup, board_file)
            if not isinstance(body, Rematch):
                # A game that was played is played again as it was.
                position = begin(Event(1, 0, started)).position
                check_setup(position.ruleset, position.seats, position.teams)
    except OtherBoardError as error:
        game = Term("ruleset", error.game)
        return refused("other_board", game=game, wanted=board_term(error.wanted), here=board_term(error.here))
    except BadInputError as error:
        return bad_request(error)
    return opening


def _opening(
    body: NewGame | Prepare | Begin | Rematch, state: CoreState, board_file: BoardFile
) -> Opening | Reply:
    match body:
        case Begin():
            return _begun(state)
        case Rematch(rotate=rotate):
            return Opening(again(state.game.started), rotates=rotate)
        case Prepare():
            return _prepared(body, state, board_file)
        case NewGame():
            setup = _setup(body, body.players, state, board_file)
            if isinstance(setup, Reply) or body.position is None:
                return setup if isinstance(setup, Reply) else Opening(setup)
            if not state.watch.holes:
                # Nothing has been reported since the start: the estimate would be the camps.
                return refused("not_seen_yet")
            seen = estimated_setup(state.watch, state.position).board()
            return Opening(replace(setup, position=seen.to_pawns()))


def _prepared(body: Prepare, state: CoreState, board_file: BoardFile) -> Opening | Reply:
    setup = _setup(body, body.players, state, board_file)
    if isinstance(setup, Reply):
        return setup
    same = state.lobby is not None and _is_same(game_started(setup, board_file), state.game.started)
    return Opening(None if same else setup, Lobby(body.players, body.computers, body.team_size))


def _begun(state: CoreState) -> Opening | Reply:
    lobby, started = state.lobby, state.game.started
    if lobby is None:
        return refused("begun_already")
    seats = [Seat[name] for name in started.seats]
    players = players_now(state)
    if players < len(seats):
        chosen = seats_keeping(state.roster.players, players, started.zones)
        first = Seat[started.to_move]
        kept = first if first in chosen else None
        teams = teams_of(chosen, team_size_now(state))
        return Opening(GameSetup(started.ruleset, started.options, chosen, teams, first=kept))
    free = [seat for seat in seats if seat not in state.roster.players]
    strength = lobby.computers
    return Opening(None, computers=dict.fromkeys(free, strength) if strength is not None else {})


def _setup(
    body: NewGame | Prepare, players: int | None, state: CoreState, board_file: BoardFile
) -> GameSetup | Reply:
    """The game for that many players, in which everybody who sits at the table plays."""
    sitting = [seat for seat in state.roster.players if int(seat) < board_file.zones]
    rules = load_preset(body.ruleset).with_options(body.options)
    check_board(rules, board_file)
    counts = player_counts(rules, board_file.zones)
    wanted = players if players is not None else max(counts)
    if len(sitting) > wanted:
        return refused("too_many_sit", sitting=str(len(sitting)), players=str(wanted))
    first = body.first
    if first is not None and len({*sitting, first}) > wanted:
        # Who begins has left, and all that play sit already.
        first = None
    kept = {*sitting, first} if first is not None else set(sitting)
    seats = seats_keeping(kept, wanted, board_file.zones)
    chosen = body.team_size if isinstance(body, NewGame) else None
    teams = teams_of(seats, chosen or _size(rules, len(seats), body.team_size))
    return GameSetup(body.ruleset, body.options, seats, teams, first)


def places_of_pair(state: CoreState, pair: Pair) -> Mapping[Seat, Seat] | Reply:
    """The changes of seat that make two people partners: the second moves, and the player beside the first."""
    teams, asked = state.position.teams or (), {pair.first, pair.second}
    if state.lobby is None:
        return refused("begun_already")
    team = next((team for team in teams if pair.first in team), None)
    if team is None or len(asked) < 2 or pair.second not in state.position.seats:
        return refused("no_partners")
    if pair.second in team:
        return {}
    beside = next(seat for seat in team if seat is not pair.first)
    return {pair.second: beside, beside: pair.second}


def _is_same(new: GameStarted, old: GameStarted) -> bool:
    return replace(new, started_at=old.started_at, board_file=old.board_file) == old


def why_over(lobby: Lobby | None, why: str) -> str:
    """Why the present game ends before it is won; one that was only prepared is not missed."""
    return why if lobby is None else NOT_BEGUN


def kept_lobby(lobby: Lobby | None, number: int) -> object:
    """The lobby before game `number`, as the store keeps it."""
    return None if lobby is None else [number, lobby.players, lobby.computers, lobby.team_size]


def lobby_of(kept: object, number: int) -> Lobby | None:
    """The lobby before game `number`, as the store has kept it; None where that game has begun."""
    # Earlier releases kept no size of teams.
    kept = [*kept, None] if isinstance(kept, list) and len(kept) == 3 else kept
    match kept:
        case [int(before), int() | None as players, "easy" | "medium" | "strong" | None as computers, size]:
            team_size = size if isinstance(size, int) else None
            return Lobby(players, computers, team_size) if before == number else None
    return None
