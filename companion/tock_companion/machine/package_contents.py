"""The contents of a package, read without unpacking it: only our files, and none that reaches beyond them."""

import hashlib
import re
import subprocess
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tock_companion.machine.refusals import RefusedError

NAME = "tock-companion"
MAX_UNPACKED_BYTES = 1_200_000_000
MAX_CONTROL_BYTES = 1_000_000
FIELDS = frozenset(
    {
        "Package",
        "Version",
        "Architecture",
        "Maintainer",
        "Installed-Size",
        "Depends",
        "Recommends",
        "Suggests",
        "Section",
        "Priority",
        "Homepage",
        "Description",
    }
)
"""Allowed fields of a control file: none that removes or replaces other packages, none that runs before unpacking."""
SCRIPTS = frozenset({"postinst", "prerm", "postrm"})
_ALWAYS = frozenset({"control", "md5sums"})
_FOLDERS = frozenset(
    {".", "usr", "usr/lib", "usr/share", "usr/share/doc", "usr/share/lintian", "usr/share/lintian/overrides"}
)
_OURS = re.compile(rf"usr/(lib/{NAME}|share/doc/{NAME})(/.*)?|usr/share/lintian/overrides/{NAME}", re.DOTALL)
_MODES = {tarfile.DIRTYPE: (0o755,), tarfile.REGTYPE: (0o644, 0o755), tarfile.AREGTYPE: (0o644, 0o755)}
"""No links, devices or pipes, no setuid or setgid, nothing that others could write."""
_FIELD = re.compile(r"([A-Za-z-]+):[ \t]*(.*)")


@dataclass(frozen=True, slots=True)
class Contents:
    """A package's description of itself, and its unpacked size."""

    name: str
    version: str
    architecture: str
    scripts: Mapping[str, str]
    """The SHA-256 of each script, by its name."""
    unpacked_bytes: int


def contents_of(path: Path) -> Contents:
    """Check a package; RefusedError where it is damaged, or contains anything that our packages never do."""
    files = _control_files(path)
    fields = _fields(files["control"])
    if fields.get("Package") != NAME:
        raise RefusedError("update/other")
    return Contents(
        NAME,
        fields.get("Version", ""),
        fields.get("Architecture", ""),
        {name: hashlib.sha256(files[name]).hexdigest() for name in sorted(SCRIPTS & files.keys())},
        _unpacked_bytes(path),
    )


def _control_files(path: Path) -> Mapping[str, bytes]:
    files: dict[str, bytes] = {}
    with _members(path, "--ctrl-tarfile") as (archive, members):
        for member in members:
            name = _name(member)
            if name == "." and member.isdir():
                continue
            is_known = name in SCRIPTS | _ALWAYS and member.type in _MODES and name not in files
            content = archive.extractfile(member) if is_known and member.size <= MAX_CONTROL_BYTES else None
            if content is None:
                raise RefusedError("update/other")
            files[name] = content.read()
    if not files.keys() >= _ALWAYS:
        raise RefusedError("update/other")
    return files


def _fields(control: bytes) -> Mapping[str, str]:
    """The fields of a control file, which has only those we write."""
    fields: dict[str, str] = {}
    for line in control.decode("utf-8", "replace").splitlines():
        if line.startswith(" ") and fields:
            continue
        found = _FIELD.fullmatch(line)
        if found is None or found[1] not in FIELDS or found[1] in fields:
            raise RefusedError("update/other")
        fields[found[1]] = found[2].strip()
    return fields


def _unpacked_bytes(path: Path) -> int:
    unpacked, seen = 0, set[str]()
    with _members(path, "--fsys-tarfile") as (_, members):
        for member in members:
            name = _name(member)
            if name in seen or not _is_ours(member, name):
                raise RefusedError("update/other")
            seen.add(name)
            unpacked += member.size
            if unpacked > MAX_UNPACKED_BYTES:
                raise RefusedError("update/full", needed=str(MAX_UNPACKED_BYTES // 1_000_000))
    return unpacked


def _is_ours(member: tarfile.TarInfo, name: str) -> bool:
    return (
        (_OURS.fullmatch(name) is not None or (member.isdir() and name in _FOLDERS))
        and ".." not in name.split("/")
        and member.mode in _MODES.get(member.type, ())
        and {member.uid, member.gid} == {0}
        and {member.uname, member.gname} <= {"root", ""}
        and not member.pax_headers
    )


def _name(member: tarfile.TarInfo) -> str:
    return member.name.removeprefix("./") or "."


@contextmanager
def _members(path: Path, part: str) -> Iterator[tuple[tarfile.TarFile, Iterator[tarfile.TarInfo]]]:
    """The members of a package's inner archive, as dpkg-deb uncompresses it; RefusedError where it is damaged."""
    with subprocess.Popen(
        ("dpkg-deb", part, str(path)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as program:
        assert program.stdout is not None
        try:
            with tarfile.open(fileobj=program.stdout, mode="r|") as archive:
                yield archive, iter(archive)
            while program.stdout.read(1 << 20):
                pass
        except (tarfile.TarError, EOFError):
            raise RefusedError("update/damaged") from None
        finally:
            # After a fault it reads no further.
            program.stdout.close()
    if program.returncode:
        raise RefusedError("update/damaged")
