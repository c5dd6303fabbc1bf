"""Identities: names in one form, hashes of the phones' secrets, and renewal of secrets."""

import hashlib
from collections.abc import Callable
from functools import cache

from pydantic import TypeAdapter, ValidationError

from tock_companion.core.fields import PersonName
from tock_companion.errors import BadInputError
from tock_companion.schema import first_mistake
from tock_rules import Seat

RENEW_S = 3600.0
"""A copied secret opens a seat for that long at most, once its own phone asks for something."""


@cache
def _name_reader() -> TypeAdapter[str]:
    return TypeAdapter(PersonName)


def person_name(name: str) -> str:
    """The name in its one form; raises BadInputError."""
    try:
        return _name_reader().validate_python(name)
    except ValidationError as error:
        raise BadInputError(first_mistake(error, "name")) from None


def digest(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def hash_of(device: str) -> str:
    """The hash of a device's secret; empty for a device without one."""
    return digest(device) if device else ""


class Renewals:
    """Since when each seat has had its secret. Any thread may ask."""

    def __init__(self, clock_s: Callable[[], float]) -> None:
        """No secret is older than the companion's start."""
        self._clock_s = clock_s
        self._started_s = clock_s()
        # Both are replaced and never changed.
        self._given_s: dict[Seat, float] = {}
        self._former: dict[Seat, str] = {}

    def is_due(self, seat: Seat) -> bool:
        """Whether a seat's secret is old enough for a new one."""
        return self._clock_s() - self._given_s.get(seat, self._started_s) >= RENEW_S

    def note(self, seat: Seat, former: str = "") -> None:
        """Note that a seat has got a new secret; the hash of a `former` one counts until the new one is used."""
        self._given_s = {**self._given_s, seat: self._clock_s()}
        others = {other: known for other, known in self._former.items() if other is not seat}
        self._former = {**others, seat: former} if former else others

    def former(self, seat: Seat) -> str:
        """Give the hash of a secret that still counts beside the newest; empty where none does."""
        return self._former.get(seat, "")

    def arrived(self, seat: Seat) -> None:
        """Note that the phone has the newest secret: from now on no other counts."""
        if seat in self._former:
            self._former = {other: known for other, known in self._former.items() if other is not seat}
