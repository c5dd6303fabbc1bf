"""Settings of the last successful start: when a start fails, the page's later changes are reverted.

Changes made by hand are never reverted: that start ends with an error.
"""

import hashlib
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from tock_app.config.load import MAX_BYTES, Config, SetBack, config_of, config_path, load_config
from tock_companion.errors import BadInputError
from tock_companion.files import read_text_bounded, replace_file


class ProvenSettings:
    """The settings file, its last version that started, and the hash of the page's last version."""

    def __init__(self, named: Path | None, environ: Mapping[str, str] = os.environ) -> None:
        """`named` as in `load_config`; nothing is read yet."""
        self._named, self._environ = named, environ
        self._path = config_path(named, environ)
        self._good = self._path.with_name(f"{self._path.name}.good")
        self._note = self._path.with_name(f"{self._path.name}.page")
        self._text: str | None = None
        self._is_proven = False

    def load(self) -> Config:
        """The configuration to start with; raises BadInputError for mistakes made by hand."""
        self._text = _read(self._path)
        try:
            return load_config(self._named, self._environ)
        except BadInputError as error:
            instead = self.instead(error) or self._with_any_board()
            if instead is None:
                raise
            return instead

    def instead(self, error: Exception) -> Config | None:
        """Revert the page's changes after a failed start; None without any."""
        good = _read(self._good)
        if self._is_proven or good is None or good == self._text or not self._is_of_page():
            return None
        try:
            config = config_of(self._path, good, self._environ)
            replace_file(self._path, good)
        except (BadInputError, OSError):
            return None
        self._text = good
        return config.because(SetBack("settings_set_back", str(error)))

    def proved(self) -> None:
        """Keep the settings of this successful start."""
        self._is_proven = True
        if self._text is not None and self._text != _read(self._good):
            with suppress(OSError):
                replace_file(self._good, self._text)

    def written_by_page(self, text: str) -> None:
        """Note that the page wrote this text."""
        with suppress(OSError):
            replace_file(self._note, _mark(text))

    def _with_any_board(self) -> Config | None:
        """The settings with a drawn board: their board file existed once, so its name is no typing mistake."""
        if self._text is None or not (self._is_of_page() or self._text == _read(self._good)):
            return None
        try:
            return config_of(self._path, self._text, self._environ, needs_board=False)
        except BadInputError:
            return None

    def _is_of_page(self) -> bool:
        return self._text is not None and _read(self._note) == _mark(self._text)


def _read(path: Path) -> str | None:
    try:
        return read_text_bounded(path, MAX_BYTES, "settings")
    except BadInputError:
        return None


def _mark(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
