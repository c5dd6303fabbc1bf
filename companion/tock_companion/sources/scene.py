"""The state of the simulated table: pawns anywhere on the board, a hand over it, a card beside it.

The page changes the scene from its own threads while the simulated source draws it, hence the lock.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import isfinite

from tock_companion.boardfile import BoardFile
from tock_companion.errors import BadInputError
from tock_rules import CAMP_PLACE, Card, Hole, Seat

MARGIN_MM = 150.0
"""Distance beside the board at which a pawn or the hand may be."""
TRAY_MM = 100.0
"""Distance of the tray beside the board: out of the reach of every hole."""


@dataclass(frozen=True, slots=True)
class ScenePawn:
    """One pawn and where its foot stands, in millimetres of the board file."""

    id: str
    seat: Seat
    x_mm: float
    y_mm: float


@dataclass(frozen=True, slots=True)
class LaidCard:
    """The card that lies beside the board and who laid it."""

    card: Card
    seat: Seat | None


@dataclass(frozen=True, slots=True)
class SceneState:
    """Everything on the simulated table at one moment."""

    pawns: tuple[ScenePawn, ...] = ()
    hand_mm: tuple[float, float] | None = None
    """The place of the fingertips; None when no hand is over the board."""
    laid: LaidCard | None = None
    laid_count: int = 0
    """Grows with every card laid, so that the same card laid twice is seen twice."""
    revision: int = 0
    """Grows with every change."""


class Scene:
    """The simulated table; safe to use from several threads, every pawn starts in its camp."""

    def __init__(self, board: BoardFile) -> None:
        self.board = board
        self._changed = threading.Condition()
        self._state = SceneState(pawns=tuple(self._pawns_of({seat.name: [] for seat in board.seats})))

    @property
    def state(self) -> SceneState:
        return self._state

    @property
    def revision(self) -> int:
        """A number that grows with every change."""
        return self._state.revision

    def wait(self, revision: int, timeout_s: float) -> SceneState:
        """The state once its revision differs from the known one, or the present state after the timeout."""
        with self._changed:
            self._changed.wait_for(lambda: self._state.revision != revision, timeout_s)
            return self._state

    def set_up(self, pawns: Mapping[str, Sequence[str]]) -> None:
        """Place all pawns as in a position: `{"P0": ["camp", "T20*", "H4", "C"], …}`.

        Only the seats named have pawns; the hand and the card go away. Raises BadInputError for holes that
        the board does not have, more than four pawns of a seat, or two pawns in one hole.
        """
        placed = tuple(self._pawns_of(pawns))
        self._change(lambda state: replace(state, pawns=placed, hand_mm=None, laid=None))

    def put_back(self, pawns: Mapping[str, Sequence[str]]) -> None:
        """Place all pawns as `set_up` does and take the hand away; the laid card stays."""
        placed = tuple(self._pawns_of(pawns))
        self._change(lambda state: replace(state, pawns=placed, hand_mm=None))

    def move_pawn(self, pawn_id: str, x_mm: float, y_mm: float) -> None:
        """Put a pawn anywhere on or beside the board; close to a hole it slides in."""
        x_mm, y_mm = self._place(x_mm, y_mm)
        hole, gap_mm = self.board.nearest(x_mm, y_mm)
        if gap_mm < hole.d_mm / 2:
            x_mm, y_mm = hole.x_mm, hole.y_mm
        self._move(pawn_id, x_mm, y_mm)

    def place_on(self, pawn_id: str, hole_id: str) -> None:
        """Put a pawn into a hole; a pawn that already stands there stays too, as on a real table."""
        hole = next((hole for hole in self.board.holes if hole.id == hole_id), None)
        if hole is None:
            raise BadInputError(f"hole '{hole_id}' is not on the board; use an id of its board file")
        self._move(pawn_id, hole.x_mm, hole.y_mm)

    def set_aside(self, pawn_id: str) -> None:
        """Lay a pawn into the tray beside the board, where each pawn has a place of its own."""
        ids = sorted(pawn.id for pawn in self._state.pawns)
        row = ids.index(pawn_id) if pawn_id in ids else 0
        self._move(pawn_id, -TRAY_MM, self.board.size_mm[1] * (row + 0.5) / max(len(ids), 1))

    def show_hand(self, x_mm: float, y_mm: float) -> None:
        place = self._place(x_mm, y_mm)
        self._change(lambda state: replace(state, hand_mm=place))

    def hide_hand(self) -> None:
        self._change(lambda state: replace(state, hand_mm=None))

    def lay_card(self, card: Card, seat: Seat | None = None) -> None:
        laid = LaidCard(card, seat)
        self._change(lambda state: replace(state, laid=laid, laid_count=state.laid_count + 1))

    def clear_card(self) -> None:
        self._change(lambda state: replace(state, laid=None))

    def hole_of(self, pawn: ScenePawn) -> Hole | None:
        """The hole that a pawn stands in, None when it stands beside the holes."""
        hole, gap_mm = self.board.nearest(pawn.x_mm, pawn.y_mm)
        return hole.id if gap_mm < hole.d_mm / 2 else None

    def to_json(self) -> dict[str, object]:
        """The scene for the page: pawns with their places and holes, hand, laid card, revision."""
        state = self._state
        return {
            "revision": state.revision,
            "pawns": [
                {
                    "id": pawn.id,
                    "seat": pawn.seat.name,
                    "x_mm": pawn.x_mm,
                    "y_mm": pawn.y_mm,
                    "hole": self.hole_of(pawn),
                }
                for pawn in state.pawns
            ],
            "hand": None if state.hand_mm is None else {"x_mm": state.hand_mm[0], "y_mm": state.hand_mm[1]},
            "card": None
            if state.laid is None
            else {
                "card": str(state.laid.card),
                "seat": state.laid.seat.name if state.laid.seat is not None else None,
            },
        }

    def _change(self, change: Callable[[SceneState], SceneState]) -> None:
        with self._changed:
            self._state = replace(change(self._state), revision=self._state.revision + 1)
            self._changed.notify_all()

    def _move(self, pawn_id: str, x_mm: float, y_mm: float) -> None:
        def moved(state: SceneState) -> SceneState:
            still = tuple(pawn for pawn in state.pawns if pawn.id != pawn_id)
            found = [replace(pawn, x_mm=x_mm, y_mm=y_mm) for pawn in state.pawns if pawn.id == pawn_id]
            if not found:
                raise BadInputError(f"pawn '{pawn_id}' is not on the simulated table; ids are P0-1, P0-2, …")
            # The pawn moved last is drawn on top of the others.
            return replace(state, pawns=(*still, *found))

        self._change(moved)

    def _place(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        width_mm, height_mm = self.board.size_mm
        for value, limit_mm in ((x_mm, width_mm), (y_mm, height_mm)):
            if not isfinite(value) or not -MARGIN_MM <= value <= limit_mm + MARGIN_MM:
                raise BadInputError(f"place ({x_mm}, {y_mm}) is too far from the board; give millimetres")
        return float(x_mm), float(y_mm)

    def _pawns_of(self, position: Mapping[str, Sequence[str]]) -> list[ScenePawn]:
        for name in position:
            if name not in {seat.name for seat in self.board.seats}:
                raise BadInputError(f"seat '{name}' is not on a board of {self.board.zones} zones")
        pawns: list[ScenePawn] = []
        taken: set[Hole] = set()
        for seat in (seat for seat in self.board.seats if seat.name in position):
            places = list(position[seat.name])
            most = self.board.pawns_per_seat
            if len(places) > most:
                raise BadInputError(f"{seat.name} has {len(places)} pawns; a seat has {most}")
            places += [CAMP_PLACE] * (most - len(places))
            camps = iter(self.board.shape.camp_holes(seat))
            for number, place in enumerate(places, start=1):
                hole_id = next(camps) if place == CAMP_PLACE else self._hole_id(seat, place)
                if hole_id in taken:
                    raise BadInputError(f"two pawns stand on {hole_id}; give each its own hole")
                taken.add(hole_id)
                hole = self.board.hole(hole_id)
                pawns.append(ScenePawn(f"{seat.name}-{number}", seat, hole.x_mm, hole.y_mm))
        return pawns

    def _hole_id(self, seat: Seat, place: str) -> Hole:
        with suppress(BadInputError):
            hole = Hole.at_place(seat, place)
            if hole is not None and hole in self.board.by_id:
                return hole
        raise BadInputError(f"{seat.name} has a pawn on '{place}', which the board has not")
