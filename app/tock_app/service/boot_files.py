"""Obeys files on the boot partition, which only the holder of the memory card can write."""

import logging
from collections.abc import Sequence
from pathlib import Path

from tock_companion.errors import TockError
from tock_companion.files import read_text_bounded, replace_file
from tock_web.rights.machine_code import CODE_DIGITS, MachineCode
from tock_web.rights.pin import forget_pin

LOG = logging.getLogger(__name__)
BOOT = Path("/boot/firmware")
FORGET_PIN, HOST_CODE = "tock-forget-pin", "tock-host-code"
ENDINGS = ("", ".txt", ".txt.txt")
"""Some editors always add one, and some file managers hide it from its user, who adds another."""
HEEDED = "boot-file-heeded"
"""In the data folder: the stamp of the last file obeyed, so that a file left on the card counts once."""
HOUR_NS = 3600 * 10**9
MAX_BYTES = 1000


def forgets_pin(data: Path, boot: Path = BOOT) -> bool:
    """Forget the host's PIN where a new file on the card says so; True where it did."""
    for file in _files(boot, FORGET_PIN):
        try:
            stamp = _stamp(file)
            if _heeded(data) == stamp:
                continue
            forget_pin(data)
            replace_file(data / HEEDED, stamp)
        except (OSError, TockError) as error:
            LOG.error("%s cannot be heeded: %s", file, error)
            continue
        LOG.warning("%s was found: the host's PIN is forgotten, and nobody is host", file)
        return True
    return False


def show_code(code: MachineCode, boot: Path = BOOT) -> None:
    """Accept the code in a file on the card, which only the card's holder can read."""
    for file in _files(boot, HOST_CODE):
        try:
            digits = "".join(filter(str.isdecimal, read_text_bounded(file, MAX_BYTES, "file")))
        except (OSError, TockError) as error:
            LOG.error("%s cannot be read: %s", file, error)
            continue
        if len(digits) == CODE_DIGITS and digits.isascii():
            code.take(digits)
        else:
            LOG.error("%s holds no code: it needs %d digits", file, CODE_DIGITS)


def _files(boot: Path, name: str) -> Sequence[Path]:
    return [file for ending in ENDINGS if (file := boot / f"{name}{ending}").is_file()]


def _stamp(file: Path) -> str:
    """Tell one file from another: FAT keeps local time, whose hour changes with the season."""
    found = file.stat()
    return f"{file.name} {found.st_size} {found.st_mtime_ns % HOUR_NS}"


def _heeded(data: Path) -> str:
    try:
        return read_text_bounded(data / HEEDED, MAX_BYTES, "file")
    except (OSError, TockError):
        return ""
