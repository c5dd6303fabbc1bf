"""The page itself: languages, sizes, a connection that breaks, a phone that sleeps."""

import re

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from tests.support.axe import faults_day_and_night
from tests.support.browsing import (
    HOST,
    PIXEL,
    SMALL,
    TABLET,
    OpenPage,
    become_host,
    close_sheet,
    is_too_wide,
    live,
    open_sheet,
    seated,
    sit,
)
from tests.support.page import catalog
from tock_companion.table.runtime.live import Table
from tock_rules import Seat
from tock_web import create_app, serve
from tock_web.services import PageServices

pytestmark = pytest.mark.browser


def test_each_phone_has_its_own_language(site: str, open_page: OpenPage) -> None:
    french = seated(open_page, site, "P0", "Anna", PIXEL, "fr-CA")
    english = seated(open_page, site, "P1", "Bob", PIXEL, "en-CA")
    expect(french.get_by_test_id("turn")).to_contain_text("À toi")
    expect(english.get_by_test_id("turn")).to_contain_text("Anna’s turn.")

    rules = french.get_by_test_id("rules").locator("h3").first
    open_sheet(french, "rules")
    expect(rules).to_have_text("Le but")
    close_sheet(french)
    french.get_by_test_id("language").click()
    expect(french.get_by_test_id("turn")).to_contain_text("Your turn,")
    expect(rules).not_to_have_text("Le but")
    expect(french.locator("html")).to_have_attribute("lang", "en")
    expect(english.get_by_test_id("language")).to_have_text("Français")
    french.reload()
    expect(french.get_by_test_id("turn")).to_contain_text("Your turn,")


def change(page: Page, setting: str) -> None:
    """Step a setting of this phone on by one."""
    open_sheet(page, "settings")
    page.locator(f"#{setting}").click()
    close_sheet(page)


@pytest.mark.parametrize("locale", ["fr-CA", pytest.param("en-CA", marks=pytest.mark.slow)])
def test_a_small_phone_has_large_buttons(site: str, open_page: OpenPage, locale: str) -> None:
    page = seated(open_page, site, "P0", "Anna", SMALL, locale)
    assert not is_too_wide(page)
    cards = page.locator(".card-button")
    assert cards.count() == 54
    assert all(height >= 48 for height in heights(page, ".card-button"))
    page.get_by_test_id("hand-card-6H").click()
    expect(page.get_by_test_id("legal-move")).to_have_count(2)
    assert all(height >= 48 for height in heights(page, "button:not([hidden])"))
    assert not is_too_wide(page)


def heights(page: Page, selector: str) -> list[float]:
    found: list[float] = page.evaluate(
        "(selector) => [...document.querySelectorAll(selector)].map((node) => node.getBoundingClientRect().height)",
        selector,
    )
    return [height for height in found if height > 0]


def test_the_join_form_says_what_is_missing(site: str, open_page: OpenPage) -> None:
    page = live(open_page(f"{site}/"))
    page.get_by_test_id("join-enter").click()
    expect(page.get_by_test_id("toast")).to_have_text(re.compile("prénom"))
    page.get_by_test_id("join-name").fill("Anna")
    page.get_by_test_id("join-enter").click()
    expect(page.get_by_test_id("toast")).to_have_text(re.compile("couleur"))


def test_a_taken_seat_is_given_by_who_holds_it(site: str, open_page: OpenPage) -> None:
    tablet = live(open_page(f"{site}/"))
    old = seated(open_page, site, "P2", "Zoé")
    tile = tablet.get_by_test_id("join-seat-P2")
    expect(tile).to_contain_text("Zoé")
    tablet.get_by_test_id("join-name").fill("Zoé")
    tile.click()
    tablet.get_by_test_id("join-enter").click()
    expect(old.get_by_test_id("seat-wish")).to_contain_text("Zoé")
    old.get_by_test_id("seat-yes").click()
    tablet.wait_for_url("**/seat")
    live(tablet)
    old.wait_for_url(f"{site}/")


def test_a_phone_that_comes_back_finds_its_seat(site: str, open_page: OpenPage) -> None:
    page = sit(open_page(f"{site}/"), "P0", "Anna")
    page.goto(f"{site}/")
    page.wait_for_url("**/seat")
    open_sheet(page, "leave")
    expect(page).to_have_url(re.compile("/seat$"))
    page.get_by_test_id("danger-yes").click()
    page.wait_for_url(f"{site}/")
    expect(page.get_by_test_id("join-name")).to_have_value("Anna")


def test_a_name_is_never_markup(site: str, open_page: OpenPage) -> None:
    page = seated(open_page, site, "P0", "<b>Anna</b>")
    expect(page.locator(".seats li").first).to_contain_text("<b>Anna</b>")


def test_a_companion_that_starts_again_is_followed_again(
    app: Flask, table: Table, open_page: OpenPage
) -> None:
    server = serve(app, "127.0.0.1", 0)
    page = live(open_page(f"http://tock.local:{server.port}/watch"))
    server.stop()
    expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "lost")
    with serve(create_app(table), "127.0.0.1", server.port):
        live(page)


def test_a_phone_that_prefers_the_dark_has_night_until_it_prefers_light(
    site: str, open_page: OpenPage
) -> None:
    page = live(open_page(f"{site}/watch", color_scheme="dark"))
    expect(page.locator("body")).to_have_css("background-color", "rgb(21, 19, 15)")
    page.emulate_media(color_scheme="light")
    expect(page.locator("body")).to_have_css("background-color", "rgb(246, 239, 225)")
    change(page, "theme")
    expect(page.locator("html")).to_have_attribute("data-theme", "night")
    page.emulate_media(color_scheme="dark")
    change(page, "theme")
    change(page, "theme")
    expect(page.locator("html")).to_have_attribute("data-theme", "day")
    page.emulate_media(color_scheme="light")
    page.emulate_media(color_scheme="dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "day")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "day")


def test_an_ending_is_confirmed_elsewhere_and_can_be_undone(table: Table, open_page: OpenPage) -> None:
    """A double tap switched the table off: "yes" stood where the first tap had been."""
    ended: list[str] = []

    def shut_down() -> bool:
        ended.append("off")
        return True

    app = create_app(table, PageServices(shut_down=shut_down))
    with serve(app, "127.0.0.1", 0) as running:
        site = f"http://{HOST}:{running.port}"
        host = live(open_page(f"{site}/host"))
        become_host(host)
        expect(host.get_by_test_id("open-end")).to_be_visible()
        seated(open_page, site, "P1", "Tom")
        for sheet, button in (("seats", "free-P1"), ("end", "shutdown")):
            open_sheet(host, sheet)
            place = host.get_by_test_id(button)
            place.scroll_into_view_if_needed()
            box = place.bounding_box()
            assert box
            for _ in range(4):
                host.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            yes = host.get_by_test_id("danger-yes").bounding_box()
            assert yes
            assert not (yes["y"] <= box["y"] + box["height"] / 2 <= yes["y"] + yes["height"]), button
            assert faults_day_and_night(host, "[data-testid=danger]") == []
            host.get_by_test_id("danger-yes").click()
            host.get_by_test_id("danger-undo").click()
            expect(host.get_by_test_id("danger")).to_have_count(0)
            if button != "shutdown":
                close_sheet(host)
        assert ended == []
        assert Seat.P1 in table.people.names()
        host.get_by_test_id("shutdown").click()
        host.get_by_test_id("danger-yes").click()
        expect(host.get_by_test_id("toast")).to_have_text(catalog("fr")["shutdown-machine"])
        assert ended == ["off"]


def test_a_left_hander_has_the_buttons_at_the_left(site: str, open_page: OpenPage) -> None:
    page = seated(open_page, site, "P0", "Anna")
    before = page.get_by_test_id("zoom").bounding_box()
    open_sheet(page, "settings")
    page.get_by_label("main gauche").check()
    close_sheet(page)
    after = page.get_by_test_id("zoom").bounding_box()
    assert before is not None
    assert after is not None
    assert after["x"] < before["x"]
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-thumb", "left")


def test_the_own_zone_can_be_enlarged(site: str, open_page: OpenPage) -> None:
    page = seated(open_page, site, "P0", "Anna")
    home = page.get_by_test_id("hole-P0-H1")
    before = home.bounding_box()
    page.get_by_test_id("zoom").click()
    after = home.bounding_box()
    assert before is not None
    assert after is not None
    assert after["width"] == pytest.approx(before["width"] / 0.6, rel=0.01)
    expect(page.get_by_test_id("hole-P0-C1")).to_be_in_viewport()
    page.get_by_test_id("zoom").click()
    assert home.bounding_box() == before


def test_the_code_on_the_screen_leads_phones_to_the_page(site: str, open_page: OpenPage) -> None:
    cv2 = pytest.importorskip("cv2")
    numpy = pytest.importorskip("numpy")
    page = live(open_page(f"{site}/", TABLET))
    picture = page.locator(".invite img").screenshot()
    image = cv2.imdecode(numpy.frombuffer(picture, dtype=numpy.uint8), cv2.IMREAD_COLOR)
    text, _, _ = cv2.QRCodeDetector().detectAndDecode(image)
    assert text == page.locator("#url").inner_text()
    assert re.fullmatch(r"http://[0-9.]+:\d+/", text)
