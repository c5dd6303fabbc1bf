"""The OpenAPI document, generated from the routes' declarations at the gate."""

from collections.abc import Iterator, Mapping
from typing import Any

from flask import Flask
from typing_extensions import TypedDict

from tock_companion import __version__
from tock_companion.core.bodies import BODIES
from tock_companion.schema import Schema as Model
from tock_web.answers.people import Fault
from tock_web.describe.definitions import REF, Definitions, Schema
from tock_web.describe.links import LINKS, Link
from tock_web.serving.gate import ENDPOINT, Endpoint, Media, OwnRight, Who

_RIGHTS = {
    Who.ANYONE: "For anyone.",
    Who.HOST: "For the host alone.",
    Who.SEATED: "For anyone with a seat.",
    Who.ROLE: "For whoever has the role asked for.",
    Who.CAMERA: "For a phone that the host has let in as a camera.",
}


class ApiDocument(TypedDict):
    """An OpenAPI 3.1 document."""

    openapi: str
    info: Mapping[str, object]
    paths: Mapping[str, object]
    components: Mapping[str, object]


class Route:
    """A route of the API with its declaration."""

    def __init__(self, path: str, method: str, endpoint: Endpoint, about: str) -> None:
        self.path, self.method, self.endpoint = path, method, endpoint
        self.about = " ".join(about.split())

    def types(self) -> Iterator[object]:
        """Every type that the route takes or answers."""
        for part in (self.endpoint.query, self.endpoint.body, self.endpoint.answer, self.endpoint.refusal):
            if isinstance(part, Media):
                yield from (part.events or {}).values()
            elif part is not None:
                yield part


def routes_of(app: Flask) -> list[Route]:
    """The routes below `/api/`, by path; raises LookupError for one that states nothing."""
    found = []
    for rule in app.url_map.iter_rules():
        if not rule.rule.startswith("/api/"):
            continue
        view = app.view_functions[rule.endpoint]
        stated = getattr(view, ENDPOINT, None)
        if stated is None:
            raise LookupError(f"{rule.rule} does not state what it takes and answers; give it @endpoint")
        methods = (rule.methods or set()) - {"HEAD", "OPTIONS"}
        found += [Route(rule.rule, method, stated, view.__doc__ or "") for method in methods]
    return sorted(found, key=lambda route: (route.path, route.method))


def definitions_of(app: Flask, *more: object) -> Definitions:
    """The schemas of everything that the routes accept and return."""
    types = [kind for route in routes_of(app) for kind in route.types()]
    shapes = Definitions([*types, Fault, *BODIES.values(), *more])
    request = shapes.named["TableRequest"]
    shapes.named["TableRequest"] = {
        "description": request["description"],
        "oneOf": [_request(kind, shapes.of(body), shapes, request) for kind, body in BODIES.items()],
    }
    return shapes


def _request(kind: str, data: Schema, shapes: Definitions, request: Schema) -> Schema:
    """The body of one kind of request to the table, which determines the shape of `data`."""
    needs_data = "required" in shapes.named[data["$ref"].removeprefix(REF)]
    return {
        **{key: value for key, value in request.items() if key != "description"},
        "properties": {**request["properties"], "kind": {"const": kind, "type": "string"}, "data": data},
        "required": ["kind", "data"] if needs_data else ["kind"],
    }


def document_of(app: Flask) -> ApiDocument:
    """The OpenAPI document of an app."""
    shapes = definitions_of(app)
    paths: dict[str, dict[str, object]] = {}
    for route in routes_of(app):
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, shapes)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Tock Companion",
            "version": __version__,
            "description": "Views of a table as JSON, and what may be asked of it. Every change needs the header "
            "`X-Tock`; seats and the host are known by cookies.",
        },
        "paths": paths,
        "components": {"schemas": shapes.named},
    }


def _operation(route: Route, shapes: Definitions) -> dict[str, object]:
    stated = route.endpoint
    operation: dict[str, object] = {
        "summary": route.about,
        "description": stated.who.about if isinstance(stated.who, OwnRight) else _RIGHTS[stated.who],
        "responses": _responses(stated, shapes, LINKS.get((route.path, route.method), {})),
    }
    parameters = [*_query(stated.query, shapes)]
    if route.method != "GET":
        parameters.append({"name": "X-Tock", "in": "header", "required": True, "schema": {"type": "string"}})
    if parameters:
        operation["parameters"] = parameters
    if stated.body is not None:
        operation["requestBody"] = {"required": True, "content": _content(stated.body, shapes)}
    return operation


def _query(model: type[Model] | None, shapes: Definitions) -> Iterator[dict[str, Any]]:
    if model is None:
        return
    schema = shapes.resolved(model)
    for name, inner in schema.get("properties", {}).items():
        required = name in schema.get("required", ())
        yield {"name": name, "in": "query", "required": required, "schema": _without_null(inner)}


def _without_null(schema: Schema) -> Schema:
    """A schema for queries, which cannot hold null: a key is left out instead."""
    options = [option for option in schema.get("anyOf", ()) if option.get("type") != "null"]
    return (
        options[0] if len(options) == 1 else {key: value for key, value in schema.items() if key != "default"}
    )


def _responses(stated: Endpoint, shapes: Definitions, links: Mapping[str, Link]) -> dict[str, object]:
    granted: dict[str, object] = {"description": "Granted.", "content": _content(stated.answer, shapes)}
    if links:
        granted["links"] = links
    responses: dict[str, object] = {"200": granted}
    if isinstance(stated.answer, Media) and stated.answer.kinds[0].startswith("image/j"):
        responses["204"] = {"description": "There is no picture now."}
    other: list[object] = [Fault]
    if stated.refusal not in (None, Fault):
        other.append(stated.refusal)
    kinds: list[Schema] = [shapes.of(kind) for kind in other]
    schema = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    content = {"application/json": {"schema": schema}}
    responses["429"] = {
        "description": "Too many requests.",
        "headers": {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}}},
        "content": content,
    }
    responses["default"] = {"description": "Refused.", "content": content}
    return responses


def _content(kind: object, shapes: Definitions) -> dict[str, object]:
    if not isinstance(kind, Media):
        return {"application/json": {"schema": shapes.of(kind)}}
    schema: Schema = {"type": "string"}
    if kind.events is not None:
        schema["x-events"] = {name: shapes.of(data) for name, data in kind.events.items()}
    elif kind.kinds[0].startswith("image/") and "svg" not in kind.kinds[0]:
        schema["format"] = "binary"
    return {media: {"schema": schema} for media in kind.kinds}
