"""`tock run`: reads the configuration, opens sources, store, table and page, and stays until told to stop."""

import importlib
import logging
import os
import signal
import sys
import threading
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Protocol

from tock_companion import __version__
from tock_companion.cli.commands.cards import JOKERS_FILE
from tock_companion.cli.console import Parser
from tock_companion.computers import Computers
from tock_companion.config.load import Broker, Config, load_config
from tock_companion.errors import BadInputError
from tock_companion.mqtt.line import Address
from tock_companion.mqtt.publisher import Publisher
from tock_companion.service.admin import MachineAdmin, starts_again
from tock_companion.service.control import ControlServer
from tock_companion.service.panel import panel_of
from tock_companion.service.supervision import Supervision
from tock_companion.service.upkeep import Upkeep, limit_heaps
from tock_companion.sources.base import source_factory
from tock_companion.sources.scene import Scene
from tock_companion.storage import FolderLock, Store
from tock_companion.table.live import Table
from tock_companion.table.recorder import Recorder

LOG = logging.getLogger(__name__)
START_AGAIN = 75
"""Exit code that the service unit takes as a wish (RestartForceExitStatus)."""
EMULATED = "sim"
"""The port of the reed board that runs in an emulator under the simulated table."""


class _Ending:
    """How this run ends: whether somebody asked for it, and what the supervisor is told."""

    def __init__(self, supervision: Supervision) -> None:
        self.stopped = threading.Event()
        self.code = 0
        self.supervision = supervision

    def stop(self) -> None:
        """End for good."""
        self.stopped.set()

    def shut_down(self) -> bool:
        """End for good, and the machine with it where that can be; says whether it does."""
        off = self.supervision.switch_off()
        self.stop()
        return off

    def start_again(self) -> None:
        """End with the code at which the service is started again."""
        self.code = START_AGAIN
        self.stopped.set()


class _Beside(Protocol):
    """What runs beside the table for as long as the companion is up."""

    def start(self) -> None: ...

    def stop(self) -> None: ...


def run(arguments: list[str]) -> int:
    """Run until SIGINT or SIGTERM; both stop everything within two seconds."""
    parser = Parser(prog="tock run", description="Starts the companion.")
    parser.add_argument(
        "--config", type=Path, help="a configuration file (default: tock.toml in the data folder)"
    )
    parser.add_argument(
        "--reed",
        metavar="PORT",
        help="read the reed board on this port instead of the configured sources ('auto' finds it; "
        "'sim': its firmware in an emulator, under the simulated table)",
    )
    options = parser.parse_args(arguments)
    config = load_config(options.config)
    if options.reed is not None:
        config = replace(config, sources={"reed": {**config.sources.get("reed", {}), "port": options.reed}})
    limit_heaps()
    ending = _Ending(Supervision())
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda _signal, _frame: ending.stop())
    with FolderLock(config.data):
        table = _table(config)
        try:
            _serve(table, config, options.config, ending)
        finally:
            table.stop()
    _leave(ending.code)
    return ending.code


def _table(config: Config) -> Table:
    simulated = "simulated" in config.sources or config.sources.get("reed", {}).get("port") == EMULATED
    scene = Scene(config.board_file) if simulated else None
    sources = [
        source_factory(name)(config.board_file, settings, scene) for name, settings in config.sources.items()
    ]
    store = Store(config.data)
    try:
        return Table(config.board_file, store, sources, scene=scene, setup=config.setup)
    except BaseException:
        store.close()
        raise


def _serve(table: Table, config: Config, path: Path | None, ending: _Ending) -> None:
    # The page is a package above this one; it is found by name when it is needed.
    web = importlib.import_module("tock_web")
    app = web.create_app(
        table,
        {
            "HOST_NAMES": config.names,
            "METRICS": _metrics(table, config),
            "DATA": config.data,
            "SHUTDOWN": ending.shut_down,
            "RESTART": ending.start_again if starts_again() else None,
            "MACHINE": MachineAdmin(path, config, table.sources),
        },
        _photo_reader(config),
    )
    server = web.serve(app, config.host, config.port)

    def begin(command: str, parameters: dict[str, str]) -> None:
        if command != "record":
            raise BadInputError(f"the companion knows no command '{command}'")
        out, photos = Path(parameters["out"]), bool(parameters.get("photos"))
        table.record_to(Recorder(out, config.board_file, keeps_photos=photos))

    supervision = ending.supervision
    beside: list[_Beside] = [Upkeep(config), Computers(table)]
    if config.broker is not None:
        beside.append(_publisher(table, config.broker))
    panel = panel_of(table, config.panel)
    if panel is not None:
        beside.append(panel)
    control = ControlServer(config.data, begin, lambda _command: table.stop_recording())
    try:
        table.start()
        url = web.page_url(server.port)
        print(f"\nTock Companion is up: {url}")
        if table.scene is not None:
            print(f"The simulated table is at {url}sim")
        print(f"Phones join with this code:\n\n{web.qr_terminal(url)}", flush=True)
        for helper in beside:
            helper.start()
        supervision.ready(f"the page is at {url}")
        supervision.feed_until(ending.stopped, table.run_soon)
        LOG.info("stopping")
        supervision.stopping()
        for helper in beside:
            helper.stop()
    finally:
        control.close()
        server.stop()


def _photo_reader(config: Config) -> object:
    """Return what reads photos of hands, None where pictures cannot be read at all."""
    try:
        photo = importlib.import_module("tock_vision.cards.photo")
    except ImportError as error:
        LOG.warning("photos of hands cannot be read here: %s", error)
        return None
    return photo.photo_reader(config.data / JOKERS_FILE)


def _metrics(table: Table, config: Config) -> object:
    """Return what makes the text for Prometheus, None when nobody asks for it; its library is loaded only then."""
    if not config.metrics:
        return None
    return partial(importlib.import_module("tock_companion.service.metrics").metrics_text, table.figures)


def _publisher(table: Table, broker: Broker) -> _Beside:
    address = Address(broker.host, broker.port, broker.user, broker.password)
    return Publisher(table, address, broker.table, __version__)


def _leave(code: int) -> None:
    """End the process at once when a thread is still inside a native library, which Python cannot end.

    A frame being read may take longer than the two seconds that a stop may last; the log is on the disk by now.
    """
    logging.shutdown()
    sys.stdout.flush()
    if threading.active_count() > 1:
        os._exit(code)
