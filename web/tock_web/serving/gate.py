"""The gate: input becomes a typed value before a handler sees it, or is refused with one 400.

A route declares its input, its answers and its callers:

    @seats.post("/join")
    @endpoint(body=Join, answer=Seated, refusal=TableReply)
    def join(asked: Join) -> ResponseReturnValue:

The OpenAPI document is generated from the same declarations.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import wraps
from typing import Annotated, Any, Required, TypeVar, overload

from flask import abort, redirect, request
from pydantic import BeforeValidator, Field, ValidationError
from pydantic_core import PydanticCustomError
from typing_extensions import TypedDict, Unpack
from werkzeug import Response
from werkzeug.exceptions import Forbidden, Unauthorized

from tock_companion import strict_json
from tock_companion.errors import NO_TEXT, BadInputError, SpokenError, one_line
from tock_companion.schema import MAX_NUMBER, Schema
from tock_companion.views.terminal import in_languages
from tock_rules import Seat
from tock_web.context import caller
from tock_web.limits.bodies import JSON_BYTES
from tock_web.serving.faults import InputError, input_error
from tock_web.serving.faults import refusal as refused

Model = TypeVar("Model", bound=Schema)
Answer = TypeVar("Answer")

DEEPEST = 8
"""Levels of lists and objects in a body; the deepest request (`correct`) needs four."""


class Who(Enum):
    """The callers allowed; where that depends on the input, the handler checks once it is read."""

    ANYONE = "anyone"
    HOST = "the host"
    SEATED = "a seat"
    ROLE = "whoever has the role asked for"
    CAMERA = "a phone that was let in"


ASKED_LATER = (Who.ANYONE, Who.ROLE, Who.CAMERA)


@dataclass(frozen=True, slots=True)
class OwnRight:
    """Callers that a feature knows by its own means."""

    value: str
    """As the reference of the API names them."""
    party: str
    """The column of the table of rights."""
    about: str
    admits: Callable[[], bool] = lambda: True
    """Whether the present request is from one of them; where the handler checks, everybody passes."""


@dataclass(frozen=True, slots=True)
class Media:
    """An answer or a body that is not JSON."""

    kinds: tuple[str, ...]
    events: Mapping[str, object] | None = None
    """The data of each kind of event, for a stream."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The input and the answers of a route."""

    query: type[Schema] | None = None
    body: type[Schema] | Media | None = None
    answer: object = None
    refusal: object = None
    """The JSON of a refusal by the table or the machine (403, 409, 422, 429, 503); faults look alike everywhere."""
    who: Who | OwnRight = Who.ANYONE
    ends: bool = False
    """Whether it ends something that people have: the page asks elsewhere first, and waits for five seconds."""


class Nothing(Schema):
    """The input of a route that reads none."""


ENDPOINT = "tock_endpoint"
"""Name of the attribute of a view function that holds its `Endpoint`."""
FOR_WHOM = "tock_for_whom"
"""Name of the attribute of the function of a page that holds its `Who`."""


def for_whom(
    who: Who | OwnRight, else_to: str
) -> Callable[[Callable[[], Answer]], Callable[[], Answer | Response]]:
    """Declare whose page this is; everybody else is redirected."""

    def decorate(handler: Callable[[], Answer]) -> Callable[[], Answer | Response]:
        @wraps(handler)
        def guarded() -> Answer | Response:
            try:
                admit(who)
            except (Forbidden, Unauthorized):
                return redirect(else_to, 303)
            return handler()

        setattr(guarded, FOR_WHOM, who)
        return guarded

    return decorate


class _Answers(TypedDict, total=False):
    answer: Required[object]
    refusal: object
    who: Who | OwnRight
    limit_bytes: int
    ends: bool
    says: str
    """The code of the sentence that gives the reason of a BadInputError."""


@overload
def endpoint(
    *, query: type[Model], **more: Unpack[_Answers]
) -> Callable[[Callable[[Model], Answer]], Callable[[], Answer]]: ...
@overload
def endpoint(
    *, body: type[Model], **more: Unpack[_Answers]
) -> Callable[[Callable[[Model], Answer]], Callable[[], Answer]]: ...
@overload
def endpoint(
    *, query: type[Model], body: Media, **more: Unpack[_Answers]
) -> Callable[[Callable[[Model], Answer]], Callable[[], Answer]]: ...
@overload
def endpoint(
    *, body: Media | None = None, **more: Unpack[_Answers]
) -> Callable[[Callable[[], Answer]], Callable[[], Answer]]: ...


def endpoint(
    *,
    query: type[Schema] | None = None,
    body: type[Schema] | Media | None = None,
    answer: object,
    refusal: object = None,
    who: Who | OwnRight = Who.ANYONE,
    limit_bytes: int = JSON_BYTES,
    ends: bool = False,
    says: str = "",
) -> Callable[[Callable[..., Any]], Callable[[], Any]]:
    """Declare the input and answers of a route; the handler gets the validated model, and reads other media itself."""

    def decorate(handler: Callable[..., Any]) -> Callable[[], Any]:
        """Wrap the handler in the checks, and note its declaration for the documents."""

        @wraps(handler)
        def guarded() -> Any:
            """Check the caller, then the input, and only then call the handler."""
            seat = admit(who)
            found = read_query(query or Nothing)
            asked = [found] if query is not None else []
            if isinstance(body, Media):
                admit_media(body, limit_bytes)
            elif request.method == "POST":
                sent = read_body(body or Nothing, limit_bytes)
                asked += [sent] if body is not None else []
            try:
                answer = handler(*asked)
            except BadInputError as error:
                if isinstance(error, SpokenError):
                    return refused(409, error.code, **error.params)
                if not says:
                    raise
                return refused(409, says, reason=in_languages(one_line(str(error))))
            if seat is not None and caller().seat is not seat:
                # The seat was lost while the answer was made, so it may show the next holder's data.
                abort(401)
            return answer

        setattr(guarded, ENDPOINT, Endpoint(query, body, answer, refusal, who, ends))
        return guarded

    return decorate


def admit(who: Who | OwnRight) -> Seat | None:
    """Refuse callers without the rights before reading any of their input; returns the seat of the route."""
    if isinstance(who, OwnRight):
        if not who.admits():
            abort(403)
        return None
    if who in ASKED_LATER:
        return None
    person = caller()
    if who is Who.HOST and not person.is_host:
        abort(403)
    if who is Who.SEATED and person.seat is None:
        abort(401)
    return person.seat if who is Who.SEATED else None


def admit_media(body: Media, limit_bytes: int) -> None:
    """Refuse a body of another type, or one announced as too large."""
    request.max_content_length = limit_bytes
    if request.mimetype not in body.kinds:
        abort(415, f"send {' or '.join(body.kinds)}")


def read_query(model: type[Model]) -> Model:
    """The query of the present request as a model."""
    values = request.args.to_dict(flat=False)
    for name, found in values.items():
        if len(found) > 1:
            raise InputError(name, "twice")
    return validated(model, {name: found[0] for name, found in values.items()})


def read_body(model: type[Model], limit_bytes: int = JSON_BYTES) -> Model:
    """The JSON body of the present request as a model; a missing body counts as an empty object."""
    request.max_content_length = limit_bytes
    data = request.get_data(cache=False)
    if data and not request.is_json:
        raise InputError("Content-Type", "json")
    return validated(model, parse_json(data) if data else {})


def parse_json(data: bytes) -> object:
    """Decode strict JSON of bounded depth with finite numbers and well-formed text."""
    try:
        document = strict_json.decode(data)
    except ValueError:
        raise InputError("", "json") from None
    _check(document, (), 0)
    return document


def _check(value: object, place: tuple[str | int, ...], depth: int) -> None:
    """Refuse content that no field may have, however open its model is."""
    if depth > DEEPEST:
        raise InputError(place, "deep")
    if isinstance(value, dict):
        for key, inner in value.items():
            if NO_TEXT.search(key):
                raise InputError(place, "characters")
            _check(inner, (*place, key), depth + 1)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            _check(inner, (*place, index), depth + 1)
    elif isinstance(value, int | float) and not abs(value) <= MAX_NUMBER:
        raise InputError(place, "number")


def validated(model: type[Model], data: object) -> Model:
    """Build a model, or refuse with its first error."""
    if not isinstance(data, dict):
        raise InputError("", "object")
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise input_error(error) from None


def _digits(text: object) -> object:
    """A number that a query writes in digits; Python's own `int` accepts spaces, signs and other alphabets too."""
    if isinstance(text, str) and text.isascii() and text.isdigit() and len(text) <= 9:
        return int(text)
    raise PydanticCustomError("whole_number", "must be a whole number")


QueryNumber = Annotated[int, Field(ge=0, le=999_999_999), BeforeValidator(_digits)]
