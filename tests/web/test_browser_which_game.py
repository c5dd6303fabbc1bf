"""The lobby asks what the family plays: seven questions with pictures, and the family's own game."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.support.browsing import HOST, OpenPage, is_too_wide, live, open_sheet, seated, small_targets
from tests.support.page_client import PageClient
from tests.support.service import Companion
from tests.support.tables import put, send, wait_for
from tock_companion.boardfile import generate
from tock_companion.core.requests import Role
from tock_companion.core.state import Lobby
from tock_companion.storage import Store
from tock_companion.storage.boards import BoardFolder
from tock_companion.table.runtime.live import Table
from tock_companion.views.wording.games import title
from tock_rules import Position, Seat, load_preset, which_game
from tock_web import create_app, serve

pytestmark = pytest.mark.browser
SMALL = {"width": 360, "height": 640}
MAX_TAPS = 8


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[tuple[Table, str]]:
    """A table in the lobby, and its address."""
    table = Table(generate(4, 440), Store(tmp_path), lobby=Lobby())
    table.start()
    with serve(create_app(table), "127.0.0.1", 0) as running:
        yield table, f"http://{HOST}:{running.port}"
    table.stop()


def answered(page: Page, name: str) -> int:
    """Answer as this game has it until it is found; the taps that it took."""
    page.get_by_test_id("lobby-which").tap()
    rules, taps = load_preset(name), 1
    while True:
        page.locator("[data-testid^=which-topic-], [data-testid=which-found]").first.wait_for()
        if page.get_by_test_id("which-found").count():
            return taps
        topic = page.locator("[data-testid^=which-topic-]")
        code = (topic.get_attribute("data-testid") or "").removeprefix("which-topic-")
        answer = topic.get_by_test_id(f"which-{which_game.answer_of(rules, code)}")
        answer.tap()
        answer.wait_for(state="detached")
        taps += 1


@pytest.mark.parametrize("name", ["diagonale", "toc", "quebec", "jackaroo"])
def test_a_family_finds_its_game_by_what_its_cards_do(
    lobby: tuple[Table, str], open_page: OpenPage, name: str
) -> None:
    table, site = lobby
    lea = seated(open_page, site, "P0", "Léa", SMALL)
    taps = answered(lea, name)
    expect(lea.get_by_test_id("which-found")).to_contain_text(str(title(name)["fr"]))
    assert not is_too_wide(lea)
    assert small_targets(lea, "[data-testid=which]") == []
    lea.get_by_test_id("which-play").tap()
    expect(lea.get_by_test_id("lobby-rules").locator("summary").first).to_contain_text(str(title(name)["fr"]))
    assert table.view(Role.TABLE)["game"]["ruleset"] == name
    assert taps + 1 <= MAX_TAPS


def test_the_board_of_another_ring_is_laid_with_its_game_and_the_family_s_own_on_the_way_back(
    tmp_path: Path, open_page: OpenPage
) -> None:
    folder = BoardFolder(tmp_path / "data" / "boards")
    for name in ("Oak", "Pine", "Yew"):
        folder.add(replace(generate(4, 440), name=name, size_mm=(450.0, 440.0 + len(name))))
    (tmp_path / "data" / "tock.toml").write_text('board = "boards/pine.json"')
    with Companion(tmp_path / "data") as companion:
        site = f"http://{HOST}:{companion.port}"
        lea = seated(open_page, site, "P0", "Léa", SMALL)

        def lays(game: str, hole: str, gone: str) -> dict[str, Any]:
            answered(lea, game)
            lea.get_by_test_id("which-lay").tap()
            expect(lea.locator(f'[data-hole="{hole}"]').first).to_be_attached()
            expect(lea.locator(f'[data-hole="{gone}"]')).to_have_count(0)
            live(lea)
            return dict(PageClient(companion.url).view("table"))

        expect(lea.get_by_test_id("lobby-which")).to_be_visible()
        there = lays("keezen", "T63", "T64")
        assert there["game"]["ruleset"] == "keezen"
        assert there["lobby"] is not None
        back = lays("toc", "T71", "P0-H5")
        assert (back["game"]["ruleset"], back["board"]["name"]) == ("toc", "Pine")


def test_a_game_for_another_board_says_so_before_it_is_chosen(
    lobby: tuple[Table, str], open_page: OpenPage
) -> None:
    lea = seated(open_page, lobby[1], "P0", "Léa")
    answered(lea, "keezen")
    expect(lea.get_by_test_id("which-other-board")).to_be_visible()
    expect(lea.get_by_test_id("which-play")).to_have_count(0)


def test_a_family_s_own_game_is_kept_by_its_name_and_reaches_another_family_by_a_link(
    lobby: tuple[Table, str], open_page: OpenPage
) -> None:
    table, site = lobby
    lea = seated(open_page, site, "P0", "Léa")
    answered(lea, "quebec")
    lea.get_by_test_id("which-change-card_a").tap()
    lea.get_by_test_id("which-other").tap()
    lea.get_by_test_id("which-start;+1").tap()
    expect(lea.get_by_test_id("which-row-card_a")).to_contain_text("ou avance de 1.Imprimé :")
    lea.get_by_test_id("which-name").fill("Chez Mamie")
    lea.get_by_test_id("which-play").tap()
    expect(lea.get_by_test_id("lobby-rules").locator("summary").first).to_contain_text("Chez Mamie")
    assert table.view(Role.TABLE)["game"]["options"] == {"card_a": "start;+1"}
    lea.get_by_test_id("lobby-which").tap()
    lea.get_by_test_id("own-forget").tap()
    lea.get_by_test_id("danger-yes").tap()
    expect(lea.get_by_test_id("own-Chez Mamie")).to_have_count(0)
    lea.goto("about:blank")
    lea.goto(f"{site}/seat#game=quebec%5Bcard_a%3Dstart%3B%2B1%5D&name=Chez%20Zo%C3%A9")
    expect(lea.get_by_test_id("which-received")).to_contain_text("Un as fait sortir un pion, ou avance de 1.")
    lea.get_by_test_id("which-play").tap()
    expect(lea.get_by_test_id("lobby-rules").locator("summary").first).to_contain_text("Chez Zoé")


def test_a_rule_changed_from_a_warning_holds_in_the_next_game_and_is_read_there(
    site: str, table: Table, open_page: OpenPage
) -> None:
    lea = seated(open_page, site, "P0", "Léa")
    assert send(table.request, "play_card", {"card": "AH"}, Role.SEAT, Seat.P0).ok
    put(table, "T4", "T15")
    lea.get_by_test_id("rule-ref").tap()
    expect(lea.get_by_test_id("sister")).to_contain_text("11")
    lea.get_by_test_id("sister-next").tap()
    expect(lea.get_by_test_id("toast").last).to_contain_text("la prochaine partie")
    put(table, "T15", "T4")
    lea.goto(f"{site}/host")
    open_sheet(lea, "new-game")
    lea.get_by_test_id("new-game").tap()
    lea.get_by_test_id("danger-yes").tap()
    expect(lea.get_by_test_id("lobby-rules").locator("summary").first).to_contain_text("Nos règles")
    lea.get_by_test_id("begin").tap()
    wait_for(table, lambda view: view["lobby"] is None)
    begun = replace(Position.parse("mjc 4 P0 - P0:T4 P1: P2: P3:"), ruleset=table.position.ruleset)
    assert "P0:T4>T15" in [move.text for move in begun.legal_moves("AH")]
