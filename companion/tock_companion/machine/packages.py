"""Our Debian package as a file: copied out of others' reach, its signer known, and whether this machine may take it."""

import hashlib
import os
import re
import stat
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tock_companion.machine.client import MAX_PACKAGE_BYTES
from tock_companion.machine.commands import CommandError, output_of
from tock_companion.machine.package_contents import NAME, contents_of
from tock_companion.machine.refusals import RefusedError
from tock_companion.machine.signatures import Statement, require_bytes, signed_statement, verified
from tock_companion.machine.signing_keys import TrustedKey

ROOM = 3
"""Times what is unpacked: the files, the release made of them and the package itself."""
_VERSION = re.compile(r"[0-9][A-Za-z0-9.+~-]{0,60}")
_CHUNK_BYTES = 1 << 20
_NOT_FOLLOWED = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Candidate:
    """A signed package that this machine could install; it is newer than the installed one."""

    version: str
    installed: str
    size: int
    sha256: str
    """Of the whole file that was sent, signature included."""
    signer: str
    """The name of the key that signed it."""


def copy_of(folder: Path, name: str, target: Path) -> str:
    """Copy a file that others may still change, and return the hash of the copy; RefusedError if it is unfit.

    Below `folder` no link is followed, whoever may have put one there.
    """
    digest, size = hashlib.sha256(), 0
    with os.fdopen(_opened_beneath(folder, name), "rb") as reading, target.open("wb") as writing:
        if not stat.S_ISREG(os.fstat(reading.fileno()).st_mode):
            raise RefusedError("update/missing")
        while chunk := reading.read(_CHUNK_BYTES):
            size += len(chunk)
            if size > MAX_PACKAGE_BYTES:
                raise RefusedError("update/large", most=str(MAX_PACKAGE_BYTES // 1_000_000))
            digest.update(chunk)
            writing.write(chunk)
    return digest.hexdigest()


def _opened_beneath(folder: Path, name: str) -> int:
    """Open a file by a path of which no part below `folder` may be a link; the descriptor is the caller's."""
    *folders, last = name.split("/")
    try:
        here = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for part in folders:
                there = os.open(part, _NOT_FOLLOWED | os.O_DIRECTORY, dir_fd=here)
                os.close(here)
                here = there
            return os.open(last, _NOT_FOLLOWED, dir_fd=here)
        finally:
            os.close(here)
    except OSError:
        raise RefusedError("update/missing") from None


def examined(path: Path, sha256: str, keys: Mapping[str, TrustedKey]) -> tuple[Candidate, bytes]:
    """Check a package that no other process can still write to; RefusedError says what is wrong with it.

    The signature comes first: nothing of a package without a trusted signer is read by any other program. Of the file
    only the bytes that were signed stay; the signature is returned.
    """
    with path.open("r+b") as file:
        size = os.fstat(file.fileno()).st_size
        statement, package_bytes, signature = verified(file, keys)
        file.truncate(package_bytes)
    _require_fit(path, statement)
    candidate = Candidate(statement.version, installed_version(), size, sha256, keys[statement.key].name)
    return candidate, signature


def require_still_fit(path: Path, signature: bytes, keys: Mapping[str, TrustedKey]) -> None:
    """Check an examined package once more; RefusedError where it may not be installed any more."""
    statement = signed_statement(signature, keys)
    with path.open("rb") as file:
        require_bytes(file, os.fstat(file.fileno()).st_size, statement)
    _require_fit(path, statement)


def _require_fit(path: Path, statement: Statement) -> None:
    """Refuse another package, one for another machine, one that is not newer, and one that would fill the disk."""
    contents = contents_of(path)
    if not statement.is_about(contents) or not _VERSION.fullmatch(contents.version):
        raise RefusedError("update/other")
    here = output_of(("dpkg", "--print-architecture")).strip()
    if contents.architecture != here:
        raise RefusedError("update/machine", found=contents.architecture[:20], here=here)
    installed = installed_version()
    if not _is(contents.version, "gt", installed):
        code = "update/same" if _is(contents.version, "eq", installed) else "update/older"
        raise RefusedError(code, version=contents.version, installed=installed)
    free = os.statvfs(path.parent)
    needed = ROOM * contents.unpacked_bytes
    if needed > free.f_bavail * free.f_frsize:
        raise RefusedError("update/full", needed=str(needed // 1_000_000))


def installed_version() -> str:
    """The version of the installed package; RefusedError where the companion was installed another way."""
    try:
        version = output_of(("dpkg-query", "--show", "--showformat=${Version}", NAME))
    except CommandError:
        version = ""
    if not version:
        raise RefusedError("update/no-package-here")
    return version


def unpack(path: Path, folder: Path) -> None:
    """Unpack a package and compare every file with its checksum; raises CommandError where one differs."""
    output_of(("dpkg-deb", "--extract", str(path), str(folder)), 600.0)
    with tempfile.TemporaryDirectory() as control:
        output_of(("dpkg-deb", "--control", str(path), control), 600.0)
        sums = Path(control, "md5sums").read_text(encoding="utf-8")
    for line in sums.splitlines():
        digest, _, name = line.partition("  ")
        with (folder / name).open("rb") as file:
            if hashlib.file_digest(file, "md5").hexdigest() != digest:
                raise CommandError(f"{name} is not what the package says")


def _is(version: str, sign: str, other: str) -> bool:
    try:
        output_of(("dpkg", "--compare-versions", version, sign, other))
    except CommandError:
        return False
    return True
