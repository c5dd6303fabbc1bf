"""Checking what a person or another program wrote (board files, settings, recordings) with one line per mistake.

A line says file, place, what is wrong and what is expected: `tock.toml, line 4: 'mqtt.port' must be a number from 1
to 65535, not 0`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from itertools import islice
from math import isfinite
from typing import TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails, from_json

from tock_companion.errors import NO_TEXT, BadInputError, FaultyDocumentError, printable, quoted

MOST_LINES = 8
SECRETS = (("password",),)
"""Last part of the keys whose values no message repeats."""
DEEPEST = 16
"""Levels of tables and lists; none of our files needs more than five."""

Model = TypeVar("Model", bound="Schema")
Place = tuple[str | int, ...]
Mistake = tuple[Place, str]
"""Where in the document, and the rest of the sentence that starts with that key."""
LineOf = Callable[[str], int]

_EXPECTED = {
    "bool_type": "true or false",
    "dict_type": "a table",
    "finite_number": "a finite number",
    "float_type": "a number",
    "int_type": "a whole number",
    "list_type": "a list in [ ]",
    "model_type": "a table",
    "string_type": "a text in quotes",
}
_BOUNDS = {
    "greater_than": ("over", "gt"),
    "greater_than_equal": ("of at least", "ge"),
    "less_than": ("below", "lt"),
    "less_than_equal": ("of at most", "le"),
}


class Schema(BaseModel):
    """A part of a file: nothing is converted, nothing unknown passes, numbers are finite."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


def parse_json(text: str, where: str, what: str) -> object:
    """Decode strict JSON (no NaN, no lone surrogates, bounded depth); `what` says what it should have been."""
    try:
        return from_json(text, allow_inf_nan=False)
    except ValueError as error:
        raise BadInputError(f"{where}: not JSON ({error}); give {what}") from None


def check(model: type[Model], data: object, where: str, line_of: LineOf | None = None) -> Model:
    """Build the model, or raise FaultyDocumentError with one line per mistake; `line_of` finds the line of a key."""
    refuse(where, mistakes_in(model, data), line_of)
    return model.model_validate(data)


def mistakes_in(model: type[Schema], data: object, under: Place = ()) -> list[Mistake]:
    """Find everything in the data that the model refuses; `under` is the place of the data in its document."""
    unsound = list(islice(_unsound(data, under), MOST_LINES + 1))
    if unsound:
        return unsound
    try:
        model.model_validate(data)
    except ValidationError as error:
        return [_mistake(model, fault, under) for fault in error.errors(include_url=False)]
    return []


def refuse(where: str, mistakes: Iterable[Mistake], line_of: LineOf | None = None) -> None:
    """Raise FaultyDocumentError with one line for each mistake, at most `MOST_LINES`; nothing when there is none."""
    found = list(islice(mistakes, MOST_LINES + 1))
    if not found:
        return
    lines = []
    for place, complaint in found[:MOST_LINES]:
        key = key_path(place)
        line = f", line {line_of(key)}" if line_of is not None else ""
        lines.append(f"{where}{line}: {complaint}")
    if len(found) > MOST_LINES:
        lines.append(f"{where}: and more; correct these first")
    raise FaultyDocumentError(lines)


def key_path(place: Place) -> str:
    """Write a place as a person would: `holes[10].x`."""
    path = ""
    for step in place:
        path += f"[{step}]" if isinstance(step, int) else f".{printable(step)}"
    return path.removeprefix(".")


def unknown_key(key: str, known: Iterable[str]) -> str:
    """Say that a key is not known, with the nearest known one or, where none is near, all of them."""
    names = list(known)
    near = get_close_matches(key.rpartition(".")[2], names, n=1)
    advice = f"did you mean '{near[0]}'?" if near else f"known are {', '.join(names)}"
    return f"key '{printable(key)}' is not known; {advice}"


def _unsound(value: object, place: Place) -> Iterator[Mistake]:
    """Find what no field may hold, also where a schema leaves the content open."""
    if len(place) > DEEPEST:
        yield place, f"'{key_path(place[:3])}' is nested too deeply"
    elif isinstance(value, str):
        if NO_TEXT.search(value.replace("\n", "").replace("\t", "")):
            found = "" if place[-1:] in SECRETS else f": {quoted(value)}"
            yield place, f"'{key_path(place)}' holds characters that are no text{found}"
    elif isinstance(value, float) and not isfinite(value):
        yield place, f"'{key_path(place)}' must be a finite number, not {value}"
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _unsound(key, (*place, str(key)))
            yield from _unsound(inner, (*place, str(key)))
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            yield from _unsound(inner, (*place, index))


def _mistake(model: type[Schema], fault: ErrorDetails, under: Place) -> Mistake:
    place: Place = (*under, *fault["loc"])
    key = key_path(place)
    kind = fault["type"]
    if kind == "extra_forbidden":
        owner = _model_at(model, tuple(fault["loc"][:-1]))
        return place, unknown_key(key, owner.model_fields if owner else ())
    if kind == "missing":
        return place, f"'{key}' is missing; add it"
    subject = f"'{key}'" if key else "the document"
    if kind == "value_error":
        reason = fault["ctx"]["error"]
        # A parser's own message is a sentence, a validator's goes on from the key.
        colon = ":" if isinstance(reason, BadInputError) else ""
        return place, f"{subject}{colon} {printable(str(reason))}"
    found = "" if place[-1:] in SECRETS else f", not {quoted(fault['input'])}"
    return place, f"{subject} must be {_expected(model, fault)}{found}"


def _expected(model: type[Schema], fault: ErrorDetails) -> str:
    kind, context = fault["type"], fault.get("ctx", {})
    match kind:
        case "greater_than_equal" | "greater_than" | "less_than_equal" | "less_than":
            words, bound = _BOUNDS[kind]
            return _range(model, tuple(fault["loc"])) or f"a number {words} {context[bound]}"
        case "too_short":
            return f"a list of at least {context['min_length']} entries"
        case "too_long":
            return f"a list of at most {context['max_length']} entries"
        case "string_too_short":
            return "a text that is not empty"
        case "string_too_long":
            return f"a text of at most {context['max_length']} letters"
        case "literal_error" | "enum":
            return str(context["expected"])
    return _EXPECTED.get(kind, fault["msg"])


def _range(model: type[Schema], place: Place) -> str:
    """Write both bounds of a field, where it has both: `a number from 1 to 65535`."""
    owner, name = _model_at(model, place[:-1]), str(place[-1])
    if owner is None or name not in owner.model_fields:
        return ""
    bounds = {
        kind: getattr(bound, kind)
        for bound in owner.model_fields[name].metadata
        for kind in ("ge", "gt", "le", "lt")
        if getattr(bound, kind, None) is not None
    }
    least, most = bounds.get("ge"), bounds.get("le")
    if most is None or not bounds.keys() & {"ge", "gt"}:
        return ""
    if least is None:
        return f"a number over {bounds['gt']:g} and up to {most:g}"
    return (
        f"a number from {least:g} to {most:g}"
        if isinstance(most, float)
        else f"a number from {least} to {most}"
    )


def _model_at(model: type[Schema], place: Place) -> type[Schema] | None:
    """Find the schema that describes a place; None where it is open."""
    found: type[Schema] | None = model
    for step in place:
        if isinstance(step, int):
            continue
        if found is None or step not in found.model_fields:
            return None
        found = next(_schemas_in(found.model_fields[step].annotation), None)
    return found


def _schemas_in(annotation: object) -> Iterator[type[Schema]]:
    if isinstance(annotation, type) and issubclass(annotation, Schema):
        yield annotation
    for part in get_args(annotation):
        yield from _schemas_in(part)
