"""Reasons not to trust the switches, and detection of swapped sector boards by their straps."""

from enum import Enum

from tock_companion.boardfile.wiring import SpareInput, spare_input, straps_of
from tock_companion.observation import SourceCondition
from tock_companion.sources.reed.protocol import Hello


class Trouble(Enum):
    """A stable code that the page turns into a sentence."""

    NO_ANSWER = "reed/no_answer"
    SILENT = "reed/silent"
    OTHER_VERSION = "reed/other_version"
    NO_BOARDS = "reed/no_boards"
    FEWER_BOARDS = "reed/fewer_boards"
    MORE_BOARDS = "reed/more_boards"
    CHAIN_BROKEN = "reed/chain_broken"
    WRONG_ORDER = "reed/wrong_order"

    @property
    def condition(self) -> SourceCondition:
        """Whether the board is gone, or there and unable to report its pawns."""
        return SourceCondition.LOST if self in _LOST else SourceCondition.BLIND


_LOST = (Trouble.NO_ANSWER, Trouble.SILENT, Trouble.OTHER_VERSION)


def advice(trouble: Trouble, hello: Hello, *, needed: int, alive: int, exchanged_at: int | None) -> str:
    """The fault and its remedy, in English for the log and the host; empty when the code is enough.

    `needed` and `alive` count sector boards; `exchanged_at` is the place in the chain, from 0.
    """
    match trouble:
        case Trouble.OTHER_VERSION:
            return (
                f"the firmware speaks protocol {hello.protocol_major}; "
                "type 'tock firmware flash' to bring it up to date"
            )
        case Trouble.NO_BOARDS:
            return "not one sector board answers; check the cable from the controller"
        case Trouble.FEWER_BOARDS | Trouble.MORE_BOARDS:
            return f"{hello.boards} sector boards answer, the board file needs {needed}"
        case Trouble.CHAIN_BROKEN if alive:
            return f"the chain is broken behind sector board {alive}; check the cable there"
        case Trouble.CHAIN_BROKEN:
            return "the first sector board does not answer; check the cable from the controller"
        case Trouble.WRONG_ORDER:
            return (
                f"place {(exchanged_at or 0) + 1} of the chain holds the sector board "
                "of another place; exchange them, or mend their straps"
            )
        case _:
            return ""


def straps_read(bitmap: int, boards: int) -> tuple[tuple[bool, bool], ...]:
    """The two straps of each sector board in a bitmap of closed inputs, nearest board first."""
    return tuple(
        (
            bool(bitmap >> spare_input(place, SpareInput.STRAP_1) & 1),
            bool(bitmap >> spare_input(place, SpareInput.STRAP_2) & 1),
        )
        for place in range(boards)
    )


def strange(bitmap: int, boards: int) -> int | None:
    """The first place whose straps are not those of its zone, None when all are right."""
    pairs = enumerate(straps_read(bitmap, boards))
    return next((place for place, straps in pairs if straps != straps_of(place)), None)


def exchanged(bitmap: int, boards: int) -> int | None:
    """The first place that holds the sector board of another place, None when all hold their own.

    The straps count modulo four. Boards were swapped when every number is there, only not in its place; where a
    number is missing a strap was forgotten, and the order cannot be known.
    """
    expected = [straps_of(place) for place in range(boards)]
    found = straps_read(bitmap, boards)
    return strange(bitmap, boards) if sorted(found) == sorted(expected) else None
