"""Help on a phone: a practice as a child meets it, and the hint button."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.browsing import (
    HOST,
    PIXEL,
    OpenPage,
    become_host,
    drag,
    live,
    open_sheet,
    seated,
    sit,
    tell,
)
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


def test_a_hint_names_the_card_then_the_move_and_goes_with_the_turn(
    blind_site: str, open_page: OpenPage
) -> None:
    anna = seated(open_page, blind_site, "P0", "Anna", PIXEL)
    tell(anna, "6H", "QD", "7C", "JOK_C", "2C")
    anna.get_by_test_id("hint").click()
    hint = anna.get_by_test_id("hint-text")
    expect(hint).to_have_attribute("data-card", re.compile("."))
    anna.get_by_test_id("hint-more").click()
    expect(hint.locator("li").first).to_be_visible()
    move = hint.get_attribute("data-move")
    anna.get_by_test_id(f"hand-card-{hint.get_attribute('data-card')}").click()
    expect(anna.locator(f'[data-move="{move}"]')).to_be_visible()
    expect(hint).to_have_count(0)
    anna.locator(f'[data-move="{move}"]').click()
    expect(anna.locator(f'[data-move="{move}"]')).to_have_count(0)


def test_the_host_takes_the_hint_button_away(blind_site: str, open_page: OpenPage) -> None:
    host = open_page(f"{blind_site}/host")
    become_host(host)
    open_sheet(host, "mode")
    host.get_by_test_id("hints-most").select_option("off")
    anna = seated(open_page, blind_site, "P0", "Anna", PIXEL)
    tell(anna, "6H", "QD")
    expect(anna.get_by_test_id("hand-card-QD")).to_be_visible()
    expect(anna.get_by_test_id("hint")).to_have_count(0)
