"""A player enters the hand by touch; it lies face down, and loses the card that is played."""

import pytest
from playwright.sync_api import expect

from tests.support.browsing import PIXEL, OpenPage, seated, tell
from tock_companion.core.requests import Role, parse_request
from tock_companion.table.runtime.live import Table
from tock_rules import Seat

pytestmark = pytest.mark.browser


def test_a_hand_is_entered_and_played(blind_site: str, open_page: OpenPage) -> None:
    anna = seated(open_page, blind_site, "P0", "Anna", PIXEL)
    tell(anna, "6H", "KS", "10D", "JOK_C", "2C")
    expect(anna.locator("[data-testid^=hand-card-]")).to_have_count(5)
    expect(anna.get_by_test_id("hand-card-6H")).to_contain_text("2 coups")
    anna.get_by_test_id("hand-card-6H").click()
    anna.locator('[data-move="P0:T4>T10"]').click()
    expect(anna.get_by_test_id("turn")).to_contain_text("P1")
    expect(anna.get_by_test_id("hand-card-6H")).to_have_count(0)
    expect(anna.get_by_test_id("hand-card-KS")).to_be_disabled()
    anna.get_by_test_id("hand-enter").click()
    anna.get_by_test_id("enter-card-9S").click()
    anna.get_by_test_id("hand-save").click()
    expect(anna.locator("[data-testid^=hand-card-]")).to_have_count(5)


def test_a_hand_without_a_move_goes_down_whole(
    blind_site: str, blind_table: Table, open_page: OpenPage
) -> None:
    asked = {"ruleset": "mjc", "options": {"no_play": "hand_down"}}
    assert blind_table.request(parse_request("new_game", asked, Role.HOST)).ok
    anna = seated(open_page, blind_site, "P0", "Anna")
    cards = {"cards": ["9H", "8S", "2C"]}
    assert blind_table.request(parse_request("hand_set", cards, Role.SEAT, Seat.P0)).ok
    anna.get_by_test_id("hand-show").click()
    anna.get_by_test_id("hand-down-all").click()
    expect(anna.get_by_test_id("turn")).to_contain_text("P1")
    expect(anna.locator(".in-hand")).to_have_count(0)
    expect(anna.get_by_test_id("hand-show")).to_have_count(0)


def test_a_hand_lies_face_down_until_it_is_touched(blind_site: str, open_page: OpenPage) -> None:
    anna = seated(open_page, blind_site, "P0", "Anna")
    tell(anna, "6H", "KS")
    anna.get_by_test_id("hand-hide").click()
    expect(anna.get_by_test_id("hand-card-KS")).to_have_count(0)
    assert "Roi de pique" not in anna.content()
    anna.reload()
    expect(anna.get_by_test_id("hand-card-KS")).to_have_count(0)
    anna.get_by_test_id("hand-show").click()
    expect(anna.get_by_test_id("hand-card-KS")).to_be_visible()


def test_a_hand_that_nobody_took_is_not_entered_again(blind_site: str, open_page: OpenPage) -> None:
    anna = seated(open_page, blind_site, "P0", "Anna")
    anna.route("**/api/v1/request", lambda route: route.abort())
    anna.get_by_test_id("hand-enter").click()
    for card in ("6H", "KS"):
        anna.get_by_test_id(f"enter-card-{card}").click()
    anna.get_by_test_id("hand-save").click()
    expect(anna.get_by_test_id("toast")).to_be_visible()
    for card in ("6H", "KS"):
        expect(anna.get_by_test_id(f"chosen-{card}")).to_be_visible()
    anna.unroute("**/api/v1/request")
    anna.get_by_test_id("hand-save").click()
    expect(anna.get_by_test_id("hand-card-KS")).to_be_visible()


def test_a_wrong_touch_is_mended_before_the_hand_is_entered(
    blind_site: str, blind_table: Table, open_page: OpenPage
) -> None:
    anna = seated(open_page, blind_site, "P0", "Anna")
    anna.get_by_test_id("hand-enter").click()
    expect(anna.get_by_test_id("hand-save")).to_be_disabled()
    for card in ("6H", "KS"):
        anna.get_by_test_id(f"enter-card-{card}").click()
    anna.get_by_test_id("chosen-6H").click()
    anna.get_by_test_id("hand-cancel").click()
    assert blind_table.view(Role.TABLE)["seats"][0]["cards"] is None


def test_a_new_deal_asks_everybody_for_the_hand(blind_site: str, open_page: OpenPage) -> None:
    anna = seated(open_page, blind_site, "P0", "Anna")
    bob = seated(open_page, blind_site, "P1", "Bob", locale="en-CA")
    tell(anna, "6H", "KS")
    bob.get_by_test_id("deal").click()
    expect(anna.get_by_test_id("hand-card-6H")).to_be_visible()
    bob.get_by_test_id("deal").click()
    expect(anna.get_by_test_id("hand-card-KS")).to_be_enabled()
    expect(anna.locator(".hand")).to_have_count(0)
