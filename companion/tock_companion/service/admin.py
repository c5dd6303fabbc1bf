"""What the host may see and change of this machine from the page: settings, diagnosis, a restart."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import tomlkit

from tock_companion.config.keys import BY_NAME, KEYS, OPEN_TABLES
from tock_companion.config.load import Config, config_of, config_path
from tock_companion.errors import BadInputError, TockError
from tock_companion.health import System, sentence
from tock_companion.service.diagnosis import examine
from tock_companion.service.reed_checkup import check_running

LONGEST_TEXT = 50_000
SECRET = "mqtt.password"


class MachineAdmin:
    """The configuration file and the doctor, for the page of the host."""

    def __init__(self, path: Path | None, config: Config, sources: Sequence[object] = ()) -> None:
        """Serve the file of the running configuration; without one the first change makes it."""
        self._path = config_path(path)
        self._config = config
        self._sources = sources

    def settings(self) -> dict[str, object]:
        """Return the text of the file, and every plain key with its value and its sentences."""
        text = self._text()
        document = tomlkit.parse(text).unwrap()
        rows = []
        for key in KEYS:
            if key.name in OPEN_TABLES or key.name == SECRET:
                continue
            head, _, tail = key.name.rpartition(".")
            table = document.get(head, {}) if head else document
            value = table.get(tail) if isinstance(table, Mapping) else None
            rows.append(
                {
                    "name": key.name,
                    "kind": key.kind.__name__,
                    "value": value,
                    "default": key.default,
                    "about": {"fr": key.fr, "en": key.en},
                }
            )
        return {"file": str(self._path), "text": text, "keys": rows}

    def change(self, name: str, value: object) -> None:
        """Write one key, null for its default; comments stay. Raises BadInputError when it does not fit."""
        if name not in BY_NAME or name in OPEN_TABLES:
            raise BadInputError(f"there is no setting '{name}'")
        document = tomlkit.parse(self._text())
        head, _, tail = name.rpartition(".")
        if head and head not in document:
            document[head] = tomlkit.table()
        table = document[head] if head else document
        assert isinstance(table, tomlkit.TOMLDocument | tomlkit.items.Table)
        if value is None:
            table.pop(tail, None)
        else:
            table[tail] = value
        self.replace(tomlkit.dumps(document))

    def replace(self, text: str) -> None:
        """Write the whole file if it can be used; raises BadInputError naming line and key."""
        if len(text) > LONGEST_TEXT:
            raise BadInputError(f"a configuration of {len(text)} letters is too long")
        config_of(self._path, text)
        part = self._path.with_name(f"{self._path.name}.part")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            part.write_text(text, encoding="utf-8")
            part.replace(self._path)
        except OSError as error:
            raise TockError(f"{self._path} cannot be written: {error.strerror}") from None

    def diagnosis(self) -> list[dict[str, object]]:
        """Return what the doctor finds, and how the sources are that the running table has open."""
        found: list[dict[str, object]] = []
        machine = examine(self._config, System(), with_sources=False)
        for finding in (*machine, *check_running(self._sources)):
            texts = {lang: sentence(finding, lang) for lang in ("fr", "en")}
            found.append(
                {
                    "part": finding.part,
                    "code": finding.code,
                    "level": finding.level.name.lower(),
                    "found": {lang: text for lang, (text, _) in texts.items()},
                    "do": {lang: remedy for lang, (_, remedy) in texts.items()},
                }
            )
        return found

    def _text(self) -> str:
        try:
            return self._path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return ""
        except OSError as error:
            raise TockError(f"{self._path} cannot be read: {error.strerror}") from None


def starts_again(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether a supervisor starts the companion again when it ends (systemd names each run)."""
    return bool(environ.get("INVOCATION_ID"))
