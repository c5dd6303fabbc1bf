"""Keys of programs: made by the host, shown once, kept as hashes; each ends on its day or when it is taken away.

A key opens the public events. With the scope `seat` it is a player's device, too, which may sit down; with `host` it
has the host's rights besides, until the PIN changes.
"""

import hmac
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Literal

from flask import abort, request
from pydantic import TypeAdapter, ValidationError

from tock_companion.errors import BadInputError
from tock_companion.table.seats.identity import digest, hash_of
from tock_rules import Seat
from tock_web.context import caller, context
from tock_web.rights.cookies import BY_KEY, ITS_DEVICE, Secrets, secrets_of
from tock_web.services import Choices
from tock_web.serving.gate import OwnRight

KEPT_AS = "program_keys"
MAX_KEYS = 20
BEARER = "Bearer "
Scope = Literal["read", "seat", "host"]


@dataclass(frozen=True, slots=True)
class ProgramKey:
    """One program's rights."""

    number: int
    name: str
    digest: str
    ends_at: str
    """In ISO 8601 and UTC."""
    scope: Scope = "read"
    device_hash: str = ""
    """Of the device that the program is at a seat."""
    pin_mark: str = ""
    """With the scope `host`: of the PIN under which it was made."""


@cache
def _reader() -> TypeAdapter[ProgramKey]:
    return TypeAdapter(ProgramKey)


@dataclass(frozen=True, slots=True)
class ProgramKeys:
    """The keys of one table, kept with its choices."""

    choices: Choices
    pin_mark: str = ""
    """Of the present PIN."""

    def all(self) -> Sequence[ProgramKey]:
        """Oldest first, without those that cannot be read."""
        kept = self.choices.get(KEPT_AS)
        found = []
        for row in kept if isinstance(kept, list) else ():
            with suppress(ValidationError):
                found.append(_reader().validate_python(row))
        return found

    def valid(self) -> Sequence[ProgramKey]:
        """Those that have not ended, by their day or, where they host, by a new PIN."""
        now = datetime.now(UTC)
        return [
            key
            for key in self.all()
            if now < datetime.fromisoformat(key.ends_at)
            and (key.scope != "host" or key.pin_mark == self.pin_mark)
        ]

    def make(self, name: str, days: int, scope: Scope = "read") -> tuple[ProgramKey, str]:
        """A new key and its secret, which nobody can look up later; raises BadInputError where there are too many."""
        valid = self.valid()
        if len(valid) >= MAX_KEYS:
            raise BadInputError(f"there are {MAX_KEYS} keys already; take one away first")
        secret = secrets.token_urlsafe(24)
        ends_at = (datetime.now(UTC) + timedelta(days=days)).isoformat(timespec="seconds")
        number = max((one.number for one in self.all()), default=0) + 1
        device_hash = "" if scope == "read" else hash_of(_device(secret))
        mark = self.pin_mark if scope == "host" else ""
        key = ProgramKey(number, name, digest(secret), ends_at, scope, device_hash, mark)
        self._keep([*valid, key])
        return key, secret

    def take_away(self, number: int) -> None:
        """End a key; harmless where there is none of that number."""
        self._keep([key for key in self.valid() if key.number != number])

    def of_request(self) -> ProgramKey | None:
        """The key that the present request carries, while it is valid."""
        secret = _secret()
        if secret is None:
            return None
        found = digest(secret)
        return next((key for key in self.valid() if hmac.compare_digest(key.digest, found)), None)

    def _keep(self, found: Sequence[ProgramKey]) -> None:
        self.choices.keep(KEPT_AS, [asdict(key) for key in found])


def program_keys() -> ProgramKeys:
    """The keys of the table that serves the present request."""
    return ProgramKeys(context().table.choices, context().pin.mark)


def admit_program() -> None:
    """Give the present request the rights of its key, and no others; 403 where the key is not valid."""
    secret = _secret()
    if secret is None:
        return
    key = program_keys().of_request()
    if key is None:
        abort(403)
    is_valid = validity_of(key)

    def is_host() -> bool:
        return key.scope == "host" and is_valid()

    known = Secrets(None, None, "", is_host)
    if key.scope != "read":
        known = Secrets(ITS_DEVICE, None, _device(secret), is_host)
    request.environ[BY_KEY] = known


def validity_of(key: ProgramKey) -> Callable[[], bool]:
    """Tells a stream, beyond the present request, whether a key has ended."""
    choices, pin = context().table.choices, context().pin
    return lambda: key in ProgramKeys(choices, pin.mark).valid()


def seat_of(key: ProgramKey) -> Seat | None:
    """The seat on which the program sits."""
    people = context().table.people
    sitting = (seat for seat in people.sitting() if people.device_hash(seat) == key.device_hash != "")
    return next(sitting, None)


def is_host_in_person() -> bool:
    """Whether a host sent the present request, and no program: a key that leaked makes no others."""
    return caller().is_host and not secrets_of(request).is_program


def _secret() -> str | None:
    header = request.headers.get("Authorization", "")
    return header.removeprefix(BEARER).strip() if header.startswith(BEARER) else None


def _device(secret: str) -> str:
    return digest(f"device {secret}")[:32]


HOST_IN_PERSON = OwnRight(
    "the host, in person", "host", "For the host alone, not for a program with a key.", is_host_in_person
)
PROGRAM = OwnRight(
    "a program’s key",
    "program",
    "For a program with a key of the host, in the header `Authorization: Bearer KEY`.",
    lambda: program_keys().of_request() is not None,
)
