"""Requests of somebody who wants to know others' cards: every address, every wrong question."""

from collections.abc import Iterator

from flask import Flask
from flask.testing import FlaskClient

from tock_companion.core.requests import Role

NAMED = "2S"
"""The card that wrong questions name: those granted make it public."""
SAME_FOR_ALL = (
    "/static",
    "/api/v1/openapi.json",
    "/api/v1/options",
    "/api/v1/rules",
    "/api/v1/qr.svg",
    "/card",
)
"""Routes that know nothing of the game; `tests/web/test_crawl.py` reads them all."""
QUERIES = {
    "/api/v1/view": tuple(f"role={role.value}" for role in Role),
    "/api/v1/events": tuple(f"role={role.value}&tab=abcdefgh{role.value}" for role in Role),
    "/api/v1/game.jsonl": ("number=1",),
    "/api/v1/evidence": ("seq=2",),
    "/api/v1/evidence/picture": ("seq=2&name=card",),
}
PICTURES = ("card", "before/T4", "after/T4", "before/T20", "before/T26", "../games.sqlite", "")
WRONG_PATHS = (
    "/nowhere",
    "/api/v1/nowhere",
    "/api/v1/view?role=nobody",
    "/api/v1/game.jsonl?number=99",
    "/api/v1/game.jsonl?number=x",
    "/api/v1/evidence?seq=999",
    "/photos/1.jpg",
    "/api/v1/hand/photo",
    "/api/v1/request",
)
"""Answered with an error."""
REQUESTS: tuple[tuple[str, dict[str, object]], ...] = (
    ("hand_check", {"readings": []}),
    ("discard", {"cards": [NAMED]}),
    ("hand_draw", {}),
    ("undo", {"to": 1}),
    ("end_turn", {}),
)
WRONG: tuple[tuple[str, dict[str, object]], ...] = (
    ("request", {"kind": "nothing"}),
    ("request", {"kind": "deal", "data": {"count": -1}}),
    ("request", {"kind": "deal", "data": {}, "role": "host"}),
    ("request", {"kind": "answer", "data": {"choice": "P0"}}),
    ("request", {"kind": "play_card", "data": {"card": "JOK_Z"}}),
    ("request", {"kind": "hand_set", "data": {"cards": [NAMED] * 40}}),
    ("join", {"name": "Zoé", "seat": "P9"}),
    ("join/ask", {"name": "", "seat": "P0"}),
    ("join/hear", {"secret": "0" * 32}),
    ("host/pin", {"pin": "x"}),
    ("hint", {"level": "all"}),
    ("games", {"log": "not a log"}),
    ("machine/settings", {"name": "nothing", "value": 1}),
    ("sim/card", {"card": NAMED, "seat": "P0"}),
    ("camera/learn", {"shows": "camps"}),
)
"""Requests that are refused, or answered with an error."""
QUESTIONS: tuple[tuple[str, dict[str, object]], ...] = (
    ("hint", {"level": "hint"}),
    ("hint", {"level": "teacher"}),
    ("join/show", {"number": 1, "yes": True}),
)


def paths(app: Flask) -> Iterator[str]:
    """Every address that answers to GET and knows of the game."""
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and not rule.rule.startswith(SAME_FOR_ALL):
            yield from (f"{rule.rule}?{query}".rstrip("?") for query in QUERIES.get(rule.rule, ("",)))


def read(client: FlaskClient, path: str) -> bytes:
    """The answer with its headers; of a stream the first events only."""
    answer = client.get(path)
    if answer.mimetype != "text/event-stream":
        headers, body = str(answer.headers).encode(), bytes(answer.data)
        return headers + body
    chunks = answer.iter_encoded()
    data = b"".join(next(chunks) for _ in range(2))
    answer.close()
    return data
