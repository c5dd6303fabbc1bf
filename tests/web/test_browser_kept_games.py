"""Going on with a kept game: it is asked first, nothing is undone silently, and a finished one says so."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.browsing import OpenPage, become_host, live, open_sheet
from tests.support.tables import put, wait_for
from tock_companion.core.requests import Role, parse_request
from tock_companion.table.runtime.live import Table
from tock_rules import Seat

pytestmark = pytest.mark.browser


@pytest.fixture
def host(site: str, open_page: OpenPage) -> Page:
    page = open_page(f"{site}/host")
    become_host(page)
    return live(page)


def ask(table: Table, kind: str, role: Role = Role.HOST, seat: Seat | None = None, **data: object) -> None:
    assert table.request(parse_request(kind, data, role, seat)).ok


def plays(table: Table, seat: Seat, card: str, source: str, target: str) -> None:
    before = table.view(Role.TABLE)["game"]["seq"]
    ask(table, "play_card", Role.SEAT, seat, card=card)
    put(table, source, target)
    wait_for(table, lambda view: view["card"] is None and view["game"]["seq"] > before + 1)


def offer(page: Page, log: Path) -> None:
    if not page.get_by_test_id("menu-close").is_visible():
        open_sheet(page, "games")
    if page.locator("#games:not([open])").count():
        page.locator("#games > summary").click()
    page.get_by_test_id("game-file").set_input_files(log)


def test_a_kept_game_asks_first_and_undoes_no_move(table: Table, host: Page, tmp_path: Path) -> None:
    """Fault 4: it replaced the running game unasked, and took its own last move back."""
    plays(table, Seat.P0, "6H", "T4", "T10")
    kept = tmp_path / "kept.jsonl"
    kept.write_text(table.archive.log(1))
    put(table, "T10", "T4")
    wait_for(table, lambda view: view["holes"].get("T4") == "P0")
    ask(table, "new_game", position="seen")
    offer(host, kept)
    question = host.get_by_test_id("game-sure")
    expect(question).to_contain_text("1 coup")
    expect(question).to_contain_text("prend la place de la partie en cours")
    question.get_by_test_id("game-no").click()
    assert table.number == 2
    offer(host, kept)
    question.get_by_test_id("game-yes").click()
    host.get_by_test_id("danger-yes").click()
    wait_for(table, lambda view: view["holes"].get("T10") == "P0")


def test_a_finished_game_says_so_and_a_given_up_one_goes_on(table: Table, host: Page, tmp_path: Path) -> None:
    given_up = tmp_path / "given_up.jsonl"
    ask(table, "new_game")
    given_up.write_text(table.archive.log(1))
    finished = tmp_path / "finished.jsonl"
    lines = given_up.read_text().splitlines()
    last = json.loads(lines[-1])
    assert last["event"] == "game_ended"
    finished.write_text("\n".join([*lines[:-1], json.dumps({**last, "winner": ["P0"], "why": ""})]))
    offer(host, finished)
    question = host.get_by_test_id("game-sure")
    expect(question).to_contain_text("Rouge gagne")
    expect(question).to_contain_text("ne peut pas continuer")
    expect(question.get_by_test_id("game-yes")).to_have_count(0)
    question.get_by_test_id("game-no").click()
    offer(host, given_up)
    question.get_by_test_id("game-yes").click()
    host.get_by_test_id("danger-yes").click()
    view = wait_for(table, lambda view: not view["game"]["ended"] and view["holes"].get("T4") == "P0")
    assert view["game"]["winner"] is None


def test_a_kept_game_is_deleted_only_once_it_is_confirmed_elsewhere(table: Table, host: Page) -> None:
    ask(table, "new_game")
    open_sheet(host, "games")
    if host.locator("#games:not([open])").count():
        host.locator("#games > summary").click()
    forget = host.get_by_test_id("kept-1").get_by_test_id("forget")
    forget.dblclick()
    question = host.get_by_test_id("danger")
    expect(question).to_contain_text("Effacer pour toujours, des copies aussi")
    question.get_by_test_id("danger-no").click()
    assert [game["number"] for game in table.archive.games()] == [2, 1]
    forget.click()
    question.get_by_test_id("danger-yes").click()
    expect(host.get_by_test_id("kept-1")).to_be_empty()
    assert [game["number"] for game in table.archive.games()] == [2]
