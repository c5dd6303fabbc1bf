"""The settings of a memory card, checked before anything is written."""

import re
import secrets
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from zoneinfo import available_timezones

from tock_companion.errors import BadInputError, quoted
from tock_companion.files import read_text_bounded
from tock_companion.language import DEFAULT, LANGUAGES, catalog
from tock_companion.machine.network import Network

HOST_NAME = re.compile(r"[a-z]([a-z0-9-]{0,61}[a-z0-9])?")
KEY = re.compile(r"(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(256|384|521)|sk-\S+) [A-Za-z0-9+/=]+( [^\n]*)?")
MAX_KEY_BYTES = 20_000
PRINTABLE = "cp1252"
"""The character set of the printed sheet."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card to be written."""

    country: str
    """The country of the table: a radio may not send before it knows (ISO 3166, two letters)."""
    own: Network | None
    """The table's own Wi-Fi; without one the table is reached by a cable until the host opens one."""
    house: Network | None = None
    house_is_wpa3_only: bool = False
    language: str = DEFAULT
    timezone: str = "America/Toronto"
    host_name: str = "tock"
    ssh_key: str | None = None
    """A public key that may log in as `table` and become the superuser; without one nobody can log in."""
    host_code: str = field(default_factory=lambda: f"{secrets.randbelow(10**8):08}")
    """A code that makes one phone host and lets it choose the PIN; only the card shows it."""
    identity: str = field(default_factory=lambda: f"tock-{secrets.token_hex(6)}")
    """New for each card: cloud-init does its work once for each name."""

    def __post_init__(self) -> None:
        """Refuse settings that the Raspberry Pi could not be set up with."""
        if self.country not in countries():
            raise BadInputError(
                f"there is no country {quoted(self.country)}; two capital letters, for example CA, FR or BE"
            )
        _among(self.language, LANGUAGES, "language")
        # In a browser there is no list of time zones, and the name is its own.
        _among(self.timezone, available_timezones() or {self.timezone}, "time zone")
        if not HOST_NAME.fullmatch(self.host_name):
            raise BadInputError(
                f"the table cannot be called {quoted(self.host_name)}; small letters, digits and hyphens, "
                "a letter first"
            )
        if self.own is None:
            return
        if self.own.name.encode(PRINTABLE, errors="ignore").decode(PRINTABLE) != self.own.name:
            raise BadInputError(
                f"the table's own Wi-Fi cannot be called {quoted(self.own.name)}, as the sheet cannot print it; "
                "letters of Western Europe, digits and signs"
            )
        if self.house is not None and self.house.name == self.own.name:
            raise BadInputError(
                f"the house's Wi-Fi and the table's own are both called {quoted(self.own.name)}; "
                "choose another name for one"
            )

    @property
    def locale(self) -> str:
        """The system's name for the way of writing of this language in this country."""
        usual, known = (
            catalog("things")[f"language.{code}"][self.language] for code in ("country", "countries")
        )
        return f"{self.language}_{self.country if self.country in known.split() else usual}.UTF-8"


def read_key(path: Path) -> str:
    """Read a public key; raises BadInputError for anything else, above all for a private one."""
    text = read_text_bounded(path, MAX_KEY_BYTES, "SSH key").strip()
    if not KEY.fullmatch(text):
        raise BadInputError(f"{path} is no public SSH key; it is the file that ends in .pub, with one line")
    return text


@cache
def countries() -> frozenset[str]:
    """All countries with a code (ISO 3166-1)."""
    text = files("tock_hardware.memory_card").joinpath("countries.txt").read_text(encoding="utf-8")
    return frozenset(text.split())


def _among(value: str, known: Collection[str], what: str) -> None:
    if value in known:
        return
    near = sorted(name for name in known if value.lower() in name.lower())[:3] if value else []
    hint = f"; perhaps {' or '.join(near)}" if near else ""
    raise BadInputError(f"there is no {what} {quoted(value)}{hint}")
