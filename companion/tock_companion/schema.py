"""Checking documents of a person or another program (board files, settings, recordings), one line per mistake.

A line gives file, place, fault and expected value: `tock.toml, line 4: 'mqtt.port' must be a number from 1
to 65535, not 0`.
"""

import os
import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from math import isfinite
from typing import TypeVar, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from tock_companion import strict_json
from tock_companion.errors import NO_TEXT, BadInputError, FaultyDocumentError, printable, quoted
from tock_companion.key_suggestions import unknown_key
from tock_companion.names import tidy_name

MAX_LINES = 50
"""A file of another kind is wrong in every line."""
MAX_CHARS_SHOWN = 20
MAX_NUMBER = 2**53 - 1
"""The largest integer that JSON numbers hold exactly everywhere, browsers too; 285,000 years in milliseconds."""
LOOKALIKES = {
    "“”„‟‘’‚‛«»": "a curly quotation mark",
    "\u00a0\u202f": "a no-break space",
    "–—−": "a long dash",
}
"""Signs that neither JSON nor TOML takes outside a text."""
SECRETS = (("password",), ("url",))
"""Last part of the keys whose values no message repeats."""
MAX_PATH_BYTES, MAX_NAME_BYTES = 1000, 255
DEEPEST = 16
"""Levels of tables and lists; none of our files needs more than five."""

Model = TypeVar("Model", bound="Schema")
Place = tuple[str | int, ...]
Mistake = tuple[Place, str]
"""The place in the document, and the rest of the sentence that starts with that key."""
LineOf = Callable[[str], int]

_EXPECTED = {
    "bool_type": "true or false",
    "dataclass_type": "a table",
    "dict_type": "a table",
    "finite_number": "a finite number",
    "float_type": "a number",
    "int_type": "a whole number",
    "list_type": "a list in [ ]",
    "model_type": "a table",
    "string_type": "a text in quotes",
    "string_unicode": "well-formed text",
    "tuple_type": "a list in [ ]",
}
_BOUNDS = {
    "greater_than": ("over", "gt"),
    "greater_than_equal": ("of at least", "ge"),
    "less_than": ("below", "lt"),
    "less_than_equal": ("of at most", "le"),
}


def _possible_path(value: str) -> str:
    if len(os.fsencode(value)) > MAX_PATH_BYTES:
        raise ValueError(f"must be a path of at most {MAX_PATH_BYTES} bytes")
    if any(len(os.fsencode(part)) > MAX_NAME_BYTES for part in value.split("/")):
        raise ValueError(f"holds a name of more than {MAX_NAME_BYTES} bytes, which no file can have")
    return value


def _one_line(value: str) -> str:
    if "\n" in value or "\t" in value:
        raise ValueError(f"must be on one line, without tabs, not {quoted(value)}")
    return unicodedata.normalize("NFC", value)


def _seen(value: str) -> str:
    name = tidy_name(_one_line(value))
    if value and not name:
        raise ValueError(f"must have a letter that one can see, not {value[:MAX_CHARS_SHOWN]!a}")
    return name


A_SEEN_NAME = AfterValidator(_seen)
"""Marks a name that people read and tell from others: tidied, with something to see."""
A_NAME = AfterValidator(_one_line)
"""Marks a name: on one line, in the one of its spellings (NFC) that equal names are compared by."""
A_PATH = AfterValidator(_possible_path)
"""Marks a path that a file could have: where one could not, even asking whether there is one fails."""


class Schema(BaseModel):
    """A part of a file: nothing is converted, nothing unknown passes, numbers are finite."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


def parse_json(text: str, where: str, what: str) -> object:
    """Decode JSON as `strict_json` does; `what` names the expected document."""
    try:
        return strict_json.decode(text)
    except ValueError as error:
        raise BadInputError(f"{where}: not JSON ({error}){lookalike(text, error)}; give {what}") from None


def parse_toml(text: str, where: str) -> Mapping[str, object]:
    """Decode TOML; raises BadInputError in one line for anything else."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise BadInputError(f"{where} is not TOML: nested too deeply") from None
    except ValueError as error:
        raise BadInputError(f"{where} is not TOML: {error}{lookalike(text, error)}") from None


def lookalike(text: str, error: Exception) -> str:
    """Point out a sign in the line of a parser's error that some editors put in the place of a plain one."""
    found = re.search(r"\bline (\d+)", str(error))
    lines = text.split("\n")
    if not found or int(found[1]) > len(lines):
        return ""
    line = lines[int(found[1]) - 1]
    for signs, name in LOOKALIKES.items():
        if any(sign in line for sign in signs):
            return f"; line {found[1]} has {name}, which some editors write: type a plain one"
    return ""


def toml_line(text: str, key: str) -> int:
    """Find the line in which a key, or else the table that holds it, begins; the first one when neither is found."""
    name = key.partition("[")[0]
    while name:
        line = _toml_line(text, name)
        if line is not None:
            return line
        name = name.rpartition(".")[0]
    return 1


def _toml_line(text: str, name: str) -> int | None:
    head, _, tail = name.rpartition(".")
    table = ""
    for number, line in enumerate(text.split("\n"), 1):
        heading = re.match(r"\s*\[\s*([^\]]*?)\s*\]", line)
        if heading:
            table = heading[1]
            if table == name or table.startswith(f"{name}."):
                return number
        elif re.match(rf"\s*\"?{re.escape(tail)}\"?\s*[=.]", line) and table == head:
            return number
    return None


def check(
    model: type[Model], data: object, where: str, line_of: LineOf | None = None, listed_by: str = ""
) -> Model:
    """Build the model, or raise FaultyDocumentError; `line_of` finds the line of a key.

    `listed_by` is the command that prints all mistakes of such a document, if there is one.
    """
    refuse(where, mistakes_in(model, data), line_of, listed_by)
    return model.model_validate(data)


def mistakes_in(model: type[Schema], data: object, under: Place = ()) -> list[Mistake]:
    """Find everything in the data that the model refuses; `under` is the place of the data in its document."""
    found = list(islice(unsound(data, under), MAX_LINES + 1))
    if found:
        return found
    try:
        model.model_validate(data)
    except ValidationError as error:
        faults = error.errors(include_url=False)
        others = [fault for fault in faults if fault["type"] != "missing"]
        return [*_missing(faults, under), *(_mistake(model, fault, under) for fault in others)]
    return []


def first_mistake(error: ValidationError, name: str) -> str:
    """Word the first mistake of what came over the wire as `name`.

    The value is not repeated: it may be a hand.
    """
    fault = error.errors(include_url=False, include_input=False)[0]
    place: Place = fault["loc"] or (name,)
    if fault["type"] in ("missing", "missing_argument"):
        return f"'{key_path(place)}' is missing"
    return _mistake(None, {**fault, "loc": place}, ())[1]


def _missing(faults: Iterable[ErrorDetails], under: Place) -> Iterator[Mistake]:
    """Name all keys that one table lacks in one sentence."""
    tables: dict[Place, list[str]] = {}
    for fault in faults:
        if fault["type"] == "missing":
            place: Place = (*under, *fault["loc"])
            tables.setdefault(place[:-1], []).append(f"'{key_path(place)}'")
    for place, keys in tables.items():
        yield place, f"{', '.join(keys)} {'are missing; add them' if len(keys) > 1 else 'is missing; add it'}"


def refuse(
    where: str, mistakes: Iterable[Mistake], line_of: LineOf | None = None, listed_by: str = ""
) -> None:
    """Raise FaultyDocumentError with one line for each mistake, at most `MAX_LINES`; nothing when there is none."""
    lines = []
    for place, complaint in islice(mistakes, MAX_LINES):
        line = f", line {line_of(key_path(place))}" if line_of is not None else ""
        lines.append(f"{where}{line}: {complaint}")
    if lines:
        raise FaultyDocumentError(lines, listed_by)


def key_path(place: Place) -> str:
    """Write a place as a person would: `holes[10].x`."""
    path = ""
    for step in place:
        path += f"[{step}]" if isinstance(step, int) else f".{printable(step)}"
    return path.removeprefix(".")


def unsound(value: object, place: Place = ()) -> Iterator[Mistake]:
    """Find what no field may hold, even where a schema leaves the content open."""
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
            yield from unsound(key, (*place, str(key)))
            yield from unsound(inner, (*place, str(key)))
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            yield from unsound(inner, (*place, index))


def _mistake(model: type[Schema] | None, fault: ErrorDetails, under: Place) -> Mistake:
    # pydantic marks a wrong key of an open table by a last step of its own.
    place: Place = (*under, *(step for step in fault["loc"] if step != "[key]"))
    key = key_path(place)
    kind = fault["type"]
    if kind in ("extra_forbidden", "unexpected_keyword_argument"):
        owner = _model_at(model, tuple(fault["loc"][:-1]))
        return place, unknown_key(key, owner.model_fields if owner else ())
    subject = f"'{key}'" if key else "the document"
    if kind == "value_error":
        reason = fault["ctx"]["error"]
        # A parser's own message is a sentence, a validator's goes on from the key.
        colon = ":" if isinstance(reason, BadInputError) else ""
        return place, f"{subject}{colon} {printable(str(reason))}"
    expected = _expected(model, fault)
    if not expected:
        return place, f"{subject}: {printable(fault['msg'])}"
    if kind == "too_long":
        return place, f"{subject} must be {expected}, not {fault['ctx']['actual_length']}"
    found = "" if "input" not in fault or place[-1:] in SECRETS else f", not {quoted(fault['input'])}"
    return place, f"{subject} must be {expected}{found}"


def _expected(model: type[Schema] | None, fault: ErrorDetails) -> str:
    """The expected value; empty for errors that only pydantic's own sentence describes."""
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
    return _EXPECTED.get(kind, "")


def _range(model: type[Schema] | None, place: Place) -> str:
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


def _model_at(model: type[Schema] | None, place: Place) -> type[Schema] | None:
    """Find the schema that describes a place; None where it is open."""
    found = model
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


def shape_of(kind: type) -> TypeAdapter[object]:
    """Reads and writes a dataclass as JSON; made once for each."""
    if kind not in _SHAPES:
        _SHAPES[kind] = TypeAdapter(kind)
    return _SHAPES[kind]


_SHAPES: dict[type, TypeAdapter[object]] = {}
