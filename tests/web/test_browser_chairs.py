"""A chair belongs to a person: another board, a lost cookie, a kept game, a late guest, the next game."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.browsing import HOST, PHONE, OpenPage, is_too_wide, live, open_sheet, seated
from tock_companion.boardfile import generate
from tock_companion.core.requests import Role, parse_request
from tock_companion.core.state import Lobby
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_rules import Seat
from tock_web import Hosts, PageServices, create_app, serve

pytestmark = pytest.mark.browser
NAMES = ("Léa", "Tom", "Rosalie", "Mamie")


@dataclass
class Clock:
    """Seconds that a test lets pass."""

    now_s: float = 0.0

    def __call__(self) -> float:
        return self.now_s


@dataclass
class House:
    """A table with its page, which is opened again for another board."""

    folder: Path
    clock: Clock
    table: Table
    url: str = ""

    def ask(self, kind: str, **data: object) -> None:
        assert self.table.request(parse_request(kind, data, Role.HOST)).ok

    def sit(self, *seats: int) -> None:
        """Have people sit down whose phones nobody looks at."""
        for seat in seats:
            assert self.table.people.join(NAMES[seat], Seat(seat), device=f"phone of {NAMES[seat]}").reply.ok


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    clock = Clock()
    table = Table(generate(4, 440), Store(tmp_path), lobby=Lobby(), clock_s=clock)
    table.start()
    with serve(create_app(table, PageServices(hosts=Hosts(clock))), "127.0.0.1", 0) as running:
        yield House(tmp_path, clock, table, f"http://{HOST}:{running.port}")
    table.stop()


def shot(page: Page, name: str) -> None:
    """Keep a picture where somebody wants to look at it."""
    folder = Path("/tmp/updates/shots")
    if folder.is_dir():
        page.screenshot(path=str(folder / f"{name}.png"))


def test_on_a_board_of_other_zones_everybody_has_a_chair_and_reads_its_colour(
    tmp_path: Path, open_page: OpenPage
) -> None:
    """Fault 1: the third of four was in no game on six zones, and no page led to a chair."""
    table, port = Table(generate(4, 440), Store(tmp_path), lobby=Lobby()), 0
    table.start()
    with serve(create_app(table), "127.0.0.1", 0) as running:
        port = running.port
        url = f"http://{HOST}:{port}"
        lea = seated(open_page, url, "P0", "Léa", PHONE)
        for seat in (Seat.P1, Seat.P3):
            table.people.join(NAMES[seat], seat)
        rosalie = seated(open_page, url, "P2", "Rosalie", PHONE)
        opening = table.opening
        table.end_game("another board")
    table.stop()
    table = Table(generate(6, 560), Store(tmp_path), setup=opening[0], lobby=opening[1])
    table.start()
    with serve(create_app(table), "127.0.0.1", port):
        expect(rosalie.get_by_test_id("toast")).to_have_text("Maintenant, tu es Vert, avec Léa.")
        expect(rosalie.get_by_test_id("lobby-seat-P3")).to_contain_text("toi")
        expect(lea.get_by_test_id("toast")).to_have_text(
            "Rosalie\u00a0: Jaune → Vert · Mamie\u00a0: Vert → Noir"
        )
        shot(rosalie, "other-board")
        lea.get_by_test_id("begin").tap()
        for phone in (lea, rosalie):
            expect(phone.get_by_test_id("connection")).to_have_attribute("data-state", "live")
            expect(phone.locator("#lobby")).to_be_hidden()
    table.stop()


def test_a_phone_without_its_cookie_gets_its_chair_back_in_three_taps_and_the_old_one_reads_it(
    house: House, open_page: OpenPage
) -> None:
    """Fault 2: ghosts held all chairs for ever."""
    house.sit(1, 2, 3)
    old = seated(open_page, house.url, "P0", "Léa", PHONE)
    house.ask("begin")
    state = old.context.storage_state()
    old.context.close()
    new = open_page(f"{house.url}/", PHONE)
    new.get_by_test_id("join-unfold").tap()
    new.get_by_test_id("join-seat-P0").tap()
    expect(new.get_by_test_id("join-name")).to_have_value("Léa")
    expect(new.locator("#join-taken")).to_contain_text("C’est la tienne")
    shot(new, "ghost")
    house.clock.now_s += 61
    new.get_by_test_id("join-enter").tap()
    new.wait_for_url("**/seat")
    assert house.table.people.names()[Seat.P0] == "Léa"
    old = open_page(f"{house.url}/seat", PHONE, storage_state=state)
    old.wait_for_url(f"{house.url}/")
    expect(old.get_by_test_id("join-seat-P0")).to_have_attribute("aria-pressed", "true")
    expect(old.locator("#join-late")).to_have_text("Léa, ta place est sur un autre téléphone.")
    shot(old, "old-phone")


def test_a_guest_who_comes_late_reads_what_can_be_done(house: House, open_page: OpenPage) -> None:
    """Fault 8: taken chairs alone, and "my seat again" as the one invitation."""
    house.sit(0, 2)
    house.ask("prepare", players=2)
    house.ask("begin")
    late = open_page(f"{house.url}/", PHONE)
    expect(late.locator("#join-late")).to_have_text(
        "Cette partie se joue à 2. Tu joueras la prochaine\u202f; en attendant, regarde\u202f!"
    )
    expect(late.locator("#join-late")).to_be_visible()
    assert not is_too_wide(late)
    shot(late, "late")
    house.ask("prepare")
    expect(late.locator("#join-late")).to_have_text("Prends place")
    late.get_by_test_id("language").tap()
    expect(late.locator("#join-late")).to_have_text("Take a seat")


def test_a_kept_game_gives_everybody_their_own_pawns_and_asks_about_the_others(
    house: House, open_page: OpenPage
) -> None:
    """Fault 6: the game came back with the wrong people, without a word."""
    house.sit(1, 2, 3)
    lea = seated(open_page, house.url, "P0", "Léa", PHONE)
    house.ask("begin")
    number = house.table.number
    house.ask("prepare")
    house.ask("pair", first="P0", second="P1")
    assert house.table.people.names()[Seat.P2] == "Tom"
    lea.goto(f"{house.url}/host")
    open_sheet(lea, "games")
    lea.get_by_test_id(f"game-{number}").tap()
    question = lea.get_by_test_id("game-sure")
    expect(question).to_contain_text("Bleu (Tom)")
    chosen = "select => select.selectedOptions[0].textContent"
    assert [lea.get_by_test_id(f"game-who-P{at}").evaluate(chosen) for at in range(4)] == list(NAMES)
    question.scroll_into_view_if_needed()
    shot(lea, "kept-game")
    lea.get_by_test_id("game-who-P3").select_option(label="libre")
    lea.get_by_test_id("game-yes").tap()
    expect(question).to_have_count(0)
    assert house.table.people.names() == {Seat(at): NAMES[at] for at in range(3)}


def test_a_new_game_goes_through_the_lobby_with_names_partners_and_who_begins(
    house: House, open_page: OpenPage
) -> None:
    """Fault 9: it began at once, and asked for colours."""
    house.sit(1, 2, 3)
    lea = seated(open_page, house.url, "P0", "Léa", PHONE)
    lea.get_by_test_id("begin").tap()
    lea.goto(f"{house.url}/host")
    open_sheet(lea, "new-game")
    shot(lea, "new-game")
    lea.get_by_test_id("new-game").tap()
    lea.get_by_test_id("danger-yes").tap()
    expect(lea.get_by_test_id("menu-close")).to_be_hidden()
    expect(lea.get_by_test_id("pair-line")).to_be_visible()
    first = lea.get_by_test_id("lobby-first-P2")
    expect(first).to_have_text("Rosalie")
    first.tap()
    expect(first).to_have_attribute("aria-pressed", "true")
    first.scroll_into_view_if_needed()
    shot(lea, "who-begins")
    lea.get_by_test_id("begin").tap()
    expect(lea.locator("#lobby")).to_be_hidden()
    assert house.table.position.to_move is Seat.P2


def test_a_host_who_sits_down_later_is_the_host_on_every_page(house: House, open_page: OpenPage) -> None:
    """Fault 11: the table's screen showed a raw key, and the host's own phone had no way to begin."""
    screen = live(open_page(f"{house.url}/", {"width": 1280, "height": 720}))
    phone = open_page(f"{house.url}/host", PHONE)
    phone.get_by_test_id("become-host").tap()
    expect(phone.locator("#host-tools")).to_be_visible()
    house.sit(1)
    expect(screen.get_by_test_id("lobby-host")).to_have_text("Un autre appareil est l’hôte.")
    phone.goto(f"{house.url}/")
    phone.get_by_test_id("join-name").fill("Léa")
    phone.get_by_test_id("join-seat-P0").tap()
    phone.get_by_test_id("join-enter").tap()
    phone.wait_for_url("**/seat")
    expect(phone.get_by_test_id("begin")).to_be_visible()
    expect(screen.get_by_test_id("lobby-host")).to_contain_text("Léa est l’hôte")
