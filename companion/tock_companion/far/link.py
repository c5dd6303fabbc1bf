"""The link that invites one phone or board from far away, and the keys that follow from its secret.

    https://RELAY/far#1.<table>.<secret>.<check>

The part after `#` is sent to no server: the relay learns the room and its password at the broker, which
follow from the secret, but never the secret.
"""

import base64
import hashlib
import re
import secrets
from dataclasses import dataclass, field
from enum import StrEnum
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

FORM = 1
"""Of links, frames and messages together."""
PAGE = "/far"
SECRET_BYTES, NAME_BYTES, KEY_BYTES = 32, 16, 32
CHECK_CHARS = 4
MAX_LINK_CHARS = 400
NAME = re.compile(r"[A-Za-z0-9_-]{22}")
"""A table or a room: 16 bytes."""
SECRET = re.compile(r"[A-Za-z0-9_-]{43}")


class LinkFault(StrEnum):
    """A reason why a text is no link that can be used here."""

    NO_LINK = "no_link"
    CUT_OFF = "cut_off"
    ANOTHER_FORM = "another_form"


class BadLinkError(ValueError):
    def __init__(self, fault: LinkFault) -> None:
        self.fault = fault
        super().__init__(fault.value)


@dataclass(frozen=True, slots=True)
class FarLink:
    """An invitation to a table at a relay."""

    relay: str
    """Its address, without a slash at the end."""
    table: str
    secret: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class RoomKeys:
    """The room of a link at the broker, its password there, and the keys that begin a session."""

    room: str
    broker_password: str = field(repr=False)
    hello_up: bytes = field(repr=False)
    hello_down: bytes = field(repr=False)
    chain: bytes = field(repr=False)


def new_link(relay: str, table: str) -> FarLink:
    """A link with a secret of its own."""
    return FarLink(relay.rstrip("/"), table, secrets.token_bytes(SECRET_BYTES))


def link_text(link: FarLink) -> str:
    body = f"{FORM}.{link.table}.{base64url(link.secret)}"
    return f"{link.relay}{PAGE}#{body}.{_check(body)}"


def read_link(text: str) -> FarLink:
    """Read a link; raises BadLinkError. A messenger that cut it off is recognized by its check."""
    address, mark, fragment = text.strip()[: MAX_LINK_CHARS + 1].partition("#")
    relay = address.rstrip("/").removesuffix(PAGE)
    if not mark or not _is_relay(relay) or len(text.strip()) > MAX_LINK_CHARS:
        raise BadLinkError(LinkFault.NO_LINK)
    form, _, rest = fragment.partition(".")
    if form.isascii() and form.isdigit() and form != str(FORM) and rest:
        raise BadLinkError(LinkFault.ANOTHER_FORM)
    body, _, check = fragment.rpartition(".")
    parts = body.split(".")
    if len(parts) != 3 or not NAME.fullmatch(parts[1]) or not SECRET.fullmatch(parts[2]):
        raise BadLinkError(LinkFault.CUT_OFF)
    if form != str(FORM) or check != _check(body):
        raise BadLinkError(LinkFault.CUT_OFF)
    return FarLink(relay, parts[1], from_base64url(parts[2]))


def room_keys(table: str, secret: bytes) -> RoomKeys:
    """Keys that follow from the secret of a link (HKDF-SHA256, the table as salt)."""

    def derived(info: str) -> bytes:
        return HKDF(SHA256(), KEY_BYTES, table.encode("ascii"), info.encode("ascii")).derive(secret)

    return RoomKeys(
        room=base64url(derived("tock far room")[:NAME_BYTES]),
        broker_password=base64url(derived("tock far broker")),
        hello_up=derived("tock far hello up"),
        hello_down=derived("tock far hello down"),
        chain=derived("tock far chain"),
    )


def base64url(data: bytes) -> str:
    """Bytes as text of an address, without padding."""
    return base64.urlsafe_b64encode(data).decode("ascii").rstrip("=")


def from_base64url(text: str) -> bytes:
    """Read such a text; raises ValueError for anything else, also for another spelling of the same bytes."""
    data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    if base64url(data) != text:
        raise ValueError("is not base64url")
    return data


def _check(body: str) -> str:
    return base64url(hashlib.sha256(body.encode("ascii", "replace")).digest())[:CHECK_CHARS]


def _is_relay(address: str) -> bool:
    try:
        found = urlsplit(address)
    except ValueError:
        return False
    return found.scheme in ("https", "http") and bool(found.hostname) and not found.query
