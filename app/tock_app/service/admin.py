"""Shows and changes this machine for the host's page: settings, diagnosis, a restart."""

import os
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import replace
from pathlib import Path

import tomlkit

from tock_app.config.document import document_at
from tock_app.config.doors import opens_doors
from tock_app.config.keys import BY_NAME, KEYS, OPEN_TABLES
from tock_app.config.load import SIMULATED, Config, config_of, config_path, game_on
from tock_app.config.proven_settings import ProvenSettings
from tock_app.service.diagnosis import examine
from tock_app.service.foreign_files import refuse_foreign_board, refuse_foreign_pictures
from tock_app.service.passwords import PASSWORD, forget_broker_password, keep_passwords, shown
from tock_app.service.reed_checkup import check_running
from tock_app.service.settings_trial import refuse_unusable
from tock_companion.background import troubles
from tock_companion.boardfile import BoardFile
from tock_companion.errors import BadInputError, TockError, printable, quoted
from tock_companion.files import replace_file, text_of
from tock_companion.health import System, sentence
from tock_companion.health.checks import check_threads
from tock_companion.language import LANGUAGES
from tock_companion.schema import parse_toml

MAX_TEXT_CHARS = 50_000
RELAY = "far.relay"
PHONE_NAMES = ("camera", "phone", *(f"phone-{number}" for number in range(2, 10)))
"""Names for the section of a phone: the first of these that is free is taken."""


class MachineAdmin:
    """The configuration file and the doctor, for the page of the host."""

    def __init__(
        self,
        path: Path | None,
        config: Config,
        sources: Sequence[object] = (),
        reopen: Callable[[Config], None] | None = None,
    ) -> None:
        """Serve the file of the running configuration; without one the first change makes it.

        With `reopen` another relay is tried, and used from then on by the running game.
        """
        self._path = config_path(path)
        self._config = config
        self._sources = sources
        self._reopen = reopen

    def settings(self) -> dict[str, object]:
        """Show the text of the file without its passwords, and every plain key with its value and its sentences."""
        document = self._document()
        written = document.unwrap()
        rows = []
        for key in KEYS:
            if key.name in OPEN_TABLES or key.name == PASSWORD:
                continue
            head, _, tail = key.name.rpartition(".")
            table = written.get(head, {}) if head else written
            value = table.get(tail) if isinstance(table, Mapping) else None
            rows.append(
                {
                    "name": key.name,
                    "kind": key.kind.__name__,
                    "value": value,
                    "default": key.default,
                    "about": key.about,
                    "ends": key.name == RELAY and self._config.far is not None,
                }
            )
        return {"file": str(self._path), "text": shown(document), "keys": rows}

    def change(self, name: str, value: object, prove: Callable[[], None] = lambda: None) -> None:
        """Write one key, null for its default; comments stay. Raises BadInputError when it does not fit.

        `prove` is called before a change that opens a door, and raises an error to prevent it.
        """
        if name not in BY_NAME or name in OPEN_TABLES:
            raise BadInputError(f"there is no setting {quoted(name)}")
        document = self._document()
        head, _, tail = name.rpartition(".")
        if head and head not in document:
            document[head] = tomlkit.table()
        table = document[head] if head else document
        if not isinstance(table, MutableMapping):
            raise BadInputError(f"'{head}' must be a table; correct {self._path}")
        if value is None:
            table.pop(tail, None)
        else:
            try:
                table[tail] = value
            except (TypeError, ValueError, RecursionError):
                raise BadInputError(f"'{name}' cannot be {quoted(value)}") from None
        now, folder = self._document(), self._path.parent
        refuse_foreign_board(document.get("board"), now, folder, self._config.data)
        forget_broker_password(document, now)
        _prove(now, document, prove)
        text, config = self._tried(document)
        reopen = self._reopen if name == RELAY else None
        if reopen is not None and config.far is not None:
            # Its libraries take memory, and hardly any table plays with somebody far away.
            from tock_app.service.far import refuse_silent  # noqa: PLC0415

            refuse_silent(config.far)
        self._keep(text)
        if reopen is not None:
            reopen(replace(self._config, far=config.far))

    def replace(self, text: str, prove: Callable[[], None] = lambda: None) -> None:
        """Write the whole file if the companion can start with it; raises BadInputError naming line and key.

        A password shown as `UNCHANGED` stays; `prove` as in `change`.
        """
        if len(text) > MAX_TEXT_CHARS:
            raise BadInputError(f"a configuration of {len(text)} letters is too long")
        # Before tomlkit: this parser's error is one line, however deep the nesting.
        where = printable(str(self._path))
        text = text_of(text, where)
        written = parse_toml(text, where)
        now, folder = self._document(), self._path.parent
        refuse_foreign_board(written.get("board"), now, folder, self._config.data)
        refuse_foreign_pictures(written, now, folder, self._config.data)
        config_of(self._path, text)
        document = tomlkit.parse(text)
        keep_passwords(document, now)
        _prove(now, document, prove)
        self._write(document)

    def names_board(self) -> Path | None:
        """The board file named in the settings, if any."""
        board = self._document().get("board")
        return self._path.parent / board if board and isinstance(board, str) else None

    def board_choice(self, path: Path | None, board: BoardFile, game: str) -> Callable[[], None]:
        """Prepare to give the next start another board, that of a file or a drawn one, and a game that fits it.

        Raises BadInputError at once where rules or players do not fit it, TockError later where the disk refuses.
        """
        document = self._document()
        folder = self._path.parent
        if path is None:
            document.pop("board", None)
        else:
            path, folder = path.resolve(), folder.resolve()
            document["board"] = str(path.relative_to(folder) if path.is_relative_to(folder) else path)
        if board.zones != self._config.board_file.zones:
            document.pop("players", None)
        document["zones"] = board.zones
        played = game_on(board, self._config.setup, game).ruleset
        if played != self._config.setup.ruleset:
            document["ruleset"] = played
            document.pop("options", None)
            document.pop("players", None)
        text, _ = self._tried(document)
        return lambda: self._keep(text)

    def place_phone(self) -> Config:
        """Make a phone a camera from the next start on, instead of the simulated table; return its settings."""
        document = self._document()
        if "sources" not in document:
            document["sources"] = tomlkit.table(is_super_table=True)
        sources = document["sources"]
        assert isinstance(sources, MutableMapping)
        sources.pop(SIMULATED, None)
        name = next(name for name in PHONE_NAMES if name not in sources)
        sources[name] = {"phone": True}
        return self._write(document)

    def remove_phones(self) -> Config:
        """Remove all phone cameras from the next start on; return that start's settings."""
        document = self._document()
        sources = document.get("sources", {})
        for name in [name for name, settings in sources.items() if settings.get("phone")]:
            del sources[name]
        return self._write(document)

    def _write(self, document: tomlkit.TOMLDocument) -> Config:
        text, config = self._tried(document)
        self._keep(text)
        return config

    def _tried(self, document: tomlkit.TOMLDocument) -> tuple[str, Config]:
        try:
            text = tomlkit.dumps(document)
        except (ValueError, TypeError) as error:
            raise BadInputError(f"the settings cannot be written as TOML: {error}") from None
        config = config_of(self._path, text)
        refuse_unusable(config, self._config)
        return text, config

    def _keep(self, text: str) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            # Noted first: a text of ours that the next start stumbles over is taken back.
            ProvenSettings(self._path).written_by_page(text)
            replace_file(self._path, text)
        except OSError as error:
            raise TockError(f"{self._path} cannot be written: {error.strerror}") from None

    def diagnosis(self) -> list[dict[str, object]]:
        """Findings of the doctor, and of the running table's threads and sources."""
        found: list[dict[str, object]] = []
        machine = examine(self._config, System(), with_sources=False)
        for finding in (*machine, *check_threads(troubles()), *check_running(self._sources)):
            texts = {lang: sentence(finding, lang) for lang in LANGUAGES}
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

    def _document(self) -> tomlkit.TOMLDocument:
        return document_at(self._path)


def _prove(before: tomlkit.TOMLDocument, after: tomlkit.TOMLDocument, prove: Callable[[], None]) -> None:
    if opens_doors(before.unwrap(), after.unwrap()):
        prove()


def starts_again(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether a supervisor restarts the companion when it ends (systemd gives each run an id)."""
    return bool(environ.get("INVOCATION_ID"))
