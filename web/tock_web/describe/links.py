"""Links from answers of the API to further requests: a page follows them, and so does the fuzzer."""

from collections.abc import Mapping

Link = Mapping[str, object]


def _to(method: str, path: str, **values: object) -> Link:
    """A link to a GET with parameters, or to a POST with a body, from values of the answer."""
    place = path.replace("~", "~0").replace("/", "~1")
    filled = {"parameters": values} if method == "get" else {"requestBody": values}
    return {"operationRef": f"#/paths/{place}/{method}", **filled}


LINKS: Mapping[tuple[str, str], Mapping[str, Link]] = {
    ("/api/v1/join/ask", "POST"): {
        "hear": _to("post", "/api/v1/join/hear", secret="$response.body#/secret"),
    },
    ("/api/v1/view", "GET"): {
        "undo": _to("post", "/api/v1/request", kind="undo", revision="$response.body#/revision"),
        "hint": _to("get", "/api/v1/options", ruleset="$response.body#/ruleset"),
        "replay": _to("get", "/api/v1/game.jsonl", number="$response.body#/game"),
    },
    ("/api/v1/games", "GET"): {
        "log": _to("get", "/api/v1/game.jsonl", number="$response.body#/games/0/number"),
    },
    ("/api/v1/journal", "GET"): {
        "evidence": _to("get", "/api/v1/evidence", seq="$response.body#/events/0/seq"),
        "picture": _to("get", "/api/v1/evidence/picture", seq="$response.body#/events/0/seq", name="card"),
    },
    ("/api/v1/rulesets", "GET"): {
        "rules": _to("get", "/api/v1/rules", ruleset="$response.body#/rulesets/0/name"),
        "options": _to("get", "/api/v1/options", ruleset="$response.body#/rulesets/0/name"),
    },
    ("/api/v1/sim/scene", "GET"): {
        "move": _to("post", "/api/v1/sim/pawn", id="$response.body#/pawns/0/id", x_mm=10.0, y_mm=10.0),
    },
    ("/api/v1/game.jsonl", "GET"): {
        "take_up": _to("post", "/api/v1/games", log="$response.body"),
    },
}
"""By path and method of the answered request."""
