"""The order of the holes on a board of 4, 6 or 8 zones; no millimetres (docs/rules/board.md)."""

from dataclasses import dataclass
from functools import cache, cached_property

from tock_rules.errors import BadInputError, quoted
from tock_rules.holes import CAMP_PLACE, Hole, HoleKind
from tock_rules.seats import PAWNS_PER_SEAT, ZONE_LENGTH, Seat

SUMMIT = 7
"""Printed number of the corner hole of every zone: the summit of 003 and 004, the shortcut hole of 002."""
CAMP = -1
"""The cell number that stands for every camp: a camp has room for all its pawns."""


@cache
def camp_holes_of(seat: Seat) -> tuple[Hole, ...]:
    """The camp holes of a seat."""
    return tuple(Hole(HoleKind.CAMP, seat, number) for number in range(1, PAWNS_PER_SEAT + 1))


@cache
def _holes_of(zones: int) -> tuple[Hole, ...]:
    """The hole of every cell; the same objects for all shapes, as positions come with a shape of their own."""
    track = [Hole.track(number) for number in range(ZONE_LENGTH * zones)]
    homes = [
        Hole(HoleKind.HOME, seat, n) for seat in list(Seat)[:zones] for n in range(1, PAWNS_PER_SEAT + 1)
    ]
    return (*track, Hole(HoleKind.CENTRE), *homes)


@dataclass(frozen=True)
class BoardShape:
    """The holes of a board and their order.

    Cells are the engine's hole numbers: `0..track_length-1` the track, then the centre, then four home holes for each
    seat; `CAMP` is any camp.
    """

    zones: int
    has_centre: bool = False
    """The board has the centre hole that 002 uses as a shortcut (R002-20)."""
    entrance_back: int = 2
    """Number of holes before the start at which the home column leaves the track (open point A-01)."""

    def __post_init__(self) -> None:
        """Refuse numbers that no board has."""
        if self.zones not in (4, 6, 8):
            raise BadInputError(f"a board has 4, 6 or 8 zones, not {quoted(self.zones)}")
        if self.entrance_back not in (0, 1, 2):
            raise BadInputError(
                f"the home entrance lies 0, 1 or 2 holes before the start, not {quoted(self.entrance_back)}"
            )

    @cached_property
    def track_length(self) -> int:
        """Number of holes on the track: 72, 108 or 144 (R002-12)."""
        return ZONE_LENGTH * self.zones

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats that the board has room for."""
        return tuple(Seat(i) for i in range(self.zones))

    @property
    def centre(self) -> int:
        """Cell number of the centre hole."""
        return self.track_length

    @property
    def cell_count(self) -> int:
        """Number of cells: track, centre and all homes."""
        return self.track_length + 1 + PAWNS_PER_SEAT * self.zones

    def start(self, seat: int) -> int:
        """The track index of the seat's start hole."""
        return ZONE_LENGTH * seat

    def entrance(self, seat: int) -> int:
        """The track index where the seat's home column leaves the track."""
        return (self.start(seat) - self.entrance_back) % self.track_length

    def home(self, seat: int, index: int) -> int:
        """The cell of home hole `index` (1 nearest the entrance, 4 deepest)."""
        return self.track_length + PAWNS_PER_SEAT * seat + index

    def home_of(self, cell: int) -> tuple[Seat, int] | None:
        """The owner of the home that the cell belongs to, with its index 1..4; None for another cell."""
        beyond = cell - self.track_length - 1
        return None if beyond < 0 else (Seat(beyond // PAWNS_PER_SEAT), beyond % PAWNS_PER_SEAT + 1)

    def progress(self, seat: int, t: int) -> int:
        """Number of holes from the seat's start to `T<t>`, 0 to track_length - 1."""
        return (t - self.start(seat)) % self.track_length

    def label(self, t: int) -> int:
        """The number 1 to 18 that is printed at `T<t>` (R002-13)."""
        return (t - 1) % ZONE_LENGTH + 1

    def zone_of(self, t: int) -> Seat:
        """The zone that `T<t>` is counted in: a start hole is the 18 of the zone before it."""
        return Seat((t - 1) % self.track_length // ZONE_LENGTH)

    def summits(self) -> tuple[int, ...]:
        """The track index of every hole numbered 7."""
        return tuple(ZONE_LENGTH * zone + SUMMIT for zone in range(self.zones))

    def place_text(self, cell: int, fresh: bool = False) -> str:
        """The short name of a place as moves use it: `camp`, `T20`, `T0*`, `H1`, `C`."""
        if cell == CAMP:
            return CAMP_PLACE
        if cell < self.track_length:
            return f"T{cell}*" if fresh else f"T{cell}"
        if cell == self.centre:
            return "C"
        return f"H{(cell - self.track_length - 1) % PAWNS_PER_SEAT + 1}"

    def place_cell(self, seat: int, text: object) -> tuple[int, bool]:
        """Cell and freshness of a short place name of that seat; raise `BadInputError` for anything else."""
        if text == CAMP_PLACE:
            return CAMP, False
        if text == "C" and self.has_centre:
            return self.centre, False
        if isinstance(text, str) and text.isascii():
            fresh = text.endswith("*")
            digits = text[1:-1] if fresh else text[1:]
            if text[:1] == "T" and digits in self._track_numbers:
                if fresh and int(digits) != self.start(seat):
                    raise BadInputError(
                        f"{text} of {Seat(seat).name}: only its start T{self.start(seat)} can be fresh (*)"
                    )
                return int(digits), fresh
            if text[:1] == "H" and not fresh and digits in ("1", "2", "3", "4"):
                return self.home(seat, int(digits)), False
        raise BadInputError(
            f"no such hole for {Seat(seat).name}: {quoted(text)}; "
            f"places are camp, T0 to T{self.track_length - 1}, H1 to H4" + (", C" if self.has_centre else "")
        )

    def hole_id(self, cell: int) -> Hole:
        """The hole of a cell: `T20`, `P0-H1`, `C`; `CAMP` is no hole."""
        if cell < 0:
            raise BadInputError("a camp is no single hole")
        return _holes_of(self.zones)[cell]

    @cached_property
    def _track_numbers(self) -> frozenset[str]:
        return frozenset(map(str, range(self.track_length)))

    @cached_property
    def cells_by_hole(self) -> dict[Hole, int]:
        """Cell of every hole outside the camps."""
        cells = [cell for cell in range(self.cell_count) if self.has_centre or cell != self.centre]
        return {self.hole_id(cell): cell for cell in cells}

    def hole_ids(self) -> tuple[Hole, ...]:
        """All holes that a board file of this shape names, camps included."""
        camps = [hole for seat in self.seats for hole in camp_holes_of(seat)]
        return (*self.cells_by_hole, *camps)
