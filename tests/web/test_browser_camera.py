"""A phone as the camera, in a real browser over real TLS: a film of a recording gives the moves of its replay."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.support.browsing import HOST, PATIENCE_MS
from tests.support.filmed import as_camera, cards_of, film, filmed_table
from tests.support.page import no_cards
from tests.support.pictures import needs_pictures
from tests.support.recordings import FOLDER, each_recording
from tests.support.tables import wait_for
from tock_bench.clients import launched
from tock_companion.events.codec import event_to_json
from tock_companion.rules import Seat
from tock_companion.sources.recording import open_recording
from tock_companion.table.live import Table
from tock_companion.table.replaying import replay
from tock_companion.table.requests import Role, parse_request
from tock_vision.replay import open_frames
from tock_web import create_app, serve
from tock_web.camera_server import serve_camera

pytestmark = [pytest.mark.browser, needs_pictures]
SAID = ("violation", "move_accepted")
BEFORE_S, AFTER_S = 8.0, 20.0


def said(events: list[dict[str, Any]]) -> list[tuple[str, list[str]]]:
    return [(event["event"], in_any_order(event.get("move"))) for event in events if event["event"] in SAID]


def in_any_order(move: str | None) -> list[str]:
    """The parts of a move; which pawn of a seven settles first depends on the frames that are taken of the film."""
    return sorted((move or "").split(" + "))


def phone(context: BrowserContext, url: str) -> Any:
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(url)
    return page


# A seven over two pawns takes a browser twice as long as a swap.
@pytest.mark.parametrize("name", each_recording(slow=("d5_seven_home",)))
def test_a_phone_that_is_let_in_sees_what_a_replay_sees(name: str, tmp_path: Path, chromium: Browser) -> None:
    expect.set_options(timeout=PATIENCE_MS)
    folder = FOLDER / name
    shot = film(folder, tmp_path / "film.mjpeg", BEFORE_S, AFTER_S)
    with filmed_table(folder, tmp_path / "data") as table:
        app = create_app(table, read_cards=no_cards)
        camera = serve_camera(app, "0.0.0.0", 0, tmp_path)
        app.config["CAMERA_PORT"] = lambda: camera.port
        try:
            with (
                serve(app, "127.0.0.1", 0) as server,
                launched(chromium.browser_type, as_camera(shot)) as browser,
            ):
                context = browser.new_context(ignore_https_errors=True, locale="fr-CA")
                host = phone(context, f"http://{HOST}:{server.port}/host")
                host.get_by_test_id("become-host").click()
                # The page without TLS leads to the one with it.
                lens = phone(
                    browser.new_context(ignore_https_errors=True), f"http://{HOST}:{server.port}/camera"
                )
                state = lens.get_by_test_id("camera-state")
                expect(state).to_have_attribute("data-state", "asking")
                lens.get_by_test_id("camera-start").click()
                host.get_by_test_id("camera-let-in").click()
                expect(state).to_have_attribute("data-state", "live")
                for laid in cards_of(folder):
                    asked = parse_request(
                        "play_card", {"card": laid["card"]}, Role.SEAT, Seat.parse(laid["seat"])
                    )
                    assert table.request(asked).ok
                wanted = said([event_to_json(event) for event in replay(open_recording(folder), open_frames)])
                wait_for(table, lambda view: len(said(events_of(table))) >= len(wanted))
                assert said(events_of(table)) == wanted
        finally:
            camera.stop()


def events_of(table: Table) -> list[dict[str, Any]]:
    number = table.archive.games()[-1]["number"]
    assert isinstance(number, int)
    return [json.loads(line) for line in table.archive.log(number).splitlines()]
