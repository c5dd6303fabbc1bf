"""Lessons on one's own phone, at any time: also while others play, and without a seat."""

import pytest
from playwright.sync_api import Page, expect

from tests.support.browsing import OpenPage, live, seated
from tests.support.page import Phone
from tock_companion.table.runtime.live import Table

pytestmark = pytest.mark.browser
RIGHT = (
    ("P0:camp>T0*", "Ton pion est sorti"),
    ("P0:T0*>T6", "Tu as pris"),
    ("P0:T0*>T4 + P0:T6>T9", "tu sais jouer"),
    ("P0:T9<>P1:T12", "ont changé de place"),
    ("P2:T45>T51", "tous les pions des partenaires"),
    ("P0:T67>H3", "personne ne peut plus le prendre"),
)
"""The move of each lesson, and its praise."""


def tap_card(page: Page) -> None:
    page.get_by_test_id("lesson-card").click()
    expect(page.get_by_test_id("legal-move").first).to_be_visible()


def test_six_lessons_are_walked_while_others_play_and_change_nothing(
    site: str, table: Table, open_page: OpenPage
) -> None:
    anna = seated(open_page, site, "P0", "Anna")
    seq = table.game.seq
    anna.get_by_test_id("menu-open").click()
    anna.get_by_test_id("menu-practice").click()
    for number, (move, praise) in enumerate(RIGHT, 1):
        expect(anna.get_by_test_id("lesson")).to_have_attribute("data-lesson", str(number))
        tap_card(anna)
        anna.locator(f'[data-move="{move}"]').click()
        expect(anna.get_by_test_id("turn")).to_contain_text(praise)
        if number < len(RIGHT):
            anna.get_by_test_id("lesson-next").click()
    assert table.game.seq == seq
    anna.get_by_test_id("lesson-next").click()
    anna.wait_for_url("**/seat")
    live(anna)


def test_a_wrong_move_is_explained_and_the_card_still_lies(site: str, open_page: OpenPage) -> None:
    page = open_page(f"{site}/practice", {"width": 360, "height": 640})
    for move, _praise in RIGHT[:3]:
        tap_card(page)
        page.locator(f'[data-move="{move}"]').click()
        page.get_by_test_id("lesson-next").click()
    tap_card(page)
    page.locator('[data-move="P0:T4<>P1:T12"]').click()
    expect(page.get_by_test_id("turn")).to_contain_text("ton pion de devant")
    page.locator(f'[data-move="{RIGHT[3][0]}"]').click()
    expect(page.get_by_test_id("turn")).to_contain_text("Bravo")


def test_a_touch_on_the_board_plays_the_move(site: str, open_page: OpenPage) -> None:
    page = open_page(f"{site}/practice")
    tap_card(page)
    page.get_by_test_id("hole-T0").click(force=True)
    expect(page.get_by_test_id("turn")).to_contain_text("Bravo")


def test_no_lesson_beyond_the_last_and_no_tap_of_another_game(phone: Phone) -> None:
    assert phone.post("practice", lesson=7, taps=[]).status_code == 409
    assert phone.post("practice", lesson=1, taps=["KH", "P0:T4>T10"]).status_code == 409
    assert phone.post("practice", lesson=1, taps=["nothing"]).status_code == 409
    assert phone.post("practice", lesson=1, taps=["KH"] * 31).status_code == 400
    assert phone.post("practice", lesson=1, taps=["KH"]).get_json()["practice"]["lessons"] == 6
