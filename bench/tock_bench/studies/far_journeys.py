"""Tries what two homes do with each other, and what each cut of the line between them costs, by taps and seconds.

Relay, broker, TLS and both companions are real; her phone is a browser that trusts the relay's own certificate.
"""

import os
import signal
from collections.abc import Callable
from typing import Annotated

from playwright.sync_api import Locator, Page, expect

from tests.support.browsing import hole, live
from tock_bench import clients
from tock_bench.evenings.home import try_all
from tock_bench.evenings.two_homes import TwoHomes, two_homes
from tock_bench.results import Measured, Say

SHORT_MS, LONG_MS = 3_000, 25_000


def strip(page: Page) -> Locator:
    """Say how things stand with her line."""
    return page.get_by_test_id("far-line")


def begun(homes: TwoHomes) -> tuple[Page, Page, Page]:
    """Odette far away and Léa at home have begun, and Léa has moved: Léa's phone, her host's page, Odette's phone."""
    lea = homes.seated(homes.lea, "Léa", "P0")
    host = lea.context.new_page()
    host.goto(f"http://{clients.HOST}:{homes.lea.port}/host")
    homes.start_over()
    homes.family.tap(live(host).locator("[data-seat=P1] [data-testid=far-invite]"))
    odette = homes.page(host.get_by_test_id("far-link").get_attribute("href") or "")
    homes.family.taps += 2  # The link is sent, and opened.
    homes.family.tap(odette.get_by_test_id("far-name"))
    odette.keyboard.type("Odette")
    expect(odette.get_by_test_id("far-join")).to_be_enabled()
    homes.family.tap(odette.get_by_test_id("far-join"))
    expect(odette.locator("#turn")).to_be_visible()
    lea.get_by_test_id("begin").tap()
    lea.get_by_test_id("hand-card-KH").tap()
    homes.family.drag(homes.table(homes.lea), "P0-C1", "T0")
    homes.family.taps -= 1
    expect(odette.get_by_test_id("turn")).to_contain_text("À toi")
    return lea, host, odette


def a_card(homes: TwoHomes, odette: Page) -> None:
    """Odette lays a card that can move, and announces the move; or puts one away."""
    cards = odette.locator("[data-testid^=far-card-]:not(.useless)")
    usable = cards.count()
    homes.family.tap((cards if usable else odette.locator("[data-testid^=far-card-]")).first)


def invited(homes: TwoHomes) -> None:
    lea, _, odette = begun(homes)
    a_card(homes, odette)
    expect(lea.get_by_test_id("turn")).not_to_contain_text("À Odette de jouer")


def joined(homes: TwoHomes) -> tuple[Page, Page]:
    """A second board: Léa's phone and Bob's, each on the page of its own seat again."""
    lea, bob = homes.seated(homes.lea, "Léa", "P0"), homes.seated(homes.bob, "Bob", "P1")
    homes.start_over()
    homes.host(lea)
    homes.family.tap(lea.get_by_test_id("far-board"))
    link = lea.get_by_test_id("far-link").get_attribute("href") or ""
    homes.family.taps += 1  # It is sent.
    homes.host(bob)
    homes.family.tap(bob.get_by_test_id("far-follow-link"))
    bob.keyboard.insert_text(link)
    homes.family.tap(bob.get_by_test_id("far-follow"))
    expect(bob.get_by_test_id("far-followed")).to_have_attribute("data-state", "here")
    return lea, bob


def board(homes: TwoHomes) -> None:
    joined(homes)


def copied(homes: TwoHomes) -> None:
    pages = joined(homes)
    for page in pages:
        page.go_back()
        live(page)
    lea, bob = pages
    tables = homes.table(homes.lea), homes.table(homes.bob)
    lea.get_by_test_id("begin").tap()
    homes.start_over()
    homes.family.tap(lea.get_by_test_id("hand-card-KH"))
    homes.family.drag(tables[0], "P0-C1", "T0")
    expect(bob.get_by_test_id("guidance")).to_contain_text("déplace le pion rouge")
    homes.family.drag(tables[1], "P0-C1", "T0")
    expect(bob.get_by_test_id("guidance")).to_have_count(0)


def board_cut(homes: TwoHomes) -> None:
    pages = joined(homes)
    for page in pages:
        page.go_back()
        live(page)
    homes.place.front.stop()
    expect(pages[1].get_by_test_id("far-home")).to_have_attribute("data-state", "away")
    homes.start_over()
    homes.place.restart_front()
    expect(pages[1].get_by_test_id("far-home")).to_contain_text("En ligne avec Léa")


def short_tunnel(homes: TwoHomes) -> None:
    _, _, odette = begun(homes)
    odette.context.set_offline(True)
    expect(strip(odette)).to_have_attribute("data-state", "cut")
    odette.wait_for_timeout(SHORT_MS)
    homes.start_over()
    odette.context.set_offline(False)
    expect(strip(odette)).to_be_hidden()


def long_tunnel(homes: TwoHomes) -> None:
    lea, _, odette = begun(homes)
    odette.context.set_offline(True)
    odette.wait_for_timeout(LONG_MS)
    expect(lea.get_by_test_id("far-line-P1")).to_contain_text("20")
    homes.start_over()
    a_card(homes, odette)
    expect(strip(odette)).to_contain_text("gardé")
    odette.context.set_offline(False)
    expect(strip(odette)).to_be_hidden()
    expect(lea.get_by_test_id("far-line-P1")).to_have_attribute("data-state", "here")


def home_restarted(homes: TwoHomes) -> None:
    _, _, odette = begun(homes)
    homes.start_over()
    homes.restart()
    expect(strip(odette)).to_be_hidden()


def relay_restarted(homes: TwoHomes) -> None:
    _, _, odette = begun(homes)
    homes.place.front.stop()
    expect(strip(odette)).to_have_attribute("data-state", "cut")
    homes.start_over()
    homes.place.restart_front()
    expect(strip(odette)).to_be_hidden()


def broker_killed(homes: TwoHomes) -> None:
    _, _, odette = begun(homes)
    assert homes.place.broker is not None
    pid = homes.place.broker.pid
    assert pid is not None
    homes.start_over()
    os.kill(pid, signal.SIGKILL)
    expect(strip(odette)).to_have_attribute("data-state", "cut")
    expect(strip(odette)).to_be_hidden()


def reloaded(homes: TwoHomes) -> None:
    _, _, odette = begun(homes)
    homes.start_over()
    odette.reload()
    expect(odette.get_by_test_id("far-hand")).to_be_visible()


def stood_in(homes: TwoHomes) -> None:
    _, host, odette = begun(homes)
    odette.context.set_offline(True)
    button = host.get_by_test_id("far-stand-in")
    expect(button).to_be_visible(timeout=2 * LONG_MS)
    homes.start_over()
    homes.family.tap(button)
    expect(button).to_have_count(0)
    odette.context.set_offline(False)
    homes.family.tap(odette.get_by_test_id("far-sit"))
    expect(odette.get_by_test_id("far-hand")).to_be_visible()


def refused(homes: TwoHomes) -> None:
    _, host, odette = begun(homes)
    link = odette.url
    homes.start_over()
    expect(strip(homes.page(link))).to_have_attribute("data-state", "device")
    expect(strip(homes.page(link[:-8]))).to_have_attribute("data-state", "link-cut-off")
    homes.family.tap(host.locator("#far summary").last)
    for _ in range(2):
        homes.family.tap(host.get_by_test_id("far-revoke"))
    expect(strip(odette)).to_have_attribute("data-state", "revoked")
    expect(strip(homes.page(link))).to_have_attribute("data-state", "refused")


def onlooker(homes: TwoHomes) -> None:
    lea = homes.seated(homes.lea, "Léa", "P0")
    homes.host(lea)
    homes.start_over()
    homes.family.tap(lea.get_by_test_id("far-watch"))
    guy = homes.page(lea.get_by_test_id("far-link").get_attribute("href") or "")
    homes.family.taps += 2  # The link is sent, and opened.
    expect(guy.get_by_test_id("far-join")).to_have_text("Regarder")
    homes.family.tap(guy.get_by_test_id("far-name"))
    guy.keyboard.type("Guy")
    homes.family.tap(guy.get_by_test_id("far-join"))
    expect(lea.get_by_test_id("far-watching")).to_contain_text("Guy regarde.")
    expect(hole(guy, "T0")).to_have_count(1)


JOURNEYS: dict[str, Callable[[TwoHomes], None]] = {
    "somebody far away: invited, sat down, first card (aim: 6 taps)": invited,
    "a second board joined (aim: 8 taps)": board,
    "a move of one home, copied on the board of the other": copied,
    "the relay restarted: seconds until the second board is back": board_cut,
    "her phone 3 s in a tunnel: seconds after it": short_tunnel,
    "her phone 25 s in a tunnel, a card tapped there": long_tunnel,
    "the home’s companion restarted: seconds until she is back": home_restarted,
    "the relay restarted: seconds until she is back": relay_restarted,
    "the broker killed: seconds until she is back": broker_killed,
    "her page reloaded": reloaded,
    "the computer plays for her, and she takes her seat again": stood_in,
    "a second phone, a link cut off, revoked, opened after that": refused,
    "somebody looks on from far away": onlooker,
}


def run(
    say: Say, times: int = 3, only: Annotated[str, "a part of a journey's name in the code"] = ""
) -> Measured:
    """Try all journeys, each with homes of its own."""
    return try_all(JOURNEYS, times, only, say, two_homes)
