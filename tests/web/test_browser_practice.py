"""A practice as a child meets it: on a phone and the simulated table, read aloud."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.browsing import HOST, PIXEL, OpenPage, drag, live, seated, sit
from tests.support.page import no_cards
from tests.support.sources import PerfectEye
from tock_companion.boardfile import generate
from tock_companion.core.state import Lobby
from tock_companion.sources.scene import Scene
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_web import create_app, serve
from tock_web.services import PageServices

pytestmark = pytest.mark.browser
SPEECH = "window.said = []; speechSynthesis.speak = (words) => window.said.push(words.text);"
LESSONS = (
    ([("P0-C1", "T0")], "Bravo\u202f! Ton pion est sorti."),
    ([("T6", "P1-C4"), ("T0", "T6")], "Bravo\u202f! Tu as pris le pion bleu."),
    ([("T0", "T4"), ("T6", "T9")], "Bravo, tu sais jouer\u202f!"),
)


def test_a_child_plays_three_lessons_on_the_simulated_table(tmp_path: Path, open_page: OpenPage) -> None:
    scene = Scene(board := generate(4, 440))
    table = Table(board, Store(tmp_path), [PerfectEye(scene)], scene=scene, lobby=Lobby())
    table.start()
    with serve(create_app(table, PageServices(read_cards=no_cards)), "127.0.0.1", 0) as running:
        site = f"http://{HOST}:{running.port}"
        child = sit(open_page(f"{site}/", PIXEL, "fr-CA"), "P0", "Léa")
        other = seated(open_page, site, "P1", "Tom", PIXEL, "en-GB")
        child.get_by_test_id("practise").click()
        expect(child.get_by_test_id("turn")).to_contain_text("Voici un roi.")
        expect(other.get_by_test_id("turn")).to_contain_text("Léa is learning to play.")
        expect(other.get_by_test_id("lesson-card")).to_have_count(0)
        child.context.add_init_script(SPEECH)
        child.get_by_test_id("lesson-sim").click()
        live(child)
        for steps, praise in LESSONS:
            child.get_by_test_id("lesson-card").click()
            expect(child.locator(".target").first).to_be_visible()
            for source, target in steps:
                drag(child, source, target)
            expect(child.get_by_test_id("turn")).to_contain_text(praise)
            child.get_by_test_id("lesson-listen").click()
            assert child.evaluate("window.said").count(praise) == 2, "by itself, and when asked to"
            child.get_by_test_id("lesson-next").click()
        child.wait_for_url("**/seat")
        expect(child.get_by_test_id("begin")).to_be_visible()
        expect(child.get_by_test_id("lesson")).to_have_count(0)
    table.stop()
