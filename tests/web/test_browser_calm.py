"""Sentences shown while a move is under way, and warnings by whom they speak to."""

import pytest
from playwright.sync_api import expect

from tests.support.browsing import PIXEL, OpenPage, hole, seated, tell
from tests.support.tables import put
from tock_companion.table.runtime.live import Table
from tock_rules import Seat

pytestmark = pytest.mark.browser


def test_half_a_capture_is_shown_in_blue_and_ringed(site: str, open_page: OpenPage, table: Table) -> None:
    anna = seated(open_page, site, "P0", "Anna", PIXEL, "fr-CA")
    anna.get_by_test_id("hand-card-6H").click()
    expect(anna.get_by_test_id("legal-move").first).to_be_visible()
    put(table, "T26", "P1-C4")
    guidance = anna.get_by_test_id("guidance")
    expect(guidance).to_have_attribute("data-code", "unfinished/put")
    expect(guidance).to_contain_text("Pose maintenant le pion rouge sur la case 8 bleue.")
    expect(anna.locator(".mend.calm")).to_have_count(1)
    expect(anna.get_by_test_id("warning")).to_have_count(0)
    put(table, "T20", "T26")
    expect(anna.get_by_test_id("turn")).to_contain_text("P1")
    expect(guidance).to_have_count(0)


def test_a_pawn_between_two_holes_is_named_and_ringed(site: str, open_page: OpenPage, table: Table) -> None:
    anna = seated(open_page, site, "P0", "Anna", PIXEL, "fr-CA")
    anna.get_by_test_id("hand-card-6H").click()
    expect(anna.get_by_test_id("legal-move").first).to_be_visible()
    scene = table.scene
    assert scene is not None
    (pawn,) = [pawn for pawn in scene.state.pawns if scene.hole_of(pawn) == "T4"]
    one, other = scene.board.hole("T9"), scene.board.hole("T10")
    scene.move_pawn(pawn.id, (one.x_mm + other.x_mm) / 2, (one.y_mm + other.y_mm) / 2)
    guidance = anna.get_by_test_id("guidance")
    expect(guidance).to_have_attribute("data-code", "loose/between", timeout=3_000)
    expect(guidance).to_contain_text("Le pion rouge est entre deux cases")
    expect(anna.get_by_test_id("spot")).to_have_count(1)
    assert pawn.seat is Seat.P0


def test_another_card_tapped_takes_the_place_of_the_laid_one(site: str, open_page: OpenPage) -> None:
    anna = seated(open_page, site, "P0", "Anna", PIXEL, "fr-CA")
    tell(anna, "6H", "8S")
    anna.get_by_test_id("hand-card-6H").click()
    expect(anna.get_by_test_id("take-back")).to_be_visible()
    anna.get_by_test_id("hand-card-8S").click()
    expect(anna.locator(".laid-card")).to_contain_text("8 de pique")
    anna.get_by_test_id("take-back").click()
    expect(anna.get_by_test_id("hand-card-6H")).to_be_enabled()
    expect(anna.get_by_test_id("hand-card-8S")).to_be_enabled()


def test_more_cards_than_are_dealt_are_asked_about(site: str, open_page: OpenPage) -> None:
    anna = seated(open_page, site, "P0", "Anna", PIXEL, "fr-CA")
    anna.get_by_test_id("hand-enter").click()
    for card in ("6H", "8S", "9D", "QS", "KH", "2C"):
        anna.get_by_test_id(f"enter-card-{card}").click()
    save = anna.get_by_test_id("hand-save")
    save.click()
    expect(anna.get_by_test_id("hand-sure")).to_contain_text("6 cartes")
    save.click()
    expect(anna.get_by_test_id("hand-card-6H")).to_be_in_viewport()


def test_many_pawns_out_of_place_are_one_sentence_and_the_host_may_take_the_board(
    site: str, open_page: OpenPage, table: Table
) -> None:
    anna = seated(open_page, site, "P0", "Anna", PIXEL, "fr-CA")
    bob = seated(open_page, site, "P1", "Bob", PIXEL, "en-GB")
    for source, target in (("T4", "T8"), ("T20", "T33"), ("T26", "T40"), ("T60", "T51")):
        put(table, source, target)
    expect(anna.get_by_test_id("many-wrong")).to_contain_text("4 pions ne sont pas à leur place.")
    expect(bob.get_by_test_id("many-wrong")).to_contain_text("4 pawns are not in their places.")
    expect(anna.get_by_test_id("turn")).to_contain_text("Un pion n’est pas à sa place.")
    expect(anna.get_by_test_id("repair-step")).to_have_count(0)
    expect(bob.get_by_test_id("accept-here")).to_have_count(0)
    anna.get_by_test_id("accept-here").click()
    expect(anna.get_by_test_id("warning")).to_have_count(0)
    expect(hole(anna, "T8")).to_have_attribute("data-pawn", "P0")
    # A turn that is taken back makes one calm sentence as well.
    anna.get_by_test_id("hand-card-6H").click()
    expect(anna.get_by_test_id("legal-move").first).to_be_visible()
    put(table, "T8", "T14")
    anna.get_by_test_id("undo").click()
    for source, target in (("T33", "T36"), ("T40", "T42"), ("T51", "T55")):
        put(table, source, target)
    expect(anna.get_by_test_id("many-wrong")).to_contain_text("Ton coup est annulé")
    expect(anna.get_by_test_id("many-wrong")).to_contain_text("4 pions ne sont pas à leur place.")
    expect(anna.get_by_test_id("warning")).to_have_class("warning calm")
    expect(anna.get_by_test_id("accept-here")).to_have_count(0)
