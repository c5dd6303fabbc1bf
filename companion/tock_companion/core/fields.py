"""Types of the values that come over the wire, checked and described by pydantic."""

import unicodedata
from typing import Annotated

from pydantic import AfterValidator, Field, PlainSerializer, PlainValidator, Strict, WithJsonSchema

from tock_companion.errors import NO_TEXT
from tock_companion.names import tidy_name
from tock_companion.schema import MAX_NUMBER
from tock_rules import MAX_PAWNS, Card, Seat

NAME_LENGTH = 24
MAX_CARDS = 16
"""The largest hand under any rules."""


def well_formed(text: str) -> str:
    """Normalise a text to NFC; raise ValueError for control characters, lone surrogates and direction marks.

    Such a character breaks the log file, a terminal or the page of everybody who has to read it.
    """
    if found := NO_TEXT.search(text):
        raise ValueError(f"has a character that is not allowed (U+{ord(found[0]):04X})")
    return unicodedata.normalize("NFC", text)


def _person_name(text: str) -> str:
    """Tidy a name and cut it to a length that fits a seat's label."""
    name = tidy_name(text, NAME_LENGTH)
    if not name:
        raise ValueError("needs a letter that one can see")
    return name


CardValue = Annotated[
    Card,
    PlainValidator(Card.parse),
    PlainSerializer(str, return_type=str),
    WithJsonSchema({"type": "string", "pattern": "^((A|[2-9]|10|J|Q|K)[SHDC]|JOK_[BC])$"}),
]
"""A card by its name, such as `10H` or `JOK_C`."""
SeatValue = Annotated[
    Seat,
    PlainValidator(Seat.parse),
    PlainSerializer(lambda seat: seat.name, return_type=str),
    WithJsonSchema({"type": "string", "pattern": "^P[0-7]$"}),
]
"""A seat by its name, `P0` to `P7`."""
Hand = Annotated[tuple[CardValue, ...], Field(max_length=MAX_CARDS)]
CardCount = Annotated[int, Strict(), Field(ge=0, le=MAX_CARDS)]
Number = Annotated[int, Strict(), Field(ge=0, le=MAX_NUMBER)]
"""A whole number, such as the `seq` of an event."""
Flag = Annotated[bool, Strict()]
Confidence = Annotated[float, Field(strict=True, ge=0, le=1, allow_inf_nan=False)]
HoleId = Annotated[
    str, Strict(), Field(pattern=rf"^(T\d{{1,3}}\*?|C|camp|H[1-{MAX_PAWNS}]|P[0-7]-[CH][1-{MAX_PAWNS}])$")
]
"""A hole by its id in the board file, or a place in the notation of positions (`camp`, `H1`, `T18*`)."""
ShortText = Annotated[str, Strict(), Field(min_length=1, max_length=200), AfterValidator(well_formed)]
"""One line for people, or the text of a move."""
PersonName = Annotated[
    str, Strict(), Field(max_length=200), AfterValidator(well_formed), AfterValidator(_person_name)
]
"""A person's name."""
OptionName = Annotated[str, Strict(), Field(pattern=r"^[a-z0-9_]{1,40}$")]
OwnRule = Annotated[str, Strict(), Field(pattern=r"^[a-z0-9_+:;=.!?±-]{1,80}$")]
"""A rule of a family's own, such as `start;+1;+11`, or the value of a switch."""
OptionValue = Flag | Annotated[int, Strict(), Field(ge=0, le=1000)] | OwnRule
