"""One tap makes an old phone the camera: no settings are written by hand, and the running game goes on."""

import os
import tomllib
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browsing import PATIENCE_MS
from tests.support.filmed import as_camera, drawn_camps, held
from tests.support.mosquitto import free_port
from tests.support.page_client import PageClient, launched
from tests.support.service import Companion
from tock_app.config.load import standard_board

EMULATED_TRACK = """
const camera = (window.emulatedTrack = {
  capabilities: {
    exposureMode: ["continuous", "manual"], exposureTime: { min: 1, max: 2000, step: 1 },
    iso: { min: 50, max: 3200, step: 1 },
    whiteBalanceMode: ["continuous", "manual"], colorTemperature: { min: 2500, max: 7000, step: 50 },
    focusMode: ["continuous", "manual"], focusDistance: { min: 0, max: 3, step: 0.01 },
  },
  settings: {
    exposureMode: "continuous", exposureTime: 160, iso: 200,
    whiteBalanceMode: "continuous", colorTemperature: 4100,
    focusMode: "continuous", focusDistance: 1.2,
  },
  refuses: [],
  asked: [],
});
const settings = MediaStreamTrack.prototype.getSettings;
MediaStreamTrack.prototype.getCapabilities = () => camera.capabilities;
MediaStreamTrack.prototype.getSettings = function () {
  return { ...settings.call(this), ...camera.settings };
};
MediaStreamTrack.prototype.applyConstraints = async ({ advanced = [] }) => {
  for (const wanted of advanced) {
    if (Object.keys(wanted).some((name) => camera.refuses.includes(name))) throw new DOMException("refused");
    camera.asked.push(wanted);
    Object.assign(camera.settings, wanted);
    document.documentElement.dataset.asked = String(camera.asked.length);
  }
};
"""


pytestmark = pytest.mark.browser


def sources(phone: PageClient) -> list[tuple[str, str]]:
    return [(source["name"], source["condition"]) for source in phone.view("table")["sources"]]


def test_a_tap_makes_a_phone_the_camera_of_the_running_game(tmp_path: Path, chromium: Browser) -> None:
    expect.set_options(timeout=PATIENCE_MS)
    film = held(drawn_camps(standard_board(4)), tmp_path / "film.y4m")
    data = tmp_path / "data"
    environment = {**os.environ, "TOCK_TLS_PORT": str(free_port())}
    with (
        Companion(data, environment=environment) as companion,
        launched(chromium.browser_type, as_camera(film)) as browser,
    ):
        context = browser.new_context(ignore_https_errors=True, locale="en-GB")
        host = opened(context.new_page(), f"{companion.url}/host")
        # The host comes first: whoever sits down at a table without one is the host, and stays it.
        host.get_by_test_id("become-host").click()
        host.get_by_test_id("open-sources").click()
        anna = PageClient(companion.url)
        anna.post("/api/v1/join", name="Anna", seat="P0", lang="en")
        anna.ask("play_card", card="KH")
        host.get_by_test_id("camera-begin").click()
        address = host.get_by_test_id("camera-url").get_attribute("href")
        assert tomllib.loads((data / "tock.toml").read_text())["sources"] == {"camera": {"phone": True}}
        phone = browser.new_context(ignore_https_errors=True)
        phone.add_init_script(EMULATED_TRACK)
        lens = opened(phone.new_page(), str(address))
        lens.get_by_test_id("camera-start").click()
        host.get_by_test_id("camera-let-in").click()
        expect(lens.get_by_test_id("camera-state")).to_have_attribute("data-state", "live")
        holds_still(lens)
        expect(host.get_by_test_id("camera-send-away-1")).to_be_visible()
        assert sources(anna) == [("camera", "ok")]
        assert anna.view("table")["card"] == "KH"
        host.get_by_test_id("camera-end").click()
        expect(host.get_by_test_id("camera-begin")).to_be_enabled()
        assert anna.get("/api/v1/sim/scene")["pawns"]
        assert "sources" not in tomllib.loads((data / "tock.toml").read_text())


def holds_still(lens: Page) -> None:
    """The phone's camera is held at what its automatics have found, and let go and held again at a tap."""
    expect(lens.locator("html")).to_have_attribute("data-asked", "3")
    assert lens.evaluate("emulatedTrack.asked") == [
        {"exposureMode": "manual", "exposureTime": 160, "iso": 200},
        {"whiteBalanceMode": "manual", "colorTemperature": 4100},
        {"focusMode": "manual", "focusDistance": 1.2},
    ]
    expect(lens.locator("#lock")).to_have_attribute("aria-pressed", "true")
    lens.locator("#lock").click()
    expect(lens.locator("html")).to_have_attribute("data-asked", "6")
    assert lens.evaluate("emulatedTrack.settings.focusMode") == "continuous"
    lens.evaluate("emulatedTrack.refuses = ['exposureMode']")
    lens.locator("#lock").click()
    expect(lens.locator("#wanders-note")).to_be_visible()


RECORD_SPEECH = """() => {
  const heard = window.heard = [];
  const note = () => {
    const lines = document.querySelectorAll("#camera-sentence, #sources li, #all-sources li");
    for (const { textContent } of lines) if (textContent && !heard.includes(textContent)) heard.push(textContent);
  };
  new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
  note();
}"""
"""Note every sentence of the camera's page, or about a source on the host's."""


def test_another_board_raises_no_false_alarm_about_the_phone(tmp_path: Path, chromium: Browser) -> None:
    """Its clock is the old table's for a moment, and its pictures begin again: neither is anybody's fault."""
    expect.set_options(timeout=PATIENCE_MS)
    film = held(drawn_camps(standard_board(4)), tmp_path / "film.y4m")
    environment = {**os.environ, "TOCK_TLS_PORT": str(free_port())}
    with (
        Companion(tmp_path / "data", environment=environment) as companion,
        launched(chromium.browser_type, as_camera(film)) as browser,
    ):
        context = browser.new_context(ignore_https_errors=True, locale="en-GB")
        context.add_init_script(f"addEventListener('DOMContentLoaded', {RECORD_SPEECH})")
        host = opened(context.new_page(), f"{companion.url}/host")
        host.get_by_test_id("become-host").click()
        table = opened(context.new_page(), f"{companion.url}/sim")
        host.get_by_test_id("open-sources").click()
        host.get_by_test_id("camera-begin").click()
        address = str(host.get_by_test_id("camera-url").get_attribute("href"))
        table.wait_for_url(f"{companion.url}/")
        expect(host.locator("#all-sources li").first).to_contain_text("Waiting for the camera phone")
        lens = opened(context.new_page(), address)
        lens.get_by_test_id("camera-start").click()
        host.get_by_test_id("camera-let-in").click()
        expect(lens.get_by_test_id("camera-state")).to_have_attribute("data-state", "live")
        lens.evaluate(RECORD_SPEECH)
        for key, state in (("standard-6", "searching"), ("standard-4", "live")):
            # Not from within the page: it reloads once it hears of the other table.
            chosen = context.request.post(
                f"{companion.url}/api/v1/boards/choose", data={"key": key}, headers={"X-Tock": "1"}
            )
            assert chosen.ok
            expect(lens.get_by_test_id("camera-state")).to_have_attribute("data-state", state)
        sentences = [*host.evaluate("window.heard"), *lens.evaluate("window.heard")]
        assert any("found" in sentence for sentence in sentences)
        assert not [one for one in sentences if "time" in one or "future" in one or "wake it" in one]


def opened(page: Any, url: str) -> Any:
    page.set_default_timeout(PATIENCE_MS)
    page.goto(url)
    return page
