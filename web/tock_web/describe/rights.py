"""The table of rights in `docs/security.md`, generated from the declarations of routes and pages."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import get_args

from flask import Flask

from tock_companion.core.requests import Role
from tock_web.describe.openapi import Route, routes_of
from tock_web.describe.tables import row
from tock_web.serving.gate import FOR_WHOM, Media, Who

VIEWS: Mapping[Role, Who] = {
    Role.TABLE: Who.ANYONE,
    Role.WATCH: Who.ANYONE,
    Role.SEAT: Who.SEATED,
    Role.HOST: Who.HOST,
}
"""The callers who may see the views of a role."""
NO_PAGE = ("/static/", "/guide/", "/portal/")


class Party(Enum):
    """A person or device on the network. A seated host has the rights of a player too."""

    GUEST = "guest"
    PLAYER = "player"
    HOST = "host"
    CAMERA = "camera"
    """A phone that the host admitted as a camera; only the camera's page knows its cookie."""
    TABLE_CARD = "table's card"
    DIRECTOR = "director"


AT_A_TABLE = (Party.GUEST, Party.PLAYER, Party.HOST, Party.CAMERA)
AT_A_DESK = (Party.GUEST, Party.TABLE_CARD, Party.DIRECTOR)
MAY: Mapping[Who, frozenset[Party]] = {
    Who.ANYONE: frozenset(Party),
    Who.SEATED: frozenset({Party.PLAYER}),
    Who.HOST: frozenset({Party.HOST}),
    Who.CAMERA: frozenset({Party.CAMERA}),
    Who.CARD: frozenset({Party.TABLE_CARD}),
    Who.DIRECTOR: frozenset({Party.DIRECTOR}),
}


@dataclass(frozen=True, slots=True)
class Right:
    """The permission for an action; `role` is the role asked for, if any."""

    method: str
    path: str
    who: Who
    role: str = ""

    def may(self, party: Party) -> bool:
        """Whether a party may do it."""
        return party in MAY[self.who]


def rights_of(app: Flask) -> list[Right]:
    """Every route and page of an app; those for roles once per role."""
    found: list[Right] = []
    for route in routes_of(app):
        if route.endpoint.who is not Who.ROLE:
            found.append(Right(route.method, route.path, route.endpoint.who))
        elif route.method == "GET":
            found += [Right("GET", route.path, who, role.value) for role, who in VIEWS.items()]
        else:
            found += [Right("POST", route.path, VIEWS[Role(role)], role) for role in _senders(route)]
    return [*_pages(app), *found]


def _senders(route: Route) -> Sequence[str]:
    """The person in whose name the body of a route may ask."""
    body = route.endpoint.body
    return () if body is None or isinstance(body, Media) else get_args(body.model_fields["role"].annotation)


def _pages(app: Flask) -> Iterator[Right]:
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: rule.rule):
        if rule.rule.startswith(("/api/", *NO_PAGE)) or "GET" not in (rule.methods or ()):
            continue
        yield Right("GET", rule.rule, getattr(app.view_functions[rule.endpoint], FOR_WHOM, Who.ANYONE))


def table_of(rights: Sequence[Right], parties: Sequence[Party]) -> str:
    """The rights as a table with a column for each party."""
    lines = [row("route", *(party.value for party in parties)), f"|{'---|' * (len(parties) + 1)}"]
    for right in rights:
        role = f" as {right.role}" if right.role else ""
        cells = ("yes" if right.may(party) else "–" for party in parties)
        lines.append(row(f"`{right.method} {right.path}`{role}", *cells))
    return "\n".join(lines)
