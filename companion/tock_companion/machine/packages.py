"""Our Debian package as a file: what it says of itself, and whether this machine may take it."""

import hashlib
import os
import re
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tock_companion.machine.commands import CommandError, output_of
from tock_companion.machine.refused import RefusedError

NAME = "tock-companion"
MAX_BYTES = 250_000_000
MAX_UNPACKED_BYTES = 1_200_000_000
ROOM = 3
"""Times what is unpacked: the files, the release made of them and the package itself."""
_VERSION = re.compile(r"[0-9][A-Za-z0-9.+~-]{0,60}")
_INSIDE = ("./", "./usr/", "./usr/lib/", "./usr/share/", "./usr/share/doc/", "./usr/share/lintian/")
_OURS = re.compile(rf"\./usr/(lib/{NAME}|share/doc/{NAME}|share/lintian/overrides)(/.*)?")
_CHUNK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Candidate:
    """A package that this machine could take."""

    version: str
    installed: str
    order: str
    """How its version stands to the installed one: `newer`, `same` or `older`."""
    size: int
    sha256: str


def copy_of(source: Path, target: Path) -> str:
    """Copy a file that somebody else may still change, and return the hash of the copy; RefusedError if it is unfit."""
    try:
        descriptor = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        raise RefusedError("update/missing") from None
    digest, size = hashlib.sha256(), 0
    with os.fdopen(descriptor, "rb") as reading, target.open("wb") as writing:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise RefusedError("update/missing")
        while chunk := reading.read(_CHUNK_BYTES):
            size += len(chunk)
            if size > MAX_BYTES:
                raise RefusedError("update/large", most=str(MAX_BYTES // 1_000_000))
            digest.update(chunk)
            writing.write(chunk)
    return digest.hexdigest()


def examined(path: Path, sha256: str) -> Candidate:
    """Look at a package of which nobody else has a hand on any more; RefusedError says what is wrong with it."""
    try:
        fields = output_of(
            ("dpkg-deb", "--show", "--showformat=${Package} ${Version} ${Architecture}", str(path))
        )
        name, version, architecture = fields.split(" ")
    except (CommandError, ValueError):
        raise RefusedError("update/no-package") from None
    if name != NAME or not _VERSION.fullmatch(version):
        raise RefusedError("update/other")
    here = output_of(("dpkg", "--print-architecture")).strip()
    if architecture != here:
        raise RefusedError("update/machine", found=architecture[:20], here=here)
    _look_inside(path)
    installed = installed_version()
    order = next(
        word
        for word, sign in (("newer", "gt"), ("same", "eq"), ("older", "lt"))
        if _is(version, sign, installed)
    )
    return Candidate(version, installed, order, path.stat().st_size, sha256)


def installed_version() -> str:
    """The version of the installed package; RefusedError where the companion came another way."""
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


def _look_inside(path: Path) -> None:
    """Refuse a damaged package, one that holds anything else than ours, and one that would fill the disk."""
    try:
        listing = output_of(("dpkg-deb", "--contents", str(path)), 300.0)
    except CommandError:
        raise RefusedError("update/damaged") from None
    unpacked = 0
    for line in listing.splitlines():
        kind, _, size, _, _, name = line.split(maxsplit=5)
        if kind[0] not in "-d" or ".." in name or not (name in _INSIDE or _OURS.fullmatch(name)):
            raise RefusedError("update/other")
        unpacked += int(size)
    free = os.statvfs(path.parent)
    if unpacked > MAX_UNPACKED_BYTES or ROOM * unpacked > free.f_bavail * free.f_frsize:
        raise RefusedError("update/full", needed=str(ROOM * unpacked // 1_000_000))


def _is(version: str, sign: str, other: str) -> bool:
    try:
        output_of(("dpkg", "--compare-versions", version, sign, other))
    except CommandError:
        return False
    return True
