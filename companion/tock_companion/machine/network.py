"""A Wi-Fi network as people write it down: a name and a password, and the code that phones read."""

import re
import secrets
from dataclasses import dataclass

from tock_companion.errors import BadInputError, quoted

OWN_NAME = "Tock"
"""The default name of the table's own Wi-Fi."""
OWN_ADDRESS = "10.42.0.1"
"""The table's address on its own Wi-Fi; the one that NetworkManager gives by itself to a shared connection."""
OWN_NETWORK = f"{OWN_ADDRESS}/24"
MAX_NAME_BYTES = 32
PASSWORD = re.compile(r"[\x20-\x7e]{8,63}")
"""A WPA2 passphrase (IEEE 802.11i, annex H.4)."""
_EASY = "abcdefghjkmnpqrstuvwxyz23456789"
"""No letter or digit that could be misread on a printed card."""
_SPECIAL = re.compile(r'([\\;,:"])')


@dataclass(frozen=True, slots=True)
class Network:
    """The name and the password of a Wi-Fi network; raises BadInputError when a phone could not use them."""

    name: str
    password: str

    def __post_init__(self) -> None:
        """Refuse names and passwords that no access point accepts."""
        size = len(self.name.encode("utf-8", errors="replace"))
        if not 1 <= size <= MAX_NAME_BYTES:
            raise BadInputError(
                f"the Wi-Fi name {quoted(self.name)} has {size} bytes; it has 1 to {MAX_NAME_BYTES} "
                "(accents count twice)"
            )
        if not self.name.isprintable():
            raise BadInputError(f"the Wi-Fi name {quoted(self.name)} has characters that cannot be seen")
        if not PASSWORD.fullmatch(self.password):
            raise BadInputError(
                f"the password of the Wi-Fi {quoted(self.name)} has {len(self.password)} characters; "
                "it has 8 to 63, letters without accents, digits and signs"
            )

    @property
    def code(self) -> str:
        """The text of the QR code with which phones join."""
        name, password = (_SPECIAL.sub(r"\\\1", text) for text in (self.name, self.password))
        return f"WIFI:T:WPA;S:{name};P:{password};;"


def new_password() -> str:
    """Make a password of twelve easy letters and digits in three groups: 59 bits that a person can type."""
    return "-".join("".join(secrets.choice(_EASY) for _ in range(4)) for _ in range(3))
