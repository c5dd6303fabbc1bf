"""A phone as the table's camera: its own page, and its place beside the board."""

import json
import os
import tomllib
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.support.browsing import HOST, PATIENCE_MS, become_host
from tests.support.filmed import as_camera, cards_of, drawn_camps, film, filmed_table, held
from tests.support.mosquitto import free_port
from tests.support.page import no_cards
from tests.support.page_client import PageClient, launched
from tests.support.pictures import needs_pictures
from tests.support.recordings import FOLDER, each_recording
from tests.support.service import Companion
from tests.support.tables import wait_for
from tock_app.config.load import standard_board
from tock_companion.core.requests import Role, parse_request
from tock_companion.events.codec import event_to_json
from tock_companion.sources.recording import open_recording
from tock_companion.table.runtime.live import Table
from tock_companion.table.runtime.replaying import replay
from tock_rules import Seat
from tock_vision.replay import open_frames
from tock_web import create_app, serve
from tock_web.https.camera_server import serve_camera
from tock_web.services import PageServices

REPORTED = ("violation", "move_accepted")
Report = list[tuple[str, list[str]]]
BEFORE_S, AFTER_S = 8.0, 20.0


def reported(events: list[dict[str, Any]]) -> Report:
    return [
        (event["event"], in_any_order(event.get("move"))) for event in events if event["event"] in REPORTED
    ]


def in_any_order(move: str | None) -> list[str]:
    """The parts of a move; which pawn of a seven settles first depends on the frames that are taken of the film."""
    return sorted((move or "").split(" + "))


def phone(context: BrowserContext, url: str) -> Any:
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(url)
    return page


def filmed(name: str, cameras: Sequence[str], folder: Path, chromium: Browser) -> tuple[Report, Report]:
    """The table's events for a recording that a phone films for each camera, and those of its replay."""
    expect.set_options(timeout=PATIENCE_MS)
    recording = FOLDER / name
    shot = film(recording, folder / "film.mjpeg", BEFORE_S * len(cameras), AFTER_S)
    wanted = reported([event_to_json(event) for event in replay(open_recording(recording), open_frames)])
    with ExitStack() as stack:
        table = stack.enter_context(filmed_table(recording, folder / "data", cameras))
        app = create_app(table, PageServices(read_cards=no_cards, camera_port=lambda: camera.port))
        camera = serve_camera(app, "0.0.0.0", 0, folder)
        stack.callback(camera.stop)
        server = stack.enter_context(serve(app, "127.0.0.1", 0))
        host = phone(chromium.new_context(locale="fr-CA"), f"http://{HOST}:{server.port}/host")
        become_host(host)
        browsers = [stack.enter_context(launched(chromium.browser_type, as_camera(shot))) for _ in cameras]
        # The page without TLS leads to the one with it.
        url = f"http://{HOST}:{server.port}/camera"
        lenses = [phone(browser.new_context(ignore_https_errors=True), url) for browser in browsers]
        # Their films begin with the tap.
        for lens in lenses:
            expect(lens.get_by_test_id("camera-state")).to_have_attribute("data-state", "asking")
            lens.get_by_test_id("camera-start").click()
        asking = host.get_by_test_id("camera-let-in")
        for left in reversed(range(len(lenses))):
            expect(asking).to_have_count(left + 1)
            asking.first.click()
        for lens in lenses:
            expect(lens.get_by_test_id("camera-state")).to_have_attribute("data-state", "live")
        seen = wait_for(table, lambda view: all(one["condition"] == "ok" for one in view["sources"]))
        assert {one["name"] for one in seen["sources"]} == {*cameras}
        for laid in cards_of(recording):
            asked = parse_request("play_card", {"card": laid["card"]}, Role.SEAT, Seat.parse(laid["seat"]))
            assert table.request(asked).ok
        wait_for(table, lambda view: len(reported(events_of(table))) >= len(wanted))
        return reported(events_of(table)), wanted


# A browser films each for twenty seconds.
@pytest.mark.browser
@needs_pictures
@pytest.mark.slow
@pytest.mark.parametrize("name", each_recording())
def test_a_phone_that_is_let_in_sees_what_a_replay_sees(name: str, tmp_path: Path, chromium: Browser) -> None:
    found, wanted = filmed(name, ("camera",), tmp_path, chromium)
    assert found == wanted


@pytest.mark.browser
@needs_pictures
@pytest.mark.slow
def test_two_phones_are_added_up(tmp_path: Path, chromium: Browser) -> None:
    found, wanted = filmed("d3_swap", ("camera", "shelf"), tmp_path, chromium)
    assert found == wanted


def events_of(table: Table) -> list[dict[str, Any]]:
    number = table.archive.games()[-1]["number"]
    assert isinstance(number, int)
    return [json.loads(line) for line in table.archive.log(number).splitlines()]


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


def sources(phone: PageClient) -> list[tuple[str, str]]:
    return [(source["name"], source["condition"]) for source in phone.view("table")["sources"]]


@pytest.mark.browser
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
        become_host(host)
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
        host.get_by_test_id("danger-yes").click()
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


@pytest.mark.browser
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
        become_host(host)
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
            with host.expect_navigation():
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
