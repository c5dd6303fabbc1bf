"""A real browser that plays the phones: Debian's Chromium without a window."""

import importlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tock_companion.errors import BadInputError

HOST = "tock.local"
"""`http://127.0.0.1` is a secure context, unlike anything a phone opens."""
PROGRAMS = (Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium"))
"""The first is the same engine without the program around it, which takes as much computing as all pages together."""
ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage", f"--host-resolver-rules=MAP {HOST} 127.0.0.1"]


def find_browser() -> Path:
    """Return the program, that of the variable CHROMIUM where it is set; raises BadInputError where there is none."""
    named = os.environ.get("CHROMIUM")
    for program in (Path(named),) if named else PROGRAMS:
        if program.exists():
            return program
    raise BadInputError(f"{named or PROGRAMS[0]} is missing; `sh tools/need-browser.sh` installs a browser")


@contextmanager
def chromium() -> Iterator[Any]:
    """Start the browser and yield Playwright's `Browser`; raises BadInputError where something is not installed."""
    try:
        playwright = importlib.import_module("playwright.sync_api")
    except ImportError:
        raise BadInputError("playwright is missing; `make test` installs it") from None
    program = find_browser()
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=str(program), args=ARGUMENTS)
        yield browser
        browser.close()
