"""The configuration: one TOML file, environment variables over it, sensible defaults under it."""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tock_companion.boardfile import BoardFile, generate, load
from tock_companion.errors import BadInputError
from tock_companion.sources.base import source_names
from tock_companion.table.setup import GameSetup, seats_for

CONFIG_NAME = "tock.toml"
DEFAULT_PORT = 8080
SIMULATED = "simulated"
BOARD_SIDE_MM = {4: 440.0, 6: 560.0, 8: 600.0}
"""Side of the board that is drawn when no board file is named."""
PATH_SETTINGS = frozenset({"video", "frames"})
_KEYS = {
    "port": int,
    "host": str,
    "data": str,
    "board": str,
    "zones": int,
    "ruleset": str,
    "options": dict,
    "players": int,
    "names": list,
    "sources": dict,
}


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


def load_config(path: Path | None, environ: Mapping[str, str] = os.environ) -> Config:
    """Read the configuration; raises BadInputError naming file and key when something is wrong.

    Without `path` it is `tock.toml` in the data folder, if there is one.
    """
    home = Path(environ.get("XDG_DATA_HOME") or Path(environ.get("HOME", ".")) / ".local" / "share")
    data = Path(environ["TOCK_DATA"]) if environ.get("TOCK_DATA") else None
    if path is None:
        path = (data or home / "tock-companion") / CONFIG_NAME
        values = _read(path) if path.exists() else {}
    else:
        values = _read(path)
    if data is None:
        data = path.parent / str(values["data"]) if "data" in values else home / "tock-companion"
    board_file = _board_file(values, path)
    return Config(
        port=_port(values, path, environ),
        host=str(values.get("host", "0.0.0.0")),
        data=data,
        board_file=board_file,
        setup=_setup(values, path, board_file),
        sources=_sources(values, path),
        names=tuple(str(name) for name in values.get("names", [])),  # type: ignore[attr-defined]
    )


def _read(path: Path) -> dict[str, object]:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInputError(f"{path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInputError(f"{path} is not TOML: {error}") from None
    for key, value in values.items():
        kind = _KEYS.get(key)
        if kind is None:
            raise BadInputError(f"{path}: key '{key}' is not known; known keys are {', '.join(_KEYS)}")
        if not isinstance(value, kind) or isinstance(value, bool):
            raise BadInputError(f"{path}: '{key}' must be a {kind.__name__}, not {value!r}")
    return values


def _port(values: Mapping[str, object], path: Path, environ: Mapping[str, str]) -> int:
    text = environ.get("TOCK_PORT") or values.get("port", DEFAULT_PORT)
    where = "TOCK_PORT" if environ.get("TOCK_PORT") else f"{path}: 'port'"
    if not str(text).isdigit() or not 1 <= int(str(text)) <= 65535:
        raise BadInputError(f"{where} must be a number from 1 to 65535, not {text!r}")
    return int(str(text))


def _board_file(values: Mapping[str, object], path: Path) -> BoardFile:
    if "board" in values:
        return load(path.parent / str(values["board"]))
    return _default_board(values, path)


def _default_board(values: Mapping[str, object], path: Path) -> BoardFile:
    zones = values.get("zones", 4)
    if zones not in BOARD_SIDE_MM:
        raise BadInputError(f"{path}: 'zones' must be 4, 6 or 8, not {zones!r}")
    return generate(int(str(zones)), BOARD_SIDE_MM[int(str(zones))])


def _sources(values: Mapping[str, object], path: Path) -> dict[str, Mapping[str, object]]:
    chosen = values.get("sources") or {SIMULATED: {}}
    assert isinstance(chosen, dict)
    for name, settings in chosen.items():
        if name not in source_names():
            known = ", ".join(source_names())
            raise BadInputError(f"{path}: source '{name}' is not known; use one of: {known}")
        if not isinstance(settings, dict):
            raise BadInputError(f"{path}: source '{name}' must be a table of settings: [sources.{name}]")
    return {name: _beside(settings, path.parent) for name, settings in chosen.items()}


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


def _setup(values: Mapping[str, object], path: Path, board_file: BoardFile) -> GameSetup:
    players = values.get("players")
    try:
        seats = seats_for(int(str(players)), board_file.zones) if players is not None else None
    except BadInputError as error:
        raise BadInputError(f"{path}: 'players': {error}") from None
    options = values.get("options") or {}
    assert isinstance(options, dict)
    return GameSetup(ruleset=str(values.get("ruleset", "mjc")), options=options, seats=seats)
