"""The machine behind the table: for the host alone, and only where it can be set up."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.axe import faults_day_and_night
from tests.support.browsing import HOST, OpenPage
from tests.support.page import Phone
from tests.support.service import Companion
from tock_app.service.control import ask

PATHS = ("machine/doctor", "machine/settings")


@pytest.mark.parametrize("path", PATHS)
def test_a_companion_without_a_desk_says_so(phone: Phone, path: str) -> None:
    phone.post("host")
    assert phone.get(path).status_code == 404
    assert phone.post("machine/restart").status_code == 404


@pytest.mark.browser
def test_the_host_looks_and_changes_a_setting(tmp_path: Path, open_page: OpenPage) -> None:
    with Companion(tmp_path) as companion:
        page = open_page(f"http://{HOST}:{companion.port}/host/machine", locale="en-CA")
        expect(page.locator("#machine-note")).to_contain_text("Only the host")
        page.goto(f"http://{HOST}:{companion.port}/host")
        page.get_by_test_id("become-host").click()
        page.get_by_test_id("link-machine").click()
        expect(page.get_by_test_id("findings")).to_contain_text("MB are free for games")
        assert faults_day_and_night(page) == []
        page.get_by_test_id("key-mqtt.table").fill("oak")
        page.get_by_test_id("key-mqtt.table").press("Enter")
        expect(page.get_by_test_id("toast")).to_contain_text("not the machine’s code")
        page.get_by_test_id("settings-proof-field").fill(str(ask(tmp_path, "host-code")["code"]))
        page.get_by_test_id("key-mqtt.table").fill("our oak")
        page.get_by_test_id("key-mqtt.table").press("Enter")
        expect(page.get_by_test_id("toast")).to_contain_text("up to 40 letters")
        page.get_by_test_id("key-mqtt.table").fill("oak")
        page.get_by_test_id("key-mqtt.table").press("Enter")
        expect(page.get_by_test_id("toast")).to_contain_text("Saved")
        assert 'table = "oak"' in (tmp_path / "tock.toml").read_text()
