"""Tables for tests: one without threads, clock or disk, and helpers that play on a running one."""

import time
from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import Any, TypeVar

from tests.support.boards import Pawns, pawns
from tests.support.observations import observed
from tock_companion.boardfile import BoardFile, generate
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.core.requests import Reply, Request, Role, bad_request, parse_request
from tock_companion.core.step import begin_game
from tock_companion.errors import BadInputError
from tock_companion.events.facts import Fact
from tock_companion.events.hands import Hands
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_companion.table.runtime.replaying import DryTable
from tock_companion.table.seats.hand_owners import PlayedGame
from tock_companion.table.seats.people import People
from tock_companion.views.names import Names
from tock_companion.views.parts import BoardInfo
from tock_rules import STANDARD_PACK, BoardShape, Move, Seat, load_preset

FoundFact = TypeVar("FoundFact", bound=Fact)
BOARD = generate(4, 440)
ANNA = {Seat.P0: "Anna"}
BEFORE = pawns("P0 T20, P1 T26")
WRONG = pawns("P0 T30, P1 T26")
RIGHT = pawns("P0 T29, P1 T26")

NO_BOARD: BoardInfo = {"id": "", "name": "", "zones": 4}
"""For views in which the board is of no account."""
PATIENCE_S = 30.0


class ClockedTable:
    """A table with a clock that only a test moves; a camera that takes ten frames a second."""

    def __init__(self, board: Pawns = BEFORE, players: Mapping[Seat, str] = ANNA, **setup: Any) -> None:
        names = Names(BoardShape(4), BOARD.colors, dict(players))
        game = GameSetup(position={seat: list(places) for seat, places in board.items()}, **setup)
        begun = begin_game(names, game_started(game, BOARD), 0)
        self.core, self.events = DryTable(begun), list(begun.events)
        self.t_ms = 0

    def see(self, board: Pawns, for_ms: int = 100, occluded: Sequence[str] = (), every_ms: int = 100) -> None:
        end_ms = self.t_ms + for_ms
        while self.t_ms < end_ms:
            self.t_ms += every_ms
            self.events += self.core.take(observed(board, self.t_ms, occluded=occluded))

    def ask(self, kind: str, seat: Seat | None = Seat.P0, role: Role = Role.SEAT, **data: object) -> Reply:
        return send(self.answer, kind, data, role, seat)

    def answer(self, request: Request) -> Reply:
        reply, events = self.core.ask(request, self.t_ms)
        self.events += events
        return reply

    def kinds(self, since: int = 1) -> list[str]:
        return [event.fact.KIND for event in self.events[since:]]

    def last(self, kind: type[FoundFact]) -> FoundFact:
        return next(event.fact for event in reversed(self.events) if isinstance(event.fact, kind))


def send(
    answer: Callable[[Request], Reply], kind: str, data: object, role: Role, seat: Seat | None = None
) -> Reply:
    """Have a request read and answered as the page does for a phone: JSON that may be anything."""
    try:
        request = parse_request(kind, data, role, seat)
    except BadInputError as error:
        return bad_request(error)
    return answer(request)


def lay_and_take(table: Table, times: int = 1) -> list[str]:
    """Lay a card and take it back several times; return the codes of the replies."""
    return [
        send(table.request, kind, data, Role.SEAT, Seat.P0).code
        for _ in range(times)
        for kind, data in (("play_card", {"card": "9H"}), ("withdraw_card", {}))
    ]


def wait_for(table: Table, wanted: Callable[[Any], bool], role: Role = Role.TABLE) -> Any:
    """The first view of a role that is as wanted."""
    with table.subscribe(role) as stream:
        end_s = monotonic() + PATIENCE_S
        while monotonic() < end_s:
            view = stream.get(0.5)
            if view is not None and wanted(view):
                return view
    raise AssertionError(f"never came; last view: {table.view(role)}")


def put(table: Table, source: str, target: str) -> None:
    """Move the pawn that stands on a hole of the simulated table, as a person does."""
    scene = table.scene
    assert scene is not None
    (pawn,) = [pawn for pawn in scene.state.pawns if scene.hole_of(pawn) == source]
    (goal,) = [hole for hole in scene.board.holes if hole.id == target]
    scene.move_pawn(pawn.id, goal.x_mm, goal.y_mm)


class DiskAtOnce:
    """Writes as soon as it is asked to."""

    def keep(self, write: Callable[[], None]) -> None:
        write()

    def write_if_idle(self, write: Callable[[], None]) -> None:
        write()


def people_of(store: Store, clock_s: Callable[[], float] = time.monotonic) -> People:
    """The people of a store, with one seat to sit on."""
    game = PlayedGame(1, (Seat.P0,), Hands(load_preset("mjc"), (Seat.P0, Seat.P2), Seat.P0))
    return People(store, lambda: game, DiskAtOnce(), clock_s)


def dry_table(board: BoardFile, setup: GameSetup) -> DryTable:
    """A table where a game begins."""
    names = Names(BoardShape(board.zones), board.colors, {})
    return DryTable(begin_game(names, game_started(setup, board), 0))


NEARLY_WON = {"P0": ["T63", "H2", "H3", "H4"], "P2": ["camp", "camp", "T40", "H4"]}


def nearly_won() -> GameSetup:
    """The first of two is one move from the end."""
    return GameSetup("joker-individuel", seats=(Seat.P0, Seat.P2), position=NEARLY_WON)


def winning_move(table: Table) -> Move:
    """The move that ends the game now."""
    position = table.position
    moves = (move for card in STANDARD_PACK for move in position.legal_moves(card))
    return next(move for move in moves if position.play(move).outcome() is not None)


def win(table: Table) -> None:
    """Play it by touch."""
    move, seat = winning_move(table), table.position.to_move
    for kind, data in (("play_card", {"card": str(move.card)}), ("move", {"text": move.text})):
        assert table.request(parse_request(kind, data, Role.SEAT, seat)).ok
