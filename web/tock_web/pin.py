"""The host's PIN: kept as a salted hash, in a file that only the companion's user can read."""

import hashlib
import hmac
import json
import os
import re
import secrets
from pathlib import Path
from threading import Lock

from tock_companion.errors import TockError

PIN_NAME = "host-pin.json"
PIN_FORM = re.compile(r"[0-9]{4,12}")


class PinKeeper:
    """Knows whether there is a PIN and whether a guess is right. Without a folder it is forgotten at the end."""

    def __init__(self, folder: Path | None = None) -> None:
        self._path = folder / PIN_NAME if folder is not None else None
        self._lock = Lock()
        self._stored = self._read()

    @property
    def is_set(self) -> bool:
        """Whether hosts need a PIN."""
        return self._stored is not None

    def set(self, pin: str | None) -> None:
        """Take a new PIN of 4 to 12 digits, None for none; raises TockError when it cannot be kept."""
        stored = None
        if pin is not None:
            salt = secrets.token_bytes(16)
            stored = {"salt": salt.hex(), "hash": _hash(pin, salt).hex()}
        with self._lock:
            self._write(stored)
            self._stored = stored

    def is_right(self, pin: str) -> bool:
        """Whether this is the PIN."""
        stored = self._stored
        if stored is None:
            return False
        guess = _hash(pin, bytes.fromhex(stored["salt"]))
        return hmac.compare_digest(guess, bytes.fromhex(stored["hash"]))

    def _read(self) -> dict[str, str] | None:
        if self._path is None or not self._path.exists():
            return None
        try:
            document = json.loads(self._path.read_text())
            return {"salt": str(document["salt"]), "hash": str(document["hash"])}
        except (OSError, ValueError, KeyError, TypeError):
            raise TockError(
                f"{self._path} cannot be read; delete it, and the next host chooses a new PIN"
            ) from None

    def _write(self, stored: dict[str, str] | None) -> None:
        if self._path is None:
            return
        try:
            if stored is None:
                self._path.unlink(missing_ok=True)
                return
            new = self._path.with_suffix(".new")
            descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "w") as file:
                json.dump(stored, file)
            new.replace(self._path)
        except OSError as error:
            raise TockError(f"the PIN cannot be kept in {self._path} ({error.strerror})") from None


def _hash(pin: str, salt: bytes) -> bytes:
    return hashlib.scrypt(pin.encode(), salt=salt, n=2**14, r=8, p=1)
