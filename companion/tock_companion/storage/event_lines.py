"""An event in the store: a line that every release reads, and beside it the fields that came later.

A release refuses a game with an unknown field, and the first release moved the whole database aside for it. So
that an update can go back in the middle of an evening, the line contains only fields that release 0.1.0 knows.
"""

import json
from collections.abc import Mapping

from tock_companion import strict_json
from tock_companion.errors import BadInputError
from tock_companion.events.codec import event_from_json, event_from_line, event_to_json, event_to_line
from tock_companion.events.facts import (
    CardsDealt,
    Event,
    GameStarted,
    PawnMissing,
    QuestionAsked,
    SourceLost,
    ViolationFound,
)
from tock_companion.schema import refuse, unsound
from tock_companion.views.phrases import phrase

LATER_FIELDS: Mapping[str, tuple[str, ...]] = {
    GameStarted.KIND: ("board_file", "ruleset_file"),
    CardsDealt.KIND: ("gift",),
    ViolationFound.KIND: ("params", "reason", "others"),
}
WITH_SENTENCE = (ViolationFound.KIND, QuestionAsked.KIND, PawnMissing.KIND, SourceLost.KIND)
"""Facts whose sentence releases before 0.4.0 show from the log: they get a general one."""


def stored(event: Event) -> tuple[str, str | None]:
    """Write an event as its line and its later fields, None where it has none."""
    names = LATER_FIELDS.get(event.fact.KIND, ())
    later = {name: getattr(event.fact, name) for name in names if getattr(event.fact, name) is not None}
    document = {key: value for key, value in event_to_json(event).items() if key not in later}
    if event.fact.KIND in WITH_SENTENCE and "message" not in document:
        document["message"] = phrase(f"older-{event.fact.KIND}")
    elif not later:
        return event_to_line(event), None
    return _text(document), _text(later) if later else None


def event_of(line: str, later: str | None) -> Event:
    """Read an event as it was stored; raises BadInputError."""
    if later is None:
        return event_from_line(line)
    try:
        known, added = strict_json.decode(line), strict_json.decode(later)
    except ValueError as error:
        raise BadInputError(f"not a JSON line: {error}") from None
    if not isinstance(known, dict) or not isinstance(added, dict):
        raise BadInputError("an event must be a JSON object")
    if "params" in added:
        known.pop("message", None)
    document = known | added
    refuse("event", unsound(document))
    return event_from_json(document)


def _text(document: Mapping[str, object]) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(", ", ": "))
