"""The lines of a recording's files (docs/formats.md).

Unknown keys are ignored: other programs and later versions write recordings too, with more in them.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, TypeVar

from pydantic import ConfigDict, Field, PlainValidator

from tock_companion.errors import printable
from tock_companion.files import MB, read_text_bounded
from tock_companion.observation import SourceCondition
from tock_companion.schema import A_NAME, Schema, check, parse_json
from tock_rules import Card, Seat

MAX_LOG_BYTES = 500 * MB
"""Ten frames a second for a day fill a tenth of it."""
MAX_T_MS = 10**11
"""Three years."""

_Name: TypeAlias = Annotated[str, Field(max_length=100), A_NAME]
_FileName: TypeAlias = Annotated[str, Field(min_length=1, max_length=1000)]
_Time: TypeAlias = Annotated[int, Field(ge=0, le=MAX_T_MS)]
_Seat: TypeAlias = Annotated[Seat, PlainValidator(Seat.parse)]
_Card: TypeAlias = Annotated[Card, PlainValidator(Card.parse)]
_Condition: TypeAlias = Annotated[SourceCondition, Field(strict=False)]
_Confidence: TypeAlias = Annotated[float, Field(ge=0, le=1)]
_Seen: TypeAlias = Annotated[tuple[_Seat | None, _Confidence], Field(strict=False)]
"""The owner of a pawn, None for an empty hole, and the confidence."""


class Recorded(Schema):
    model_config = ConfigDict(extra="ignore")


class Row(Recorded):
    """One input at the table, and its number in the order of all inputs where the recording has it."""

    t_ms: _Time
    n: Annotated[int, Field(ge=0)] | None = None


class FrameRow(Row):
    """A frame: a file inside the recording, and the source that it came from."""

    file: _FileName
    source: _Name | None = None


class ReedRow(Row):
    """One edge of a reed (`hole`), or the whole board (`snapshot`), or neither: the same as before."""

    source: _Name = "reed"
    hole: _Name | None = None
    closed: bool | None = None
    felt_ms: _Time | None = None
    more: bool = False
    """Whether the next line is of the same observation."""
    snapshot: list[_Name] | None = None
    unknown: list[_Name] = Field(default_factory=list)


class SeenRow(Row):
    """A camera's reading: the holes that differ from the line before, None for an occluded one."""

    source: _Name = "camera"
    holes: dict[str, _Seen | None] = Field(default_factory=dict)


class CardRow(Row):
    card: _Card
    seat: _Seat | None = None
    by: _Name = "touch"


class ReportRow(Row):
    source: _Name
    condition: _Condition
    code: _Name = ""


class RequestRow(Row):
    """A request of a person, or a `tick`: the table looked again by itself."""

    kind: _Name
    role: Literal["table", "seat", "watch", "host"] = "seat"
    seat: _Seat | None = None
    data: dict[str, object] | None = None


AnyRow = TypeVar("AnyRow", bound=Row)


def read_rows(path: Path, model: type[AnyRow]) -> Iterator[AnyRow]:
    """Read a log line by line, nothing when there is no such file; BadInputError names the line that is wrong."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return
    except (OSError, ValueError):
        pass  # `read_text_bounded` reports its fault.
    # Not `splitlines`: that also splits at characters that may stand inside a JSON text.
    for number, line in enumerate(read_text_bounded(path, MAX_LOG_BYTES, "recording").split("\n"), 1):
        if line.strip():
            where = f"{printable(str(path))}, line {number}"
            yield check(model, parse_json(line, where, "one JSON object a line"), where)
