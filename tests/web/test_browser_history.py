"""The game seen again, gone back to together, and the board put right by touch."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.support.browsing import TABLET, OpenPage, drag, hole, live, open_menu, open_sheet, seated
from tests.support.tables import wait_for
from tock_companion.core.requests import Role, parse_request
from tock_companion.table.runtime.live import Table
from tock_rules import Hole, Position, Seat

pytestmark = pytest.mark.browser
TURNS = ((Seat.P0, "6H", "P0:T4>T10"), (Seat.P1, "9H", "P1:T26>T35"))


def play(table: Table) -> None:
    for seat, card, move in TURNS:
        assert table.request(parse_request("play_card", {"card": card}, Role.SEAT, seat)).ok
        assert table.request(parse_request("move", {"text": move}, Role.SEAT, seat)).ok


def test_a_game_is_seen_again_and_gone_back_in_by_vote(
    blind_site: str, blind_table: Table, open_page: OpenPage
) -> None:
    """Fault 14: the vote appeared above the screen of everybody who had scrolled."""
    small = {"width": 390, "height": 500}
    anna = seated(open_page, blind_site, "P0", "Anna", small)
    bob = seated(open_page, blind_site, "P1", "Bob", small, locale="en-CA")
    play(blind_table)
    bob.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    open_menu(anna)
    anna.get_by_test_id("replay-open").click()
    shown = anna.get_by_test_id("replay")
    expect(hole(shown, "T35")).to_have_attribute("data-pawn", "P1")
    anna.get_by_test_id("replay-back").click()
    expect(hole(shown, "T26")).to_have_attribute("data-pawn", "P1")
    expect(anna.get_by_test_id("replay-step")).to_contain_text("6♥")
    anna.get_by_test_id("replay-slider").press("Home")
    expect(hole(shown, "T4")).to_have_attribute("data-pawn", "P0")
    anna.get_by_test_id("propose-back").click()
    for phone in (anna, bob):
        expect(phone.get_by_test_id("proposal")).to_be_in_viewport(ratio=0.9)
        expect(phone.get_by_test_id("proposal")).to_contain_text("Anna")
    bob.get_by_test_id("vote-yes").click()
    expect(hole(bob, "T4")).to_have_attribute("data-pawn", "P0")
    expect(bob.get_by_test_id("proposal")).to_have_count(0)
    expect(bob.get_by_test_id("turn")).to_contain_text("P0")


def test_the_game_is_taken_away_as_text(blind_site: str, blind_table: Table, open_page: OpenPage) -> None:
    play(blind_table)
    watcher = live(open_page(f"{blind_site}/watch"))
    open_menu(watcher)
    watcher.get_by_test_id("replay-open").click()
    with watcher.expect_download() as download:
        watcher.get_by_test_id("record-file").click()
    assert "P0 plays 6H P0:T4>T10" in download.value.path().read_text()
    watcher.get_by_test_id("record-copy").click()
    expect(watcher.get_by_test_id("toast")).to_be_visible()
    expect(watcher.get_by_test_id("propose-back")).to_have_count(0)


def test_the_host_reads_names_in_the_journal(
    blind_site: str, blind_table: Table, open_page: OpenPage
) -> None:
    host = seated(open_page, blind_site, "P0", "Anna")
    play(blind_table)
    host.goto(f"{blind_site}/host")
    live(host)
    open_sheet(host, "journal")
    journal = host.locator("#journal")
    journal.locator("summary").click()
    expect(journal).to_contain_text("Anna joue 6♥")
    reported = Position.parse(journal.get_by_test_id("journal-position").input_value())
    assert reported.to_move is Seat.P2
    assert reported.board.occupied()[Hole.parse("T35")] is Seat.P1
    assert not re.search(r"\bP[0-7]\b", journal.inner_text())


def touch(dialog: Locator, hole_id: str) -> None:
    """Touch the place first and the hole under the magnifier then."""
    for _ in range(2):
        hole(dialog, hole_id).tap()


def test_the_board_is_put_right_by_touch(site: str, table: Table, open_page: OpenPage) -> None:
    anna = seated(open_page, site, "P0", "Anna")
    open_menu(anna)
    anna.get_by_test_id("correct-open").click()
    dialog = anna.get_by_test_id("correct")
    touch(dialog, "T20")
    touch(dialog, "T21")
    touch(dialog, "T26")
    touch(dialog, "T27")
    anna.get_by_test_id("correct-undo").click()
    expect(hole(dialog, "T26")).to_have_attribute("data-pawn", "P1")
    anna.get_by_test_id("correct-send").click()
    view = wait_for(table, lambda view: view["holes"].get("T21") == "P0")
    assert view["holes"]["T26"] == "P1"


def test_the_turn_button_stands_where_a_move_waits_and_ends_the_waiting(
    site: str, open_page: OpenPage
) -> None:
    anna = seated(open_page, site, "P0", "Anna")
    table = live(open_page(f"{site}/sim", TABLET))
    tom = seated(open_page, site, "P1", "Tom")
    anna.get_by_test_id("hand-card-7H").click()
    expect(anna.get_by_test_id("legal-move").first).to_be_visible()
    expect(anna.get_by_test_id("decide-now")).to_be_hidden()
    drag(table, "T4", "T8")
    expect(tom.get_by_test_id("guidance")).to_be_visible()
    expect(tom.get_by_test_id("decide-now")).to_be_hidden()
    anna.get_by_test_id("decide-now").click()
    expect(anna.get_by_test_id("warning")).to_be_visible()
    expect(anna.get_by_test_id("decide-now")).to_be_hidden()
