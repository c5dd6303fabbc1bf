"""The second evening with the same people: the cards' hints, one's own seat, the others' seats."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.browsing import HOST, OpenPage, is_too_wide, live, seated, sit, small_targets
from tests.support.taps import Household
from tock_companion.boardfile import generate
from tock_companion.core.requests import Role, parse_request
from tock_companion.core.state import Lobby
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_rules import Seat
from tock_web import create_app, serve

pytestmark = pytest.mark.browser
SMALL, USUAL = {"width": 360, "height": 640}, {"width": 390, "height": 844}


def opened(folder: Path) -> Table:
    table = Table(generate(4, 440), Store(folder), lobby=Lobby())
    table.start()
    return table


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[tuple[Table, str]]:
    """A table in the lobby, and its address."""
    table = opened(tmp_path)
    with serve(create_app(table), "127.0.0.1", 0) as running:
        yield table, f"http://{HOST}:{running.port}"
    table.stop()


def test_one_tap_in_the_lobby_changes_the_letters_of_everybody_s_cards(
    evening: tuple[Table, str], open_page: OpenPage
) -> None:
    """New fault 7: French families read J, Q, K, and the choice lay four taps deep in the host's page."""
    lea = seated(open_page, evening[1], "P0", "Léa")
    tom = seated(open_page, evening[1], "P1", "Tom", locale="en-GB")
    french = lea.get_by_test_id("lobby-deck-french")
    expect(french).to_have_attribute("aria-pressed", "true")
    king = '[data-testid="hand-card-KS"] [data-letter]'
    read = "node => getComputedStyle(node, '::before').content"
    lea.get_by_test_id("begin").tap()
    assert lea.locator(king).evaluate(read) == '"R"'
    assert evening[0].request(parse_request("prepare", {}, Role.HOST)).ok
    french.tap()
    expect(tom.locator("html")).to_have_attribute("data-indices", "french")
    lea.get_by_test_id("begin").tap()
    lea.get_by_test_id("hand-card-KS").tap()
    expect(lea.get_by_test_id("turn")).to_contain_text("R♠")
    expect(tom.get_by_test_id("turn")).to_contain_text("R♠")


@pytest.mark.parametrize("size", [SMALL, USUAL], ids=["small", "usual"])
def test_the_few_cards_that_help_come_first(
    evening: tuple[Table, str], open_page: OpenPage, size: dict[str, int]
) -> None:
    """J1: kings stood below the fold exactly where only aces, kings and jokers help."""
    lea = seated(open_page, evening[1], "P0", "Léa", size)
    lea.get_by_test_id("begin").tap()
    field = lea.locator("#cards")
    expect(field.locator(".pack")).to_have_count(2)
    helping = field.locator(".pack").first
    ranks = helping.locator("button").evaluate_all("all => all.map(one => one.dataset.testid.slice(10))")
    assert {card.rstrip("SHDC") for card in ranks} == {"A", "K", "JOK_B", "JOK_"}
    expect(lea.get_by_test_id("hand-card-KS")).to_be_in_viewport(ratio=1)


def test_every_phone_shows_and_says_who_one_is_and_with_whom(
    evening: tuple[Table, str], open_page: OpenPage
) -> None:
    """New fault 8: after a rematch with other seats Mamie was yellow, Tom green and Guy blue without one word."""
    table, url = evening
    lea = seated(open_page, url, "P0", "Léa", SMALL)
    mamie = seated(open_page, url, "P1", "Mamie", locale="en-GB")
    table.people.join("Tom", Seat.P2)
    expect(lea.get_by_test_id("me").locator(".out-of-sight")).to_have_text("Tu es Rouge, avec Tom")
    table.people.join("Guy", Seat.P3)
    expect(mamie.get_by_test_id("me").locator(".out-of-sight")).to_have_text("You are Blue, with Guy")
    lea.get_by_test_id("begin").tap()
    expect(lea.locator("#lobby")).to_be_hidden()
    assert lea.locator("#toast").count() == 0, "nothing has changed"
    table.end_game("given up")
    assert table.request(parse_request("rematch", {"rotate": True}, Role.HOST)).ok
    expect(lea.get_by_test_id("toast")).to_have_text("Maintenant, tu es Rouge, avec Mamie.")
    expect(mamie.get_by_test_id("toast")).to_have_text("From now on, you are Yellow, with Léa.")
    for phone, name in ((lea, "Mamie"), (mamie, "Léa")):
        live(phone)
        coin = phone.get_by_test_id("me")
        expect(coin).to_contain_text(name)
        expect(coin.locator("svg")).to_be_in_viewport(ratio=1)
        assert not is_too_wide(phone)
    # On every other page the same phone knows it too.
    mamie.goto(f"{url}/watch")
    expect(mamie.get_by_test_id("me")).to_contain_text("You are Yellow, with Léa")
    mamie.reload()
    expect(mamie.get_by_test_id("me")).to_be_visible()
    assert mamie.locator("#toast").count() == 0, "once is enough"


def test_the_host_makes_partners_by_touching_two_names(
    evening: tuple[Table, str], open_page: OpenPage
) -> None:
    """Wish 9: partners were chosen by chairs."""
    table, url = evening
    lea = seated(open_page, url, "P0", "Léa", SMALL)
    expect(lea.get_by_test_id("pair-line")).to_have_count(0)
    mamie = seated(open_page, url, "P1", "Mamie")
    for seat, name in ((Seat.P2, "Tom"), (Seat.P3, "Guy")):
        table.people.join(name, seat)
    expect(lea.get_by_test_id("pair-line")).to_have_text("Qui joue ensemble\u202f? Touche deux prénoms.")
    expect(mamie.get_by_test_id("pair-line")).to_have_count(0)
    lea.get_by_test_id("pair-P0").tap()
    expect(lea.get_by_test_id("pair-P0")).to_have_attribute("aria-pressed", "true")
    expect(lea.get_by_test_id("pair-line")).to_have_text("Léa joue avec… Touche l’autre prénom.")
    lea.get_by_test_id("pair-P1").tap()
    expect(lea.get_by_test_id("lobby-seat-P0")).to_contain_text("avec Mamie")
    expect(mamie.get_by_test_id("toast")).to_have_text("Maintenant, tu es Jaune, avec Léa.")
    assert small_targets(lea, ".lobby-seats") == []


def test_the_second_evening_takes_two_people_four_taps_at_most(tmp_path: Path, open_page: OpenPage) -> None:
    """Names, seats and languages of last time are offered: each sits down with one tap, and one begins."""
    table, port = opened(tmp_path), 0
    with serve(create_app(table), "127.0.0.1", 0) as running:
        port = running.port
        family = Household(f"http://{HOST}:{port}", open_page)
        lea, mamie = family.seated("Léa", "P0"), family.seated("Mamie", "P1")
        family.tap(lea.get_by_test_id("begin"))
        # Until the game has begun, the position is that of the lobby.
        for phone in (lea, mamie):
            expect(phone.locator("#lobby")).to_be_hidden()
        first = {Seat.P0: lea, Seat.P1: mamie}[table.position.to_move]
        family.tap(first.get_by_test_id("hand-card-KH"))
        first.get_by_test_id("legal-move").first.tap()
        expect(first.get_by_test_id("hand-card-KH")).to_have_count(0)
        assert family.taps <= 8, family.taps
        for phone in (lea, mamie):
            phone.get_by_test_id("menu-open").tap()
            phone.get_by_test_id("menu-leave").tap()
            phone.get_by_test_id("danger-yes").tap()
            phone.wait_for_url("**/")
        assert table.request(parse_request("prepare", {}, Role.HOST)).ok
    table.stop()
    table = opened(tmp_path)
    with serve(create_app(table), "127.0.0.1", port):
        again = Household(f"http://{HOST}:{port}", open_page)
        for phone in (lea, mamie):
            phone.goto(again.url)
        # Whoever holds the phone finds their own name first.
        expect(mamie.locator("#last-time button").first).to_contain_text("Mamie")
        for phone, seat in ((lea, "P0"), (mamie, "P1")):
            again.tap(phone.get_by_test_id(f"last-{seat}"))
            phone.wait_for_url("**/seat")
            live(phone)
        expect(mamie.get_by_test_id("lobby-seat-P1")).to_contain_text("Mamie")
        again.tap(lea.get_by_test_id("begin"))
        expect(mamie.locator("#lobby")).to_be_hidden()
        assert again.taps <= 4, again.taps
    table.stop()


def test_a_phone_finds_its_own_seat_chosen_again(evening: tuple[Table, str], open_page: OpenPage) -> None:
    table, url = evening
    lea = sit(open_page(f"{url}/"), "P2", "Léa")
    assert table.request(parse_request("free_seat", {"seat": "P2"}, Role.HOST)).ok
    lea.wait_for_url(f"{url}/")
    expect(lea.get_by_test_id("join-seat-P2")).to_have_attribute("aria-pressed", "true")
    expect(lea.get_by_test_id("join-name")).to_have_value("Léa")
