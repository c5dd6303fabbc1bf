"""The relay's one key, and the passwords that follow from it: several relays with the same key need nothing else."""

import hmac
import secrets
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from tock_companion.errors import BadInputError
from tock_companion.far.link import NAME, base64url, from_base64url
from tock_companion.files import read_text_bounded, replace_file

KEY_NAME = "relay.key"
KEY_BYTES = 32
MAX_FILE_BYTES = 200


@dataclass(frozen=True, slots=True)
class RelayKey:
    """The secret of a relay."""

    secret: bytes = field(repr=False)

    def table_password(self, table: str) -> str:
        """The password of a table at the relay and at the broker."""
        return self._derived(f"table:{table}")

    def broker_password(self, user: str) -> str:
        """The password at the broker of one of our own users: the relays and the bridge."""
        return self._derived(f"broker:{user}")

    def is_table(self, table: str, password: str) -> bool:
        """Whether this is the password of a table."""
        right = self.table_password(table).encode()
        return NAME.fullmatch(table) is not None and hmac.compare_digest(right, password.encode())

    def _derived(self, what: str) -> str:
        return base64url(hmac.digest(self.secret, what.encode(), sha256))


def relay_key(folder: Path) -> RelayKey:
    """The key in a folder, which is made where there is none; raises BadInputError for a file that holds no key."""
    path = folder / KEY_NAME
    if not path.exists():
        replace_file(path, base64url(secrets.token_bytes(KEY_BYTES)) + "\n")
    try:
        secret = from_base64url(read_text_bounded(path, MAX_FILE_BYTES, "key of the relay").strip())
    except ValueError:
        secret = b""
    if len(secret) != KEY_BYTES:
        raise BadInputError(f"{path} holds no key; copy it again from the other relay, or remove it")
    return RelayKey(secret)
