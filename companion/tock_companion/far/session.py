"""Sealed frames between a home and one far phone or board, with keys of their own for each connection.

    byte 0  form (1)      byte 1  type
    hello   (far to home) nonce, sealed: public key, device, versions
    welcome (home to far) nonce, sealed: public key and the hash of the hello, or a refusal
    data    (both)        session, sequence, sealed message
    plain   (both)        lowest and highest form that is understood: the answer to a frame of another form

Whoever lacks the link's secret can neither read nor make one; a repeated frame does nothing, and a missing one ends the
session. The ends are told apart by separate keys, so no frame can be sent back to its sender.
"""

import hashlib
import secrets
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tock_companion.far.link import FORM, KEY_BYTES, RoomKeys
from tock_companion.mqtt.connection import MAX_PACKET_BYTES

HEAD_BYTES, NONCE_BYTES, TAG_BYTES = 2, 12, 16
SESSION_BYTES, SEQUENCE_BYTES = 8, 8
SEQUENCE_AT = HEAD_BYTES + SESSION_BYTES
DATA_HEAD_BYTES = SEQUENCE_AT + SEQUENCE_BYTES
BLOCK_BYTES = 1024
"""Messages are padded to a multiple of this: their length tells little."""
MAX_FRAME_BYTES = MAX_PACKET_BYTES - 10_000
"""The rest is for the topic."""
CURVE = ec.SECP256R1()


class FrameType(IntEnum):
    """Byte 1 of a frame."""

    PLAIN = 0
    HELLO = 1
    WELCOME = 2
    DATA = 3


class Side(StrEnum):
    """The direction of what an end sends, which has a key of its own."""

    FAR = "up"
    HOME = "down"


class ForeignFrameError(ValueError):
    """A frame that was not sealed with this link's secret or for this session: it is ignored."""


class AnotherFormError(ValueError):
    """A frame of another version; the other end understands the forms from `lowest` to `highest`."""

    def __init__(self, lowest: int, highest: int, *, answers: bool) -> None:
        self.lowest, self.highest = lowest, highest
        self.answers = answers
        """Whether it is an answer already: no answer is answered."""
        super().__init__(f"form {lowest} to {highest}, not {FORM}")


class GapError(ValueError):
    """A frame is missing before this one: the session ends, and the far end says hello again."""


@dataclass(frozen=True, slots=True)
class Frame:
    type: FrameType
    session: bytes = b""
    """Of data alone."""
    sequence: int = 0


@dataclass(frozen=True, slots=True)
class SessionKeys:
    """The keys of one session, which are forgotten with it."""

    up: bytes = field(repr=False)
    down: bytes = field(repr=False)
    id: bytes


class Session:
    """One end of a session: seals what goes out, opens what comes in, each once and in order.

    It is used by one thread at a time, which sends frames in the order in which they were sealed.
    """

    def __init__(self, keys: SessionKeys, room: str, side: Side) -> None:
        other = Side.HOME if side is Side.FAR else Side.FAR
        self.id = keys.id
        self.is_proven = False
        """Whether a frame of the other end was opened: only then does it replace an older session."""
        self._out, self._in = AESGCM(_key_of(keys, side)), AESGCM(_key_of(keys, other))
        self._out_aad, self._in_aad = (room + side).encode("ascii"), (room + other).encode("ascii")
        self._sent = self._received = 0

    def seal(self, message: bytes) -> bytes:
        """The next data frame with a message; raises ValueError where no broker would pass it on."""
        padded = message + b" " * (-len(message) % BLOCK_BYTES)
        if DATA_HEAD_BYTES + len(padded) + TAG_BYTES > MAX_FRAME_BYTES:
            raise ValueError(f"a message of {len(message)} bytes is too long for a frame")
        self._sent += 1
        sequence = self._sent.to_bytes(SEQUENCE_BYTES, "big")
        head = bytes((FORM, FrameType.DATA)) + self.id + sequence
        return head + self._out.encrypt(_nonce(sequence), padded, head + self._out_aad)

    def open(self, frame: bytes) -> bytes | None:
        """The message of a data frame, still padded; None for one that came before. Raises one of the errors above."""
        shape = shape_of_frame(frame)
        if shape.type is not FrameType.DATA or shape.session != self.id:
            raise ForeignFrameError("is of another session")
        head, sealed = frame[:DATA_HEAD_BYTES], frame[DATA_HEAD_BYTES:]
        nonce = _nonce(head[SEQUENCE_AT:])
        message = _opened(self._in, nonce, sealed, head + self._in_aad)
        if shape.sequence <= self._received:
            return None
        if shape.sequence != self._received + 1:
            raise GapError(f"frame {self._received + 1} is missing before {shape.sequence}")
        self._received = shape.sequence
        self.is_proven = True
        return message


def shape_of_frame(frame: bytes) -> Frame:
    """The outer shape of a frame; raises AnotherFormError, or ForeignFrameError for other bytes."""
    if not HEAD_BYTES <= len(frame) <= MAX_FRAME_BYTES:
        raise ForeignFrameError("is no frame")
    form, kind = frame[0], frame[1]
    if kind == FrameType.PLAIN:
        if len(frame) != HEAD_BYTES + 2:
            raise ForeignFrameError("is no frame")
        raise AnotherFormError(frame[2], frame[3], answers=True)
    if form != FORM:
        raise AnotherFormError(form, form, answers=False)
    if kind in (FrameType.HELLO, FrameType.WELCOME):
        return Frame(FrameType(kind))
    if kind != FrameType.DATA or len(frame) < DATA_HEAD_BYTES + TAG_BYTES:
        raise ForeignFrameError("is no frame")
    session, sequence = frame[HEAD_BYTES:SEQUENCE_AT], frame[SEQUENCE_AT:DATA_HEAD_BYTES]
    return Frame(FrameType.DATA, session, int.from_bytes(sequence, "big"))


def forms_understood() -> bytes:
    """The answer to a frame of another form."""
    return bytes((FORM, FrameType.PLAIN, FORM, FORM))


def seal_hello(keys: RoomKeys, text: bytes, nonce: bytes | None = None) -> bytes:
    """A hello frame; `nonce` is given by tests alone."""
    return _sealed(FrameType.HELLO, keys.hello_up, keys.room, text, nonce)


def open_hello(keys: RoomKeys, frame: bytes) -> bytes:
    """The text of a hello; raises ForeignFrameError."""
    return _opened_greeting(FrameType.HELLO, keys.hello_up, keys.room, frame)


def seal_welcome(keys: RoomKeys, text: bytes, nonce: bytes | None = None) -> bytes:
    """A welcome frame; `nonce` is given by tests alone."""
    return _sealed(FrameType.WELCOME, keys.hello_down, keys.room, text, nonce)


def open_welcome(keys: RoomKeys, frame: bytes) -> bytes:
    """The text of a welcome; raises ForeignFrameError."""
    return _opened_greeting(FrameType.WELCOME, keys.hello_down, keys.room, frame)


def hash_of(frame: bytes) -> bytes:
    """The hash by which a welcome names the hello that it answers."""
    return hashlib.sha256(frame).digest()


def new_private_key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(CURVE)


def public_bytes(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def session_keys(
    keys: RoomKeys, own: ec.EllipticCurvePrivateKey, other: bytes, hello: bytes, welcome: bytes
) -> SessionKeys:
    """The keys that both ends find for a session; raises ForeignFrameError for a point that is not on the curve."""
    try:
        point = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, other)
    except ValueError:
        raise ForeignFrameError("has no public key") from None
    shared = own.exchange(ec.ECDH(), point)
    salt = hashlib.sha256(keys.chain + hello + welcome).digest()

    def derived(info: str, length: int) -> bytes:
        return HKDF(SHA256(), length, salt, info.encode("ascii")).derive(shared)

    return SessionKeys(derived("up", KEY_BYTES), derived("down", KEY_BYTES), derived("id", SESSION_BYTES))


def _sealed(kind: FrameType, key: bytes, room: str, text: bytes, nonce: bytes | None) -> bytes:
    head = bytes((FORM, kind))
    nonce = secrets.token_bytes(NONCE_BYTES) if nonce is None else nonce
    return head + nonce + AESGCM(key).encrypt(nonce, text, head + room.encode("ascii"))


def _opened_greeting(kind: FrameType, key: bytes, room: str, frame: bytes) -> bytes:
    if shape_of_frame(frame).type is not kind:
        raise ForeignFrameError(f"is no {kind.name.lower()}")
    head, nonce = frame[:HEAD_BYTES], frame[HEAD_BYTES : HEAD_BYTES + NONCE_BYTES]
    return _opened(AESGCM(key), nonce, frame[HEAD_BYTES + NONCE_BYTES :], head + room.encode("ascii"))


def _opened(cipher: AESGCM, nonce: bytes, sealed: bytes, aad: bytes) -> bytes:
    try:
        return cipher.decrypt(nonce, sealed, aad)
    except (InvalidTag, ValueError):
        raise ForeignFrameError("was sealed by somebody else") from None


def _key_of(keys: SessionKeys, side: Side) -> bytes:
    return keys.up if side is Side.FAR else keys.down


def _nonce(sequence: bytes) -> bytes:
    return bytes(NONCE_BYTES - SEQUENCE_BYTES) + sequence
