"""The table of rights in `docs/security.md`, generated from the declarations of routes and pages."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from flask import Flask

from tock_companion.core.requests import Role
from tock_web.describe.openapi import Route, routes_of
from tock_web.describe.tables import row
from tock_web.serving.gate import FOR_WHOM, Media, OwnRight, Who

VIEWS: Mapping[Role, Who] = {
    Role.TABLE: Who.ANYONE,
    Role.WATCH: Who.ANYONE,
    Role.SEAT: Who.SEATED,
    Role.HOST: Who.HOST,
}
"""The callers who may see the views of a role."""
NO_PAGE = ("/static/", "/guide/", "/portal/")


GUEST, PLAYER, HOST, CAMERA, PROGRAM = "guest", "player", "host", "camera", "program"
"""The parties at a table: a seated host has a player's rights too; a camera is a phone that the host
admitted, a program has a key of the host."""
AT_A_TABLE = (GUEST, PLAYER, HOST, CAMERA, PROGRAM)
MAY: Mapping[Who, str] = {Who.SEATED: PLAYER, Who.HOST: HOST, Who.CAMERA: CAMERA}


@dataclass(frozen=True, slots=True)
class Right:
    """The permission for an action; `role` is the role asked for, if any."""

    method: str
    path: str
    who: Who | OwnRight
    role: str = ""

    def may(self, party: str) -> bool:
        """Whether a party may do it."""
        if isinstance(self.who, OwnRight):
            return party == self.who.party
        return self.who is Who.ANYONE or MAY[self.who] == party


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


def table_of(rights: Sequence[Right], parties: Sequence[str]) -> str:
    """The rights as a table: the parties that have each of them."""
    lines = [row("route", "for"), "|---|---|"]
    for right in rights:
        role = f" as {right.role}" if right.role else ""
        allowed = [party for party in parties if right.may(party)]
        named = "all" if len(allowed) == len(parties) else ", ".join(allowed)
        lines.append(row(f"`{right.method} {right.path}`{role}", named))
    return "\n".join(lines)
