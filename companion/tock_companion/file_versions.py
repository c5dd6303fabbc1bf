"""Everything that is kept in a data folder: which form it has today, how a file says so, and who reads it.

A change of a form is a new version here (and a step in `storage.migrations` where it is the database), with a folder
that this version has written among the test data: `make old-folder RELEASE=next`. A test holds both.
"""

from dataclasses import dataclass

from tock_companion import __version__
from tock_companion.errors import BadInputError


@dataclass(frozen=True, slots=True)
class Form:
    name: str
    where: str
    """In the data folder, unless it is a file that people keep anywhere."""
    version: int
    changed: str
    """The release that changed it last."""
    says: str
    """The place of a file's version."""
    older: str
    """The treatment of earlier versions."""
    reader: str
    """The module that reads it."""


FORMS = (
    Form(
        "games",
        "`games.sqlite`, its copies in `backups/`",
        3,
        "0.3.0",
        "table `migrations`; `user_version` for releases before 0.3.0",
        "copied to `backups/before-<version>.sqlite`, then the missing steps",
        "tock_companion.storage.migrations",
    ),
    Form(
        "event log",
        "in the games, `events.jsonl`, what `tock game export --events` prints",
        1,
        "0.4.0",
        "`v` of each event",
        "fields that came later may be missing",
        "tock_companion.events.codec",
    ),
    Form(
        "settings",
        "`tock.toml`",
        1,
        "0.4.0",
        "`v`, 1 where it is missing",
        "are read as they are: every key may be missing",
        "tock_app.config.load",
    ),
    Form(
        "board file",
        "`boards/*.json`, `board.json` of a recording",
        1,
        "0.1.0",
        "`v`, 1 where it is missing",
        "are read as they are",
        "tock_companion.boardfile.parse",
    ),
    Form(
        "camera",
        "`camera-*.npz`",
        1,
        "0.3.0",
        "`version` in its `head`",
        "copied to the name that the board has today",
        "tock_vision.calibration_file",
    ),
    Form(
        "jokers",
        "`jokers.npz`",
        1,
        "0.1.0",
        "none: two pictures",
        "are read as they are",
        "tock_vision.cards.jokers",
    ),
    Form(
        "recording",
        "`recordings/*/`, what `tock record` writes",
        1,
        "0.1.0",
        "`v` in `recording.json`",
        "are read as they are; keys that are not known are passed over",
        "tock_companion.sources.recording",
    ),
    Form(
        "host PIN",
        "`host-pin.json`",
        2,
        "0.3.0",
        "a `salt` beside the `hash` in version 1, `v` from version 3 on",
        "is checked as it was made, until the next PIN replaces it",
        "tock_web.rights.pin",
    ),
    Form(
        "far",
        "`far.json`",
        1,
        "0.4.0",
        "`v`",
        "there are none",
        "tock_companion.far.invitations",
    ),
    Form(
        "far board",
        "`far-board.json`",
        1,
        "0.4.0",
        "`v`",
        "there are none",
        "tock_companion.far.second_board",
    ),
    Form(
        "club",
        "`club.sqlite3`, or a PostgreSQL database",
        1,
        "0.3.0",
        "table `alembic_version`",
        "a SQLite file is copied to `backups/`, then the missing steps (Alembic)",
        "tock_companion.club.repository",
    ),
)
MAX_CAMERA_STATE_BYTES = 20_000_000
BY_NAME = {form.name: form for form in FORMS}


def refuse_newer(found: object, name: str, where: str) -> None:
    """Raise BadInputError, which names both versions, for a file of a newer form than this release reads."""
    known = BY_NAME[name].version
    if isinstance(found, int) and found > known:
        raise BadInputError(
            f"{where} was written by a newer version (form {found}), and this is version {__version__}, which reads "
            f"up to form {known}; nothing was changed: update this program"
        )


def as_table() -> str:
    """The forms as a table for people, in Markdown."""
    rows = [
        "| form | where | version | changed in | a file says it by | older ones |",
        "|---|---|---|---|---|---|",
        *(
            f"| {form.name} | {form.where} | {form.version} | {form.changed} | {form.says} | {form.older} |"
            for form in FORMS
        ),
    ]
    return "\n".join(rows) + "\n"
