"""A Debian package as an `ar` archive: its members in order, and the signature behind them."""

import os
import re
from dataclasses import dataclass
from typing import BinaryIO

from tock_companion.machine.refusals import RefusedError

MAGIC = b"!<arch>\n"
SIGNATURE_MEMBER = b"_tocksig"
"""dpkg, dpkg-deb and apt pass over members behind the data (deb(5)), so one file is enough to carry."""
MAX_SIGNATURE_BYTES = 2_000
_HEADER_BYTES = 60
_HEADER = re.compile(rb"(.{16}).{12}.{6}.{6}.{8}([0-9]{1,10}) *`\n", re.DOTALL)
_MEMBERS = (
    re.compile(rb"debian-binary"),
    re.compile(rb"control\.tar(\.gz|\.xz|\.zst)?"),
    re.compile(rb"data\.tar(\.gz|\.xz|\.zst)?"),
)


@dataclass(frozen=True, slots=True)
class Layout:
    """The size of the package without its signature, and the signature, if there is one."""

    package_bytes: int
    signature: bytes | None


def layout_of(file: BinaryIO) -> Layout:
    """Walk through the members of a package.

    Raises RefusedError where the file is not a package, is cut off, or contains more than a package and its signature.
    """
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    if file.read(len(MAGIC)) != MAGIC:
        raise RefusedError("update/no-package")
    position = len(MAGIC)
    for expected in _MEMBERS:
        name, start, length = _member(file, position)
        if not expected.fullmatch(name):
            raise RefusedError("update/no-package")
        position = start + length + length % 2
        if position > size:
            raise RefusedError("update/damaged")
    if position == size:
        return Layout(position, None)
    name, start, length = _member(file, position)
    if name != SIGNATURE_MEMBER or length > MAX_SIGNATURE_BYTES or start + length + length % 2 != size:
        raise RefusedError("update/damaged")
    file.seek(start)
    return Layout(position, file.read(length))


def signature_member(signature: bytes) -> bytes:
    """The bytes appended to a package: header, signature and a padding byte."""
    header = b"%-16s%-12d%-6d%-6d%-8s%-10d`\n" % (SIGNATURE_MEMBER, 0, 0, 0, b"100644", len(signature))
    return header + signature + b"\n" * (len(signature) % 2)


def _member(file: BinaryIO, position: int) -> tuple[bytes, int, int]:
    """The name of the member at a position, the start of its content, and its size."""
    file.seek(position)
    found = _HEADER.fullmatch(file.read(_HEADER_BYTES))
    if found is None:
        raise RefusedError("update/damaged")
    # GNU ar ends names with a slash, dpkg-deb does not.
    return found[1].rstrip(b" ").removesuffix(b"/"), position + _HEADER_BYTES, int(found[2])
