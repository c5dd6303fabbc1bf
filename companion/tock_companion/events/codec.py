"""Events as JSON lines and back, with a schema version."""

import json
from dataclasses import fields

from tock_companion.errors import BadInputError
from tock_companion.events.facts import FACT_TYPES, Event

SCHEMA_VERSION = 1
_ENVELOPE = ("v", "seq", "t_ms", "event")


def event_to_json(event: Event) -> dict[str, object]:
    """Return the JSON object of an event: envelope first, then the fact's fields; optional fields only when set."""
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
    """Return the event as one line of JSON without the line end; equal events give equal lines."""
    return json.dumps(event_to_json(event), ensure_ascii=False, separators=(", ", ": "))


def event_from_json(document: object) -> Event:
    """Read an event; raises BadInputError naming the field that is wrong."""
    if not isinstance(document, dict):
        raise BadInputError("an event must be a JSON object")
    if document.get("v") != SCHEMA_VERSION:
        raise BadInputError(
            f"event version {document.get('v')!r} is not known; this program reads version {SCHEMA_VERSION}"
        )
    fact_type = FACT_TYPES.get(str(document.get("event")))
    if fact_type is None:
        raise BadInputError(f"event kind {document.get('event')!r} is not known")
    values = {key: value for key, value in document.items() if key not in _ENVELOPE}
    try:
        fact = fact_type(**values)
    except TypeError as error:
        raise BadInputError(f"event '{fact_type.KIND}' has wrong fields: {error}") from None
    seq, t_ms = document.get("seq"), document.get("t_ms")
    if not isinstance(seq, int) or not isinstance(t_ms, int):
        raise BadInputError(f"event '{fact_type.KIND}' needs whole numbers in 'seq' and 't_ms'")
    return Event(seq, t_ms, fact)


def event_from_line(line: str) -> Event:
    """Read an event from a line of JSON; raises BadInputError."""
    try:
        document = json.loads(line)
    except json.JSONDecodeError as error:
        raise BadInputError(f"not a JSON line: {error}") from None
    return event_from_json(document)
