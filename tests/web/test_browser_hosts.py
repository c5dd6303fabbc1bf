"""Being host in the browser: the code of the machine, the PIN, and two hosts at once."""

import pytest
from flask import Flask
from playwright.sync_api import Page, Route, expect

from tests.support.browsing import OpenPage, become_host, is_too_wide, live, open_sheet, seated
from tests.support.page import machine_code

pytestmark = pytest.mark.browser
NARROW = {"width": 390, "height": 844}


def is_on_top(page: Page, selector: str) -> bool:
    """Whether something is what one sees in its middle."""
    seen: bool = page.locator(selector).evaluate(
        """node => {
          const { x, y, width, height } = node.getBoundingClientRect();
          return node.contains(document.elementFromPoint(x + width / 2, y + height / 2));
        }"""
    )
    return seen


def test_a_pin_takes_the_machine_s_code_and_the_first_host_sees_a_second_one(
    site: str, app: Flask, open_page: OpenPage
) -> None:
    anna = seated(open_page, site, "P0", "Anna", NARROW)
    anna.goto(f"{site}/host")
    open_sheet(live(anna), "pin")
    anna.get_by_test_id("new-pin").fill("4711")
    anna.get_by_test_id("pin-proof-field").fill("0000")
    anna.get_by_test_id("new-pin-save").click()
    anna.get_by_test_id("danger-yes").click()
    expect(anna.get_by_test_id("toast")).to_contain_text("code de la machine")
    assert is_on_top(anna, "[data-testid=toast]"), "the sheet does not cover it"
    assert not is_too_wide(anna)
    anna.get_by_test_id("pin-proof-field").fill(machine_code(app))
    anna.get_by_test_id("new-pin-save").click()
    anna.get_by_test_id("danger-yes").click()
    expect(anna.get_by_test_id("menu-close")).to_be_hidden()
    open_sheet(live(anna), "pin")
    expect(anna.locator("label[for=pin-proof-field]")).to_have_text("Le code actuel")
    anna.get_by_test_id("menu-close").click()

    zoe = seated(open_page, site, "P1", "Zoé", NARROW)
    zoe.goto(f"{site}/host")
    expect(zoe.get_by_test_id("pin-hint")).to_be_hidden()
    zoe.get_by_test_id("pin").fill("0000")
    zoe.get_by_test_id("become-host").click()
    expect(zoe.get_by_test_id("pin-hint")).to_be_visible()
    expect(zoe.get_by_test_id("pin-hint")).to_contain_text("tock host forget-pin")
    assert not is_too_wide(zoe)
    zoe.get_by_test_id("pin").fill("4711")
    become_host(zoe)
    expect(zoe.get_by_test_id("other-hosts")).to_have_text("Anna est hôte aussi.")
    expect(anna.get_by_test_id("other-hosts")).to_have_text("Zoé est hôte aussi.")
    expect(anna.get_by_test_id("toast")).to_have_text("Zoé est hôte aussi.")
    anna.get_by_test_id("language").click()
    expect(anna.get_by_test_id("other-hosts")).to_have_text("Zoé is a host too.")
    open_sheet(anna, "pin")
    expect(anna.get_by_test_id("new-pin-save")).to_have_text("Save and end the other hosts")
    anna.get_by_test_id("pin-proof-field").fill("4711")
    assert not is_too_wide(anna)
    anna.get_by_test_id("end-host-P1").click()
    anna.get_by_test_id("danger-yes").click()
    expect(anna.get_by_test_id("new-pin-save")).to_have_text("Save")
    expect(zoe.locator("#host-door")).to_be_visible()


def test_without_a_pin_the_door_asks_for_the_machine_s_code_while_somebody_is_host(
    site: str, app: Flask, open_page: OpenPage
) -> None:
    seated(open_page, site, "P0", "Anna", NARROW)
    zoe = live(open_page(f"{site}/host", NARROW))
    expect(zoe.locator("#host-taken")).to_be_visible()
    expect(zoe.get_by_test_id("pin-hint")).to_contain_text("tock host code")
    zoe.get_by_test_id("pin").fill(machine_code(app))
    become_host(zoe)
    expect(zoe.locator("#host-tools")).to_be_visible()


def test_a_meeting_place_is_tried_where_a_family_wants_one(site: str, open_page: OpenPage) -> None:
    """Fault 10: it was a raw key of the settings, then a restart."""
    lea = seated(open_page, site, "P0", "Léa", NARROW)
    lea.goto(f"{site}/host")
    answers = iter((409, 200))
    asked: list[object] = []

    def answer(route: Route) -> None:
        asked.append(route.request.post_data_json)
        route.fulfill(status=next(answers), json={"ok": True, "message": {"en": "refused"}})

    lea.route("**/api/v1/machine/settings", answer)
    expect(live(lea).get_by_test_id("far-relay")).to_be_hidden()
    lea.locator("#far summary").click()
    lea.get_by_test_id("far-relay").fill("tock.example.org")
    lea.get_by_test_id("far-try").click()
    expect(lea.get_by_test_id("toast")).to_contain_text("Aucun lieu de rencontre ne répond")
    expect(lea.get_by_test_id("far-relay")).to_have_value("tock.example.org")
    lea.get_by_test_id("far-try").click()
    expect(lea.get_by_test_id("toast")).to_contain_text("la table l’utilise")
    assert asked == [{"name": "far.relay", "value": "https://tock.example.org", "proof": ""}] * 2
    assert not is_too_wide(lea)
