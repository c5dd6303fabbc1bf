"""Checks on every request before it is served, and the headers of every answer.

The home network is not trusted: a web page open in a guest's browser may try to reach the companion through it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_address
from socket import gethostname

from flask import Flask, Request, Response, abort, request

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
_HOST = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?")
"""A Host header in its one plain spelling: no user name before it, nothing after the brackets."""


@dataclass(frozen=True, slots=True)
class HostRule:
    """The names under which the companion answers; IP addresses are always valid.

    A DNS rebinding attack needs a name, so unknown names are refused and any address is accepted.
    """

    names: frozenset[str]

    @classmethod
    def of(cls, extra: Iterable[str] = ()) -> "HostRule":
        """The rule for this machine, with the names from its settings."""
        own = gethostname().split(".", maxsplit=1)[0].lower()
        known = {"localhost", "tock.local", own, f"{own}.local", *(name.lower() for name in extra)}
        return cls(frozenset(known))

    def allows(self, host: str) -> bool:
        """Whether a Host header names this companion; the port does not matter."""
        found = _HOST.fullmatch(host)
        if found is None:
            return False
        name = found["name"].strip("[]").lower()
        if name.rstrip(".") in self.names:
            return True
        try:
            ip_address(name)
        except ValueError:
            return False
        return True


def is_from_own_page(incoming: Request) -> bool:
    """Whether a change was requested by a page of this companion and by no other site."""
    if REQUEST_HEADER not in incoming.headers:
        return False
    if incoming.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        return False
    origin = incoming.headers.get("Origin")
    return origin is None or origin in (f"http://{incoming.host}", f"https://{incoming.host}")


def protect(app: Flask, rule: HostRule) -> None:
    """Check every request before any route sees it, and complete every answer."""

    @app.before_request
    def check() -> None:
        if not rule.allows(request.headers.get("Host", "")):
            abort(421)
        if request.method not in ("GET", "HEAD", "OPTIONS") and not is_from_own_page(request):
            abort(403)

    @app.after_request
    def complete(response: Response) -> Response:
        headers = response.headers
        for name, value in SEALS:
            headers[name] = value
        # Only style sheets, scripts, words and icons may be cached, for the time that they state.
        headers.setdefault("Cache-Control", "no-store")
        return response
