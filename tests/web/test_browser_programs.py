"""Doors for programs in the browser: keys that the host makes and takes away, and the page for broadcasts."""

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from tests.support.browsing import LIVELY, SMALL, OpenPage, become_host, is_too_wide, live, open_sheet
from tests.support.page import Phone
from tests.support.waiting import until
from tock_companion.table.runtime.live import Table
from tock_web.context import context_of
from tock_web.programs.keys import ProgramKeys

pytestmark = pytest.mark.browser


def hosting(open_page: OpenPage, site: str, locale: str) -> Page:
    page = open_page(f"{site}/host", SMALL, locale)
    become_host(page)
    open_sheet(live(page), "programs")
    return page


@pytest.mark.parametrize(
    ("locale", "once", "until"),
    [
        ("fr-CA", "La clé de «\u00a0Lampe\u00a0». Copie-la maintenant", "peut jouer · jusqu’au"),
        ("en-GB", "The key of “Lampe”. Copy it now", "may play · until"),
    ],
)
def test_the_host_makes_a_key_sees_it_once_and_takes_it_away(
    site: str, app: Flask, open_page: OpenPage, locale: str, once: str, until: str
) -> None:
    page = hosting(open_page, site, locale)
    page.get_by_test_id("program-name").fill("Lampe")
    page.get_by_test_id("program-scope").select_option("seat")
    page.get_by_test_id("program-days").select_option("30")
    page.get_by_test_id("program-make").click()
    expect(page.locator("#programs")).to_contain_text(once)
    secret = page.get_by_test_id("program-key").input_value()
    assert len(secret) == 32
    expect(page.get_by_test_id("program-1")).to_contain_text(until)
    assert not is_too_wide(page)
    page.get_by_test_id("menu-close").click()
    open_sheet(page, "programs")
    expect(page.get_by_test_id("program-1")).to_be_visible()
    expect(page.get_by_test_id("program-key")).to_have_count(0)
    page.get_by_test_id("program-end-1").click()
    page.get_by_test_id("danger-yes").click()
    expect(page.get_by_test_id("program-1")).to_have_count(0)
    assert ProgramKeys(context_of(app).table.choices).all() == []


def test_the_page_for_broadcasts_is_transparent_and_walks_the_last_move_again(
    site: str, table: Table, phone: Phone, open_page: OpenPage
) -> None:
    page = open_page(f"{site}/overlay?at=top-right&size=60", {"width": 1280, "height": 720}, **LIVELY)
    phone.sit("P0", "Léa")
    expect(page.get_by_test_id("turn")).to_contain_text("Léa")
    assert page.evaluate(
        "[document.documentElement, document.body].map(e => getComputedStyle(e).backgroundColor)"
    ) == [
        "rgba(0, 0, 0, 0)",
        "rgba(0, 0, 0, 0)",
    ]
    phone.post("request", kind="play_card", data={"card": "6H"})
    scene = table.scene
    assert scene is not None
    (pawn,) = [pawn for pawn in scene.state.pawns if scene.hole_of(pawn) == "T4"]
    there = scene.board.hole("T10")
    scene.move_pawn(pawn.id, there.x_mm, there.y_mm)
    expect(page.get_by_test_id("overlay-last")).to_contain_text("Léa joue 6♥")
    until(
        lambda: page.evaluate(
            "document.querySelector('.board').getAnimations({ subtree: true }).some(one => one.playbackRate < 1)"
        )
    )


def test_the_host_puts_the_address_of_the_page_for_broadcasts_together(
    site: str, open_page: OpenPage
) -> None:
    host = hosting(open_page, site, "fr-CA")
    host.get_by_test_id("overlay-show-board").uncheck()
    host.get_by_test_id("overlay-show-turn").uncheck()
    host.locator("#overlay-at").select_option("top-left")
    address = host.get_by_test_id("overlay-address").input_value()
    assert address == f"{site}/overlay?show=score,last&at=top-left&size=45"
    assert host.get_by_test_id("overlay-open").get_attribute("href") == address
    shown = open_page(address, {"width": 1280, "height": 720})
    expect(shown.get_by_test_id("overlay-score").locator("li")).to_have_count(4)
    expect(shown.get_by_test_id("board")).to_be_hidden()
    expect(shown.get_by_test_id("turn")).to_be_hidden()
