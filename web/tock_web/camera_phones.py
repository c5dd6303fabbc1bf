"""Phones that want to be cameras: a device asks, the host admits it with one tap, and it feeds one source."""

import secrets
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from hashlib import sha256
from threading import Lock
from time import monotonic
from typing import Literal

from pydantic import ValidationError

from tock_companion.schema import Schema
from tock_companion.sources.feed import FedSource, Feed
from tock_web.services import Choices

KEPT_AS = "phones"
MAX_PHONES_ASKING = 16
MAX_PHONES_ASKING_AT_ONE_ADDRESS = 2
"""Nobody who invents phones can keep a real one out of the list."""
ASKS_FOR_S = 20.0
"""A waiting phone repeats its request every second or two; one that has stopped is gone."""
AWAY_AFTER_S = 5.0
EARLY_MS, LATE_MS = 500, 5000
"""Allowed difference between a picture's time and the table's clock."""


PhoneKind = Literal["iPhone", "iPad", "Android", "browser"]


class PhoneState(Enum):
    """The status of a phone."""

    ASKING = "asking"
    LET_IN = "let_in"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class CameraPhone:
    """A phone that has asked to be a camera; `number` names it to the host, its secret stays with it."""

    number: int
    key: str
    """Hash of its secret."""
    kind: PhoneKind
    """The model that its browser names: "iPhone", "Android"."""
    source: str | None = None
    """Name of the source that it feeds, once admitted."""
    last_seen_s: float = field(default=float("-inf"))
    taken_ms: int = -1
    """Time of the last accepted picture."""
    address: str = ""
    """The address from which it asks."""


class PictureTimeError(Exception):
    """The time of a picture is impossible; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class _KeptPhone(Schema):
    key: str
    kind: PhoneKind
    source: str


class _KeptPhones(Schema):
    phones: list[_KeptPhone]


class CameraPhones:
    """Waiting and admitted phones; safe to use from several threads."""

    def __init__(
        self, choices: Choices, sources: Sequence[object], clock_s: Callable[[], float] = monotonic
    ) -> None:
        self._choices, self._clock_s = choices, clock_s
        self._lock = Lock()
        self._feeds: dict[str, Feed] = {
            source.name: source.feed
            for source in sources
            if isinstance(source, FedSource) and source.feed is not None
        }
        self._count = 0
        self._phones: dict[str, CameraPhone] = {}
        self._refused: set[str] = set()
        for kept in _kept(choices.get(KEPT_AS)):
            if kept.source in self._feeds:
                self._note(CameraPhone(self._next(), kept.key, kept.kind, kept.source))

    @property
    def places(self) -> Sequence[str]:
        """The names of the sources that a phone can feed."""
        return tuple(self._feeds)

    def ask(self, secret: str, kind: PhoneKind, address: str = "") -> PhoneState:
        """Ask to be a camera, or learn the host's decision; an admitted phone stays admitted."""
        key = _key(secret)
        with self._lock:
            known = self._phones.get(key)
            if known is None and key in self._refused:
                return PhoneState.REFUSED
            if known is None:
                if not self._has_room(address):
                    # It goes on asking, and appears in the list once there is room.
                    return PhoneState.ASKING
                known = CameraPhone(self._next(), key, kind, address=address)
            self._note(known if known.source is not None else replace(known, last_seen_s=self._clock_s()))
            return PhoneState.ASKING if known.source is None else PhoneState.LET_IN

    def listed(self) -> Sequence[CameraPhone]:
        """Admitted phones and those waiting now, in order of arrival."""
        with self._lock:
            shown = [*self._asking(), *(phone for phone in self._phones.values() if phone.source is not None)]
            return sorted(shown, key=lambda phone: phone.number)

    def is_here(self, phone: CameraPhone) -> bool:
        """Whether it was active just now."""
        return self._clock_s() - phone.last_seen_s < AWAY_AFTER_S

    def let_in(self, number: int) -> bool:
        """Admit a phone, replacing an absent one where no slot is free; False when there is no slot."""
        with self._lock:
            asking = next((phone for phone in self._asking() if phone.number == number), None)
            place = self._free_place()
            if asking is None or place is None:
                return False
            self._phones = {key: phone for key, phone in self._phones.items() if phone.source != place}
            self._note(replace(asking, source=place))
            self._keep()
            return True

    def send_away(self, number: int) -> bool:
        """Remove or refuse a phone; False when none has this number."""
        with self._lock:
            found = next((phone for phone in self._phones.values() if phone.number == number), None)
            if found is None:
                return False
            del self._phones[found.key]
            self._refused.add(found.key)
            self._keep()
            return True

    def feed(self, secret: str) -> Feed | None:
        """The sink for a phone's pictures; None for one not admitted."""
        phone = self._phones.get(_key(secret))
        return None if phone is None or phone.source is None else self._feeds[phone.source]

    def take(self, secret: str, taken_ms: int, now_ms: int) -> int:
        """Note a picture of an admitted phone; returns its time on the table's clock, never in the future.

        Raises PictureTimeError for an impossible time: the phone must set its clock again.
        """
        if taken_ms > now_ms + EARLY_MS:
            raise PictureTimeError("phone/future")
        if taken_ms < now_ms - LATE_MS:
            raise PictureTimeError("phone/late")
        taken_ms = min(taken_ms, now_ms)
        with self._lock:
            phone = self._phones.get(_key(secret))
            if phone is None or phone.source is None:
                raise PictureTimeError("phone/not_let_in")
            if taken_ms <= phone.taken_ms:
                raise PictureTimeError("phone/backwards")
            self._note(replace(phone, taken_ms=taken_ms, last_seen_s=self._clock_s()))
        return taken_ms

    def _asking(self) -> list[CameraPhone]:
        return [phone for phone in self._phones.values() if phone.source is None and self._asks(phone)]

    def _has_room(self, address: str) -> bool:
        """Make room in the list for a phone at an address, if need be by dropping one of the busiest address."""
        shown = Counter(phone.address for phone in self._asking())
        if shown[address] >= MAX_PHONES_ASKING_AT_ONE_ADDRESS:
            return False
        if shown.total() < MAX_PHONES_ASKING:
            return True
        crowded, most = shown.most_common(1)[0]
        if most <= shown[address] + 1:
            return False
        newest = max(
            (phone for phone in self._asking() if phone.address == crowded), key=lambda one: one.number
        )
        del self._phones[newest.key]
        return True

    def _free_place(self) -> str | None:
        fed = {phone.source: phone for phone in self._phones.values() if phone.source is not None}
        free = [name for name in self._feeds if name not in fed]
        away = [name for name, phone in fed.items() if not self.is_here(phone)]
        return next(iter([*free, *away]), None)

    def _note(self, phone: CameraPhone) -> None:
        there = {key: known for key, known in self._phones.items() if known.source or self._asks(known)}
        self._phones = {**there, phone.key: phone}

    def _asks(self, phone: CameraPhone) -> bool:
        return self._clock_s() - phone.last_seen_s < ASKS_FOR_S

    def _next(self) -> int:
        self._count += 1
        return self._count

    def _keep(self) -> None:
        kept = [
            {"key": phone.key, "kind": phone.kind, "source": phone.source}
            for phone in self._phones.values()
            if phone.source is not None
        ]
        self._choices.keep(KEPT_AS, {"phones": kept})


def new_secret() -> str:
    """A secret for a phone without one."""
    return secrets.token_hex(16)


def _key(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


def _kept(choice: object) -> Sequence[_KeptPhone]:
    try:
        return _KeptPhones.model_validate(choice).phones
    except ValidationError:
        return ()
