"""The configuration: environment variables override a TOML file, which overrides defaults."""

import logging
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Literal

from tock_app.config.settings import FarSettings, MqttSettings, Settings, TlsSettings, WebhookSettings
from tock_companion.boardfile import BoardFile, fingerprint, generate, load
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.errors import BadInputError, one_line, printable, quoted
from tock_companion.file_versions import refuse_newer
from tock_companion.files import read_text_bounded
from tock_companion.operating_system import data_home
from tock_companion.panel.wiring import PanelSettings
from tock_companion.ruleset_folder import SUFFIX, know_rulesets, named
from tock_companion.schema import Mistake, check, key_path, mistakes_in, parse_toml, refuse, toml_line
from tock_companion.sources.base import CAMERA, kind_of, source_names, source_settings
from tock_rules import BoardShape, load_preset, preset_names, seats_for, shape_for

CONFIG_NAME = "tock.toml"
SIMULATED = "simulated"
RECORDED = ("video", "frames")
BOARD_SIDE_MM = {2: 360.0, 3: 400.0, 4: 440.0, 6: 560.0, 8: 600.0}
"""Side of the board that is drawn when no board file is named."""
PATH_SETTINGS = frozenset({"video", "frames", "state"})
MAX_BYTES = 200_000
PORT_DIGITS = re.compile("[0-9]{1,5}")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Backup:
    """Daily copies of the games."""

    folder: Path
    keep: int


@dataclass(frozen=True, slots=True)
class Broker:
    """The broker to publish the table on, and the account there."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    table: str
    ca: str = ""
    joins_club: bool = False


@dataclass(frozen=True, slots=True)
class Tls:
    """HTTPS; port 0 for none, no certificate for one that the companion makes."""

    port: int
    certificate: Path | None = None
    key: Path | None = None


@dataclass(frozen=True, slots=True)
class Relay:
    """The relay for people and boards far away."""

    address: str
    ca: str = ""


@dataclass(frozen=True, slots=True)
class Receiver:
    """The program elsewhere that gets the public events."""

    url: str
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class SetBack:
    """Why a table differs from its settings: a code of `health`, and the error's line."""

    code: Literal["board_replaced", "settings_set_back", "board_not_laid"]
    reason: str


@dataclass(frozen=True, slots=True)
class Config:
    """All settings of `tock run`."""

    port: int
    host: str
    data: Path
    board_file: BoardFile
    setup: GameSetup
    sources: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    """Further names of this machine for phones."""
    backup: Backup | None = None
    recordings_mb: int = 2000
    pictures_days: int = 30
    metrics: bool = False
    broker: Broker | None = None
    receiver: Receiver | None = None
    far: Relay | None = None
    panel: Mapping[str, object] = field(default_factory=dict)
    tls: Tls = Tls(0)
    board_path: Path | None = None
    """The file of the board; None for a drawn or a remembered one."""
    set_back: SetBack | None = None

    def because(self, why: SetBack) -> "Config":
        """The same configuration, marked as a replacement for another."""
        return replace(self, set_back=why)


def load_config(path: Path | None, environ: Mapping[str, str] = os.environ) -> Config:
    """Read the configuration; raises BadInputError with one line per mistake.

    The default `path` is `tock.toml` in the data folder.
    """
    is_named = path is not None
    path = config_path(path, environ)
    if not is_named and not path.exists():
        return config_of(path, "", environ)
    return config_of(path, read_text_bounded(path, MAX_BYTES, "settings"), environ)


def config_path(path: Path | None, environ: Mapping[str, str] = os.environ) -> Path:
    """Locate the configuration, whether it exists or not."""
    folder = _at_home(environ["TOCK_DATA"]) if environ.get("TOCK_DATA") else _usual_folder(environ)
    return path or folder / CONFIG_NAME


def _at_home(path: str) -> Path:
    """A path in which `~` is the home folder, as shells have it."""
    return Path(os.path.expanduser(path))  # noqa: PTH111 - Path.expanduser raises for a user who does not exist


def _usual_folder(environ: Mapping[str, str]) -> Path:
    return data_home(environ) / "tock-companion"


def config_of(
    path: Path, text: str, environ: Mapping[str, str] = os.environ, *, needs_board: bool = True
) -> Config:
    """Build the configuration from a text, as if it were in `path`; raises like `load_config`.

    Without `needs_board` a drawn board replaces an unusable file.
    """
    where, find_line = printable(str(path)), partial(toml_line, text)
    listed_by = f"tock config check {where}"
    written = parse_toml(text, where)
    refuse_newer(written.get("v"), "settings", where)
    settings = check(Settings, written, where, find_line, listed_by)
    data = _data_folder(settings, path.parent, environ)
    settings = settings.model_copy(update={"ruleset": _ruleset(settings.ruleset, path.parent, data)})
    settings, board_file, set_back = _with_board_file(settings, path.parent, needs_board=needs_board)
    can_seat_players = 2 <= settings.players <= board_file.zones
    seats = seats_for(settings.players, board_file.zones) if can_seat_players else None
    setup = GameSetup(settings.ruleset, settings.options, seats)
    sources = {
        name: _kept(name, _beside(chosen, path.parent), data, board_file)
        for name, chosen in (settings.sources or {SIMULATED: {}}).items()
    }
    refuse(where, _misfits(settings, setup, board_file, sources), find_line, listed_by)
    return Config(
        port=_port("TOCK_PORT", settings.port, 1, environ),
        host=settings.host,
        data=data,
        board_file=board_file,
        setup=setup,
        sources=sources,
        names=tuple(settings.names),
        backup=Backup(data / _at_home(settings.backup.folder), settings.backup.keep)
        if settings.backup.keep
        else None,
        recordings_mb=settings.retention.recordings_mb,
        pictures_days=settings.retention.pictures_days,
        metrics=settings.metrics.enabled,
        broker=_broker(settings.mqtt, path.parent),
        receiver=_receiver(settings.webhook),
        far=_relay(settings.far, path.parent),
        panel=settings.panel,
        tls=_tls(settings.tls, path.parent, environ),
        board_path=path.parent / _at_home(settings.board) if settings.board else None,
        set_back=set_back,
    )


def _data_folder(settings: Settings, folder: Path, environ: Mapping[str, str]) -> Path:
    if environ.get("TOCK_DATA"):
        return _at_home(environ["TOCK_DATA"])
    return folder / _at_home(settings.data) if settings.data else _usual_folder(environ)


def _ruleset(text: str, folder: Path, data: Path) -> str:
    """The name of the ruleset of the settings; a file that is named by its path, and those of the folder, are read."""
    for fault in know_rulesets(data):
        _log.warning("%s", one_line(fault))
    try:
        return named(str(folder / _at_home(text))) if text.endswith(SUFFIX) else text
    except BadInputError as error:
        raise BadInputError(f"'ruleset': {error}") from None


def _with_board_file(
    settings: Settings, folder: Path, *, needs_board: bool
) -> tuple[Settings, BoardFile, SetBack | None]:
    """The board of the settings, or a drawn one with adapted settings and the reason."""
    try:
        return settings, _board_file(settings, folder), None
    except BadInputError as error:
        if needs_board:
            raise
        drawn = settings.model_copy(update={"board": "", "players": 0})
        return drawn, drawn_for(drawn), SetBack("board_replaced", str(error))


def _misfits(
    settings: Settings, setup: GameSetup, board_file: BoardFile, sources: Mapping[str, Mapping[str, object]]
) -> Iterator[Mistake]:
    """Find combinations of valid keys with which the table cannot start."""
    if settings.players and setup.seats is None:
        yield (
            ("players",),
            f"'players': {settings.players} players do not fit a board of {board_file.zones} zones",
        )
    try:
        game_started(setup, board_file)
    except BadInputError as error:
        # The error names an unknown ruleset or option, or a missing centre hole.
        yield ("options" if settings.options else "ruleset",), f"the first game: {printable(str(error))}"
    yield from mistakes_in(PanelSettings, settings.panel, ("panel",))
    for name, chosen in sources.items():
        kind = kind_of(name, chosen)
        if kind not in source_names():
            known = ", ".join(source_names())
            yield ("sources", name), f"source {quoted(name)} is not known; use one of: {known}"
        elif (schema := source_settings(kind)) is not None:
            mistakes = mistakes_in(schema, chosen, ("sources", name))
            yield from mistakes or _missing_pictures(name, chosen)


def _missing_pictures(source: str, chosen: Mapping[str, object]) -> Iterator[Mistake]:
    """Find missing calibration pictures, without which the source does not start."""
    pictures = chosen.get("calibration")
    for number, picture in enumerate(pictures if isinstance(pictures, list) else ()):
        image = str(picture["image"])
        if not Path(image).is_file():
            place = ("sources", source, "calibration", number, "image")
            yield place, f"'{key_path(place)}': there is no picture {printable(image)}"


def _port(variable: str, chosen: int, least: int, environ: Mapping[str, str]) -> int:
    text = environ.get(variable) or ""
    if not text:
        return chosen
    # Not `isdigit`: that takes superscripts and the digits of all scripts.
    if not PORT_DIGITS.fullmatch(text) or not least <= int(text) <= 65535:
        raise BadInputError(f"'{variable}' must be a number from {least} to 65535, not {quoted(text)}")
    return int(text)


def _tls(tls: TlsSettings, folder: Path, environ: Mapping[str, str]) -> Tls:
    own = folder / _at_home(tls.certificate) if tls.certificate else None
    # Many certificate files also contain the key.
    key = folder / _at_home(tls.key) if tls.key else own
    return Tls(_port("TOCK_TLS_PORT", tls.port, 0, environ), own, key)


def _board_file(settings: Settings, folder: Path) -> BoardFile:
    if settings.board:
        return load(folder / _at_home(settings.board))
    return drawn_for(settings)


def drawn_for(settings: Settings) -> BoardFile:
    """The board that is drawn for the game of the settings, used without a board file."""
    try:
        shape = shape_for(load_preset(settings.ruleset), settings.zones)
    except BadInputError:
        # That the game is not known, or has no such board, is said of its own key.
        return standard_board(settings.zones)
    return standard_board(shape.zones if is_drawn_alike(shape) else shape)


def is_drawn_alike(shape: BoardShape) -> bool:
    """Whether a game's board is drawn as the Tock board of as many zones; the hole in the middle may be spare."""
    return replace(shape, has_centre=False) == BoardShape(shape.zones)


def standard_board(board: BoardShape | int) -> BoardFile:
    """The drawn board of a shape, or the Tock board for a number of zones."""
    return generate(board, BOARD_SIDE_MM[board if isinstance(board, int) else board.zones])


def state_path(data: Path, board_file: BoardFile, source: str = CAMERA) -> Path:
    """The file of a camera's state for a board; each board has a separate one."""
    return data / f"{source}-{fingerprint(board_file)[:8]}.npz"


def game_on(board: BoardFile, setup: GameSetup, game: str = "") -> GameSetup:
    """The game that is set up, or else `game` or the first one that is played on boards like this."""
    names = [setup.ruleset, *([game] if game else []), *preset_names()]
    fitting = [name for name in names if load_preset(name).fits(*board.shape.size)]
    if fitting and fitting[0] != setup.ruleset:
        return GameSetup(fitting[0])
    return setup


def with_board(config: Config, board: BoardFile, path: Path | None = None, game: str = "") -> Config:
    """The same configuration for another board, with the camera states of that board and a game for it."""
    sources = {
        name: {**settings, "state": str(state_path(config.data, board, name))}
        if settings.get("state") == str(state_path(config.data, config.board_file, name))
        else settings
        for name, settings in config.sources.items()
    }
    seats = config.setup.seats if board.zones == config.board_file.zones else None
    return replace(
        config,
        board_file=board,
        board_path=path,
        set_back=None,
        sources=sources,
        setup=game_on(board, replace(config.setup, seats=seats), game),
    )


def _receiver(webhook: WebhookSettings) -> Receiver | None:
    if not webhook.url:
        return None
    if not webhook.secret:
        raise BadInputError(
            "webhook.secret: needed with webhook.url; a receiver knows by it that the events are ours"
        )
    return Receiver(webhook.url, webhook.secret)


def _broker(mqtt: MqttSettings, folder: Path) -> Broker | None:
    if not mqtt.host:
        return None
    ca = str(folder / _at_home(mqtt.ca)) if mqtt.ca else ""
    return Broker(mqtt.host, mqtt.port, mqtt.user, mqtt.password, mqtt.table, ca, mqtt.club)


def _relay(far: FarSettings, folder: Path) -> Relay | None:
    return Relay(far.relay, str(folder / _at_home(far.ca)) if far.ca else "") if far.relay else None


def _kept(name: str, settings: Mapping[str, object], data: Path, board: BoardFile) -> Mapping[str, object]:
    """Name a camera after its section, and give one from the page a state file.

    A source that replays a recording has no state.
    """
    if kind_of(name, settings) != CAMERA:
        return settings
    named = settings if name == CAMERA else {"name": name, **settings}
    if {"state", *RECORDED} & settings.keys():
        return named
    return {**named, "state": str(state_path(data, board, name))}


def _beside(settings: Mapping[str, object], folder: Path) -> dict[str, object]:
    """Resolve a source's paths relative to the configuration."""
    resolved = dict(settings)
    for key in PATH_SETTINGS & resolved.keys():
        resolved[key] = str(folder / _at_home(str(resolved[key])))
    pictures = resolved.get("calibration")
    if isinstance(pictures, list):
        resolved["calibration"] = [
            {**entry, "image": str(folder / _at_home(str(entry.get("image", ""))))}
            if isinstance(entry, dict)
            else entry
            for entry in pictures
        ]
    return resolved
