"""The form of everything that is kept in a data folder: its version, and the release that changed it last.

A change of a form is a new version here (and a step in `storage.migrations` where it is the database), a row in
docs/formats.md, and a folder that this version has written among the test data: `make old-folder RELEASE=next`. Tests
hold all three.
"""

from dataclasses import dataclass

from tock_companion import __version__
from tock_companion.errors import BadInputError


@dataclass(frozen=True, slots=True)
class Form:
    """One kind of file."""

    version: int
    changed: str
    """The release that changed it last."""


FORMS = {
    "games": Form(3, "0.3.0"),
    "event log": Form(1, "0.4.0"),
    "settings": Form(1, "0.4.0"),
    "board file": Form(1, "0.1.0"),
    "camera": Form(1, "0.3.0"),
    "jokers": Form(1, "0.1.0"),
    "recording": Form(1, "0.1.0"),
    "host PIN": Form(2, "0.3.0"),
    "far": Form(1, "0.4.0"),
    "far board": Form(1, "0.4.0"),
    "club": Form(1, "0.4.0"),
}
MAX_CAMERA_STATE_BYTES = 20_000_000


def refuse_newer(found: object, name: str, where: str) -> None:
    """Raise BadInputError, which names both versions, for a file of a newer form than this release reads."""
    known = FORMS[name].version
    if isinstance(found, int) and found > known:
        raise BadInputError(
            f"{where} was written by a newer version (form {found}), and this is version {__version__}, which reads "
            f"up to form {known}; nothing was changed: update this program"
        )
