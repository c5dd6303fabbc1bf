"""Packets of MQTT from strangers: the first is written by the relay, the others pass where the account may send them.

Both versions in use (3.1.1 and 5) have the same heads; only the newer one has properties behind some fields.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tock_companion.mqtt.connection import MAX_PACKET_BYTES
from tock_web.relay.accounts import Account

CONNECT, CONNACK, PUBLISH, PUBACK, SUBSCRIBE, UNSUBSCRIBE, PING, DISCONNECT = (
    *(0x10, 0x20, 0x30, 0x40),
    *(0x82, 0xA2, 0xC0, 0xE0),
)
LEVELS = (4, 5)
WITH_PROPERTIES = 5
CLEAN, WILL, WILL_CONFIRMED, WILL_RETAINED, PASSWORD, USER = 0x02, 0x04, 0x08, 0x20, 0x40, 0x80
MAXIMUM_PACKET_SIZE = 0x27
NOT_AUTHORIZED = {4: 0x05, 5: 0x87}
QOS, RETAIN, QOS_1 = 0x06, 0x01, 0x02
MAX_KEEP_ALIVE_S, MIN_KEEP_ALIVE_S = 60, 10
MAX_SMALL_BYTES = 1_000
"""Of all packets but messages; also of a retained message."""
MIN_COST_BYTES = 500
"""A packet counts as this many bytes at least: each is work for the broker and for a home."""


class ForbiddenError(ValueError):
    """A packet that no table and no guest sends."""


@dataclass(frozen=True, slots=True)
class Hail:
    """The first packet of a client."""

    level: int
    keep_alive_s: int
    client_id: bytes
    user: str
    password: str = field(repr=False)


class _Fields:
    """Reads the fields of a packet; raises ForbiddenError at its end."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    @property
    def is_at_end(self) -> bool:
        return self._at >= len(self._data)

    def take(self, count: int) -> bytes:
        start, self._at = self._at, self._at + count
        if self._at > len(self._data):
            raise ForbiddenError("ends early")
        return self._data[start : self._at]

    def number(self, count: int) -> int:
        return int.from_bytes(self.take(count), "big")

    def data(self) -> bytes:
        return self.take(self.number(2))

    def text(self) -> str:
        try:
            return self.data().decode()
        except UnicodeDecodeError:
            raise ForbiddenError("no text") from None

    def skip_properties(self, level: int) -> None:
        if level == WITH_PROPERTIES:
            length, size = _length(self._data, self._at) or (len(self._data), 1)
            self.take(size + length)


def first_packet(received: bytes) -> tuple[Hail, int] | None:
    """The first packet and its size; None before it has come. Raises ForbiddenError for anything else."""
    head = _head(received)
    if head is None:
        return None
    kind, size, start = head
    if kind != CONNECT or size > MAX_SMALL_BYTES:
        raise ForbiddenError("is no beginning")
    return (_hail(_Fields(received[start:size])), size) if len(received) >= size else None


def _hail(fields: _Fields) -> Hail:
    protocol, level, flags, keep_alive_s = fields.data(), fields.number(1), fields.number(1), fields.number(2)
    if protocol != b"MQTT" or level not in LEVELS or not flags & USER or not flags & PASSWORD:
        raise ForbiddenError("is no beginning")
    fields.skip_properties(level)
    client_id = fields.data()
    if flags & WILL:
        fields.skip_properties(level)
        fields.data()
        fields.data()
    return Hail(level, keep_alive_s, client_id, fields.text(), fields.text())


def composed(hail: Hail, account: Account, user: str, password: str) -> bytes:
    """The first packet for the broker: nothing in it is the client's but its version and how often it speaks."""
    will = account.will
    keep_alive_s = min(max(hail.keep_alive_s or MAX_KEEP_ALIVE_S, MIN_KEEP_ALIVE_S), MAX_KEEP_ALIVE_S)
    flags = USER | PASSWORD | CLEAN | WILL | WILL_CONFIRMED | (WILL_RETAINED if will.is_retained else 0)
    size = bytes((MAXIMUM_PACKET_SIZE,)) + MAX_PACKET_BYTES.to_bytes(4, "big")
    has_properties = hail.level == WITH_PROPERTIES
    body = _text(b"MQTT") + bytes((hail.level, flags)) + keep_alive_s.to_bytes(2, "big")
    body += bytes((len(size),)) + size if has_properties else b""
    body += _text(account.client_id(hail.client_id).encode()) + (b"\0" if has_properties else b"")
    body += _text(will.topic.encode()) + _text(will.payload) + _text(user.encode()) + _text(password.encode())
    return bytes((CONNECT,)) + _length_bytes(len(body)) + body


def refusal(level: int) -> bytes:
    """The broker's answer to an account that it does not know."""
    body = bytes((0, NOT_AUTHORIZED[level])) + (b"\0" if level == WITH_PROPERTIES else b"")
    return bytes((CONNACK, len(body))) + body


class Packets:
    """The packets of a client after its first."""

    def __init__(self, account: Account, level: int) -> None:
        self.account, self._level = account, level
        self._waiting = bytearray()
        self._left = 0
        """Bytes of a message whose head has passed."""

    def take(self, data: bytes) -> tuple[bytes, int]:
        """Bytes for the broker, and their cost; raises ForbiddenError for a packet that is not the account's."""
        self._waiting += data
        passed = b"".join(self._passed())
        return passed, max(len(passed), self._cost)

    def _passed(self) -> Iterator[bytes]:
        self._cost = 0
        while True:
            if self._left:
                part = bytes(self._waiting[: self._left])
                del self._waiting[: len(part)]
                self._left -= len(part)
                yield part
            head = _head(self._waiting)
            if self._left or head is None or not self._is_checked(*head):
                return
            self._left = head[1]
            self._cost += MIN_COST_BYTES

    def _is_checked(self, kind: int, size: int, start: int) -> bool:
        """Whether enough has come of a packet that may pass."""
        if kind & 0xF0 == PUBLISH:
            return self._is_checked_message(kind, size, start)
        if size > MAX_SMALL_BYTES or kind not in (PUBACK, SUBSCRIBE, UNSUBSCRIBE, PING, DISCONNECT):
            raise ForbiddenError(f"packet {kind}")
        if len(self._waiting) < size:
            return False
        if kind == SUBSCRIBE:
            fields = _Fields(bytes(self._waiting[start:size]))
            fields.number(2)
            fields.skip_properties(self._level)
            while not fields.is_at_end:
                if fields.text() not in self.account.filters:
                    raise ForbiddenError("subscribes to others' topics")
                fields.number(1)
        return True

    def _is_checked_message(self, kind: int, size: int, start: int) -> bool:
        is_retained = bool(kind & RETAIN)
        if size > (MAX_SMALL_BYTES if is_retained else MAX_PACKET_BYTES) or kind & QOS not in (0, QOS_1):
            raise ForbiddenError("message")
        fields = _Fields(bytes(self._waiting[start : start + 2 + MAX_SMALL_BYTES]))
        try:
            topic = fields.text()
        except ForbiddenError:
            if len(self._waiting) >= min(size, start + 2 + MAX_SMALL_BYTES):
                raise
            return False
        if not self.account.may_publish(topic, is_retained=is_retained):
            raise ForbiddenError("publishes on others' topics")
        return True


def _head(received: bytes | bytearray) -> tuple[int, int, int] | None:
    """The kind of a packet, its whole size, and where its fields begin; None before they have come."""
    found = _length(received, 1)
    if found is None:
        return None
    length, size = found
    return received[0], 1 + size + length, 1 + size


def _length(data: bytes | bytearray, at: int) -> tuple[int, int] | None:
    """A length, and the bytes that it has itself; None where it ends early."""
    length = 0
    for index, byte in enumerate(data[at : at + 4]):
        length |= (byte & 0x7F) << (7 * index)
        if not byte & 0x80:
            return length, index + 1
    if len(data) >= at + 4:
        raise ForbiddenError("length")
    return None


def _length_bytes(length: int) -> bytes:
    found = bytearray()
    while length > 0x7F:
        found.append(length & 0x7F | 0x80)
        length >>= 7
    return bytes((*found, length))


def _text(data: bytes) -> bytes:
    return len(data).to_bytes(2, "big") + data
