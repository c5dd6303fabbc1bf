"""A request to the table, read from what came over the wire, and the reply."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from tock_companion.core.bodies import BODIES, Body
from tock_companion.errors import BadInputError
from tock_companion.events.terms import Param, Params
from tock_companion.schema import first_mistake
from tock_rules import Seat


class Role(Enum):
    """The role of the caller, which decides their rights."""

    TABLE = "table"
    SEAT = "seat"
    WATCH = "watch"
    HOST = "host"


@dataclass(frozen=True, slots=True)
class Request:
    body: Body = field(repr=False)
    """Not in the text form: it may hold a hand, and log files are read by others."""
    role: Role
    seat: Seat | None = None
    revision: int | None = None
    """The view on which the request was formed; None when it does not matter."""

    @property
    def kind(self) -> str:
        return self.body.KIND

    @property
    def who(self) -> str:
        """The name under which the log says who asked."""
        return self.seat.name if self.role is Role.SEAT and self.seat is not None else self.role.value


@dataclass(frozen=True, slots=True)
class Reply:
    """Granted or not, with a stable code that views put into words."""

    ok: bool
    code: str = "ok"
    params: Params = field(default_factory=dict)
    """The terms of the sentence of `code`."""
    data: Mapping[str, object] = field(default_factory=dict)
    sentence: Mapping[str, str] | None = None
    """The finished sentence of another table, by language."""


def refused(code: str, **params: Param) -> Reply:
    """Refuse, with the terms of that code's sentence."""
    return Reply(False, code, params)


def bad_request(error: BadInputError) -> Reply:
    """Refuse what `parse_request`, or a handler, could make nothing of."""
    return refused("bad_request", reason=str(error))


@dataclass(frozen=True, slots=True)
class Ticket:
    """The right to act for a seat: the holder keeps the secret token (32 hex digits)."""

    seat: Seat
    name: str
    token: str


def parse_request(
    kind: object,
    data: object,
    role: Role,
    seat: Seat | None = None,
    revision: int | None = None,
) -> Request:
    """Read a request as it came over the wire; raises BadInputError that names the field and its fault."""
    if not isinstance(kind, str) or kind not in BODIES:
        raise BadInputError(f"'kind' is not one of {', '.join(BODIES)}")
    try:
        body = adapter(kind).validate_python(data)
    except ValidationError as error:
        raise BadInputError(first_mistake(error, "data")) from None
    return Request(body, role, seat, revision)


def request_data(body: Body) -> dict[str, Any]:
    """Write a request's data as they go over the wire, without fields that are left out."""
    data: dict[str, Any] = adapter(body.KIND).dump_python(
        body, mode="json", by_alias=True, exclude_defaults=True
    )
    return data


def request_row(request: Request) -> dict[str, object]:
    """Write a request as recordings hold it; the caller adds number and time."""
    return {
        "kind": request.kind,
        "role": request.role.value,
        "seat": request.seat.name if request.seat is not None else None,
        "data": request_data(request.body),
    }


@cache
def adapter(kind: str) -> TypeAdapter[Any]:
    """Find what checks and describes the data of one kind of request."""
    return TypeAdapter(BODIES[kind])
