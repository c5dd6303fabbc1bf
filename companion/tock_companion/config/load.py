"""The configuration: one TOML file, environment variables over it, sensible defaults under it."""

import hashlib
import json
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tock_companion.boardfile import BoardFile, generate, load, to_json
from tock_companion.config.keys import BY_NAME, OPEN_TABLES, TABLES, flat
from tock_companion.errors import BadInputError
from tock_companion.sources.base import source_names
from tock_companion.table.setup import GameSetup, seats_for

CONFIG_NAME = "tock.toml"
SIMULATED = "simulated"
CAMERA = "camera"
RECORDED = ("video", "frames")
BOARD_SIDE_MM = {4: 440.0, 6: 560.0, 8: 600.0}
"""Side of the board that is drawn when no board file is named."""
PATH_SETTINGS = frozenset({"video", "frames", "state"})
TABLE_NAME = re.compile(r"[A-Za-z0-9-]{1,40}")


@dataclass(frozen=True, slots=True)
class Backup:
    """Daily copies of the games."""

    folder: Path
    keep: int


@dataclass(frozen=True, slots=True)
class Broker:
    """Where and as whom to publish the table."""

    host: str
    port: int
    user: str
    password: str
    table: str


@dataclass(frozen=True, slots=True)
class Config:
    """What `tock run` needs to know."""

    port: int
    host: str
    data: Path
    board_file: BoardFile
    setup: GameSetup
    sources: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    """Further names under which phones may call this machine."""
    backup: Backup | None = None
    recordings_mb: int = 2000
    metrics: bool = False
    broker: Broker | None = None
    panel: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Written:
    """A configuration as it stands in its file."""

    path: Path
    text: str = ""
    values: Mapping[str, object] = field(default_factory=dict)

    def get(self, name: str) -> object:
        """Return the value of a key (`mqtt.host`), its default when it is left out."""
        head, _, tail = name.rpartition(".")
        table = self.values.get(head, {}) if head else self.values
        assert isinstance(table, Mapping)
        return table.get(tail, BY_NAME[name].default)

    def fault(self, name: str, complaint: str) -> BadInputError:
        """Return the error that names file, line and key."""
        return BadInputError(f"{self.path}, line {line_of(self.text, name)}: '{name}' {complaint}")


def line_of(text: str, name: str) -> int:
    """Return the line in which a key or table begins, the first one when it is not found."""
    head, _, tail = name.rpartition(".")
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        heading = re.match(r"\s*\[\s*([^\]]*?)\s*\]", line)
        if heading:
            table = heading[1]
            if table == name or table.startswith(f"{name}."):
                return number
        elif re.match(rf"\s*\"?{re.escape(tail)}\"?\s*[=.]", line) and table == head:
            return number
    return 1


def load_config(path: Path | None, environ: Mapping[str, str] = os.environ) -> Config:
    """Read the configuration; raises BadInputError naming file and key when something is wrong.

    Without `path` it is `tock.toml` in the data folder, if there is one.
    """
    named = path is not None
    path = config_path(path, environ)
    if not named and not path.exists():
        return config_of(path, "", environ)
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadInputError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise BadInputError(f"{path} is not TOML: {error}") from None
    return config_of(path, text, environ)


def config_path(path: Path | None, environ: Mapping[str, str] = os.environ) -> Path:
    """Return where the configuration is or would be."""
    folder = Path(environ["TOCK_DATA"]) if environ.get("TOCK_DATA") else _usual_folder(environ)
    return path or folder / CONFIG_NAME


def _usual_folder(environ: Mapping[str, str]) -> Path:
    home = Path(environ.get("XDG_DATA_HOME") or Path(environ.get("HOME", ".")) / ".local" / "share")
    return home / "tock-companion"


def config_of(path: Path, text: str, environ: Mapping[str, str] = os.environ) -> Config:
    """Return the configuration that a text would be in the file at `path`; raises BadInputError like `load_config`."""
    written = _parse(path, text)
    own = str(written.get("data"))
    if environ.get("TOCK_DATA"):
        data = Path(environ["TOCK_DATA"])
    else:
        data = path.parent / own if own else _usual_folder(environ)
    board_file = _board_file(written)
    return Config(
        port=_port(written, environ),
        host=str(written.get("host")),
        data=data,
        board_file=board_file,
        setup=_setup(written, board_file),
        sources=_sources(written, data / _state_name(board_file)),
        names=tuple(str(name) for name in written.get("names")),  # type: ignore[attr-defined]
        backup=_backup(written, data),
        recordings_mb=int(str(written.get("retention.recordings_mb"))),
        metrics=bool(written.get("metrics.enabled")),
        broker=_broker(written),
        panel=written.get("panel"),  # type: ignore[arg-type]
    )


def _parse(path: Path, text: str) -> Written:
    """Check every key by itself."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInputError(f"{path} is not TOML: {error}") from None
    written = Written(path, text, values)
    for table in TABLES:
        if not isinstance(values.get(table, {}), dict):
            raise written.fault(table, f"must be a table: [{table}]")
    for name, value in flat(values):
        key = BY_NAME.get(name)
        if key is None:
            known = ", ".join(BY_NAME)
            place = f"{path}, line {line_of(text, name)}"
            raise BadInputError(f"{place}: key '{name}' is not known; known keys are {known}")
        complaint = key.complaint(value)
        if complaint:
            raise written.fault(name, f"must be a table: [{name}]" if name in OPEN_TABLES else complaint)
    return written


def _port(written: Written, environ: Mapping[str, str]) -> int:
    text = environ.get("TOCK_PORT") or ""
    if not text:
        return int(str(written.get("port")))
    if not text.isdigit() or not 1 <= int(text) <= 65535:
        raise BadInputError(f"TOCK_PORT must be a number from 1 to 65535, not {text!r}")
    return int(text)


def _board_file(written: Written) -> BoardFile:
    if written.get("board"):
        return load(written.path.parent / str(written.get("board")))
    zones = written.get("zones")
    if zones not in BOARD_SIDE_MM:
        raise written.fault("zones", f"must be 4, 6 or 8, not {zones!r}")
    return generate(int(str(zones)), BOARD_SIDE_MM[int(str(zones))])


def _sources(written: Written, state: Path) -> dict[str, Mapping[str, object]]:
    chosen = written.get("sources") or {SIMULATED: {}}
    assert isinstance(chosen, dict)
    for name, settings in chosen.items():
        if name not in source_names():
            known = ", ".join(source_names())
            place = f"{written.path}, line {line_of(written.text, f'sources.{name}')}"
            raise BadInputError(f"{place}: source '{name}' is not known; use one of: {known}")
        if not isinstance(settings, dict):
            raise written.fault(f"sources.{name}", f"must be a table of settings: [sources.{name}]")
    return {
        name: _kept(name, _beside(settings, written.path.parent), state) for name, settings in chosen.items()
    }


def _kept(name: str, settings: Mapping[str, object], state: Path) -> Mapping[str, object]:
    """Let a camera that is set up on the page keep what it learns; what looks at recordings learns nothing new."""
    if name != CAMERA or {"state", *RECORDED} & settings.keys():
        return settings
    return {**settings, "state": str(state)}


def _state_name(board_file: BoardFile) -> str:
    """Return the file of the data folder for what a camera learns of this board: another board begins anew."""
    told = json.dumps(to_json(board_file), sort_keys=True).encode()
    return f"camera-{hashlib.sha256(told).hexdigest()[:8]}.npz"


def _backup(written: Written, data: Path) -> Backup | None:
    keep = int(str(written.get("backup.keep")))
    return Backup(data / str(written.get("backup.folder")), keep) if keep else None


def _broker(written: Written) -> Broker | None:
    host = str(written.get("mqtt.host"))
    table = str(written.get("mqtt.table"))
    if not TABLE_NAME.fullmatch(table):
        raise written.fault("mqtt.table", f"must be up to 40 letters, digits and dashes, not {table!r}")
    if not host:
        return None
    user, password = str(written.get("mqtt.user")), str(written.get("mqtt.password"))
    return Broker(host, int(str(written.get("mqtt.port"))), user, password, table)


def _beside(settings: Mapping[str, object], folder: Path) -> dict[str, object]:
    """Take the paths in a source's settings as relative to the configuration."""
    resolved = dict(settings)
    for key in PATH_SETTINGS & resolved.keys():
        resolved[key] = str(folder / str(resolved[key]))
    pictures = resolved.get("calibration")
    if isinstance(pictures, list):
        resolved["calibration"] = [
            {**entry, "image": str(folder / str(entry.get("image", "")))}
            if isinstance(entry, dict)
            else entry
            for entry in pictures
        ]
    return resolved


def _setup(written: Written, board_file: BoardFile) -> GameSetup:
    players = int(str(written.get("players")))
    try:
        seats = seats_for(players, board_file.zones) if players else None
    except BadInputError as error:
        raise written.fault("players", f": {error}") from None
    options = written.get("options")
    assert isinstance(options, dict)
    return GameSetup(ruleset=str(written.get("ruleset")), options=options, seats=seats)
