"""The page in WebKit, the engine of iPhones: one joins, plays a move, and everything arrives over the stream.

Left out of `make test`: its packages are large. `make webkit` installs them and runs this.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.waiting import until
from tock_companion.core.requests import Role
from tock_companion.table.runtime.live import Table

selenium = pytest.importorskip("selenium", reason="`make webkit` installs selenium")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::DeprecationWarning")]


@pytest.fixture
def screen() -> Iterator[str]:
    """A screen without a monitor."""
    if shutil.which("Xvfb") is None or shutil.which("WebKitWebDriver") is None:
        pytest.skip("WebKitWebDriver and Xvfb are not installed; `make webkit` does")
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", "800x1200x24"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        yield f":{server.stdout.readline().decode().strip()}"
        server.terminate()


@pytest.mark.timeout(180)
def test_a_move_is_played_in_webkit(screen: str, blind_site: str, blind_table: Table) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.webkitgtk.options import Options
    from selenium.webdriver.webkitgtk.service import Service
    from selenium.webdriver.webkitgtk.webdriver import WebDriver

    options = Options()
    options.add_argument("--automation")
    options.binary_location = str(next(iter(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))))
    environment = {**os.environ, "DISPLAY": screen, "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}
    service = Service(executable_path=shutil.which("WebKitWebDriver"), env=environment)
    driver = WebDriver(options=options, service=service)
    # WebKit has no way to map names, so the page is opened by its address.
    site = blind_site.replace("tock.local", "127.0.0.1")

    def find(selector: str) -> Any:
        return until(lambda: driver.find_elements(By.CSS_SELECTOR, selector))[0]

    def part(testid: str) -> Any:
        return find(f'[data-testid="{testid}"]')

    try:
        driver.get(f"{site}/")
        part("join-name").send_keys("Anna")
        part("join-seat-P0").click()
        part("join-enter").click()
        until(lambda: driver.current_url.endswith("/seat"))
        find('[data-testid="connection"][data-state="live"]')
        part("hand-card-6H").click()
        find('[data-move="P0:T4>T10"]').click()
        find('[data-testid="hole-T10"][data-pawn="P0"]')
        assert blind_table.view(Role.TABLE)["to_move"] == "P1"
    finally:
        driver.quit()
