"""Cuts the link of a phone that is the camera, 20 times 5 s, during a game.

A real browser films the board of a recording over real TLS.
"""

import json
import statistics
import tempfile
from contextlib import ExitStack
from pathlib import Path
from time import monotonic

from playwright.sync_api import Page

from tests.support.filmed import as_camera, filmed_table, still
from tests.support.pictures import pictures_of
from tests.support.recordings import FOLDER
from tock_bench import clients
from tock_bench.clients import HOST
from tock_bench.results import Measured, Say
from tock_companion.table.core.requests import Role
from tock_companion.table.runtime.live import Table
from tock_web import create_app, serve
from tock_web.camera_server import serve_camera
from tock_web.services import PageServices

RECORDING = FOLDER / "d5_seven_home"
CUT_MS = 5_000
BETWEEN_MS = 2_500
FOUND_WITHIN_S = 20.0
LOOK_MS = 50
MAX_FOUND_S = 3.0


def condition(table: Table) -> str:
    """The camera's condition, as the phones of the players read it."""
    return str(table.view(Role.WATCH)["sources"][0]["condition"])


def wait_for(page: Page, table: Table, wanted: str) -> float:
    """Seconds until the camera is in a condition."""
    start_s = monotonic()
    while condition(table) != wanted:
        if monotonic() - start_s > FOUND_WITHIN_S:
            raise AssertionError(f"the camera is {condition(table)}, not {wanted}")
        page.wait_for_timeout(LOOK_MS)
    return monotonic() - start_s


def run(say: Say, cuts: int = 20) -> Measured:
    """Cut the link and heal it, again and again."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        shot = still(pictures_of(RECORDING), folder / "film.y4m")
        table = stack.enter_context(filmed_table(RECORDING, folder / "data"))
        app = create_app(table, PageServices(camera_port=lambda: camera.port))
        camera = serve_camera(app, "0.0.0.0", 0, folder)
        stack.callback(camera.stop)
        server = stack.enter_context(serve(app, "127.0.0.1", 0))
        browser = stack.enter_context(clients.chromium(as_camera(shot)))
        context = browser.new_context(ignore_https_errors=True)
        host, page = browser.new_page(), context.new_page()
        host.goto(f"http://{HOST}:{server.port}/host")
        host.get_by_test_id("become-host").click()
        page.goto(f"http://{HOST}:{server.port}/camera")
        page.get_by_test_id("camera-start").click()
        host.get_by_test_id("camera-let-in").click()
        wait_for(page, table, "ok")
        host.close()
        found_s = []
        for number in range(cuts):
            page.wait_for_timeout(BETWEEN_MS)
            context.set_offline(True)
            page.wait_for_timeout(CUT_MS)
            assert condition(table) == "lost"
            context.set_offline(False)
            found_s.append(wait_for(page, table, "ok"))
            say(f"cut {number + 1}: found again after {found_s[-1]:.2f} s")
        log = table.archive.log(int(str(table.archive.games()[-1]["number"])))
        kinds = [json.loads(line)["event"] for line in log.splitlines()]
    wrong = [kind for kind in kinds if kind not in ("game_started", "source_lost", "source_back")]
    figures = {
        "n": cuts,
        "found_s_median": round(statistics.median(found_s), 2),
        "found_s_longest": round(max(found_s), 2),
        "lost_told": kinds.count("source_lost"),
        "other_events": wrong,
    }
    return Measured(figures, passed=not wrong and max(found_s) <= MAX_FOUND_S)
