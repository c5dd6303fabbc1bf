"""The host's PIN: stored as werkzeug's salted hash, in a file that only the companion's user can read."""

import hashlib
import hmac
import json
import logging
from collections.abc import Mapping
from pathlib import Path
from threading import Lock

from werkzeug.security import check_password_hash, generate_password_hash

from tock_companion.errors import TockError, printable
from tock_companion.file_versions import refuse_newer
from tock_companion.files import read_text_bounded, replace_file
from tock_companion.strict_json import decode

PIN_NAME = "host-pin.json"
MAX_BYTES = 10_000
MAX_DEVICES = 16
HASHING = "scrypt"
"""At werkzeug's cost: 32 MB and a twentieth of a second for each guess."""
PARTS = ("salt", "hash")
"""Format of the PIN's hash; only version 1 stores the salt apart."""
LOG = logging.getLogger(__name__)


def forget_pin(folder: Path) -> bool:
    """Delete the PIN of a data folder, which a running companion notices; False where there is none.

    Raises TockError where it cannot be deleted.
    """
    path = folder / PIN_NAME
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise TockError(
            f"{path} cannot be deleted ({error.strerror}); ask as the companion's user, or with sudo"
        ) from None
    LOG.info("the host's PIN is forgotten")
    return True


class PinKeeper:
    """Knows whether there is a PIN and checks guesses. Without a folder it is forgotten at the end."""

    def __init__(self, folder: Path | None = None) -> None:
        self._path = folder / PIN_NAME if folder is not None else None
        self._hashing = Lock()
        """A hash takes 32 MB for a moment, so they are made one at a time."""
        self._stored, self._devices = self._read()
        """Hash of the PIN, and hashes of the devices that have entered the PIN, the newest last."""

    @property
    def is_set(self) -> bool:
        """Whether hosts need a PIN. Deleting its file, by hand or by `tock host forget-pin`, removes it."""
        if self._stored is not None and self._is_deleted():
            LOG.warning("%s was deleted: hosts need no PIN any more", self._path)
            self._stored, self._devices = None, ()
        return self._stored is not None

    @property
    def mark(self) -> str:
        """Another one for each PIN that is chosen, empty while there is none."""
        return _hash_of(json.dumps(self._stored)) if self.is_set else ""

    def _is_deleted(self) -> bool:
        # A folder without anything is a disk that has gone: the PIN in memory still counts.
        folder = None if self._path is None else self._path.parent
        if self._path is None or folder is None or self._path.exists() or not folder.is_dir():
            return False
        return any(folder.iterdir())

    def set(self, pin: str | None) -> None:
        """Set a new PIN of 4 to 12 digits, None for none; raises TockError when it cannot be saved."""
        with self._hashing:
            stored = None if pin is None else {"hash": generate_password_hash(pin, HASHING)}
            self._write(stored, ())
            self._stored, self._devices = stored, ()

    def knows(self, device: str) -> bool:
        """Whether a device has entered the PIN before, also before a restart."""
        return bool(device) and _hash_of(device) in self._devices

    def remember(self, device: str) -> None:
        """Note that a device has entered the PIN; raises TockError when that cannot be saved."""
        with self._hashing:
            if not self.is_set:
                return
            others = tuple(known for known in self._devices if known != _hash_of(device))
            self._devices = (*others, _hash_of(device))[-MAX_DEVICES:]
            self._write(self._stored, self._devices)

    def is_right(self, pin: str) -> bool:
        """Whether this is the PIN."""
        with self._hashing:
            stored = self._stored if self.is_set else None
            if stored is None:
                return False
            if "salt" in stored:
                return _matches_old(stored, pin)
            return check_password_hash(stored["hash"], pin)

    def _read(self) -> tuple[dict[str, str] | None, tuple[str, ...]]:
        """The PIN's hash, and the devices that may guess independently of others; nothing where they cannot be read.

        Raises TockError for a file that cannot be read, BadInputError for one of a newer version.
        """
        if self._path is None or not self._path.exists():
            return None, ()
        document = _document(self._path)
        refuse_newer(document.get("v"), "host PIN", printable(str(self._path)))
        kept = {key: str(value) for key, value in document.items() if key in PARTS}
        if not _is_whole(kept):
            raise _unreadable(self._path)
        devices = document.get("devices", [])
        if not isinstance(devices, list) or not all(isinstance(device, str) for device in devices):
            devices = []
        return kept, tuple(devices[-MAX_DEVICES:])

    def _write(self, stored: dict[str, str] | None, devices: tuple[str, ...]) -> None:
        if self._path is None:
            return
        try:
            if stored is None:
                self._path.unlink(missing_ok=True)
                return
            replace_file(self._path, json.dumps({**stored, "devices": devices}))
        except OSError as error:
            raise TockError(f"the PIN cannot be kept in {self._path} ({error.strerror})") from None


def _document(path: Path) -> dict[str, object]:
    try:
        document: object = decode(read_text_bounded(path, MAX_BYTES, "PIN"))
    except ValueError:
        document = None
    if not isinstance(document, dict):
        raise _unreadable(path)
    return document


def _is_whole(kept: Mapping[str, str]) -> bool:
    """Whether guesses can be checked against it."""
    if "salt" not in kept:
        return kept.get("hash", "").count("$") == 2
    try:
        return all(bytes.fromhex(kept[part]) for part in PARTS)
    except (KeyError, ValueError):
        return False


def _unreadable(path: Path) -> TockError:
    return TockError(f"{printable(str(path))} cannot be read; delete it, and the next host chooses a new PIN")


def _hash_of(device: str) -> str:
    return hashlib.sha256(device.encode()).hexdigest()


def _matches_old(stored: dict[str, str], pin: str) -> bool:
    """Check a PIN kept by version 0.1, whose salt werkzeug's form cannot hold; it is replaced with the next PIN."""
    guess = hashlib.scrypt(pin.encode(), salt=bytes.fromhex(stored["salt"]), n=2**14, r=8, p=1)
    return hmac.compare_digest(guess, bytes.fromhex(stored["hash"]))
