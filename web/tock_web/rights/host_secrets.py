"""The secrets that make a device host, and the last sign of life of each such device."""

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Lock
from time import monotonic

from pydantic import ValidationError

from tock_companion.schema import Schema
from tock_companion.table.seats.identity import RENEW_S
from tock_rules import Seat

HOST_AWAY_S = 120.0
"""A host whose device has been silent for this long may be relieved."""
MAX_HOSTS = 8
MAX_SEEN = 100
"""As many devices are remembered, those seen last."""


@dataclass(frozen=True, slots=True)
class HostDevice:
    """A device that is host, whichever seat it holds."""

    number: int
    device_hash: str
    token_hash: str
    given_s: float
    last_seen_s: float
    before_hash: str = ""
    """The previous secret, which counts until the device has used the newest."""
    seat: Seat | None = None
    """Its seat at its last request."""

    def has(self, token: str) -> bool:
        """Whether a secret is its own."""
        return self.has_newest(token) or secrets.compare_digest(_hash(token), self.before_hash)

    def has_newest(self, token: str) -> bool:
        """Whether a secret is its newest."""
        return secrets.compare_digest(_hash(token), self.token_hash)

    def is_device(self, device: str) -> bool:
        """Whether this is the device with that secret."""
        return secrets.compare_digest(_hash(device), self.device_hash)


class _KeptHost(Schema):
    device: str
    tokens: list[str]


class _KeptHosts(Schema):
    hosts: list[_KeptHost]


class Hosts:
    """Any thread may call this; it outlives the table, which is built again for another board."""

    def __init__(self, clock_s: Callable[[], float] = monotonic) -> None:
        """Begin without hosts."""
        self._clock_s = clock_s
        self._lock = Lock()
        self._hosts: tuple[HostDevice, ...] = ()
        self._last_seen_s: dict[str, float] = {}
        """Of devices with a seat, by their hashes."""
        self._began_s = clock_s()
        self._count = 0

    def of(self, token: str | None, device: str, seat: Seat | None = None) -> HostDevice | None:
        """The host with this secret on this device; notes that it is here, and where it sits."""
        with self._lock:
            found = self._found(token, device)
            if found is None or token is None:
                return None
            before_hash = "" if found.has_newest(token) else found.before_hash
            now = replace(found, last_seen_s=self._clock_s(), before_hash=before_hash, seat=seat)
            self._put(found, now)
            return now

    def add(self, device: str, seat: Seat | None = None) -> str | None:
        """A secret that makes a device host, in place of absent ones; None where there are enough."""
        with self._lock:
            others = [host for host in self._here() if not host.is_device(device)]
            if len(others) >= MAX_HOSTS:
                return None
            token = secrets.token_hex(16)
            self._hosts = (*others, self._new(_hash(device), _hash(token), seat=seat))
            return token

    def keep(self, device_hash: str, token_hash: str) -> None:
        """Make a device host that was it by its seat, with the seat's secret, and no longer than it is heard."""
        with self._lock:
            others = [host for host in self._hosts if host.device_hash != device_hash]
            if device_hash and len(others) < MAX_HOSTS:
                seen_s = self._last_seen_s.get(device_hash, self._began_s)
                self._hosts = (*others, replace(self._new(device_hash, token_hash), last_seen_s=seen_s))

    def renew(self, token: str | None, device: str, *, at_once: bool = False) -> str | None:
        """A new secret for a host whose secret is old; the old one counts until the new one is used."""
        with self._lock:
            found = self._found(token, device)
            if found is None or token is None:
                return None
            if not at_once and self._clock_s() - found.given_s < RENEW_S:
                return None
            renewed = secrets.token_hex(16)
            now = replace(found, token_hash=_hash(renewed), before_hash=_hash(token), given_s=self._clock_s())
            self._put(found, now)
            return renewed

    def release(self, token: str | None, device: str) -> None:
        """Withdraw the host's rights from a device that gives them back."""
        with self._lock:
            found = self._found(token, device)
            self._hosts = tuple(host for host in self._hosts if host is not found)

    def forget_those_away(self) -> None:
        """Withdraw the rights of absent devices: somebody else is the host now."""
        with self._lock:
            self._hosts = self._here()

    def remove(self, ended: Callable[[HostDevice], bool]) -> None:
        """Withdraw the rights of the hosts chosen by a test."""
        with self._lock:
            self._hosts = tuple(host for host in self._hosts if not ended(host))

    def here(self) -> tuple[HostDevice, ...]:
        """The devices that are host and active."""
        with self._lock:
            return self._here()

    def all(self) -> tuple[HostDevice, ...]:
        """Absent hosts too: they have the rights until somebody relieves them."""
        return self._hosts

    def to_keep(self) -> dict[str, object]:
        """The hosts as JSON, hashes alone, for after a restart."""
        kept = [
            {"device": host.device_hash, "tokens": [host.token_hash, *filter(None, [host.before_hash])]}
            for host in self._hosts
        ]
        return {"hosts": kept}

    def take_up(self, kept: object) -> None:
        """Restore the hosts from before a restart as if just active, except those that cannot be read."""
        with self._lock:
            if self._hosts:
                return
            try:
                found = _KeptHosts.model_validate(kept).hosts[:MAX_HOSTS]
            except ValidationError:
                return
            self._hosts = tuple(
                self._new(host.device, host.tokens[0], "".join(host.tokens[1:2]))
                for host in found
                if host.device and host.tokens
            )

    def _new(
        self, device_hash: str, token_hash: str, before_hash: str = "", seat: Seat | None = None
    ) -> HostDevice:
        self._count += 1
        now_s = self._clock_s()
        return HostDevice(self._count, device_hash, token_hash, now_s, now_s, before_hash, seat)

    def hear(self, device: str) -> None:
        """Note that a device which holds a seat is here."""
        with self._lock:
            self._last_seen_s.pop(_hash(device), None)
            self._last_seen_s[_hash(device)] = self._clock_s()
            if len(self._last_seen_s) > MAX_SEEN:
                del self._last_seen_s[next(iter(self._last_seen_s))]

    def silent_s(self, device_hash: str) -> float:
        """For how long a device has asked for nothing; a device of an earlier run was here at the start."""
        return self._clock_s() - self._last_seen_s.get(device_hash, self._began_s)

    def _here(self) -> tuple[HostDevice, ...]:
        now_s = self._clock_s()
        return tuple(host for host in self._hosts if now_s - host.last_seen_s < HOST_AWAY_S)

    def _found(self, token: str | None, device: str) -> HostDevice | None:
        if not token:
            return None
        return next(
            (host for host in self._hosts if host.is_device(device) and host.has(token)),
            None,
        )

    def _put(self, before: HostDevice, now: HostDevice) -> None:
        self._hosts = tuple(now if host is before else host for host in self._hosts)


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
