"""Who is asking: the seat and the host's rights behind the cookies of a request."""

import re
import secrets
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock
from time import monotonic

from flask import Request, Response
from werkzeug.http import parse_cookie

from tock_companion.rules import Seat
from tock_companion.table.live import Table
from tock_companion.table.requests import Role

SEAT_COOKIE = "tock_seat"
HOST_COOKIE = "tock_host"
DEVICE_COOKIE = "tock_device"
"""Names a device by a secret of its own: what was given to one device opens nothing on another."""
COOKIE_AGE_S = 7 * 24 * 3600
"""A seat is held the whole evening, and the next one too when the companion keeps running."""
HOST_AWAY_S = 120.0
"""After this long without a request from the host's device another device may become the host."""
MAX_FORMER_HOSTS = 16
HOST_RENEW_S = 3600.0
"""The host's secret grows as old as this, then its device gets a new one."""
_SECRET = re.compile("[0-9a-f]{32}")


class HostSession:
    """Which device is the host: the first that says so, until it leaves or stays away."""

    def __init__(self, clock_s: Callable[[], float] = monotonic) -> None:
        self._clock_s = clock_s
        self._lock = Lock()
        self._token: str | None = None
        self._before: str | None = None
        """A secret that counts until its device has used the newest."""
        self._device = ""
        self._heard_s = self._given_s = 0.0
        self._former: deque[str] = deque(maxlen=MAX_FORMER_HOSTS)

    def claim(self, device: str = "") -> str | None:
        """A new secret token for a device; None while another device is the host."""
        with self._lock:
            return None if self._is_taken() else self._renew(device)

    def take_over(self, device: str = "") -> str:
        """A new secret token for a device; whoever was the host is no longer."""
        with self._lock:
            return self._renew(device)

    def renew(self, token: str | None, device: str = "") -> str | None:
        """A new token for the host's device when its own is old; that one counts until the new one is used."""
        if not self.is_host(token, device):
            return None
        with self._lock:
            if self._clock_s() - self._given_s < HOST_RENEW_S:
                return None
            renewed = self._renew(device)
            self._before = token
            return renewed

    def is_host(self, token: str | None, device: str = "") -> bool:
        """Whether a token is the host's, on the host's device; notes that the host is still there."""
        with self._lock:
            if not token or self._token is None or not secrets.compare_digest(device, self._device):
                return False
            if secrets.compare_digest(token, self._token):
                self._before = None
            elif self._before is None or not secrets.compare_digest(token, self._before):
                return False
            self._heard_s = self._clock_s()
            return True

    def was_host(self, token: str | None) -> bool:
        """Whether a token is or was the host's during this run."""
        with self._lock:
            return token is not None and any(secrets.compare_digest(token, old) for old in self._former)

    def release(self, token: str | None, device: str = "") -> None:
        """Give the host's rights back."""
        if self.is_host(token, device):
            with self._lock:
                self._token = self._before = None

    @property
    def is_taken(self) -> bool:
        """Whether another device would be refused now."""
        with self._lock:
            return self._is_taken()

    def _is_taken(self) -> bool:
        return self._token is not None and self._clock_s() - self._heard_s < HOST_AWAY_S

    def _renew(self, device: str) -> str:
        self._token, self._before, self._device = secrets.token_hex(16), None, device
        self._heard_s = self._given_s = self._clock_s()
        self._former.append(self._token)
        return self._token


@dataclass(frozen=True, slots=True)
class Secrets:
    """The secrets in the cookies of a request; what cannot be one of ours counts as none.

    A malformed cookie is not refused like other input: scripts cannot reach it, so nobody could get rid of it.
    """

    seat: str | None
    host: str | None
    device: str
    """Empty for a device that has asked for nothing yet."""


def secrets_of(incoming: Request) -> Secrets:
    """Read the cookies of a request."""
    return _secrets_in(incoming.cookies)


def _secrets_in(cookies: Mapping[str, str]) -> Secrets:
    seat, host, device = (
        value if _SECRET.fullmatch(value) else None
        for value in (cookies.get(name, "") for name in (SEAT_COOKIE, HOST_COOKIE, DEVICE_COOKIE))
    )
    return Secrets(seat, host, device or "")


def device_secret(incoming: Request) -> str:
    """The secret that names the device, a new one for a device without; the answer has to keep it there."""
    return secrets_of(incoming).device or secrets.token_hex(16)


@dataclass(frozen=True, slots=True)
class Caller:
    """The rights of one request."""

    seat: Seat | None
    is_host: bool

    def may_look(self, role: Role) -> bool:
        """Whether the views of a role may be shown to this caller."""
        if role is Role.SEAT:
            return self.seat is not None
        return role is not Role.HOST or self.is_host


def caller_of(incoming: Request, table: Table, host: HostSession) -> Caller:
    """The rights that the cookies of a request give."""
    known = secrets_of(incoming)
    seat = table.people.holder(known.seat, known.device) if known.seat else None
    return Caller(seat, hosts(known, seat, table, host))


def hosts(known: "Secrets", seat: Seat | None, table: Table, host: HostSession) -> bool:
    """Whether these secrets are the host's: of the device that is the host, or of the seat that has its rights."""
    return host.is_host(known.host, known.device) or (seat is not None and seat is table.host_seat)


def device_of(cookie: str, table: Table, host: HostSession) -> str | None:
    """Name the device behind a Cookie header for as long as it has a seat or is the host; None for a stranger."""
    if not cookie:
        return None
    # Ours are plain ASCII; werkzeug raises for bytes that are no UTF-8.
    known = _secrets_in(parse_cookie(cookie.encode("ascii", "replace").decode("ascii")))
    seat = table.people.holder(known.seat, known.device) if known.seat else None
    if seat is not None:
        return seat.name
    return HOST_COOKIE if host.is_host(known.host, known.device) else None


def keep_cookie(response: Response, name: str, token: str) -> None:
    """Let the phone keep a token where no script can read it."""
    response.set_cookie(name, token, max_age=COOKIE_AGE_S, httponly=True, samesite="Strict", path="/")


def drop_cookie(response: Response, name: str) -> None:
    """Let the phone forget a token."""
    response.delete_cookie(name, httponly=True, samesite="Strict", path="/")
