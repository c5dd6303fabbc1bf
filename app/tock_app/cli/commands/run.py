"""`tock run`: reads the configuration, opens sources, store, table and page, and runs until a signal stops it."""

import logging
import os
import signal
import sys
import webbrowser
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from tock_app.cli.console import Parser
from tock_app.config.proven_settings import ProvenSettings
from tock_app.service.companion import serve
from tock_app.service.shutdown import Shutdown, leave
from tock_app.service.supervision import Supervision
from tock_app.service.upkeep import limit_heaps
from tock_companion.background import run_once
from tock_companion.operating_system import STOP_SIGNALS

LOG = logging.getLogger(__name__)


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
    parser.add_argument(
        "--browser", action="store_true", help="open the page in a browser, where this machine has a desktop"
    )
    options = parser.parse_args(arguments)
    proven = ProvenSettings(options.config)
    config = proven.load()
    if options.reed is not None:
        config = replace(config, sources={"reed": {**config.sources.get("reed", {}), "port": options.reed}})
    limit_heaps()
    supervision = Supervision()
    shutdown = Shutdown(supervision)
    for number in STOP_SIGNALS:
        # `nohup` ignores SIGHUP so that the companion outlives its terminal.
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda _signal, _frame: shutdown.stop())
    show = open_page if options.browser and has_desktop() else lambda _url: None
    serve(config, options.config, shutdown, supervision, show, proven)
    leave(shutdown.exit_code)
    return shutdown.exit_code


def has_desktop(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """Whether there is a graphical desktop: a text browser would take over the terminal."""
    return platform in ("darwin", "win32") or any(
        environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )


def open_page(url: str) -> None:
    """Open the page in the default browser, without waiting for it or failing with it."""

    def work() -> None:
        try:
            webbrowser.open(url)
        except (OSError, webbrowser.Error) as error:
            LOG.info("no browser could be opened: %s", error)

    run_once("browser", "opens the page in the browser of a desktop, once", work)
