"""OpenPGP public keys whose releases the page installs: the project's, and those a family added.

The project's key comes with the program. A family's own are in a folder that only the superuser can write.
"""

import logging
import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from tock_companion.errors import BadInputError, printable
from tock_companion.files import read_bounded, replace_file

log = logging.getLogger(__name__)
PROJECT_KEYS = Path(__file__).parent / "keyrings"
FAMILY_KEYS = Path("/etc/tock-companion/keys")
SUFFIX = ".asc"
MAX_KEY_BYTES = 20_000
_KEY_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,40}\.asc")
_WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


def trusted_keys(family: Path = FAMILY_KEYS) -> tuple[Path, ...]:
    """Every key that this machine trusts; files that others can write are left out."""
    return (*sorted(PROJECT_KEYS.glob(f"*{SUFFIX}")), *_safe_files(family))


def trust(source: Path, family: Path = FAMILY_KEYS) -> Path:
    """Add a public key to those whose releases the page installs; only the superuser can."""
    key = read_public(source)
    name = f"{source.stem}{SUFFIX}"
    if not _KEY_NAME.fullmatch(name):
        raise BadInputError(f"{printable(name)}: name the key's file with letters, digits, dots and dashes")
    for folder in (family.parent, family):
        if not folder.exists():
            folder.mkdir()
            folder.chmod(0o755)
    replace_file(family / name, key, 0o644)
    # Readable under any umask; the command's own hides hands and passwords.
    (family / name).chmod(0o644)
    return family / name


def read_public(path: Path) -> bytes:
    """Read a public key as `gpg --armor --export` writes it; raises BadInputError for anything else."""
    data = read_bounded(path, MAX_KEY_BYTES, "key")
    if b"PRIVATE KEY BLOCK" in data:
        raise BadInputError(f"key {printable(str(path))}: is a private key; give the public one")
    if not data.startswith(b"-----BEGIN PGP PUBLIC KEY BLOCK-----\n"):
        raise BadInputError(f"key {printable(str(path))}: is no public key (gpg --armor --export writes one)")
    return data


def _safe_files(folder: Path) -> Iterator[Path]:
    """The keys of a folder that only the superuser, or the user running this, could have put there."""
    if not _is_safe(folder, stat.S_ISDIR):
        return
    for path in sorted(folder.glob(f"*{SUFFIX}")):
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
