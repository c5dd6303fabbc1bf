"""What every request must show before it is served, and what every answer carries.

The home network is not trusted: a web page open in a guest's browser may try to reach the companion through it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_address
from socket import gethostname
from urllib.parse import urlsplit

from flask import Flask, Request, Response, abort, request

REQUEST_HEADER = "X-Tock"
"""A header that a page of another origin cannot send without being asked; every change must carry it."""

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


@dataclass(frozen=True, slots=True)
class HostRule:
    """The names under which the companion answers; IP addresses are always right.

    A rebinding attack needs a name of its own, so unknown names are refused and any address is accepted.
    """

    names: frozenset[str]

    @classmethod
    def of(cls, extra: Iterable[str] = ()) -> "HostRule":
        """Return the rule for this machine with the names of its settings added."""
        own = gethostname().split(".", maxsplit=1)[0].lower()
        known = {"localhost", "tock.local", own, f"{own}.local", *(name.lower() for name in extra)}
        return cls(frozenset(known))

    def allows(self, host: str) -> bool:
        """Tell whether a Host header names this companion; the port does not matter."""
        name = urlsplit(f"//{host}").hostname or ""
        if name.rstrip(".") in self.names:
            return True
        try:
            ip_address(name)
        except ValueError:
            return False
        return True


def is_from_own_page(incoming: Request) -> bool:
    """Tell whether a change was asked for by a page of this companion and by no other site."""
    if REQUEST_HEADER not in incoming.headers:
        return False
    if incoming.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        return False
    origin = incoming.headers.get("Origin")
    return origin is None or urlsplit(origin).netloc == incoming.host


def protect(app: Flask, rule: HostRule) -> None:
    """Check every request before any view sees it and complete every answer."""

    @app.before_request
    def check() -> None:
        try:
            known = rule.allows(request.headers.get("Host", ""))
        except ValueError:
            known = False
        if not known:
            abort(421)
        if request.method not in ("GET", "HEAD", "OPTIONS") and not is_from_own_page(request):
            abort(403)

    @app.after_request
    def complete(response: Response) -> Response:
        headers = response.headers
        headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
        headers["X-Content-Type-Options"] = "nosniff"
        headers["Referrer-Policy"] = "no-referrer"
        headers["Cross-Origin-Resource-Policy"] = "same-origin"
        # Only style sheets, scripts, words and icons may be kept; they say for how long.
        headers.setdefault("Cache-Control", "no-store")
        return response
