"""The page in a browser of the machine itself, where somebody sits at its screen."""

import logging
import os
import sys
import webbrowser
from collections.abc import Mapping

from tock_companion.background import run_once

LOG = logging.getLogger(__name__)


def has_desktop(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """Whether windows can be opened here: a browser of the terminal would take the terminal over."""
    return platform in ("darwin", "win32") or any(
        environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )


def open_page(url: str) -> None:
    """Open the page in the browser that the person uses; nothing waits for it, and nothing fails with it."""

    def work() -> None:
        try:
            webbrowser.open(url)
        except (OSError, webbrowser.Error) as error:
            LOG.info("no browser could be opened: %s", error)

    run_once("browser", "opens the page in the browser of a desktop, once", work)
