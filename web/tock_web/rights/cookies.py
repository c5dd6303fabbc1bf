"""The secrets of a request: of a seat, of a host, of a device, from its cookies or from the key of a program."""

import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from flask import Request, Response, request
from werkzeug.http import parse_cookie

SEAT_COOKIE = "tock_seat"
HOST_COOKIE = "tock_host"
DEVICE_COOKIE = "tock_device"
"""Names a device by a secret of its own, so that rights given to it open nothing on another."""
REQUEST_HEADER = "X-Tock"
"""A header that a page of another origin cannot send without a preflight; every change must carry it."""
BLOCKED = "no-cookies"
"""Its value where the browser blocks cookies."""
COOKIE_AGE_S = 7 * 24 * 3600
"""A seat is held the whole evening, and the next one too when the companion keeps running."""
BY_KEY = "tock.by-key"
"""The secrets that a program's key stands for, in the WSGI environment; no request from the network can carry it."""
ITS_DEVICE = ""
"""In place of a seat's secret: its device alone holds the seat."""
_SECRET = re.compile("[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Secrets:
    """The secrets of a request; a malformed one counts as none.

    It is not refused like other input: scripts cannot reach it, so nobody could get rid of it.
    """

    seat: str | None
    host: str | None
    device: str
    """Empty for a device that has asked for nothing yet."""
    is_host: Callable[[], bool] | None = None
    """For a program with a key: whether it has the host's rights still; it gets them by nothing else."""

    @property
    def is_program(self) -> bool:
        """Whether they come from a key."""
        return self.is_host is not None


def own_name(name: str, host: str) -> str:
    """The name of a cookie at a Host header: browsers send cookies to all ports, where other tables may answer."""
    _, colon, port = host.rpartition(":")
    return f"{name}_{port}" if colon and port.isascii() and port.isdigit() else name


def cookie_of(incoming: Request, name: str) -> str:
    """A cookie of a request; empty without one."""
    return _found(incoming.cookies, name, incoming.headers.get("Host", ""))


def secrets_of(incoming: Request) -> Secrets:
    """Read the cookies of a request, or the key that a feature has found."""
    by_key = incoming.environ.get(BY_KEY)
    return (
        by_key
        if isinstance(by_key, Secrets)
        else _secrets_in(incoming.cookies, incoming.headers.get("Host", ""))
    )


def secrets_in(header: str, host: str) -> Secrets:
    """Read a Cookie header."""
    # Ours are plain ASCII; werkzeug raises for bytes that are not UTF-8.
    return _secrets_in(parse_cookie(header.encode("ascii", "replace").decode("ascii")), host)


def _found(cookies: Mapping[str, str], name: str, host: str) -> str:
    # Without a port in its name it is of an earlier version.
    return cookies.get(own_name(name, host)) or cookies.get(name, "")


def _secrets_in(cookies: Mapping[str, str], at: str) -> Secrets:
    seat, host, device = (
        value if _SECRET.fullmatch(value) else None
        for value in (_found(cookies, name, at) for name in (SEAT_COOKIE, HOST_COOKIE, DEVICE_COOKIE))
    )
    return Secrets(seat, host, device or "")


class CookiesBlockedError(Exception):
    """The browser stores no cookies, so a right given to it would be lost at once."""


def device_secret(incoming: Request) -> str:
    """The secret that names the device, a new one if it has none; the answer must store it there.

    Raises CookiesBlockedError where the page says that its browser blocks cookies.
    """
    if incoming.headers.get(REQUEST_HEADER) == BLOCKED:
        raise CookiesBlockedError
    return secrets_of(incoming).device or secrets.token_hex(16)


def keep_cookie(response: Response, name: str, token: str, age_s: int = COOKIE_AGE_S) -> None:
    """Store a token on the phone where no script can read it."""
    own = own_name(name, request.headers.get("Host", ""))
    response.set_cookie(own, token, max_age=age_s, httponly=True, samesite="Strict", path="/")


def drop_cookie(response: Response, name: str) -> None:
    """Remove a token from the phone; one without a port may be another table's."""
    own = own_name(name, request.headers.get("Host", ""))
    response.delete_cookie(own, httponly=True, samesite="Strict", path="/")
