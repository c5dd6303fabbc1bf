"""The end of a game and of an evening: who won, the best move, the scores, a rematch, a picture to keep."""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.support.browsing import HOST, LIVELY, OpenPage, become_host, live, open_sheet, seated
from tests.support.tables import nearly_won, win
from tests.support.waiting import FILM_PATIENCE_S
from tock_app.service.films import Films
from tock_companion.boardfile import generate
from tock_companion.core.requests import Role, parse_request
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_rules import Seat
from tock_vision.film.board_picture import board_png
from tock_web import create_app, serve
from tock_web.services import PageServices

pytestmark = pytest.mark.browser


@pytest.fixture
def late(tmp_path: Path) -> Iterator[tuple[Table, str]]:
    """Two play at a table that nothing sees; the first is one move from the end."""
    table = Table(generate(4, 440), Store(tmp_path), setup=nearly_won())
    table.start()
    films = Films(tmp_path)
    services = PageServices(films=films, draw_board=board_png)
    with serve(create_app(table, services), "127.0.0.1", 0) as server:
        yield table, f"http://{HOST}:{server.port}"
    films.close()
    table.stop()


def ask(table: Table, kind: str, seat: Seat | None = None, **data: object) -> None:
    role = Role.HOST if seat is None else Role.SEAT
    assert table.request(parse_request(kind, data, role, seat)).ok


def test_the_end_card_says_who_won_and_goes_with_a_rematch_of_the_next(
    late: tuple[Table, str], open_page: OpenPage
) -> None:
    table, url = late
    lea, tom = seated(open_page, url, "P0", "Léa"), seated(open_page, url, "P2", "Tom")
    expect(lea.get_by_test_id("ending")).to_have_count(0)
    win(table)
    for phone in (lea, tom):
        card = phone.get_by_test_id("ending")
        expect(phone.get_by_test_id("turn")).to_contain_text("Léa gagne")
        expect(card.get_by_test_id("ending-turns")).to_contain_text("1")
        expect(card.get_by_test_id("scores-evening")).to_contain_text("Léa1 partie gagnée sur 1")
        expect(card.get_by_test_id("scores-evening")).to_contain_text("Tom0 partie gagnée sur 1")
    expect(lea.get_by_test_id("rematch")).to_be_visible()
    expect(tom.get_by_test_id("rematch")).to_have_count(0)
    tom.get_by_test_id("ending-replay").click()
    expect(tom.get_by_test_id("replay-step")).to_be_visible()
    tom.get_by_test_id("replay-close").click()
    lea.get_by_test_id("rematch").click()
    expect(tom.get_by_test_id("turn")).to_contain_text("À toi, Tom")
    expect(tom.get_by_test_id("ending")).to_be_hidden()
    assert table.number == 2


def test_people_change_places_for_a_rematch(late: tuple[Table, str], open_page: OpenPage) -> None:
    table, url = late
    lea, tom = seated(open_page, url, "P0", "Léa"), seated(open_page, url, "P2", "Tom")
    win(table)
    lea.get_by_test_id("rematch-rotated").click()
    expect(lea.get_by_test_id("turn")).to_contain_text("À toi, Léa")
    live(tom)
    assert table.people.names() == {Seat.P2: "Léa", Seat.P0: "Tom"}
    assert table.host_seat is Seat.P2
    expect(tom.locator("#menu .seats li.to-move")).to_contain_text("Léa")


def test_a_tap_counts_although_the_card_changes_under_the_finger(
    late: tuple[Table, str], open_page: OpenPage
) -> None:
    table, url = late
    lea = seated(open_page, url, "P0", "Léa")
    win(table)
    # The last that is found out about the game; the card was drawn again for each of them.
    expect(lea.locator("[data-testid=ending-best], [data-testid=ending-even]")).to_be_visible()
    lea.get_by_test_id("rematch").scroll_into_view_if_needed()
    place = lea.get_by_test_id("rematch").bounding_box()
    assert place is not None
    lea.mouse.move(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    lea.mouse.down()
    lea.evaluate("document.querySelector('[data-testid=language]').click()")
    expect(lea.locator("html")).to_have_attribute("lang", "en")
    lea.mouse.up()
    expect(lea.get_by_test_id("ending")).to_be_hidden()
    assert not table.game.ended


def test_the_picture_of_the_board_is_kept(late: tuple[Table, str], open_page: OpenPage) -> None:
    table, url = late
    lea = seated(open_page, url, "P0", "Léa")
    win(table)
    with lea.expect_download() as download:
        lea.get_by_test_id("ending-share").click()
    assert download.value.suggested_filename == "tock.png"
    picture = Image.open(BytesIO(download.value.path().read_bytes())).convert("RGB")
    assert min(picture.size) > 1000
    colors = picture.resize((200, 200)).getcolors(40_000)
    assert colors is not None
    assert len(colors) > 200, "wood, holes and pawns, not one colour"


def test_the_host_reads_nobody_s_turn_after_the_win_until_it_is_taken_back(
    late: tuple[Table, str], open_page: OpenPage
) -> None:
    """Fault 19: after the win the host still read whose turn it was."""
    table, url = late
    host = open_page(f"{url}/host")
    become_host(host)
    expect(host.locator("#host-turn")).not_to_be_empty()
    win(table)
    expect(host.get_by_test_id("ending")).to_be_visible()
    expect(host.locator("#host-turn")).to_be_empty()
    ask(table, "undo")
    expect(host.get_by_test_id("ending")).to_be_hidden()
    expect(host.locator("#host-turn")).not_to_be_empty()
    assert table.results.all == ()


def test_kept_games_go_by_names_and_only_those_given_up_go_on(
    late: tuple[Table, str], open_page: OpenPage
) -> None:
    """They were a number, seconds and a code word, and a finished game offered to go on."""
    table, url = late
    for seat, name in ((Seat.P0, "Léa"), (Seat.P2, "Tom")):
        table.people.join(name, seat)
    win(table)
    ask(table, "rematch")
    ask(table, "new_game", players=4)
    host = live(open_page(f"{url}/host"))
    become_host(host)
    open_sheet(host, "games")
    won, given_up, running = (host.get_by_test_id(f"kept-{number}") for number in (1, 2, 3))
    days = "|".join(("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"))
    expect(won).to_contain_text(re.compile(f"Léa contre Tom, ({days})"))
    expect(won).to_contain_text("1 coup · Léa a gagné")
    expect(given_up).to_contain_text("0 coup · arrêtée")
    expect(running).to_contain_text("Léa et Tom contre Bleu et Vert")
    expect(host.get_by_test_id("game-2")).to_have_text("Continuer la partie")
    for number in (1, 3):
        expect(host.get_by_test_id(f"game-{number}")).to_have_count(0)
    # It is fetched when it comes into sight.
    won.locator("img").scroll_into_view_if_needed()
    expect(won.locator("img")).to_have_js_property("naturalWidth", 192)


def test_a_win_is_celebrated_and_retold_and_its_film_is_shared(
    late: tuple[Table, str], open_page: OpenPage
) -> None:
    table, url = late
    screen = live(open_page(f"{url}/watch", **LIVELY))
    lea, tom = seated(open_page, url, "P0", "Léa"), seated(open_page, url, "P2", "Tom", locale="en-GB")
    # Only phones that ask for less motion are open besides the screen.
    walked = screen.locator(".layer-last .arrow")
    win(table)
    expect(screen.get_by_test_id("confetti")).to_be_visible()
    for phone, sentence in ((lea, "Léa gagne"), (tom, "Léa wins")):
        expect(phone.locator("#ending-title")).to_contain_text(sentence)
        expect(phone.get_by_test_id("confetti")).to_have_count(0)
    expect(tom.get_by_test_id("story")).to_contain_text("Tom still had 3 pawns to bring home")
    expect(lea.get_by_test_id("story")).to_contain_text("il restait 3 pions à rentrer pour Tom")
    expect(walked).to_have_count(1)
    screen.get_by_test_id("ending-again").click()
    expect(walked).to_have_count(0)
    expect(walked).to_have_count(1)
    expect(screen.get_by_test_id("confetti")).to_have_count(0)
    tom.get_by_test_id("film-make").click()
    expect(tom.get_by_test_id("film")).to_have_js_property(
        "naturalWidth", 600, timeout=1000 * FILM_PATIENCE_S
    )
    with tom.expect_download() as download:
        tom.get_by_test_id("film-share").click()
    assert download.value.suggested_filename == "tock.gif"
    assert download.value.path().read_bytes().startswith(b"GIF89a")
