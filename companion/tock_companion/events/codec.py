"""Events as JSON lines and back, with a schema version; whole logs as other tables take them up again."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import cache
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError

from tock_companion import strict_json
from tock_companion.errors import BadInputError, printable
from tock_companion.events.facts import FACT_TYPES, Event, Fact, PawnMissing, QuestionAsked, SourceLost
from tock_companion.events.game import fold
from tock_companion.events.hands import fold_hands
from tock_companion.file_versions import FORMS, refuse_newer
from tock_companion.schema import MAX_NUMBER, first_mistake, refuse, unsound

SCHEMA_VERSION = FORMS["event log"].version
RETIRED_FIELDS: Mapping[str, tuple[str, ...]] = {
    QuestionAsked.KIND: ("message",),
    PawnMissing.KIND: ("message",),
    SourceLost.KIND: ("message",),
}
"""Sentences that earlier releases wrote; views word these facts from their other fields."""
_ENVELOPE = ("v", "seq", "t_ms", "event")


def event_to_json(event: Event) -> dict[str, object]:
    """Write an event as a JSON object: envelope first, then the fact's fields; optional fields only when set."""
    fact = event.fact
    document: dict[str, object] = {
        "v": SCHEMA_VERSION,
        "seq": event.seq,
        "t_ms": event.t_ms,
        "event": fact.KIND,
    }
    for item in fields(fact):
        value = getattr(fact, item.name)
        optional = item.default is None
        if not (optional and value is None):
            document[item.name] = value
    return document


def event_to_line(event: Event) -> str:
    """Write an event as one line of JSON without the line end; equal events give equal lines."""
    return json.dumps(event_to_json(event), ensure_ascii=False, separators=(", ", ": "))


def event_from_json(document: object) -> Event:
    """Read an event; raises BadInputError naming the field that is wrong."""
    if not isinstance(document, dict):
        raise BadInputError("an event must be a JSON object")
    refuse_newer(document.get("v"), "event log", "the log of the game")
    if document.get("v") != SCHEMA_VERSION:
        raise BadInputError(
            f"event version {document.get('v')!r} is not known; this program reads version {SCHEMA_VERSION}"
        )
    kind = str(document.get("event"))
    if kind not in FACT_TYPES:
        raise BadInputError(f"event kind '{printable(kind)}' is not known")
    seq, t_ms = document.get("seq"), document.get("t_ms")
    if type(seq) is not int or type(t_ms) is not int or not 0 <= max(seq, t_ms) <= MAX_NUMBER:
        raise BadInputError(f"event '{kind}' needs whole numbers in 'seq' and 't_ms'")
    values = {
        key: value
        for key, value in document.items()
        if key not in (*_ENVELOPE, *RETIRED_FIELDS.get(kind, ()))
    }
    unknown = values.keys() - {item.name for item in fields(FACT_TYPES[kind])}
    if unknown:
        raise BadInputError(f"event '{kind}' has wrong fields: '{printable(min(unknown))}' is not known")
    try:
        return Event(seq, t_ms, cast(Fact, _reader(kind).validate_python(values)))
    except ValidationError as error:
        raise BadInputError(f"event '{kind}' has wrong fields: {first_mistake(error, kind)}") from None


def event_from_line(line: str) -> Event:
    """Read an event from a line of strict JSON: no NaN, no lone surrogate, no bottomless nesting."""
    try:
        document = strict_json.decode(line)
    except ValueError as error:
        raise BadInputError(f"not a JSON line: {error}") from None
    refuse("event", unsound(document))
    return event_from_json(document)


def read_log(lines: Iterable[str]) -> tuple[Event, ...]:
    """Read a whole log and fold it, hands too; raises BadInputError with the fault and its line."""
    events = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                events.append(_on_one_line(event_from_line(line)))
            except BadInputError as error:
                raise BadInputError(f"line {number}: {error}") from None
    if not events:
        raise BadInputError("this is not a whole log of a game: it does not begin with game_started")
    fold(events)
    fold_hands(events, {})
    return tuple(events)


def _on_one_line(event: Event) -> Event:
    """Refuse texts that would be lines of their own in a record or a log."""
    texts = (getattr(event.fact, item.name) for item in fields(event.fact))
    if any(isinstance(text, str) and ("\n" in text or "\t" in text) for text in texts):
        raise BadInputError(f"event '{event.fact.KIND}' holds a text of several lines")
    return event


@cache
def _reader(kind: str) -> TypeAdapter[Any]:
    return TypeAdapter(FACT_TYPES[kind])
