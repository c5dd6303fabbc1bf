"""The map from holes to inputs of the reed board, which schematic, firmware and companion all use.

One sector board per zone, zone 0 nearest the microcontroller, with four 74HC165 in a row: 32 inputs. Inputs are
numbered in the order in which their bits come out of the chain: input 0 is pin H of the register nearest the
microcontroller, input 7 its pin A, input 8 pin H of the next register. A closed switch pulls its input to ground.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

from tock_companion.boardfile.model import home_hole, shape_of, track_hole, zone_text
from tock_companion.errors import BadInputError
from tock_rules import PAWNS_PER_SEAT, ZONE_LENGTH, BoardShape, Hole, HoleKind, Seat

REGISTER_PINS = "HGFEDCBA"
"""Parallel inputs of a 74HC165 in the order in which it shifts them out."""
REGISTERS_PER_BOARD = 4
INPUTS_PER_BOARD = REGISTERS_PER_BOARD * len(REGISTER_PINS)
HOLES_PER_BOARD = ZONE_LENGTH + 2 * PAWNS_PER_SEAT
"""Inputs for holes; a zone with more of them takes those of the button and of the centre hole too."""


class SpareInput(Enum):
    """The uses of the six inputs after a sector board's 26 holes."""

    LOW = "low"
    """Tied to ground. With `HIGH` beside it every scan shows whether the bits of this board are in their places."""
    HIGH = "high"
    """Tied to the supply."""
    BUTTON = "button"
    """A button of the player of this zone, to ground."""
    CENTRE = "centre"
    """The centre hole, on the sector board of zone 0; open on the others."""
    STRAP_1 = "strap 1"
    """Bridged to ground where the zone's number has its bit of value 1."""
    STRAP_2 = "strap 2"
    """Bridged to ground where the zone's number has its bit of value 2."""


@dataclass(frozen=True, slots=True)
class Pin:
    """The place of an input: sector board 0 to 7, register 1 to 4 of the board, pin letter of the 74HC165."""

    board: int
    register: int
    letter: str

    def __str__(self) -> str:
        """Write it as a builder reads it: `board 2, register 3, pin F`."""
        return f"board {self.board}, register {self.register}, pin {self.letter}"


def holes_of_board(shape: BoardShape, zone: int) -> tuple[Hole, ...]:
    """List the holes of a sector board, 26 on a Tock board, in the order of its inputs: track, camp, home.

    Camp holes for which no input of a hole is left come last: the button's input has no light.
    """
    seat, camp = Seat(zone), shape.camp_holes(Seat(zone))
    inner = len(camp) - _beyond(shape)
    return (
        *(track_hole(shape.start(seat) + step) for step in range(shape.zone_length)),
        *camp[:inner],
        *(home_hole(seat, index) for index in range(shape.pawns_per_seat)),
        *camp[inner:],
    )


def _beyond(shape: BoardShape) -> int:
    return max(0, shape.zone_length + 2 * shape.pawns_per_seat - HOLES_PER_BOARD)


def has_buttons(shape: BoardShape) -> bool:
    """Whether every zone has an input left for its player's button."""
    return not _beyond(shape)


def spare_input(zone: int, use: SpareInput) -> int:
    """Number a sector board's spare input."""
    return INPUTS_PER_BOARD * zone + HOLES_PER_BOARD + list(SpareInput).index(use)


def straps_of(zone: int) -> tuple[bool, bool]:
    """Whether strap 1 and strap 2 of a sector board are bridged."""
    return bool(zone & 1), bool(zone & 2)


def inputs_of(board: BoardShape | int) -> Mapping[Hole, int]:
    """Map every hole of a board to its input; raises BadInputError for one whose zones have too many holes."""
    shape = shape_of(board)
    beyond = [list(SpareInput).index(use) for use in (SpareInput.BUTTON, SpareInput.CENTRE)]
    if _beyond(shape) > len(beyond) - shape.has_centre:
        raise BadInputError(
            f"a sector board has not enough inputs for a board of {zone_text(shape)}; watch it with a camera"
        )
    places = [*range(HOLES_PER_BOARD), *(HOLES_PER_BOARD + place for place in beyond)]
    numbers = {
        hole: INPUTS_PER_BOARD * zone + place
        for zone in range(shape.zones)
        for place, hole in zip(places, holes_of_board(shape, zone), strict=False)
    }
    if shape.has_centre:
        numbers[Hole(HoleKind.CENTRE)] = spare_input(0, SpareInput.CENTRE)
    return MappingProxyType(numbers)


def pin_of(number: int) -> Pin:
    """Locate the pin that an input is soldered to."""
    board, place = divmod(number, INPUTS_PER_BOARD)
    register, step = divmod(place, len(REGISTER_PINS))
    return Pin(board, register + 1, REGISTER_PINS[step])
