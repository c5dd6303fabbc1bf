"""The host shows a camera the corners of the board and its pawns."""

from collections.abc import Iterator

import numpy as np
import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from tests.support.axe import faults_day_and_night
from tests.support.browsing import HOST, PIXEL, TABLET, OpenPage, become_host, is_too_wide, live
from tests.support.page import OWN, Phone
from tests.support.tables import wait_for
from tock_companion.boardfile import generate
from tock_companion.sources.scene import Scene
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_vision.rendering.appearance import Appearance, pose_of
from tock_vision.simulated import SimulatedSource
from tock_web import create_app, serve

pytestmark = pytest.mark.whole

BOARD = generate(4, 440)
SIZE_PX = (960, 720)
FAR = ("T0", "T18", "T36", "T54")
GOOD = {hole: [0.5, 0.5] for hole in FAR}


def place(hole_id: str) -> list[float]:
    """Place of a hole in the simulated camera's picture, in fractions of it."""
    hole = BOARD.hole(hole_id)
    view = pose_of(BOARD, Appearance(size_px=SIZE_PX))
    return [float(share) for share in view.project(np.array([[hole.x_mm, hole.y_mm]]))[0] / SIZE_PX]


@pytest.fixture(scope="module")
def filmed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A table before the first move, seen by the simulated camera; one for all, because drawing is slow."""
    scene = Scene(BOARD)
    settings = {"fps": 3, "width": SIZE_PX[0], "height": SIZE_PX[1]}
    running = Table(
        BOARD, Store(tmp_path_factory.mktemp("data")), [SimulatedSource(BOARD, settings, scene)], scene=scene
    )
    running.start()
    wait_for(running, lambda view: any(entry["condition"] == "ok" for entry in view["sources"]))
    yield running
    running.stop()


@pytest.fixture
def filmed_app(filmed: Table) -> Flask:
    return create_app(filmed)


@pytest.fixture
def host(filmed_app: Flask) -> Iterator[Phone]:
    phone = Phone(filmed_app.test_client())
    phone.post("host")
    yield phone
    phone.post("host/release")


def test_the_camera_is_shown_the_board_and_its_pawns(host: Phone) -> None:
    assert host.get("session").get_json()["camera"] is True
    assert host.get("camera/overlay").data.startswith(b"\xff\xd8")
    answer = host.post("camera/touch", touches={hole: place(hole) for hole in FAR})
    assert answer.status_code == 200, answer.text
    data = host.post("camera/learn", shows="camps").get_json()["data"]
    assert data["score"] > 0
    assert data["kept"] is False
    assert {"code": "never_empty", "seats": []} in data["weak"]


@pytest.mark.parametrize(
    ("touches", "says"),
    [
        (None, "at least four"),
        ([], "at least four"),
        ({"T0": [0.1, 0.1]}, "at least four"),
        ({**GOOD, "T999": [0.1, 0.1]}, "T999"),
        ({**GOOD, "T18": [0.1, 1.2]}, "T18"),
        ({**GOOD, "T18": [0.1]}, "T18"),
        ({**GOOD, "T18": [True, "x"]}, "T18"),
        ({hole: [0.1, 0.1] for hole in ("T0", "T1", "T2", "T3")}, "too close"),
    ],
)
def test_touches_that_cannot_do_are_refused_in_one_sentence(host: Phone, touches: object, says: str) -> None:
    answer = host.post("camera/touch", touches=touches)
    assert answer.status_code == 400
    message = answer.get_json()["message"]
    assert says in message["en"]
    assert message["fr"]


def test_touches_where_no_board_is_are_refused(host: Phone) -> None:
    corner = {"T0": [0.02, 0.02], "T18": [0.2, 0.02], "T36": [0.2, 0.2], "T54": [0.02, 0.2]}
    answer = host.post("camera/touch", touches=corner)
    assert answer.status_code == 409
    assert answer.get_json()["code"] == "camera/no_board"
    assert set(answer.get_json()["message"]) == {"fr", "en"}


@pytest.mark.parametrize("shows", [None, "pawns", ["empty"], 3])
def test_only_the_empty_board_and_the_camps_can_be_learned(host: Phone, shows: object) -> None:
    assert host.post("camera/learn", shows=shows).status_code == 400


def test_where_no_camera_can_be_taught_the_answer_says_so(phone: Phone) -> None:
    phone.post("host")
    assert phone.get("session").get_json()["camera"] is False
    assert phone.get("camera/overlay").status_code == 204
    for answer in (
        phone.post("camera/touch", touches=GOOD),
        phone.post("camera/learn", shows="empty"),
    ):
        assert answer.status_code == 409
        assert answer.get_json()["code"] == "camera/none"


RELEASE = """headers =>
    fetch("/api/v1/host/release", { method: "POST", headers, body: "{}" }).then(({ ok }) => ok)"""


def open_step(page: Page, number: int) -> None:
    become_host(page)
    expect(page.locator("#host-tools")).to_be_visible()
    live(page)
    page.get_by_test_id("setup-open").click()
    for _ in range(number - 1):
        page.get_by_test_id("setup-next").click()


def touch_four(page: Page, where: list[list[float]] | None = None) -> None:
    """Touch the holes that the set-up asks for, or other places."""
    page.get_by_test_id("corner-start").click()
    picture = page.locator(".camera-stage img")
    for number in range(4):
        expect(page.get_by_test_id("corner-say")).to_contain_text(str(number + 1))
        # The drawing and the picture are compared, so both are in sight.
        expect(page.get_by_test_id("corner-asked")).to_be_in_viewport()
        asked = page.get_by_test_id("corner-asked").get_attribute("data-hole")
        assert asked is not None
        box = picture.bounding_box()
        assert box is not None
        x, y = where[number] if where else place(asked)
        page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"])
        page.mouse.down()
        expect(page.get_by_test_id("setup").locator(".lens")).to_be_visible()
        page.mouse.up()
    expect(page.get_by_test_id("setup").locator(".lens")).to_be_hidden()


@pytest.mark.browser
@pytest.mark.parametrize(
    ("size", "lang"), [(PIXEL, "fr"), pytest.param(TABLET, "en", marks=pytest.mark.slow)]
)
def test_the_setup_takes_corners_and_colours(
    filmed_app: Flask, open_page: OpenPage, size: dict[str, int], lang: str
) -> None:
    with serve(filmed_app, "127.0.0.1", 0) as running:
        page = open_page(f"http://{HOST}:{running.port}/host", size, f"{lang}-CA")
        open_step(page, 4)
        expect(page.locator(".camera-stage img")).to_be_visible()
        assert "camera/overlay" in (page.locator(".camera-stage img").get_attribute("src") or "")
        answer = page.get_by_test_id("corner-answer")
        touch_four(page, [[0.02, 0.02], [0.2, 0.02], [0.2, 0.2], [0.02, 0.2]])
        expect(answer).to_contain_text("pas trouvé" if lang == "fr" else "not found")
        touch_four(page)
        expect(answer).to_have_class("good")
        assert faults_day_and_night(page, ".guided") == []
        assert not is_too_wide(page)
        page.get_by_test_id("setup-next").click()
        page.get_by_test_id("learn-camps").click()
        expect(page.get_by_test_id("colors-answer")).to_have_class("good")
        assert faults_day_and_night(page, ".guided") == []
        expect(page.get_by_test_id("weak-never_empty")).to_be_visible()
        assert not is_too_wide(page)
        # The table is shared, and has one host.
        assert page.evaluate(RELEASE, {**OWN, "Content-Type": "application/json"})
