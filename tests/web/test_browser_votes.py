"""Decisions of all people together: a move taken back, a mistake among friends that may stand."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.browsing import OpenPage, hole, seated
from tests.support.tables import put
from tock_companion.core.requests import Role, parse_request
from tock_companion.table.runtime.live import Table
from tock_rules import Seat

pytestmark = pytest.mark.browser


def plays(table: Table, seat: Seat, card: str, move: str) -> None:
    """A turn on a table that nothing sees."""
    assert table.request(parse_request("play_card", {"card": card}, Role.SEAT, seat)).ok
    assert table.request(parse_request("move", {"text": move}, Role.SEAT, seat)).ok


def test_the_mover_is_asked_by_name_to_take_it_back(
    blind_site: str, blind_table: Table, open_page: OpenPage
) -> None:
    """Fault 9: one tap of anybody took anybody's move back, unasked and unnamed."""
    lea, mamie = (
        seated(open_page, blind_site, seat, name) for seat, name in (("P0", "Léa"), ("P1", "Mamie"))
    )
    plays(blind_table, Seat.P0, "6H", "P0:T4>T10")
    expect(mamie.get_by_test_id("undo")).to_have_text("Demander à Léa d’annuler son coup")
    mamie.get_by_test_id("undo").click()
    asked = lea.get_by_test_id("proposal")
    expect(asked).to_contain_text("Mamie te demande d’annuler ton dernier coup.")
    expect(asked).to_contain_text("les pions reviennent comme avant et les cartes retournent en main")
    expect(hole(mamie, "T10")).to_have_attribute("data-pawn", "P0")
    asked.get_by_test_id("vote-no").click()
    expect(mamie.get_by_test_id("toast")).to_contain_text("le coup reste joué")
    expect(hole(mamie, "T10")).to_have_attribute("data-pawn", "P0")
    mamie.get_by_test_id("undo").click()
    asked.get_by_test_id("vote-yes").click()
    expect(hole(mamie, "T4")).to_have_attribute("data-pawn", "P0")
    expect(lea.get_by_test_id("guidance")).to_contain_text("reprends 6♥ en main")
    expect(mamie.get_by_test_id("guidance")).to_contain_text("6♥ revient dans sa main")


def test_friends_let_a_mistake_pass(site: str, table: Table, open_page: OpenPage) -> None:
    """Fault 5: the mode promised it, and no page had the button."""
    lea = seated(open_page, site, "P0", "Léa")
    lea.get_by_test_id("hand-card-8H").click()
    expect(lea.get_by_test_id("legal-move").first).to_be_visible()
    put(table, "T4", "T13")
    expect(lea.get_by_test_id("warning")).to_be_visible()
    expect(lea.get_by_test_id("let-pass")).to_have_count(0)
    assert table.request(parse_request("set_mode", {"mode": "friendly"}, Role.HOST)).ok
    lea.get_by_test_id("let-pass").click()
    expect(lea.get_by_test_id("warning")).to_have_count(0)
    expect(hole(lea, "T13")).to_have_attribute("data-pawn", "P0")
    expect(lea.get_by_test_id("turn")).not_to_have_class(re.compile("mine"))


def test_a_newcomer_has_no_button_to_take_back_what_was_played_before(
    blind_site: str, blind_table: Table, open_page: OpenPage
) -> None:
    """New fault 6: who sat down on a computer's seat took two turns back with one tap, unasked."""
    computer = {"seat": "P0", "strength": "easy"}
    assert blind_table.request(parse_request("set_computer", computer, Role.HOST)).ok
    plays(blind_table, Seat.P0, "6H", "P0:T4>T10")
    rosalie = seated(open_page, blind_site, "P0", "Rosalie")
    expect(rosalie.get_by_test_id("turn")).to_be_visible()
    expect(rosalie.get_by_test_id("undo")).to_be_hidden()
    plays(blind_table, Seat.P1, "9H", "P1:T26>T35")
    blind_table.people.join("Mamie", Seat.P1)
    expect(rosalie.get_by_test_id("undo")).to_have_text("Demander à Mamie d’annuler son coup")
