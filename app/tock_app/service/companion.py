"""The running companion: sources, table and page, what runs beside them, and how all of it ends."""

import logging
import os
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from tock_app.config.load import Config, SetBack, state_path, with_board
from tock_app.config.proven_settings import ProvenSettings
from tock_app.service.admin import MachineAdmin, starts_again
from tock_app.service.boards import BoardAdmin
from tock_app.service.boot_files import forgets_pin, show_code
from tock_app.service.camera_page import CameraPage
from tock_app.service.control import ControlServer
from tock_app.service.elsewhere import Elsewhere
from tock_app.service.films import Films
from tock_app.service.optional import (
    answer_far_phones,
    home_of_far,
    maker_of_boards,
    metrics_of,
    parts_at_broker,
    picture_of_board,
    reader_of_photos,
    webhook_of,
)
from tock_app.service.panel import panel_of
from tock_app.service.phone_cameras import PhonePlaces
from tock_app.service.shutdown import Reopening, Shutdown
from tock_app.service.started import Part, started
from tock_app.service.supervision import Supervision
from tock_app.service.table_factory import BuiltTable, build_table, places_on
from tock_app.service.upkeep import Upkeep
from tock_companion.boardfile import BoardFile
from tock_companion.computer_seats import Computers
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Role
from tock_companion.core.state import Lobby
from tock_companion.errors import BadInputError, TockError
from tock_companion.machine.client import Helper
from tock_companion.storage import FolderLock
from tock_companion.storage.boards import FOLDER, BoardFolder
from tock_companion.table.runtime.live import Table
from tock_companion.table.runtime.recorder import Recorder
from tock_companion.voice.table_voice import TableVoice
from tock_web import Hosts, MachineCode, PageServices, create_app, page_url, qr_terminal
from tock_web import serve as serve_page
from tock_web.club.member import ClubServices
from tock_web.far.home import FarServices
from tock_web.limits.pin_attempts import pin_attempts
from tock_web.rights.host_rights import KEPT_AS as HOST_DEVICES
from tock_web.rights.pin import forget_pin
from tock_web.workshop.services import WorkshopServices

LOG = logging.getLogger(__name__)


def serve(
    config: Config,
    path: Path | None,
    shutdown: Shutdown,
    supervision: Supervision,
    show: Callable[[str], None] = lambda _url: None,
    proven: ProvenSettings | None = None,
) -> None:
    """Run until a shutdown is requested; raises TockError when something needed cannot be opened.

    `show` gets the page's address once the page is up; `proven` has the settings to fall back on.
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
        self.hosts, self.code, self.attempts = Hosts(), MachineCode(), pin_attempts()
        self.maker = maker_of_boards()
        self.begins_without_host = False
        show_code(self.code)

    def tables_from(self, config: Config) -> None:
        """Serve a table, and the host's later choices."""
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

    def _next(self, following: Reopening, before: Config, opening: tuple[GameSetup, Lobby]) -> BuiltTable:
        """Build the next table and keep that choice, or rebuild the previous one."""
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


def _announce(text: str) -> None:
    """Print to the terminal; a closed pipe (`| head -1`) or a full disk does not end the game."""
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
    publisher, member = parts_at_broker(table, config) or (None, None)
    camera_page = CameraPage(config)
    films, far = Films(config.data), home_of_far(table, config)
    elsewhere = Elsewhere(table, config.data, "" if config.far is None else config.far.ca)
    services = _page_services(built, run, voice, camera_page, films)
    of_features: list[object] = [FarServices(far, elsewhere)]
    if member is not None:
        of_features.append(ClubServices(member))
    if run.maker is not None:
        of_features.append(WorkshopServices(run.maker))
    app = create_app(table, replace(services, of_features=of_features))
    doors = (publisher, member, webhook_of(table, config))
    to_others = [helper for helper in doors if helper is not None]
    helpers: list[Part] = [*_helpers(table, config), voice, *to_others, elsewhere]
    if far is not None:
        answer_far_phones(far, app)
        helpers.append(far)
    with ExitStack() as ending:
        # Before the page, which names its port.
        ending.callback(camera_page.stop)
        camera_page.start(app)
        server = serve_page(app, config.host, config.port)
        ending.callback(server.stop)
        ending.callback(_control(table, config, run.code).close)
        ending.callback(films.close)
        table.start()
        url = page_url(server.port)
        simulated = f"The simulated table is at {url}sim\n" if table.scene is not None else ""
        # A code that waits for its first use is for a person at the terminal; a service's output is a log.
        code = run.code.new(until_used=True) if sys.stdout.isatty() else "tock host code"
        _announce(
            f"\nTock Companion is up: {url}\n{simulated}Phones join with this code:\n\n{qr_terminal(url, sys.stdout)}\n"
            f"To choose the host's PIN, or to be host beside another: {code}\n"
        )
        run.show(url)
        ending.enter_context(started(helpers))
        if run.proven is not None and config.set_back is None:
            run.proven.proved()
        supervision.ready(f"the page is at {url}")
        supervision.feed_until(shutdown.requested, table.run_soon)
        LOG.info("stopping")


def _page_services(
    built: BuiltTable,
    run: _Run,
    voice: TableVoice,
    camera_page: CameraPage,
    films: Films,
) -> PageServices:
    """The page's services beside the table."""
    table, config, shutdown = built.table, built.config, run.shutdown
    machine = MachineAdmin(run.path, config, table.sources, shutdown.reopen)
    return PageServices(
        hosts=run.hosts,
        machine_code=run.code,
        pin_attempts=run.attempts,
        host_names=config.names,
        data=config.data,
        machine=machine,
        helper=Helper(),
        boards=_boards(built, machine, shutdown),
        phone_places=PhonePlaces(config, machine, shutdown.reopen),
        voice=voice,
        read_cards=reader_of_photos(config),
        films=films,
        draw_board=picture_of_board,
        camera_port=lambda: camera_page.port,
        metrics=metrics_of(table, config),
        shut_down=shutdown.power_off,
        restart=shutdown.restart if starts_again() else None,
    )


def _helpers(table: Table, config: Config) -> list[Part]:
    helpers: list[Part] = [Upkeep(config, table.delete_old_pictures), Computers(table)]
    panel = panel_of(table, config.panel, lambda: forget_pin(config.data))
    if panel is not None:
        helpers.append(panel)
    return helpers


def _boards(built: BuiltTable, machine: MachineAdmin, shutdown: Shutdown) -> BoardAdmin:
    """The boards for the page."""

    def reopen(board: BoardFile, path: Path | None, game: str, once_built: Callable[[], None]) -> None:
        ended = built.table.end_game("another board")
        if not ended.ok:
            raise TockError("the present game cannot be ended: the disk refuses; choose the board once more")
        shutdown.reopen(with_board(built.config, board, path, game), once_built)

    return BoardAdmin(
        BoardFolder(built.config.data / FOLDER),
        built.config.board_file,
        machine,
        reopen,
        lambda board: state_path(built.config.data, board),
        built.config.board_path,
        lambda board, game: places_on(built, board, game),
    )


def _control(table: Table, config: Config, code: MachineCode) -> ControlServer:
    """The control line for recordings and codes."""

    def begin(command: str, parameters: dict[str, str]) -> dict[str, str]:
        match command:
            case "record":
                keeps_photos = bool(parameters.get("photos"))
                recorder = Recorder(Path(parameters["out"]), config.board_file, keeps_photos=keeps_photos)
                table.record_to(recorder)
                return {}
            case "host-code":
                return {"code": code.new()}
            case "network":
                return {"troubles": " ".join(table.network_troubles())}
        raise BadInputError(f"the companion knows no command '{command}'")

    def end(command: str) -> None:
        if command == "record":
            table.stop_recording()

    return ControlServer(config.data, begin, end)
