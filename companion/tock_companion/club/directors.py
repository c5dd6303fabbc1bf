"""The devices that are the director's: each by a secret of its own, for half a day or until it logs out."""

import json
import secrets
import time
from collections.abc import Callable, Mapping
from threading import Lock

from tock_companion.club.repository import ClubRepository
from tock_companion.table.seats.identity import digest

DIRECTORS = "directors"
STAYS_S = 12 * 3600
"""A tournament lasts a day at most."""
MAX_DIRECTORS = 16


class Directors:
    """Hashes of their secrets are kept with the club, so a restart changes nothing; any thread may call this."""

    def __init__(self, repository: ClubRepository, now_s: Callable[[], float] = time.time) -> None:
        self._repository, self._now_s = repository, now_s
        self._lock = Lock()
        self._until_s = _restored(repository.choice(DIRECTORS))
        """For each hash until when it counts; the newest is last."""

    def let_in(self) -> str:
        """A secret for one more device; raises TockError when it cannot be kept."""
        secret = secrets.token_hex(16)
        with self._lock:
            known = {**self._valid(), digest(secret): self._now_s() + STAYS_S}
            self._store(dict([*known.items()][-MAX_DIRECTORS:]))
        return secret

    def knows(self, secret: str) -> bool:
        """Whether a secret is that of a device which is still the director's."""
        return digest(secret) in self._valid()

    def leave(self, secret: str) -> None:
        """Let a device be the director's no longer; raises TockError when that cannot be kept."""
        with self._lock:
            self._store(
                {known: until_s for known, until_s in self._valid().items() if known != digest(secret)}
            )

    def _valid(self) -> dict[str, float]:
        now_s = self._now_s()
        return {known: until_s for known, until_s in self._until_s.items() if now_s < until_s}

    def _store(self, until_s: Mapping[str, float]) -> None:
        self._repository.choose(DIRECTORS, json.dumps(until_s))
        self._until_s = dict(until_s)


def _restored(text: str | None) -> dict[str, float]:
    """The directors admitted before the start; none where that cannot be read."""
    try:
        found = json.loads(text or "{}")
        return {str(known): float(until_s) for known, until_s in found.items()}
    except (ValueError, TypeError, AttributeError, RecursionError):
        return {}
