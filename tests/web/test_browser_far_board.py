"""Two homes with a board each, in real browsers, with two companions, a relay, its broker and TLS between them."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browsing import hole, is_too_wide, live
from tests.support.relay_process import RunningRelay
from tests.support.two_homes import TwoHomes, two_homes

pytestmark = [pytest.mark.browser, pytest.mark.whole]
MAX_TAPS = 8
"""Of both sides together, until the second board is joined."""


@pytest.fixture
def homes(chromium: Browser, place: RunningRelay) -> Iterator[TwoHomes]:
    expect.set_options(timeout=30_000)
    with two_homes(chromium, place) as homes:
        yield homes


def test_a_board_joins_by_its_link_and_a_move_is_made_on_both(homes: TwoHomes) -> None:
    family = homes.family
    lea, bob = homes.seated(homes.lea, "Léa", "P0"), homes.seated(homes.bob, "Bob", "P1")
    family.taps = 0
    homes.host(lea)
    family.tap(lea.get_by_test_id("far-board"))
    link = lea.get_by_test_id("far-link").get_attribute("href") or ""
    on_a_phone = homes.page(link)
    expect(on_a_phone.get_by_test_id("far-line")).to_have_attribute("data-state", "board")
    expect(lea.get_by_test_id("far-state")).to_have_attribute("data-state", "waiting")
    homes.host(bob)
    family.tap(bob.get_by_test_id("far-follow-link"))
    bob.keyboard.insert_text(link)
    family.tap(bob.get_by_test_id("far-follow"))
    expect(bob.get_by_test_id("far-followed")).to_have_attribute("data-state", "here")
    expect(lea.get_by_test_id("far-state")).to_have_attribute("data-state", "here")
    assert family.taps <= MAX_TAPS
    tables = homes.table(homes.lea), homes.table(homes.bob)
    for page in (lea, bob):
        page.go_back()
        live(page)
    expect(bob.get_by_test_id("far-home")).to_contain_text("la partie se prépare là-bas")
    lea.get_by_test_id("begin").tap()
    lea.get_by_test_id("hand-card-KH").tap()
    family.drag(tables[0], "P0-C1", "T0")
    asked = bob.get_by_test_id("guidance")
    expect(asked).to_have_attribute("data-code", "elsewhere/copy")
    expect(asked).to_contain_text("déplace le pion rouge")
    lea.get_by_test_id("signs-open").tap()
    lea.get_by_test_id("sign-clap").tap()
    expect(bob.get_by_test_id("far-sign")).to_contain_text("Léa")
    family.drag(tables[1], "P0-C1", "T0")
    expect(asked).to_have_count(0)
    bob.get_by_test_id("hand-card-KH").tap()
    family.drag(tables[1], "P1-C1", "T18")
    expect(lea.get_by_test_id("turn")).to_contain_text("déplace le pion bleu")
    family.drag(tables[0], "P1-C1", "T18")
    expect(hole(bob, "T18")).to_have_attribute("data-pawn", "P1")
    assert not is_too_wide(bob)
