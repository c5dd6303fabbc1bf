"""The map from holes to inputs of the reed board, which schematic, firmware and companion all use.

One sector board per zone, zone 0 nearest the microcontroller, with four 74HC165 in a row: 32 inputs. Inputs are
numbered in the order in which their bits come out of the chain: input 0 is pin H of the register nearest the
microcontroller, input 7 its pin A, input 8 pin H of the next register. A closed switch pulls its input to ground.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

from tock_companion.boardfile.model import camp_hole, home_hole, track_hole
from tock_companion.errors import BadInputError
from tock_rules import PAWNS_PER_SEAT, ZONE_LENGTH, Hole, HoleKind, Seat

REGISTER_PINS = "HGFEDCBA"
"""Parallel inputs of a 74HC165 in the order in which it shifts them out."""
REGISTERS_PER_BOARD = 4
INPUTS_PER_BOARD = REGISTERS_PER_BOARD * len(REGISTER_PINS)
HOLES_PER_BOARD = ZONE_LENGTH + 2 * PAWNS_PER_SEAT


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


def holes_of_board(zone: int) -> tuple[Hole, ...]:
    """List the 26 holes of a sector board in the order of its inputs: track, camp, home."""
    seat = Seat(zone)
    return (
        *(track_hole(ZONE_LENGTH * zone + step) for step in range(ZONE_LENGTH)),
        *(camp_hole(seat, index) for index in range(PAWNS_PER_SEAT)),
        *(home_hole(seat, index) for index in range(PAWNS_PER_SEAT)),
    )


def spare_input(zone: int, use: SpareInput) -> int:
    """Number a sector board's spare input."""
    return INPUTS_PER_BOARD * zone + HOLES_PER_BOARD + list(SpareInput).index(use)


def straps_of(zone: int) -> tuple[bool, bool]:
    """Whether strap 1 and strap 2 of a sector board are bridged."""
    return bool(zone & 1), bool(zone & 2)


def inputs_of(zones: int) -> Mapping[Hole, int]:
    """Map every hole of a board, the centre hole included, to its input."""
    if zones not in (4, 6, 8):
        raise BadInputError(f"zones is {zones}; boards have 4, 6 or 8")
    numbers = {
        hole: INPUTS_PER_BOARD * zone + place
        for zone in range(zones)
        for place, hole in enumerate(holes_of_board(zone))
    }
    numbers[Hole(HoleKind.CENTRE)] = spare_input(0, SpareInput.CENTRE)
    return MappingProxyType(numbers)


def pin_of(number: int) -> Pin:
    """Locate the pin that an input is soldered to."""
    board, place = divmod(number, INPUTS_PER_BOARD)
    register, step = divmod(place, len(REGISTER_PINS))
    return Pin(board, register + 1, REGISTER_PINS[step])
