"""Files that a person named: only regular ones are read, never more than makes sense, and none is replaced by half.

A setting may say `/dev/zero` or a pipe that nobody writes to; reading either would never end. All text that comes from
outside is decoded by `text_of`, whichever editor saved it.
"""

import codecs
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from tock_companion.errors import BadInputError, printable
from tock_companion.operating_system import BINARY, NOT_WAITING

MB = 1_000_000
CHUNK_BYTES = 1 << 18


def read_bounded(path: str | Path, most_bytes: int, what: str) -> bytes:
    """Read a whole regular file; `what` names its kind in messages ("board file").

    Raises BadInputError when it is missing, unreadable, larger than `most_bytes`, a folder, a device or a pipe.
    """
    # Looked at before it is opened: opening a device can already do something (a watchdog starts to count).
    require_file(path, what)
    where = f"{what} {printable(str(path))}"
    try:
        # A pipe that took the file's place in between must not block.
        descriptor = os.open(path, os.O_RDONLY | NOT_WAITING | BINARY)
        with os.fdopen(descriptor, "rb") as file:
            _refuse_irregular(os.fstat(descriptor).st_mode, where)
            data = b"".join(_chunks(file, most_bytes))
    except OSError as error:
        raise BadInputError(f"{where}: cannot be read ({error.strerror}); check the path") from None
    if len(data) > most_bytes:
        raise BadInputError(f"{where}: larger than {_size(most_bytes)}; is it the right file?")
    return data


def require_file(path: str | Path, what: str) -> None:
    """Raise BadInputError unless there is a regular file of this name, for readers that open it themselves."""
    where = f"{what} {printable(str(path))}"
    try:
        mode = Path(path).stat().st_mode
    except OSError as error:
        raise BadInputError(f"{where}: cannot be read ({error.strerror}); check the path") from None
    except ValueError:
        raise BadInputError(f"{where}: no file can have this name; check the path") from None
    _refuse_irregular(mode, where)


def read_text_bounded(path: str | Path, most_bytes: int, what: str) -> str:
    """Read a whole text file; BadInputError as in `read_bounded` and `text_of`."""
    return text_of(read_bounded(path, most_bytes, what), f"{what} {printable(str(path))}")


def text_of(data: bytes | str, where: str) -> str:
    """Decode a saved file or a pasted text: UTF-8, without its byte order mark, with Unix line ends.

    Raises BadInputError, which begins with `where`, for anything else.
    """
    text = (_utf8(data, where) if isinstance(data, bytes) else data).removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _utf8(data: bytes, where: str) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\0" in data[:2]:
        raise BadInputError(f"{where}: saved as UTF-16; save it as UTF-8 (Notepad: Save as, Encoding)")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadInputError(
            f"{where}: not UTF-8 text (line {line}, byte {error.start}); save it as UTF-8, or is it another file?"
        ) from None


def write_file(path: Path, data: bytes, what: str) -> None:
    """Write a file that a person named, whole or not at all; `what` names its kind in messages ("picture").

    Raises BadInputError when it cannot be written, or when a folder, a device or a pipe is in its place.
    """
    where = f"{what} {printable(str(path))}"
    try:
        if path.exists():
            _refuse_irregular(path.stat().st_mode, where)
        replace_file(path, data)
    except (OSError, ValueError) as error:
        if isinstance(error, BadInputError):
            raise
        reason = getattr(error, "strerror", None) or error
        raise BadInputError(f"{where}: cannot be written ({reason}); choose another place") from None


def replace_file(path: Path, content: str | bytes, mode: int = 0o600) -> None:
    """Put a content in the place of a file: after a power cut there is the old or the new one, and never half of it.

    Raises OSError when the disk refuses; then nothing has changed and nothing is left behind.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | BINARY, mode)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(descriptor)
        part.replace(path)
    except OSError:
        with suppress(OSError):
            part.unlink()
        raise


def _chunks(file: BinaryIO, most_bytes: int) -> Iterator[bytes]:
    """Read until the end, or until there is more than allowed; asking for all at once would claim that much memory."""
    left = most_bytes + 1
    while left > 0 and (chunk := file.read(min(CHUNK_BYTES, left))):
        left -= len(chunk)
        yield chunk


def _refuse_irregular(mode: int, where: str) -> None:
    if stat.S_ISREG(mode):
        return
    found = "a folder" if stat.S_ISDIR(mode) else "a pipe" if stat.S_ISFIFO(mode) else "a device"
    raise BadInputError(f"{where}: is {found}, not a file; check the path")


def _size(count: int) -> str:
    return f"{count // MB} MB" if count >= MB else f"{count} B"
