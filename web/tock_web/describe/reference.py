"""The reference of the API: routes, requests and the fields of all messages."""

from collections.abc import Iterable, Iterator
from dataclasses import fields

from flask import Flask

from tock_companion.core.bodies import BODIES
from tock_web.describe.definitions import Definitions, Schema
from tock_web.describe.openapi import Route, routes_of
from tock_web.describe.tables import row
from tock_web.describe.typescript import type_of
from tock_web.limits.quotas import Quota, Quotas
from tock_web.serving.gate import Media


def reference(app: Flask, shapes: Definitions) -> str:
    """The generated part."""
    sections = (
        ("### Routes", _routes(routes_of(app), shapes)),
        ("### How much each client may ask for", _shares()),
        ("### Requests to the table", _requests(shapes)),
        ("### Types", _types(shapes)),
    )
    return "\n\n".join("\n".join([title, "", *lines]) for title, lines in sections) + "\n"


def _routes(routes: Iterable[Route], shapes: Definitions) -> Iterator[str]:
    yield "Every route below `/api/v1/` and its parameters. Any of them may answer a `Fault`."
    yield ""
    yield "| route | who | takes | answers | does |"
    yield "|---|---|---|---|---|"
    for route in routes:
        stated = route.endpoint
        takes = [_name(part, shapes) for part in (stated.query, stated.body) if part is not None]
        answers = [_name(part, shapes) for part in (stated.answer, stated.refusal) if part is not None]
        path = route.path.removeprefix("/api/v1/")
        yield row(
            f"`{route.method} {path}`",
            stated.who.value,
            ", ".join(takes) or "–",
            ", ".join(dict.fromkeys(answers)),
            route.about,
        )


def _shares() -> Iterator[str]:
    yield "Who asks for more is answered with 429, code `http/429`, and the seconds to wait in the header"
    yield "`Retry-After`. A client is the device of a seat or of the host, or else an address."
    yield ""
    yield "| of what | at once | a minute in the long run |"
    yield "|---|---|---|"
    for part in fields(Quotas):
        share: Quota = getattr(Quotas(), part.name)
        yield row(share.about, f"{share.burst:,.0f}", f"{share.per_s * 60:,.0f}")


def _name(kind: object, shapes: Definitions) -> str:
    if isinstance(kind, Media):
        events = [f"`{name}`: `{type_of(shapes.of(data))}`" for name, data in (kind.events or {}).items()]
        return " ".join([*kind.kinds, *([f"({', '.join(events)})"] if events else [])])
    return f"`{type_of(shapes.of(kind))}`"


def _requests(shapes: Definitions) -> Iterator[str]:
    yield "The `kind` and `data` of `POST request`; `?` marks optional keys."
    yield ""
    yield "| kind | data | does |"
    yield "|---|---|---|"
    for kind, body in BODIES.items():
        schema = shapes.resolved(body)
        required = schema.get("required", ())
        data = [
            f"`{name}{'' if name in required else '?'}: {type_of(inner)}`"
            for name, inner in schema.get("properties", {}).items()
        ]
        yield row(f"`{kind}`", ", ".join(data) or "–", schema.get("description", ""))


def _types(shapes: Definitions) -> Iterator[str]:
    hidden = {body.__name__ for body in BODIES.values()} | {"TableRequest", "ApiDocument"}
    for name, schema in shapes.named.items():
        if name in hidden:
            continue
        yield f"**{name}**{_colon(schema)}"
        yield ""
        if schema.get("properties"):
            yield from _fields(schema)
        else:
            yield f"`{type_of(schema)}`" + (
                f", of the form `{schema['pattern']}`" if "pattern" in schema else ""
            )
        yield ""


def _colon(schema: Schema) -> str:
    return f": {schema['description']}" if schema.get("description") else ""


def _fields(schema: Schema) -> Iterator[str]:
    yield "| field | type | |"
    yield "|---|---|---|"
    required = schema.get("required", ())
    for name, inner in schema["properties"].items():
        optional = "" if name in required else "?"
        yield row(f"`{name}{optional}`", f"`{type_of(inner)}`", inner.get("description", ""))
