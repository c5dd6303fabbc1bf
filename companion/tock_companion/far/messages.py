"""Messages between a home and a far phone or board inside sealed frames, as frozen dataclasses and as JSON.

Whoever reads one gets a ValueError for anything else: also a page that has the link's secret may be of another version.
"""

from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeVar

from pydantic import Field, PlainSerializer, PlainValidator

from tock_companion import strict_json
from tock_companion.far.link import base64url, from_base64url
from tock_companion.schema import MAX_NUMBER, shape_of

DEVICE_BYTES, POINT_BYTES, HASH_BYTES = 32, 65, 32

Id = Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[A-Za-z0-9._:-]+$")]
Version = Annotated[str, Field(min_length=1, max_length=60)]
Number = Annotated[int, Field(strict=True, ge=0, le=MAX_NUMBER)]
Document = dict[str, object]
Refusal = Literal["version", "device", "over", "seat_taken"]
EndReason = Literal["revoked", "over", "seat"]
Kind = TypeVar("Kind")


def _bytes_of(length: int) -> PlainValidator:
    def read(text: object) -> bytes:
        data = from_base64url(text) if isinstance(text, str) else b""
        if len(data) != length:
            raise ValueError(f"has {len(data)} bytes, not {length}")
        return data

    return PlainValidator(read)


_AS_TEXT = PlainSerializer(base64url, return_type=str)
Point = Annotated[bytes, _bytes_of(POINT_BYTES), _AS_TEXT]
Device = Annotated[bytes, _bytes_of(DEVICE_BYTES), _AS_TEXT]
Hash = Annotated[bytes, _bytes_of(HASH_BYTES), _AS_TEXT]


@dataclass(frozen=True, slots=True)
class Hello:
    key: Point
    device: Device = field(repr=False)
    """A secret of the device, by which it is known again."""
    version: Version
    views: Number
    """Form of the views that its page draws."""


@dataclass(frozen=True, slots=True)
class Welcome:
    key: Point
    re: Hash
    """The hash of the hello."""
    version: Version


@dataclass(frozen=True, slots=True)
class Refused:
    """The home's refusal of a hello."""

    refused: Refusal
    re: Hash
    version: Version = "?"


@dataclass(frozen=True, slots=True)
class Call:
    """A call of the page's API."""

    id: Id
    method: Literal["GET", "POST"]
    path: Annotated[str, Field(min_length=1, max_length=200)]
    query: Annotated[dict[str, str], Field(max_length=20)] = field(default_factory=dict)
    body: Document | None = None
    boot: Annotated[str, Field(max_length=60)] = ""
    """That of the view on which it was formed: a request to an earlier start of the home counts no more."""


@dataclass(frozen=True, slots=True)
class Look:
    """The wish for the stream of views, as one tab of the browser."""

    tab: Id


@dataclass(frozen=True, slots=True)
class Ping:
    """A question whether the home is there."""

    number: Number


@dataclass(frozen=True, slots=True)
class Board:
    """A message between two companions with a board each, in both directions."""

    content: Document


@dataclass(frozen=True, slots=True)
class View:
    """A view of the far seat; `boot` is that of the home's present start."""

    view: Document
    boot: str


@dataclass(frozen=True, slots=True)
class Changes:
    """A view as its changes since the one before in the same session."""

    changes: Document
    boot: Annotated[str, Field(max_length=60)]


@dataclass(frozen=True, slots=True)
class Answer:
    id: Id
    status: Annotated[int, Field(strict=True, ge=100, le=599)]
    boot: str
    data: object = None


@dataclass(frozen=True, slots=True)
class Pong:
    number: Number


@dataclass(frozen=True, slots=True)
class End:
    """The home is done with this guest."""

    reason: EndReason


Up = Call | Look | Ping | Board
Down = View | Changes | Answer | Pong | End | Board


def hello_bytes(hello: Hello) -> bytes:
    return shape_of(Hello).dump_json(hello)


def read_hello(data: bytes) -> Hello:
    """Read a hello; raises ValueError."""
    return _checked(Hello, strict_json.decode(data))


def welcome_bytes(answer: Welcome | Refused) -> bytes:
    return shape_of(type(answer)).dump_json(answer)


def read_welcome(data: bytes) -> Welcome | Refused:
    """Read the answer to a hello; raises ValueError."""
    document = strict_json.decode(data)
    is_refusal = isinstance(document, dict) and "refused" in document
    return _checked(Refused, document) if is_refusal else _checked(Welcome, document)


def message_bytes(message: Up | Down) -> bytes:
    """Write a message as JSON."""
    match message:
        case Call():
            return _json({"call": _fields(message, {"query": {}, "body": None, "boot": ""})})
        case Look():
            return _json({"look": {"tab": message.tab}})
        case Ping(number):
            return _json({"ping": number})
        case Board(content):
            return _json({"board": content})
        case View():
            return _json({"view": message.view, "boot": message.boot})
        case Changes():
            return _json({"changes": message.changes, "boot": message.boot})
        case Answer():
            return _json({"answer": _fields(message, {})})
        case Pong(number):
            return _json({"pong": number})
        case End(reason):
            return _json({"end": reason})


def read_up(data: bytes) -> Up:
    """Read a message of a far phone or board; raises ValueError."""
    match strict_json.decode(data):
        case {"call": call, **rest} if not rest:
            return _checked(Call, call)
        case {"look": look, **rest} if not rest:
            return _checked(Look, look)
        case {"ping": number, **rest} if not rest:
            return _checked(Ping, {"number": number})
        case {"board": content, **rest} if not rest:
            return _checked(Board, {"content": content})
    raise ValueError("no message of a guest")


def read_down(data: bytes) -> Down:
    """Read a message of a home; raises ValueError."""
    match strict_json.decode(data):
        case {"view": view, "boot": boot, **rest} if not rest:
            return _checked(View, {"view": view, "boot": boot})
        case {"changes": changes, "boot": boot, **rest} if not rest:
            return _checked(Changes, {"changes": changes, "boot": boot})
        case {"answer": answer, **rest} if not rest:
            return _checked(Answer, answer)
        case {"pong": number, **rest} if not rest:
            return _checked(Pong, {"number": number})
        case {"end": reason, **rest} if not rest:
            return _checked(End, {"reason": reason})
        case {"board": content, **rest} if not rest:
            return _checked(Board, {"content": content})
    raise ValueError("no message of a home")


def _checked(kind: type[Kind], fields: object) -> Kind:
    if not isinstance(fields, dict):
        raise ValueError("has no fields")
    found = shape_of(kind).validate_python(fields)
    assert isinstance(found, kind)
    return found


def _fields(message: Call | Answer, omitted: Document) -> Document:
    """The fields of a message but those with the value that is left out."""
    fields: Document = {name: getattr(message, name) for name in message.__slots__}
    return {name: value for name, value in fields.items() if name not in omitted or omitted[name] != value}


def _json(document: Document) -> bytes:
    return strict_json.encode(document).encode()
