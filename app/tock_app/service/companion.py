"""The running companion: sources, table and page, what runs beside them, and how all of it ends."""

import logging
import os
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from tock_app.config.load import Config, SetBack, state_path, with_board
from tock_app.config.proven_settings import ProvenSettings
from tock_app.service.admin import MachineAdmin, starts_again
from tock_app.service.boards import BoardAdmin
from tock_app.service.boot_files import forgets_pin, show_code
from tock_app.service.camera_page import CameraPage
from tock_app.service.control import ControlServer
from tock_app.service.elsewhere import Elsewhere
from tock_app.service.films import Films
from tock_app.service.panel import panel_of
from tock_app.service.phone_cameras import PhonePlaces
from tock_app.service.stopping import StopRequest
from tock_app.service.supervision import Supervision
from tock_app.service.table_factory import BuiltTable, build_table
from tock_app.service.upkeep import Upkeep, set_apart_what_stays
from tock_companion.boardfile import BoardFile
from tock_companion.computer_seats import Computers
from tock_companion.errors import BadInputError, TockError
from tock_companion.machine.client import Helper
from tock_companion.storage import FolderLock
from tock_companion.storage.boards import FOLDER, BoardFolder
from tock_companion.storage.files import JOKERS_NAME
from tock_companion.table.core.game_setup import GameSetup
from tock_companion.table.core.requests import Role
from tock_companion.table.core.state import Lobby
from tock_companion.table.runtime.live import Table
from tock_companion.table.runtime.recorder import Recorder
from tock_companion.voice.table_voice import TableVoice
from tock_web import Hosts, MachineCode, PageServices, create_app, page_url, qr_terminal
from tock_web import serve as serve_page
from tock_web.host_rights import KEPT_AS as HOST_DEVICES
from tock_web.pin import forget_pin
from tock_web.services import MetricsText, ReadPhoto

if TYPE_CHECKING:
    from flask import Flask

    from tock_companion.far.tunnel import Tunnel
    from tock_companion.mqtt.member import Member
    from tock_companion.mqtt.publisher import Publisher
    from tock_vision.mending.maker import BoardMaker

LOG = logging.getLogger(__name__)
RESTART_CODE = 75
"""Exit code at which the service unit starts the companion again (RestartForceExitStatus)."""


@dataclass(frozen=True, slots=True)
class Reopening:
    """A table to go on with, and what keeps that choice once it is built."""

    config: Config
    once_built: Callable[[], None]


class Shutdown:
    """The end of this run, as decided by a signal or on the host's page."""

    def __init__(self, supervision: Supervision) -> None:
        self.requested = StopRequest()
        self.exit_code = 0
        self._supervision = supervision
        self._next: Reopening | None = None
        self._is_last = False

    def stop(self) -> None:
        """End for good."""
        self._is_last = True
        self.requested.ask()

    def reopen(self, config: Config, once_built: Callable[[], None] = lambda: None) -> None:
        """End the table, and go on with one of another configuration; `once_built` keeps it."""
        self._next = Reopening(config, once_built)
        self.requested.ask()

    def next(self) -> "Reopening | None":
        """The state to go on with; None when this is the end."""
        following, self._next = self._next, None
        # A signal from now on counts for the next table; one that came before ends this run all the same.
        self.requested = StopRequest()
        return None if self._is_last else following

    def power_off(self) -> bool:
        """End, and switch the machine off; False where this machine cannot be switched off."""
        off = self._supervision.switch_off()
        self.stop()
        return off

    def restart(self) -> None:
        """End with the code at which the supervisor starts the companion again."""
        self.exit_code = RESTART_CODE
        self.stop()


class _Helper(Protocol):
    """Runs beside the table for as long as the companion is up."""

    def start(self) -> None: ...

    def stop(self) -> None: ...


def serve(
    config: Config,
    path: Path | None,
    shutdown: Shutdown,
    supervision: Supervision,
    show: Callable[[str], None] = lambda _url: None,
    proven: ProvenSettings | None = None,
) -> None:
    """Run until a shutdown is requested; raises TockError when something needed cannot be opened.

    `show` gets the page's address once the page is up; `proven` knows what to start with where that fails.
    """
    with FolderLock(config.data) as lock:
        run = _Run(path, lock, shutdown, supervision, show, proven)
        run.begins_without_host = forgets_pin(config.data)
        try:
            run.tables_from(config)
        except TockError as error:
            instead = None if proven is None else proven.instead(error)
            if instead is None or instead.data != config.data:
                raise
            LOG.error("%s; the settings before the last change are taken back", error)
            run.tables_from(instead)
    supervision.stopping()


class _Run:
    """One table after the other, on one folder."""

    def __init__(
        self,
        path: Path | None,
        lock: FolderLock,
        shutdown: Shutdown,
        supervision: Supervision,
        show: Callable[[str], None],
        proven: ProvenSettings | None,
    ) -> None:
        self.path, self.shutdown, self.supervision, self.show = path, shutdown, supervision, show
        self.proven, self._lock = proven, lock
        self.hosts, self.code, self.maker = Hosts(), MachineCode(), _board_maker()
        self.begins_without_host = False
        show_code(self.code)

    def tables_from(self, config: Config) -> None:
        """Serve a table, and those that the host puts in its place."""
        built: BuiltTable | None = build_table(config, self._lock)
        if self.begins_without_host and built is not None:
            built.table.hand_host(None)
            built.table.choices.keep(HOST_DEVICES, None)
        while built is not None:
            try:
                _serve_table(built, self)
                opening = built.table.opening
            finally:
                built.table.stop()
            following, self.show = self.shutdown.next(), lambda _url: None
            built = None if following is None else self._next(following, built.config, opening)

    def _next(
        self, following: Reopening, before: Config, opening: tuple[GameSetup, Lobby] | None
    ) -> BuiltTable:
        """Build the next table and keep that choice, or the one before once more."""
        try:
            built = build_table(following.config, self._lock, opening)
        except TockError as error:
            LOG.error("%s; the table before is built again", error)
            return build_table(before.because(SetBack("board_not_laid", str(error))), self._lock, opening)
        try:
            following.once_built()
        except TockError as error:
            LOG.error("%s; the next start has the board before", error)
        return built


def leave(exit_code: int) -> None:
    """End the process at once when a thread is still inside a native library, which Python cannot end.

    A frame being read may take longer than the two seconds that a stop may last; the log is on the disk by now.
    """
    logging.shutdown()
    sys.stdout.flush()
    if threading.active_count() > 1:
        os._exit(exit_code)


def _announce(text: str) -> None:
    """Print for who started it; a reader that has left (`| head -1`) or a full disk does not end the game."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        LOG.warning("the address could not be printed: %s", error.strerror)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _serve_table(built: BuiltTable, run: _Run) -> None:
    shutdown, supervision = run.shutdown, run.supervision
    table, config = built.table, built.config
    voice = TableVoice(lambda: table.subscribe(Role.TABLE), table.choices)
    publisher, member = _at_broker(table, config) or (None, None)
    camera_page = CameraPage(config)
    films, far = Films(config.data), _far_home(table, config)
    elsewhere = Elsewhere(table, config.data, "" if config.far is None else config.far.ca)
    services = _page_services(built, run, voice, member, camera_page, films, far)
    app = create_app(table, replace(services, second_board=elsewhere))
    server = serve_page(app, config.host, config.port)
    of_broker = [helper for helper in (publisher, member) if helper is not None]
    helpers = [*_helpers(table, config), voice, *of_broker, *_let_in(far, app), elsewhere]
    control = _control(table, config, run.code)
    try:
        table.start()
        camera_page.start(app)
        url = page_url(server.port)
        simulated = f"The simulated table is at {url}sim\n" if table.scene is not None else ""
        _announce(
            f"\nTock Companion is up: {url}\n{simulated}Phones join with this code:\n\n{qr_terminal(url)}\n"
            f"To choose the host's PIN, or to be host beside another: {run.code.new(until_used=True)}\n"
        )
        run.show(url)
        for helper in helpers:
            helper.start()
        if run.proven is not None and config.set_back is None:
            run.proven.proved()
        set_apart_what_stays()
        supervision.ready(f"the page is at {url}")
        supervision.feed_until(shutdown.requested, table.run_soon)
        LOG.info("stopping")
        for helper in helpers:
            helper.stop()
    finally:
        films.close()
        control.close()
        camera_page.stop()
        server.stop()


def _page_services(
    built: BuiltTable,
    run: _Run,
    voice: TableVoice,
    member: "Member | None",
    camera_page: CameraPage,
    films: Films,
    far: "Tunnel | None",
) -> PageServices:
    """The machine and everything beside the table that the page may use."""
    table, config, shutdown = built.table, built.config, run.shutdown
    machine = MachineAdmin(run.path, config, table.sources)
    return PageServices(
        hosts=run.hosts,
        machine_code=run.code,
        host_names=config.names,
        data=config.data,
        machine=machine,
        helper=Helper(),
        boards=_boards(built, machine, shutdown),
        board_maker=run.maker,
        phone_places=PhonePlaces(config, machine, shutdown.reopen),
        voice=voice,
        club=member,
        far=far,
        read_cards=_photo_reader(config),
        films=films,
        draw_board=_draw_board,
        camera_port=lambda: camera_page.port,
        metrics=_metrics(table, config),
        shut_down=shutdown.power_off,
        restart=shutdown.restart if starts_again() else None,
    )


def _draw_board(board: BoardFile, holes: Mapping[str, str], width_px: int) -> bytes:
    """Draw a board; what draws is loaded with the first."""
    from tock_vision.film.board_picture import board_png  # noqa: PLC0415

    return board_png(board, holes, width_px)


def _helpers(table: Table, config: Config) -> list[_Helper]:
    helpers: list[_Helper] = [Upkeep(config), Computers(table)]
    panel = panel_of(table, config.panel, lambda: forget_pin(config.data))
    if panel is not None:
        helpers.append(panel)
    return helpers


def _at_broker(table: Table, config: Config) -> "tuple[Publisher, Member] | None":
    """The publisher of the table and its member of a club; None where no broker is configured."""
    if config.broker is None:
        return None
    # MQTT and the notes of a club take 1 MB, and hardly any table has a broker.
    from tock_app.service.at_broker import at_broker  # noqa: PLC0415

    return at_broker(table, config.broker)


def _far_home(table: Table, config: Config) -> "Tunnel | None":
    """The seats and boards far away; None where no meeting place is configured."""
    if config.far is None:
        return None
    # Its libraries take memory, and hardly any table plays with somebody far away.
    from tock_app.service.far import far_home  # noqa: PLC0415

    return far_home(table, config.far, config.data)


def _let_in(far: "Tunnel | None", app: "Flask") -> "list[_Helper]":
    """The tunnel, once it knows the app that answers it."""
    if far is None:
        return []
    from tock_app.service.far import let_in  # noqa: PLC0415

    let_in(far, app)
    return [far]


def _boards(built: BuiltTable, machine: MachineAdmin, shutdown: Shutdown) -> BoardAdmin:
    """The boards for the page."""

    def reopen(board: BoardFile, path: Path | None, once_built: Callable[[], None]) -> None:
        ended = built.table.end_game("another board")
        if not ended.ok:
            raise TockError("the present game cannot be ended: the disk refuses; choose the board once more")
        shutdown.reopen(with_board(built.config, board, path), once_built)

    return BoardAdmin(
        BoardFolder(built.config.data / FOLDER),
        built.config.board_file,
        machine,
        reopen,
        lambda board: state_path(built.config.data, board),
        built.config.board_path,
    )


def _control(table: Table, config: Config, code: MachineCode) -> ControlServer:
    """The line on which other commands start and end a recording, and ask for a code."""

    def begin(command: str, parameters: dict[str, str]) -> dict[str, str]:
        match command:
            case "record":
                keeps_photos = bool(parameters.get("photos"))
                recorder = Recorder(Path(parameters["out"]), config.board_file, keeps_photos=keeps_photos)
                table.record_to(recorder)
                return {}
            case "host-code":
                return {"code": code.new()}
        raise BadInputError(f"the companion knows no command '{command}'")

    def end(command: str) -> None:
        if command == "record":
            table.stop_recording()

    return ControlServer(config.data, begin, end)


def _photo_reader(config: Config) -> ReadPhoto | None:
    """Reads photos of hands; None where pictures cannot be read at all."""
    try:
        from tock_vision.cards.stills import photo_reader  # noqa: PLC0415
    except ImportError as error:
        LOG.warning("photos of hands cannot be read here: %s", error)
        return None
    return photo_reader(config.data / JOKERS_NAME)


def _board_maker() -> "BoardMaker | None":
    """Makes boards from photographs; None where pictures cannot be read at all."""
    try:
        from tock_vision.mending.maker import board_maker  # noqa: PLC0415
    except ImportError as error:
        LOG.warning("no board can be made from photographs here: %s", error)
        return None
    return board_maker()


def _metrics(table: Table, config: Config) -> Callable[[Callable[[], int]], MetricsText] | None:
    """Makes the text for Prometheus from the number of open streams; None unless the configuration asks for it."""
    if not config.metrics:
        return None
    # Its library costs every start some time and memory, and hardly any table asks for it.
    from tock_app.service.metrics import metrics_text  # noqa: PLC0415

    return lambda streams: metrics_text(table.figures, streams)
