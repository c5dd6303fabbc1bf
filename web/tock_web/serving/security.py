"""Checks on every request before it is served, and the headers of every answer.

The home network is not trusted: a web page open in a guest's browser may try to reach the companion through it.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import ip_address
from socket import gethostname
from time import monotonic

from flask import Flask, Request, Response, abort, request
from werkzeug.exceptions import Forbidden

from tock_companion.health.system import avahi_name
from tock_companion.table.runtime.troubles import HOST_CHANGED
from tock_web.rights.cookies import REQUEST_HEADER

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)
SEALS = (
    ("Content-Security-Policy", CONTENT_SECURITY_POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
)
"""Headers of every answer, also of errors that the server writes before the app sees a request."""
PRIVATE_ENDINGS = ("local", "lan", "home", "home.arpa", "localdomain", "internal", "fritz.box")
"""Endings that routers give to names at home; no attacker's name server answers for our own name under them."""
_HOST = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?")
"""A Host header in its one plain spelling: no user name before it, nothing after the brackets."""


@dataclass(frozen=True, slots=True)
class HostRule:
    """The names under which the companion answers; IP addresses are always valid.

    A DNS rebinding attack needs a name, so unknown names are refused and any address is accepted.
    """

    names: frozenset[str]
    numbered: Callable[[str], bool] = lambda _name: False
    """Whether the network calls this machine by a name with a number, as `own-2.local`."""

    @classmethod
    def of(cls, extra: Iterable[str] = (), avahi_name: Callable[[], str] = avahi_name) -> "HostRule":
        """The rule for this machine: its own name with the endings of homes, and the names from its settings."""
        own = gethostname().split(".", maxsplit=1)[0].lower()
        endings = (f"{own}.{ending}" for ending in PRIVATE_ENDINGS)
        known = {"localhost", "tock.local", own, *endings, *(name.lower() for name in extra)}
        form = re.compile(rf"{re.escape(own)}-[0-9]{{1,3}}\.local")
        # Asked once a minute, for each question starts a program.
        announced = lru_cache(maxsize=1)(lambda _minute: avahi_name())
        return cls(
            frozenset(known),
            lambda name: bool(form.fullmatch(name)) and name == announced(int(monotonic() / 60)),
        )

    def allows(self, host: str) -> bool:
        """Whether a Host header names this companion; the port does not matter."""
        found = _HOST.fullmatch(host)
        if found is None:
            return False
        name = found["name"].strip("[]").lower()
        if name.rstrip(".") in self.names or self.numbered(name.rstrip(".")):
            return True
        try:
            ip_address(name)
        except ValueError:
            return False
        return True


class ForeignOriginError(Forbidden):
    """A change from our own page, which was opened under another name than the one that arrives: by a proxy."""

    sentence = "http/proxy"


def is_from_own_page(incoming: Request) -> bool:
    """Whether a change was requested by a page of this companion and by no other site."""
    if REQUEST_HEADER not in incoming.headers:
        return False
    if incoming.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        return False
    origin = incoming.headers.get("Origin")
    return origin is None or origin in (f"http://{incoming.host}", f"https://{incoming.host}")


def protect(app: Flask, rule: HostRule, note_network: Callable[[str], None] = lambda _code: None) -> None:
    """Check every request before any route sees it, and complete every answer."""

    @app.before_request
    def check() -> None:
        if not rule.allows(request.headers.get("Host", "")):
            abort(421)
        if request.method not in ("GET", "HEAD", "OPTIONS") and not is_from_own_page(request):
            # Another site's page cannot send our header.
            if REQUEST_HEADER not in request.headers:
                raise Forbidden
            note_network(HOST_CHANGED)
            raise ForeignOriginError

    @app.after_request
    def complete(response: Response) -> Response:
        headers = response.headers
        for name, value in SEALS:
            headers.setdefault(name, value)
        # Only style sheets, scripts, words and icons may be cached, for the time that they state.
        headers.setdefault("Cache-Control", "no-store")
        return response
