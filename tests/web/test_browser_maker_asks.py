"""A board from a photo on a small phone: large, with buttons below each question; and the way to it from the lobby."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.support.axe import faults_day_and_night
from tests.support.browsing import HOST, OpenPage, is_too_wide, live, sit, small_targets
from tock_companion.boardfile import BoardFile, generate
from tock_companion.core.state import Lobby
from tock_companion.sources.scene import Scene
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_rules import Seat
from tock_vision.camera_pose import CameraPose, rotation_matrix
from tock_vision.discovery.refusals import sentence
from tock_vision.mending.edits import Question
from tock_vision.mending.maker import BoardMaker
from tock_vision.mending.sketch import Sketch
from tock_vision.mending.workbench import Bench, Phase
from tock_vision.rendering.appearance import Appearance
from tock_vision.rendering.renderer import Renderer
from tock_web import create_app, serve
from tock_web.services import PageServices
from tock_web.workshop.services import WorkshopServices

WIDE_TABLE = Appearance(size_px=(1280, 800), fill=0.55)
"""The board takes about half of the width, as it does in photos of people who stand at their table."""


def found_board(board: BoardFile, questions: Sequence[Question]) -> BoardMaker:
    """A bench with one photo of a board, all of whose holes are known."""
    renderer = Renderer(board, WIDE_TABLE)
    middle = np.array(board.size_mm) / 2
    holes = {
        hole.id: tuple((np.array([hole.x_mm, hole.y_mm]) - middle) / board.pitch_mm) for hole in board.holes
    }
    colors = tuple(board.colors[Seat(zone)] for zone in range(board.zones))
    sketch = Sketch(board.zones, holes, (), frozenset(), colors, 0.5)
    asks = tuple({"code": one.value, "message": sentence(one.value.partition("/")[2])} for one in questions)
    pose = _in_pitches(renderer.pose, board)
    return BoardMaker(
        Bench((renderer.frame([]),), Phase.FOUND, 1.0, asks=asks, sketch=sketch, poses={0: pose})
    )


def _in_pitches(pose: CameraPose, board: BoardFile) -> CameraPose:
    """The same camera, above a plane that is measured in pitches from the middle of the board."""
    middle = np.array([*board.size_mm, 0.0]) / 2
    shift = (rotation_matrix(pose.params[:3]) @ middle + pose.params[3:6]) / board.pitch_mm
    return CameraPose(np.array([*pose.params[:3], *shift, *pose.params[6:]]), pose.size_px)


pytestmark = pytest.mark.browser
SMALL = {"width": 360, "height": 640}
ASKED = (Question.CENTRE, Question.HOLES, Question.COLORS)
RING = """id => {
  const { left, right, top, bottom } = document.querySelector(`[data-testid=made-${id}]`).getBoundingClientRect();
  return [left, right, top, bottom];
}"""


@pytest.fixture
def lobby(tmp_path: Path, open_page: OpenPage) -> Iterator[Page]:
    """The phone of a host in a lobby, at a table that can make boards."""
    board = generate(4, 440)
    table = Table(board, Store(tmp_path), scene=Scene(board), lobby=Lobby())
    table.start()
    services = PageServices(of_features=[WorkshopServices(found_board(board, ASKED))])
    with serve(create_app(table, services), "127.0.0.1", 0) as running:
        page = sit(open_page(f"http://{HOST}:{running.port}/", SMALL), "P0", "Léa")
        yield page
    table.stop()


def test_the_lobby_leads_to_a_board_whose_questions_have_buttons(lobby: Page) -> None:
    page = lobby
    expect(page.get_by_test_id("lobby-old-phone")).to_have_text("Pas de caméra ? Un vieux téléphone suffit")
    page.get_by_text("Ton propre plateau ? Prends-le en photo").tap()
    live(page)
    question = page.get_by_test_id("maker-ask")
    expect(question).to_contain_text("Y a-t-il une case au milieu du plateau ?")
    assert page.url.endswith("/host")
    assert faults_day_and_night(page, ".maker") == []
    assert small_targets(page, ".maker") == []
    assert not is_too_wide(page)
    left, right, top, bottom = (
        pick(
            page.evaluate(RING, hole)[side] for hole in ("T0", "T18", "T36", "T54", "P0-H1", "P1-C1", "P3-C1")
        )
        for side, pick in enumerate((min, max, min, max))
    )
    assert right - left > 0.7 * SMALL["width"]
    assert top >= 0
    assert bottom < 0.55 * SMALL["height"]

    question.get_by_role("button", name="Non").tap()
    expect(page.get_by_test_id("made-C")).to_have_count(0)
    expect(question).to_contain_text("Toutes les cases sont-elles bien là où elles sont dessinées ?")
    page.get_by_test_id("maker-undo").tap()
    expect(question).to_contain_text("Y a-t-il une case au milieu du plateau ?")
    question.get_by_role("button", name="Oui").tap()
    expect(page.get_by_test_id("made-C")).to_have_count(1)
    question.get_by_role("button", name="Non").tap()
    # Whoever says that something is wrong has the tool to mend it in hand.
    expect(page.get_by_test_id("maker-tool-move")).to_have_attribute("aria-pressed", "true")

    for seat, color in (("P0", "Noir"), ("P1", "Blanc"), ("P2", "Jaune"), ("P3", "Rose")):
        expect(page.get_by_test_id(f"made-{seat}-C3")).to_have_text("?")
        assert small_targets(page, ".maker") == []
        question.get_by_role("button", name=color).tap()
    expect(question).to_have_count(0)
    expect(page.get_by_test_id("made-P0-H1")).to_have_text("M1")
    page.get_by_test_id("maker-close").tap()
    page.get_by_test_id("menu-close").tap()
