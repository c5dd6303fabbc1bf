"""The first five minutes, from `make run` to the first move, by taps; and the whole companion on two phones."""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.browsing import HOST, TABLET, OpenPage, hole, live
from tests.support.service import Companion
from tests.support.taps import Household
from tock_app.cli.commands.run import has_desktop

pytestmark = pytest.mark.browser


MAX_TAPS = 12


@pytest.fixture
def companion(tmp_path: Path) -> Iterator[Companion]:
    with Companion(tmp_path) as running:
        yield running


@pytest.fixture
def family(companion: Companion, open_page: OpenPage) -> Household:
    return Household(f"http://{HOST}:{companion.port}", open_page)


def test_two_players_make_their_first_move_within_twelve_taps(family: Household, open_page: OpenPage) -> None:
    screen = live(open_page(f"{family.url}/", TABLET))
    lea, mamie = family.seated("Léa", "P0"), family.seated("Mamie", "P1")
    expect(mamie.get_by_test_id("lobby-host")).to_contain_text("Léa")
    family.tap(lea.get_by_test_id("begin"))
    screen.wait_for_url("**/sim")
    live(screen)
    family.tap(lea.get_by_test_id("hand-card-KH"))
    expect(lea.get_by_test_id("legal-move")).to_have_count(1)
    family.drag(screen, "P0-C1", "T0")
    for phone in (lea, mamie):
        expect(hole(phone, "T0")).to_have_attribute("data-pawn", "P0")
    assert family.taps <= MAX_TAPS, family.taps


def test_the_first_who_sits_reads_that_they_are_the_host_and_hands_it_on(family: Household) -> None:
    lea, mamie = family.seated("Léa", "P0"), family.phone()
    expect(lea.get_by_test_id("lobby-host")).to_contain_text("Tu es l’hôte")
    lea.set_viewport_size({"width": 360, "height": 640})
    expect(lea.get_by_test_id("begin")).to_be_in_viewport(ratio=1)
    family.sit(mamie, "Mamie", "P2")
    expect(mamie.get_by_test_id("begin")).to_have_count(0)
    lea.get_by_test_id("hand-host").select_option("Mamie")
    lea.get_by_test_id("danger-yes").tap()
    expect(mamie.get_by_test_id("toast")).to_contain_text("Tu es maintenant l’hôte")
    expect(lea.get_by_test_id("begin")).to_have_count(0)
    family.tap(mamie.get_by_test_id("begin"))
    expect(lea.locator("#lobby")).to_be_hidden()


def test_rules_players_and_free_seats_are_chosen_in_the_lobby(family: Household) -> None:
    lea, mamie = family.seated("Léa", "P0"), family.seated("Mamie", "P1")
    lea.get_by_test_id("lobby-rules").locator("summary").first.tap()
    family.tap(lea.get_by_test_id("lobby-rules-diagonale"))
    house = lea.get_by_test_id("lobby-house")
    house.locator("summary").first.tap()
    expect(house.get_by_test_id("options-others")).to_be_visible()
    words = house.evaluate(
        "(node) => { for (const one of node.querySelectorAll('details')) one.open = true; return node.innerText; }"
    )
    # Fault 18: house rules spoke of `keep_hand` and `any_use`.
    assert not re.findall(r"\w+_\w+|\b(?:true|false|none)\b", words)
    family.tap(lea.get_by_test_id("lobby-players-3"))
    lea.get_by_test_id("lobby-free").select_option("easy")
    for words in ("La Diagonale du Fou", "3", "l’ordinateur, facile"):
        expect(mamie.locator("#lobby")).to_contain_text(words)
    family.tap(lea.get_by_test_id("begin"))
    expect(mamie.locator("#menu .seats li")).to_have_count(3)
    expect(mamie.locator("#menu .seats")).to_contain_text("ordinateur")


def test_a_seated_phone_gets_everywhere_and_back(family: Household) -> None:
    """Bug 1: a seated phone had no way to the host, the code, the simulated table or the spectators' page."""
    lea = family.seated("Léa", "P0")
    lea.get_by_test_id("menu-open").tap()
    lea.get_by_test_id("menu-invite").tap()
    expect(lea.locator(".sheet-invite img")).to_be_visible()
    lea.get_by_test_id("menu-close").tap()
    ways = lea.locator("#menu a").evaluate_all("all => all.map(one => one.getAttribute('href'))")
    assert {"/table", "/sim", "/watch", "/host"} <= {*ways}
    # Both kinds of page; others come from the same template as one of these.
    for path in ("/sim", "/host"):
        lea.get_by_test_id("menu-open").tap()
        lea.locator(f"#menu a[href='{path}']").tap()
        lea.wait_for_url(f"**{path}")
        live(lea)
        lea.get_by_test_id("menu-open").tap()
        lea.locator("#menu a[href='/seat']").tap()
        lea.wait_for_url("**/seat")
        live(lea)


def test_everybody_is_asked_when_somebody_leaves_on_their_turn(family: Household) -> None:
    lea, tom = family.seated("Léa", "P0"), family.seated("Tom", "P1")
    family.tap(lea.get_by_test_id("begin"))
    expect(tom.locator("#lobby")).to_be_hidden()
    family.tap(lea.get_by_test_id("menu-open"))
    family.tap(lea.get_by_test_id("menu-leave"))
    family.tap(lea.get_by_test_id("danger-yes"))
    expect(tom.get_by_test_id("absent")).to_contain_text("Léa")
    family.tap(tom.get_by_test_id("absent-skip"))
    expect(tom.get_by_test_id("absent")).to_have_count(0)
    expect(tom.get_by_test_id("turn")).to_have_class("turn mine")


def test_make_run_opens_the_page_where_there_is_a_desktop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = tmp_path / "opened"
    os.mkfifo(opened)
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > "{opened}"\n')
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    monkeypatch.setenv("DISPLAY", ":99")
    with Companion(tmp_path / "data", "--browser") as running:
        # Reading waits for the browser.
        assert opened.read_text().endswith(f":{running.port}/")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have windows")
def test_a_machine_without_a_screen_opens_nothing() -> None:
    assert not has_desktop({}, "linux")
    assert has_desktop({"WAYLAND_DISPLAY": "wayland-0"}, "linux")
