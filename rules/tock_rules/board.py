"""Pawns on holes: a `Board` is possible, a `Setup` is a reading of the table."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from tock_rules.errors import BadInputError, quoted
from tock_rules.geometry import CAMP, BoardShape
from tock_rules.holes import CAMP_PLACE, Hole
from tock_rules.seats import Seat
from tock_rules.state import State
from tock_rules.values import Value

_NUMBERS = ("no", "one", "two", "three", "four", "five")


@dataclass(frozen=True, repr=False)
class Board(Value):
    """The pawns of every seat that plays, each in camp or alone in a hole it may stand in."""

    shape: BoardShape
    seats: tuple[Seat, ...]
    cells: tuple[int, ...]
    """Cell of every pawn, seat by seat, sorted within a seat; `CAMP` also for seats that do not play."""
    fresh: int = 0
    """Set of the start holes whose pawn has not moved since it came out."""

    @classmethod
    def empty(cls, shape: BoardShape, seats: Iterable[Seat]) -> "Board":
        """The board before the game: every pawn in camp; raise `BadInputError` for seats that it does not have."""
        seats = tuple(seats)
        if len(set(seats)) < max(2, len(seats)) or max(seats) >= shape.zones:
            names = ", ".join(seat.name for seat in seats)
            raise BadInputError(
                f"seats {names}: name two or more different seats of P0 to P{shape.zones - 1}"
            )
        return cls(shape, tuple(sorted(seats)), (CAMP,) * (shape.pawns_per_seat * shape.zones))

    @classmethod
    def from_pawns(cls, shape: BoardShape, pawns: object) -> "Board":
        """The board of `pawns` as docs/formats.md writes them; raises BadInputError."""
        if not isinstance(pawns, Mapping) or not pawns:
            raise BadInputError(
                f"pawns are seats with {_NUMBERS[shape.pawns_per_seat]} places each, not {quoted(pawns)}"
            )
        count = shape.pawns_per_seat
        cells = [CAMP] * (count * shape.zones)
        fresh = 0
        taken: dict[int, str] = {}
        for name, places in pawns.items():
            seat = Seat.parse(name)
            if seat >= shape.zones:
                raise BadInputError(f"no seat {name} on a board of {shape.zones} zones")
            if not isinstance(places, list | tuple) or len(places) != count:
                raise BadInputError(f"{name} needs {_NUMBERS[count]} pawns, not {quoted(places)}")
            own: list[int] = []
            for place in places:
                cell, is_fresh = shape.place_cell(seat, place)
                if cell != CAMP and cell in taken:
                    raise BadInputError(f"two pawns in hole {shape.hole_id(cell)}: {taken[cell]} and {name}")
                taken[cell] = name
                fresh |= is_fresh << cell if is_fresh else 0
                own.append(cell)
            cells[count * seat : count * seat + count] = sorted(own)
        return cls(shape, tuple(sorted(Seat.parse(name) for name in pawns)), tuple(cells), fresh)

    @classmethod
    def parse(cls, shape: BoardShape, text: str) -> "Board":
        """The board of its text; raises BadInputError."""
        pawns: dict[str, list[str]] = {}
        for word in text.split():
            seat, colon, places = word.partition(":")
            out = [place for place in places.split(",") if place]
            count = shape.pawns_per_seat
            if not colon or seat in pawns or len(out) > count:
                raise BadInputError(
                    f"no board: {quoted(word)} in {quoted(text)}; "
                    f"write each seat once with at most {_NUMBERS[count]} places"
                )
            pawns[seat] = [CAMP_PLACE] * (count - len(out)) + out
        return cls.from_pawns(shape, pawns)

    def __str__(self) -> str:
        """The pawns outside the camps, seat by seat: `P0:T20,H1 P1: P2:T36* P3:`."""
        pawns = self.to_pawns().items()
        return " ".join(
            f"{seat}:" + ",".join(place for place in places if place != CAMP_PLACE) for seat, places in pawns
        )

    def __repr__(self) -> str:
        """One line that pastes back."""
        return f"Board.parse({self.shape!r}, {str(self)!r})"

    @classmethod
    def of_state(cls, shape: BoardShape, seats: tuple[Seat, ...], state: State) -> "Board":
        """The board of an engine state."""
        cells, fresh = state.key(shape.pawns_per_seat)
        return cls(shape, seats, cells, shape.starts_of(fresh))

    @cached_property
    def state(self) -> State:
        """The engine's picture of this board; never changed."""
        shape = self.shape
        return State.of(self.cells, shape.seats_on(self.fresh), shape.zone_length, shape.pawns_per_seat)

    def cells_of(self, seat: int) -> tuple[int, ...]:
        """The cells of one seat's pawns: camp, track upwards, centre, home upwards."""
        count = self.shape.pawns_per_seat
        return self.cells[count * seat : count * seat + count]

    def to_pawns(self) -> dict[str, list[str]]:
        """The pawns in the form that `from_pawns` reads."""
        shape, fresh = self.shape, self.fresh
        return {
            seat.name: [
                shape.place_text(cell, cell >= 0 and bool(fresh >> cell & 1)) for cell in self.cells_of(seat)
            ]
            for seat in self.seats
        }

    @cached_property
    def owners(self) -> dict[int, Seat]:
        """The owner of the pawn on each occupied cell."""
        return {cell: seat for seat in self.seats for cell in self.cells_of(seat) if cell != CAMP}

    def occupied(self) -> dict[Hole, Seat]:
        """Hole and seat of every pawn outside the camps."""
        return {self.shape.hole_id(cell): seat for cell, seat in self.owners.items()}

    def camp_count(self, seat: int) -> int:
        """Number of pawns of the seat in its camp."""
        return self.cells_of(seat).count(CAMP)

    def home_count(self, seat: int) -> int:
        """Number of pawns of the seat in its home."""
        return sum(self.shape.home_of(cell) is not None for cell in self.cells_of(seat))

    def is_fresh(self, cell: int) -> bool:
        """Whether the pawn on that cell stands on its own start and has not moved since it came out."""
        return cell >= 0 and bool(self.fresh >> cell & 1)

    def looks_like(self, other: "Board | Setup") -> bool:
        """Whether a camera could not tell the two apart: freshness cannot be seen."""
        if isinstance(other, Setup):
            return other.looks_like(self)
        return self.cells == other.cells and self.seats == other.seats


class SetupFault(StrEnum):
    """Why pawns that stand like this cannot be a board."""

    NO_SUCH_HOLE = "no_such_hole"
    FOREIGN_HOME = "foreign_home"
    """A pawn stands in another seat's home."""
    NOT_PLAYING = "not_playing"
    MISSING = "missing"
    TOO_MANY = "too_many"


@dataclass(frozen=True, slots=True)
class SetupProblem:
    """One reason why a setup is impossible: where (a hole) or whose pawns are miscounted (a seat)."""

    fault: SetupFault
    seat: Seat
    """The owner of the pawn."""
    hole: Hole | None = None
    """None when the number of the seat's pawns is wrong."""

    def __str__(self) -> str:
        return f"{self.fault}:{self.hole or self.seat.name}"


@dataclass(frozen=True)
class Setup:
    """A reading of the table, perhaps impossible: five pawns of a seat, a pawn missing or in a foreign home."""

    shape: BoardShape
    holes: Mapping[Hole, Seat]
    """Every hole outside the camps with a pawn in it, and whose pawn."""
    camps: Mapping[Seat, int]
    """Number of pawns in the camp of every seat that plays."""

    @classmethod
    def of_board(cls, board: Board) -> "Setup":
        """The setup that shows this board."""
        return cls(board.shape, board.occupied(), {seat: board.camp_count(seat) for seat in board.seats})

    @classmethod
    def from_pawns(cls, shape: BoardShape, pawns: object) -> "Setup":
        """The setup of `pawns`, any number for each seat; raise `BadInputError` for bad places."""
        if not isinstance(pawns, Mapping):
            raise BadInputError(f"pawns are seats with places, not {quoted(pawns)}")
        holes: dict[Hole, Seat] = {}
        camps: dict[Seat, int] = {}
        for name, places in pawns.items():
            seat = Seat.parse(name)
            if seat >= shape.zones or not isinstance(places, list | tuple):
                raise BadInputError(
                    f"no seat {name} on a board of {shape.zones} zones, or no list of places: {quoted(places)}"
                )
            camps[seat] = 0
            for place in places:
                cell, _ = shape.place_cell(seat, place)
                if cell == CAMP:
                    camps[seat] += 1
                elif shape.hole_id(cell) in holes:
                    raise BadInputError(f"two pawns in hole {shape.hole_id(cell)}")
                else:
                    holes[shape.hole_id(cell)] = seat
        return cls(shape, holes, camps)

    def count(self, seat: Seat) -> int:
        """Number of pawns of the seat that are seen, camp included."""
        return self.camps.get(seat, 0) + sum(1 for owner in self.holes.values() if owner is seat)

    def looks_like(self, board: Board) -> bool:
        """Whether this shows exactly that board."""
        return self.holes == board.occupied() and all(
            self.camps.get(s, 0) == board.camp_count(s) for s in board.seats
        )

    def problems(self) -> tuple[SetupProblem, ...]:
        """The reasons why this is impossible, the holes first; none when it is a board."""
        return (*self._misplaced(), *self._miscounted())

    def _misplaced(self) -> Iterator[SetupProblem]:
        cells = self.shape.cells_by_hole
        for hole, seat in self.holes.items():
            if hole not in cells:
                yield SetupProblem(SetupFault.NO_SUCH_HOLE, seat, hole)
        for hole, seat in self.holes.items():
            home = self.shape.home_of(cells[hole]) if hole in cells else None
            if home is not None and home[0] is not seat:
                yield SetupProblem(SetupFault.FOREIGN_HOME, seat, hole)

    def _miscounted(self) -> Iterator[SetupProblem]:
        for seat in sorted({*self.camps, *self.holes.values()}):
            count = self.count(seat)
            if seat not in self.camps:
                yield SetupProblem(SetupFault.NOT_PLAYING, seat)
            elif count < self.shape.pawns_per_seat:
                yield SetupProblem(SetupFault.MISSING, seat)
            elif count > self.shape.pawns_per_seat:
                yield SetupProblem(SetupFault.TOO_MANY, seat)

    def board(self) -> Board:
        """The board this shows; raise `BadInputError` with the first problem."""
        for problem in self.problems():
            raise BadInputError(f"the table shows no possible board: {problem}")
        places: dict[str, list[str]] = {seat.name: [CAMP_PLACE] * count for seat, count in self.camps.items()}
        for hole, seat in self.holes.items():
            places[seat.name].append(self.shape.place_text(self.shape.cells_by_hole[hole]))
        return Board.from_pawns(self.shape, places)
