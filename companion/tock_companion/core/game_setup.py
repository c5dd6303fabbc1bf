"""The first event of a game from the host's choices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tock_companion.boardfile import BoardFile, fingerprint, parse, to_json
from tock_companion.errors import BadInputError
from tock_companion.events.facts import GameStarted, Pawns
from tock_rules import (
    Board,
    BoardShape,
    Position,
    Ruleset,
    Seat,
    check_players,
    load_preset,
    ruleset_text,
    seats_for,
    shape_for,
    usual_teams,
)


@dataclass(frozen=True, slots=True)
class GameSetup:
    """A game to begin.

    `seats` None means as many as board and ruleset take, `teams` None means as the ruleset has it.
    """

    ruleset: str = "mjc"
    options: Mapping[str, object] = field(default_factory=dict)
    seats: Sequence[Seat] | None = None
    teams: Sequence[Sequence[Seat]] | None = None
    first: Seat | None = None
    position: Pawns | None = None


class OtherBoardError(BadInputError):
    """A game on a board of another game."""

    def __init__(self, game: str, wanted: BoardShape, here: BoardShape) -> None:
        """Name the game and both boards."""
        super().__init__(
            f"{game} needs a board of {_size_text(wanted)}, and this one has {_size_text(here)}; "
            "choose its board, or another game"
        )
        self.game, self.wanted, self.here = game, wanted, here


def _size_text(shape: BoardShape) -> str:
    return "{} zones of {} holes and {} pawns each".format(*shape.size)


def check_board(rules: Ruleset, board_file: BoardFile) -> None:
    """Raise OtherBoardError where the ruleset is not played on boards like this."""
    here = board_file.shape
    if not rules.fits(*here.size):
        raise OtherBoardError(rules.name, board_for(rules, here.zones), here)


def board_for(rules: Ruleset, zones: int) -> BoardShape:
    """The board of a ruleset with this number of zones, or the nearest one that it has."""
    return shape_for(rules, min(rules.zones, key=lambda known: abs(known - zones)))


def game_started(setup: GameSetup, board_file: BoardFile, started_at: str | None = None) -> GameStarted:
    """Make the event that begins this game; raises BadInputError when the choices do not fit together.

    `started_at` is the wall-clock time in ISO 8601. A replay leaves it out, and the board too, which lies beside it.
    """
    ruleset = load_preset(setup.ruleset).with_options(setup.options)
    check_board(ruleset, board_file)
    usual_seats = seats_for(min(board_file.zones, ruleset.most_players), board_file.zones)
    seats = tuple(setup.seats) if setup.seats is not None else usual_seats
    if not 2 <= len(set(seats)) == len(seats) or max(seats) >= board_file.zones:
        names = ", ".join(seat.name for seat in seats)
        raise BadInputError(
            f"seats {names}: name two or more different seats of P0 to P{board_file.zones - 1}"
        )
    check_players(ruleset, len(seats))
    first = setup.first if setup.first is not None else seats[0]
    if first not in seats:
        raise BadInputError(f"{first.name} cannot begin: it does not play")
    teams = setup.teams if setup.teams is not None else usual_teams(ruleset, seats)
    position = setup.position
    if position is None:
        position = {seat.name: ["camp"] * ruleset.pawns_per_seat for seat in seats}
    board = Board.from_pawns(shape_for(ruleset, board_file.zones), position)
    Position.of(ruleset, board, first, teams)
    if ruleset.centre and "C" not in board_file.by_id:
        raise BadInputError(f"{setup.ruleset} uses the centre hole, which board '{board_file.name}' has not")
    return GameStarted(
        ruleset=ruleset.name,
        options=dict(setup.options),
        seats=[seat.name for seat in seats],
        teams=[[seat.name for seat in team] for team in teams] if teams else None,
        board=board_file.name,
        zones=board_file.zones,
        dealer=None,
        to_move=first.name,
        position=position,
        started_at=started_at,
        board_file=to_json(board_file) if started_at is not None else None,
        ruleset_file=ruleset_text(ruleset.name),
    )


def board_of(started: GameStarted) -> BoardFile | None:
    """The board that a game remembers; None for games from before they did. Raises BadInputError for a damaged one."""
    return None if started.board_file is None else parse(started.board_file)


def is_played_on(started: GameStarted, board_file: BoardFile) -> bool:
    """Whether a game is played on this board, as far as it remembers."""
    own = board_of(started)
    return started.zones == board_file.zones if own is None else fingerprint(own) == fingerprint(board_file)


def again(started: GameStarted) -> GameSetup:
    """The same game from the start; the seat after the one that began begins (open point A-13)."""
    seats = [Seat.parse(name) for name in started.seats]
    first = seats[(seats.index(Seat.parse(started.to_move)) + 1) % len(seats)]
    teams = [[Seat.parse(name) for name in team] for team in started.teams or []]
    return GameSetup(started.ruleset, started.options, seats, teams, first)
