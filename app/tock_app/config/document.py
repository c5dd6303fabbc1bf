"""The settings as an editable document that keeps its comments."""

from pathlib import Path

import tomlkit
from tomlkit.exceptions import TOMLKitError

from tock_app.config.load import MAX_BYTES
from tock_companion.errors import BadInputError
from tock_companion.files import read_text_bounded


def document_at(path: Path) -> tomlkit.TOMLDocument:
    """Read the settings, empty without a file; raises BadInputError."""
    if not path.exists():
        return tomlkit.document()
    try:
        return tomlkit.parse(read_text_bounded(path, MAX_BYTES, "settings"))
    except (TOMLKitError, RecursionError) as error:
        raise BadInputError(f"{path} is not TOML ({error}); correct it on the machine") from None
