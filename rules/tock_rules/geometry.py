"""The order of the holes on a board of 2 to 8 zones; no millimetres (docs/rules/board.md)."""

from dataclasses import dataclass, fields
from functools import cache, cached_property

from tock_rules.errors import BadInputError, quoted
from tock_rules.holes import CAMP_PLACE, Hole, HoleKind
from tock_rules.seats import MAX_PAWNS, MAX_ZONE_LENGTH, MIN_ZONE_LENGTH, PAWNS_PER_SEAT, ZONE_LENGTH, Seat
from tock_rules.values import Value

SUMMIT = 7
"""Printed number of the corner hole of every zone: the summit of 003 and 004, the shortcut hole of 002."""
_DIGITS = ("1", "2", "3", "4", "5")
_ALWAYS = ("zones", "has_centre", "entrance_back")
CAMP = -1
"""The cell number that stands for every camp: a camp has room for all its pawns."""


@cache
def camp_holes_of(seat: Seat, pawns: int = PAWNS_PER_SEAT) -> tuple[Hole, ...]:
    """The camp holes of a seat."""
    return tuple(Hole(HoleKind.CAMP, seat, number) for number in range(1, pawns + 1))


@cache
def _holes_of(zones: int, zone_length: int, pawns: int) -> tuple[Hole, ...]:
    """The hole of every cell; the same objects for all shapes, as positions come with a shape of their own."""
    track = [Hole.track(number) for number in range(zone_length * zones)]
    homes = [Hole(HoleKind.HOME, seat, n) for seat in list(Seat)[:zones] for n in range(1, pawns + 1)]
    return (*track, Hole(HoleKind.CENTRE), *homes)


@dataclass(frozen=True, repr=False)
class BoardShape(Value):
    """The holes of a board and their order.

    Cells are the engine's hole numbers: `0..track_length-1` the track, then the centre, then the home holes of each
    seat; `CAMP` is any camp.
    """

    zones: int
    has_centre: bool = False
    """The board has the centre hole that 002 uses as a shortcut (R002-20)."""
    entrance_back: int = 2
    """Number of holes before the start at which the home column leaves the track (open point A-01)."""
    zone_length: int = ZONE_LENGTH
    """Track holes of one zone, its start hole included (R002-13)."""
    pawns_per_seat: int = PAWNS_PER_SEAT
    """Pawns of a seat; its camp and its home have as many holes."""

    def __post_init__(self) -> None:
        """Refuse numbers that no board has."""
        for value, least, most, what in (
            (self.zones, 2, len(Seat), "a board has {} to {} zones"),
            (self.entrance_back, 0, 5, "the home entrance is {} to {} holes before the start"),
            (self.zone_length, MIN_ZONE_LENGTH, MAX_ZONE_LENGTH, "a zone has {} to {} holes"),
            (self.pawns_per_seat, 1, MAX_PAWNS, "a seat has {} to {} pawns"),
        ):
            if type(value) is not int or not least <= value <= most:
                raise BadInputError(f"{what.format(least, most)}, not {quoted(value)}")

    def __repr__(self) -> str:
        """One line that pastes back; the numbers of a Tock board are left out."""
        shown = [
            field
            for field in fields(self)
            if field.name in _ALWAYS or getattr(self, field.name) != field.default
        ]
        return f"BoardShape({', '.join(f'{field.name}={getattr(self, field.name)!r}' for field in shown)})"

    @cached_property
    def track_length(self) -> int:
        """Number of holes on the track: 72, 108 or 144 on a Tock board (R002-12)."""
        return self.zone_length * self.zones

    @property
    def size(self) -> tuple[int, int, int]:
        """Zones, holes of a zone and pawns of a seat, by which boards of different games can be told apart."""
        return self.zones, self.zone_length, self.pawns_per_seat

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
        return self.track_length + 1 + self.pawns_per_seat * self.zones

    def start(self, seat: int) -> int:
        """The track index of the seat's start hole."""
        return self.zone_length * seat

    def entrance(self, seat: int) -> int:
        """The track index where the seat's home column leaves the track."""
        return (self.start(seat) - self.entrance_back) % self.track_length

    def home(self, seat: int, index: int) -> int:
        """The cell of home hole `index` (1 nearest the entrance)."""
        return self.track_length + self.pawns_per_seat * seat + index

    def home_of(self, cell: int) -> tuple[Seat, int] | None:
        """The owner of the home that the cell belongs to, with its index from 1; None for another cell."""
        beyond = cell - self.track_length - 1
        if beyond < 0:
            return None
        seat, index = divmod(beyond, self.pawns_per_seat)
        return Seat(seat), index + 1

    def progress(self, seat: int, t: int) -> int:
        """Number of holes from the seat's start to `T<t>`, 0 to track_length - 1."""
        return (t - self.start(seat)) % self.track_length

    def to_door(self, seat: int, t: int) -> int:
        """Steps from `T<t>` to the home entrance of the seat; nearly a lap from behind it."""
        return (self.entrance(seat) - t) % self.track_length

    def label(self, t: int) -> int:
        """The number from 1 that is printed at `T<t>` (R002-13)."""
        return (t - 1) % self.zone_length + 1

    def zone_of(self, t: int) -> Seat:
        """The zone that `T<t>` is counted in: a start hole is the last of the zone before it."""
        return Seat((t - 1) % self.track_length // self.zone_length)

    def summits(self) -> tuple[int, ...]:
        """The track index of every hole numbered 7."""
        return tuple(self.zone_length * zone + SUMMIT for zone in range(self.zones))

    def is_summit(self, cell: int) -> bool:
        """Whether the cell is a hole numbered 7."""
        return 0 <= cell < self.track_length and cell % self.zone_length == SUMMIT

    def starts_of(self, seats: int) -> int:
        """The start holes of some seats (a bit each) as a set of cells."""
        return sum(1 << self.start(seat) for seat in range(seats.bit_length()) if seats >> seat & 1)

    def seats_on(self, cells: int) -> int:
        """The seats whose start holes are in a set of cells, a bit each."""
        return sum((cells >> self.start(seat) & 1) << seat for seat in range(self.zones))

    def place_text(self, cell: int, fresh: bool = False) -> str:
        """The short name of a place as moves use it: `camp`, `T20`, `T0*`, `H1`, `C`."""
        if cell == CAMP:
            return CAMP_PLACE
        if cell < self.track_length:
            return f"T{cell}*" if fresh else f"T{cell}"
        if cell == self.centre:
            return "C"
        return f"H{(cell - self.track_length - 1) % self.pawns_per_seat + 1}"

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
                        f"{text} of P{seat}: only its start T{self.start(seat)} can be fresh (*)"
                    )
                return int(digits), fresh
            if text[:1] == "H" and not fresh and digits in _DIGITS[: self.pawns_per_seat]:
                return self.home(seat, int(digits)), False
        raise BadInputError(
            f"no such hole for P{seat}: {quoted(text)}; "
            f"places are camp, T0 to T{self.track_length - 1}, H1 to H{self.pawns_per_seat}"
            + (", C" if self.has_centre else "")
        )

    def hole_id(self, cell: int) -> Hole:
        """The hole of a cell: `T20`, `P0-H1`, `C`; `CAMP` is no hole."""
        if cell < 0:
            raise BadInputError("a camp is no single hole")
        return _holes_of(self.zones, self.zone_length, self.pawns_per_seat)[cell]

    @cached_property
    def _track_numbers(self) -> frozenset[str]:
        return frozenset(map(str, range(self.track_length)))

    @cached_property
    def cells_by_hole(self) -> dict[Hole, int]:
        """Cell of every hole outside the camps."""
        cells = [cell for cell in range(self.cell_count) if self.has_centre or cell != self.centre]
        return {self.hole_id(cell): cell for cell in cells}

    def camp_holes(self, seat: Seat) -> tuple[Hole, ...]:
        """The camp holes of a seat."""
        return camp_holes_of(seat, self.pawns_per_seat)

    def hole_ids(self) -> tuple[Hole, ...]:
        """All holes that a board file of this shape names, camps included."""
        camps = [hole for seat in self.seats for hole in self.camp_holes(seat)]
        return (*self.cells_by_hole, *camps)
