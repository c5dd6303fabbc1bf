"""The hint button: first a card, then the move and why."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.browsing import PIXEL, OpenPage, open_sheet, seated, tell

pytestmark = pytest.mark.browser


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
    host.get_by_test_id("become-host").click()
    open_sheet(host, "mode")
    host.get_by_test_id("hints-most").select_option("off")
    anna = seated(open_page, blind_site, "P0", "Anna", PIXEL)
    tell(anna, "6H", "QD")
    expect(anna.get_by_test_id("hand-card-QD")).to_be_visible()
    expect(anna.get_by_test_id("hint")).to_have_count(0)
