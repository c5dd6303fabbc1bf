"""A board from a photo on a small phone: large, with buttons below each question; and the way to it from the lobby."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.axe import faults_day_and_night
from tests.support.browsing import HOST, OpenPage, is_too_wide, live, sit, small_targets
from tests.support.found_board import found_board
from tock_companion.boardfile import generate
from tock_companion.core.state import Lobby
from tock_companion.sources.scene import Scene
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_vision.mending.edits import Question
from tock_vision.mending.maker import BoardMaker
from tock_web import create_app, serve
from tock_web.services import PageServices
from tock_web.workshop.services import WorkshopServices

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
    services = PageServices(of_features=[WorkshopServices(BoardMaker(found_board(board, ASKED)))])
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
