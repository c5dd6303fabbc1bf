"""Ed25519 keys: public ones whose packages the page installs, and the signer's private one.

The project's public key comes with the program. A family's own lie in a folder that only the superuser can write.
"""

import hashlib
import logging
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from tock_companion.errors import BadInputError, printable
from tock_companion.files import read_bounded, replace_file

log = logging.getLogger(__name__)
PROJECT_KEYS = Path(__file__).parent / "public_keys"
FAMILY_KEYS = Path("/etc/tock-companion/keys")
MAX_KEY_BYTES = 4_000
_KEY_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,40}\.pub")
_WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


@dataclass(frozen=True, slots=True)
class TrustedKey:
    """A public key by the name of its file."""

    name: str
    fingerprint: str
    public: Ed25519PublicKey


def fingerprint_of(public: Ed25519PublicKey) -> str:
    """The SHA-256 of the key's 32 bytes, by which a signature names it."""
    raw = public.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    return hashlib.sha256(raw).hexdigest()


def trusted_keys(family: Path = FAMILY_KEYS) -> Mapping[str, TrustedKey]:
    """Every key that this machine trusts, by fingerprint; files that others can write are left out."""
    found: dict[str, TrustedKey] = {}
    for path in (*sorted(PROJECT_KEYS.glob("*.pub")), *_safe_files(family)):
        try:
            key = read_public(path)
        except BadInputError as error:
            log.warning("%s", error)
            continue
        found.setdefault(key.fingerprint, key)
    return found


def read_public(path: Path) -> TrustedKey:
    """Read a public key (PEM); raises BadInputError if it is not one."""
    data = read_bounded(path, MAX_KEY_BYTES, "key")
    if b"PRIVATE KEY" in data:
        raise BadInputError(
            f"key {printable(str(path))}: is a private key; give the public one (`tock update keygen` writes both)"
        )
    try:
        public = serialization.load_pem_public_key(data)
    except (ValueError, UnsupportedAlgorithm):
        public = None
    if not isinstance(public, Ed25519PublicKey):
        raise BadInputError(f"key {printable(str(path))}: is no public Ed25519 key in PEM form")
    return TrustedKey(path.stem, fingerprint_of(public), public)


def read_private(path: Path, password: bytes | None = None) -> Ed25519PrivateKey:
    """Read a private key (PEM, PKCS 8); raises BadInputError if it is not one or the password is wrong."""
    data = read_bounded(path, MAX_KEY_BYTES, "key")
    try:
        private = serialization.load_pem_private_key(data, password)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        private = None
    if not isinstance(private, Ed25519PrivateKey):
        raise BadInputError(
            f"key {printable(str(path))}: is no private Ed25519 key in PEM form, or its password is another"
        )
    return private


def write_pair(path: Path) -> TrustedKey:
    """Make a key: the private one at `path`, for its user alone, the public one beside it with `.pub`."""
    public_path = path.with_suffix(".pub")
    for taken in (path, public_path):
        if taken.exists():
            raise BadInputError(f"{printable(str(taken))} exists and is left as it is; name another file")
    private = Ed25519PrivateKey.generate()
    replace_file(
        path,
        private.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        ),
    )
    _write_public(public_path, private.public_key())
    return TrustedKey(public_path.stem, fingerprint_of(private.public_key()), private.public_key())


def trust(source: Path, family: Path = FAMILY_KEYS) -> TrustedKey:
    """Add a public key to those whose packages the page installs; only the superuser can."""
    key = read_public(source)
    name = f"{key.name}.pub"
    if not _KEY_NAME.fullmatch(name):
        raise BadInputError(f"{printable(name)}: name the key's file with letters, digits, dots and dashes")
    for folder in (family.parent, family):
        if not folder.exists():
            folder.mkdir()
            folder.chmod(0o755)
    _write_public(family / name, key.public)
    return key


def _write_public(path: Path, public: Ed25519PublicKey) -> None:
    pem = public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    replace_file(path, pem, 0o644)
    # Everybody may read it, whatever the umask of a command that writes hands and passwords.
    path.chmod(0o644)


def _safe_files(folder: Path) -> Iterator[Path]:
    """The keys of a folder that only the superuser, or the user running this, could have put there."""
    if not _is_safe(folder, stat.S_ISDIR):
        return
    for path in sorted(folder.glob("*.pub")):
        if _is_safe(path, stat.S_ISREG):
            yield path
        else:
            log.warning("key %s: others can write it, so it does not count", printable(str(path)))


def _is_safe(path: Path, is_kind: Callable[[int], bool]) -> bool:
    try:
        found = path.lstat()
    except OSError:
        return False
    return (
        is_kind(found.st_mode)
        and found.st_uid in (0, os.geteuid())
        and not found.st_mode & _WRITABLE_BY_OTHERS
    )
