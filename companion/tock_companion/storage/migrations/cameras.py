"""The learned state of cameras under releases 0.1.0 and 0.2.0, whose file was named after board and name."""

import logging
from pathlib import Path

from tock_companion.boardfile import BoardFile, fingerprint, fingerprint_with_name
from tock_companion.errors import TockError
from tock_companion.file_versions import MAX_CAMERA_STATE_BYTES
from tock_companion.files import read_bounded, replace_file

LOG = logging.getLogger(__name__)
DIGITS = 8


def take_over(data: Path, board: BoardFile) -> Path | None:
    """Copy a camera's learned state to its present name, unless it has learned since; return the copy.

    The old file stays for a release that goes back. If the disk refuses, the camera only has to learn once more.
    """
    new = data / f"camera-{fingerprint(board)[:DIGITS]}.npz"
    old = data / f"camera-{fingerprint_with_name(board)[:DIGITS]}.npz"
    if new.exists() or not old.exists():
        return None
    try:
        replace_file(new, read_bounded(old, MAX_CAMERA_STATE_BYTES, "state"))
    except (OSError, TockError) as error:
        LOG.warning("what the camera learned in %s is not taken over: %s", old, error)
        return None
    LOG.info("what the camera learned is taken over from %s", old.name)
    return new
