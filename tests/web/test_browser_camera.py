"""A phone as the camera, in a real browser over real TLS: a film of a recording gives the moves of its replay."""

import json
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.support.browsing import HOST, PATIENCE_MS
from tests.support.filmed import as_camera, cards_of, film, filmed_table
from tests.support.page import no_cards
from tests.support.page_client import launched
from tests.support.pictures import needs_pictures
from tests.support.recordings import FOLDER, each_recording
from tests.support.tables import wait_for
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

pytestmark = [pytest.mark.browser, needs_pictures]
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
        host.get_by_test_id("become-host").click()
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


# A browser films each for twenty seconds: one always, the others in `make long`.
@pytest.mark.parametrize(
    "name", each_recording(slow=("d1_move9", "d2_capture10", "d4_wrong6", "d5_seven_home"))
)
def test_a_phone_that_is_let_in_sees_what_a_replay_sees(name: str, tmp_path: Path, chromium: Browser) -> None:
    found, wanted = filmed(name, ("camera",), tmp_path, chromium)
    assert found == wanted


@pytest.mark.slow
def test_two_phones_are_added_up(tmp_path: Path, chromium: Browser) -> None:
    found, wanted = filmed("d3_swap", ("camera", "shelf"), tmp_path, chromium)
    assert found == wanted


def events_of(table: Table) -> list[dict[str, Any]]:
    number = table.archive.games()[-1]["number"]
    assert isinstance(number, int)
    return [json.loads(line) for line in table.archive.log(number).splitlines()]
