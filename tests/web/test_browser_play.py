"""A game on phones and on the simulated table: what one does the others see."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.browsing import PIXEL, TABLET, OpenPage, become_host, drag, hole, live, open_sheet, seated
from tests.support.tables import send
from tock_companion.core.requests import Role, parse_request
from tock_companion.table.runtime.live import Table
from tock_companion.views.wording.statements import statement
from tock_rules import Seat

pytestmark = pytest.mark.browser


def test_a_wrong_move_warns_until_the_board_is_mended(site: str, open_page: OpenPage) -> None:
    anna = seated(open_page, site, "P0", "Anna", PIXEL, "fr-CA")
    bob = seated(open_page, site, "P1", "Bob", PIXEL, "en-CA")
    table = live(open_page(f"{site}/sim", TABLET))
    anna.get_by_test_id("hand-card-6H").click()
    expect(anna.get_by_test_id("legal-move")).to_have_count(2)

    anna.locator(".actions").scroll_into_view_if_needed()
    drag(table, "T4", "T11")
    expect(anna.get_by_test_id("warning").locator(".warning-message")).to_be_in_viewport(ratio=1)
    for phone in (anna, bob, table):
        expect(phone.get_by_test_id("warning")).to_be_visible()
        expect(phone.get_by_test_id("repair-step")).to_have_count(1)
    message = anna.get_by_test_id("warning").locator(".warning-message")
    expect(message).to_contain_text("Tu as joué un 6, mais tu as avancé de 7 cases.")
    expect(table.get_by_test_id("warning")).to_contain_text("Anna a joué un 6 et avancé de 7 cases.")
    expect(bob.get_by_test_id("warning")).to_contain_text("Anna")
    step = anna.get_by_test_id("repair-step")
    expect(step).to_have_attribute("data-from", "T11")
    target = step.get_attribute("data-to")
    assert target is not None
    assert anna.get_by_test_id("warning").get_attribute("data-breaks")
    expect(anna.get_by_test_id("rule-text")).to_be_hidden()
    anna.get_by_test_id("rule-ref").first.click()
    sentences = anna.get_by_test_id("rule-text").locator("li")
    expect(sentences).to_have_count(2)
    expect(sentences.first).to_have_text(statement("R004-21")["fr"])
    assert "R004" not in anna.locator("body").inner_text()
    assert anna.locator("[title*=R004]").count() == 0

    drag(table, "T11", target)
    for phone in (anna, bob, table):
        expect(phone.get_by_test_id("warning")).to_have_count(0)


def test_a_taken_pawn_may_be_moved_after_the_pawn_that_takes_it(site: str, open_page: OpenPage) -> None:
    anna = seated(open_page, site, "P0", "Anna")
    table = live(open_page(f"{site}/sim", TABLET))
    table.get_by_test_id("hand-card-6H").click()
    expect(anna.locator('[data-move="P0:T20>T26"]')).to_be_visible()
    drag(table, "T20", "T26")
    # Two pawns stand in one hole now; the one that was there first is taken up.
    hole(table, "T26").drag_to(hole(table, "P1-C4"))
    expect(hole(table, "T26")).to_have_attribute("data-pawn", "P0")
    expect(hole(anna, "T26")).to_have_attribute("data-pawn", "P0")
    expect(anna.get_by_test_id("turn")).to_contain_text("P1")


def test_a_pawn_dropped_beside_a_hole_stays_there(site: str, open_page: OpenPage) -> None:
    table = live(open_page(f"{site}/sim", TABLET))
    start, aside = hole(table, "T4").bounding_box(), hole(table, "P0-H2").bounding_box()
    assert start is not None
    assert aside is not None
    table.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    table.mouse.down()
    table.mouse.move((start["x"] + aside["x"] + aside["width"]) / 2, start["y"], steps=4)
    table.mouse.up()
    expect(hole(table, "T4")).to_have_attribute("data-pawn", "")
    expect(table.locator("[data-pawn-id=P0-3]")).to_be_visible()


def test_a_pawn_dragged_off_the_board_waits_in_the_tray_and_comes_back(
    site: str, open_page: OpenPage
) -> None:
    table = live(open_page(f"{site}/sim", TABLET))
    tray = table.get_by_test_id("sim-tray")
    _drag_off(table, "T4")
    expect(hole(table, "T4")).to_have_attribute("data-pawn", "")
    lost = tray.locator("[data-pawn-id^=P0]")
    expect(lost).to_be_visible()
    size = lost.bounding_box()
    assert size is not None
    assert min(size["width"], size["height"]) >= 44

    table.reload()
    live(table)
    lost.drag_to(hole(table, "T4"))
    expect(hole(table, "T4")).to_have_attribute("data-pawn", "P0")
    expect(lost).to_have_count(0)

    # By touch without dragging, and by keyboard.
    _drag_off(table, "T4")
    lost.tap()
    hole(table, "T4").tap()
    expect(hole(table, "T4")).to_have_attribute("data-pawn", "P0")
    hole(table, "T4").press("Enter")
    table.get_by_test_id("sim-set-aside").press("Enter")
    lost.press("Enter")
    expect(lost).to_be_focused()
    hole(table, "T4").press("Enter")
    expect(hole(table, "T4")).to_have_attribute("data-pawn", "P0")

    for source in ("T4", "T26"):
        _drag_off(table, source)
    table.get_by_test_id("sim-put-back").click()
    expect(hole(table, "T4")).to_have_attribute("data-pawn", "P0")
    expect(hole(table, "T26")).to_have_attribute("data-pawn", "P1")
    expect(tray.locator("[data-pawn-id]")).to_have_count(0)


def _drag_off(table: Page, source: str) -> None:
    start, board = hole(table, source).bounding_box(), table.get_by_test_id("board").bounding_box()
    assert start is not None
    assert board is not None
    table.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    table.mouse.down()
    table.mouse.move(board["x"] + board["width"] + 20, start["y"] - 30, steps=4)
    table.mouse.up()
    expect(hole(table, source)).to_have_attribute("data-pawn", "")


def test_a_hand_over_the_board_hides_holes_from_the_camera_only(site: str, open_page: OpenPage) -> None:
    anna = seated(open_page, site, "P0", "Anna")
    table = live(open_page(f"{site}/sim", TABLET))
    table.get_by_test_id("sim-hand").click()
    expect(table.locator(".hand-over")).to_be_visible()
    expect(anna.locator(".layer-seen .hatch").first).to_be_attached()
    expect(anna.get_by_test_id("warning")).to_have_count(0)
    table.get_by_test_id("sim-hand").click()
    expect(anna.locator(".layer-seen .hatch")).to_have_count(0)


def test_a_touch_on_the_board_chooses_the_move_that_leads_there(site: str, open_page: OpenPage) -> None:
    anna = seated(open_page, site, "P0", "Anna")
    anna.get_by_test_id("hand-card-6H").click()
    chosen = anna.locator('[data-move="P0:T4>T10"]')
    expect(chosen).to_have_attribute("aria-pressed", "false")
    hole(anna, "T10").tap()
    expect(chosen).to_have_attribute("aria-pressed", "true")
    hole(anna, "T10").tap()
    expect(chosen).to_have_attribute("aria-pressed", "true")
    hole(anna, "C").tap()
    expect(chosen).to_have_attribute("aria-pressed", "false")


def test_the_host_pauses_the_game_and_starts_another(site: str, open_page: OpenPage) -> None:
    host = open_page(f"{site}/host", TABLET, "en-CA")
    become_host(host)
    anna = seated(open_page, site, "P0", "Anna")
    expect(host.locator("#host-tools")).to_be_visible()
    live(host)
    host.get_by_test_id("pause").click()
    expect(anna.get_by_test_id("turn")).to_have_attribute("data-expects", "paused")
    expect(anna.get_by_test_id("hand-card-6H")).to_have_count(0)
    host.get_by_test_id("pause").click()
    expect(anna.get_by_test_id("hand-card-6H")).to_be_visible()
    open_sheet(host, "new-game")
    host.get_by_test_id("new-game").click()
    host.get_by_test_id("danger-yes").click()
    expect(anna.locator("#lobby")).to_be_visible()
    expect(hole(anna, "T4")).to_have_attribute("data-pawn", "")


def test_the_players_are_listed_by_name_and_the_own_seat_is_marked(site: str, open_page: OpenPage) -> None:
    anna = seated(open_page, site, "P0", "Anna")
    seated(open_page, site, "P1", "Bob")
    players = anna.locator("#menu .seats")
    expect(players.locator("li", has_text="Anna")).to_have_text(re.compile(r"^Anna \((you|toi)\)"))
    expect(players).not_to_contain_text(re.compile(r"\bP[0-7]\b|Bob \("))


def test_without_a_camera_a_touch_plays_the_move(blind_site: str, open_page: OpenPage) -> None:
    anna = seated(open_page, blind_site, "P0", "Anna")
    anna.get_by_test_id("hand-card-6H").click()
    anna.locator('[data-move="P0:T4>T10"]').click()
    expect(hole(anna, "T10")).to_have_attribute("data-pawn", "P0")
    expect(anna.get_by_test_id("turn")).to_contain_text("P1")
    anna.get_by_test_id("undo").click()
    expect(hole(anna, "T4")).to_have_attribute("data-pawn", "P0")


def test_a_joker_keeps_the_turn_until_it_is_ended(blind_site: str, open_page: OpenPage) -> None:
    anna = seated(open_page, blind_site, "P0", "Anna")
    anna.get_by_test_id("hand-card-JOK_C").click()
    anna.locator('[data-move="P0:T4>T22"]').click()
    expect(hole(anna, "T22")).to_have_attribute("data-pawn", "P0")
    expect(anna.get_by_test_id("hand-card-6H")).to_be_visible()
    anna.get_by_test_id("end-turn").click()
    expect(anna.get_by_test_id("turn")).to_contain_text("P1")
    expect(anna.locator("#menu .stored")).to_be_attached()


def test_a_card_without_a_move_is_thrown_away(
    blind_site: str, blind_table: Table, open_page: OpenPage
) -> None:
    chloe = seated(open_page, blind_site, "P2", "Chloé")
    for seat, card, move in ((Seat.P0, "6H", "P0:T4>T10"), (Seat.P1, "9H", "P1:T26>T35")):
        assert blind_table.request(parse_request("play_card", {"card": card}, Role.SEAT, seat)).ok
        assert blind_table.request(parse_request("move", {"text": move}, Role.SEAT, seat)).ok
    chloe.get_by_test_id("hand-card-9S").click()
    expect(chloe.get_by_test_id("legal-move")).to_have_count(0)
    chloe.get_by_test_id("discard").click()
    expect(chloe.get_by_test_id("turn")).to_contain_text("P3")


def test_a_move_without_a_card_is_asked_about(site: str, open_page: OpenPage) -> None:
    anna = seated(open_page, site, "P0", "Anna")
    bob = seated(open_page, site, "P1", "Bob")
    table = live(open_page(f"{site}/sim", TABLET))
    drag(table, "T4", "T13")
    expect(anna.get_by_test_id("question")).to_be_visible()
    expect(bob.get_by_test_id("question")).to_be_visible()
    expect(bob.get_by_test_id("choice")).to_have_count(0)
    anna.locator("[data-choice='9H']").click()
    expect(anna.get_by_test_id("question")).to_have_count(0)
    expect(hole(anna, "T13")).to_have_attribute("data-pawn", "P0")
    expect(anna.get_by_test_id("turn")).to_contain_text("P1")


def test_the_host_may_answer_for_an_empty_seat(site: str, open_page: OpenPage) -> None:
    table = live(open_page(f"{site}/sim", TABLET))
    host = open_page(f"{site}/host", TABLET)
    become_host(host)
    drag(table, "T4", "T13")
    host.locator("[data-choice='9S']").click()
    expect(hole(host, "T13")).to_have_attribute("data-pawn", "P0")


def test_the_host_takes_the_board_as_it_is_seen(site: str, open_page: OpenPage) -> None:
    table = live(open_page(f"{site}/sim", TABLET))
    host = open_page(f"{site}/host", TABLET)
    become_host(host)
    table.get_by_test_id("hand-card-6H").click()
    drag(table, "T4", "T11")
    expect(host.get_by_test_id("warning")).to_be_visible()
    host.get_by_test_id("accept-board").click()
    expect(host.get_by_test_id("warning")).to_have_count(0)
    expect(hole(host, "T11")).to_have_attribute("data-pawn", "P0")


def test_a_double_tap_is_sent_once_and_the_next_tap_is_not_lost(blind_site: str, open_page: OpenPage) -> None:
    anna = seated(open_page, blind_site, "P0", "Anna")
    asked: list[str] = []
    anna.on("request", lambda request: asked.append(request.url) if request.method == "POST" else None)
    anna.evaluate(
        """() => {
          const card = document.querySelector("[data-testid=hand-card-6H]");
          card.click();
          card.click();
          document.querySelector("[data-testid=undo]").click();
        }"""
    )
    expect(anna.locator("body")).not_to_have_class("busy")
    assert len(asked) == 2


def test_a_double_tap_on_the_host_s_undo_takes_one_turn_back(
    blind_site: str, blind_table: Table, open_page: OpenPage
) -> None:
    """The answer to the first tap is there before the second tap."""
    for seat, text in ((Seat.P0, "P0:T4>T10"), (Seat.P1, "P1:T26>T32")):
        for kind, data in (("play_card", {"card": "6H"}), ("move", {"text": text})):
            assert send(blind_table.request, kind, data, Role.SEAT, seat).ok
    host = open_page(f"{blind_site}/host", TABLET)
    become_host(host)
    expect(live(host).get_by_test_id("undo")).to_be_enabled()
    host.evaluate(
        """() => {
          const undo = document.querySelector("[data-testid=undo]");
          undo.click();
          return new Promise((done) => setTimeout(() => done(undo.click()), 200));
        }"""
    )
    expect(hole(host, "T26")).to_have_attribute("data-pawn", "P1")
    expect(hole(host, "T10")).to_have_attribute("data-pawn", "P0")
