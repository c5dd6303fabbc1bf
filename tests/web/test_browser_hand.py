"""The hand on a phone: entered by touch or by photo, face down, played from, and shown again only with a yes."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.browsing import HOST, PIXEL, OpenPage, become_host, live, open_sheet, seated, tell
from tock_companion.boardfile import generate
from tock_companion.core.requests import Role, parse_request
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_companion.table.runtime.recorder import Recorder
from tock_rules import Seat
from tock_web import create_app, serve
from tock_web.services import PageServices

pytestmark = pytest.mark.browser


def test_a_hand_is_entered_and_played(blind_site: str, open_page: OpenPage) -> None:
    anna = seated(open_page, blind_site, "P0", "Anna", PIXEL)
    tell(anna, "6H", "KS", "10D", "JOK_C", "2C")
    expect(anna.locator("[data-testid^=hand-card-]")).to_have_count(5)
    expect(anna.get_by_test_id("hand-card-6H")).to_contain_text("2 coups")
    anna.get_by_test_id("hand-card-6H").click()
    anna.locator('[data-move="P0:T4>T10"]').click()
    expect(anna.get_by_test_id("turn")).to_contain_text("P1")
    expect(anna.get_by_test_id("hand-card-6H")).to_have_count(0)
    expect(anna.get_by_test_id("hand-card-KS")).to_be_disabled()
    anna.get_by_test_id("hand-enter").click()
    anna.get_by_test_id("enter-card-9S").click()
    anna.get_by_test_id("hand-save").click()
    expect(anna.locator("[data-testid^=hand-card-]")).to_have_count(5)


def test_no_card_comes_under_the_finger_that_saved_the_hand(blind_site: str, open_page: OpenPage) -> None:
    anna = seated(open_page, blind_site, "P0", "Anna", PIXEL)
    shown = anna.locator("[data-testid^=hand-card-]:visible")
    expect(shown).to_have_count(54)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    anna.route("**/api/v1/request", hold)
    anna.get_by_test_id("hand-enter").click()
    for card in ("6H", "KS", "10D", "JOK_C", "2C"):
        anna.get_by_test_id(f"enter-card-{card}").click()
    anna.get_by_test_id("hand-save").click()
    expect(anna.get_by_test_id("hand-editor")).to_be_hidden()
    assert shown.count() == 0
    held[0].continue_()
    expect(shown).to_have_count(5)


def test_a_hand_without_a_move_goes_down_whole(
    blind_site: str, blind_table: Table, open_page: OpenPage
) -> None:
    asked = {"ruleset": "mjc", "options": {"no_play": "hand_down"}}
    assert blind_table.request(parse_request("new_game", asked, Role.HOST)).ok
    anna = seated(open_page, blind_site, "P0", "Anna")
    cards = {"cards": ["9H", "8S", "2C"]}
    assert blind_table.request(parse_request("hand_set", cards, Role.SEAT, Seat.P0)).ok
    anna.get_by_test_id("hand-show").click()
    anna.get_by_test_id("hand-down-all").click()
    expect(anna.get_by_test_id("turn")).to_contain_text("P1")
    expect(anna.locator(".in-hand")).to_have_count(0)
    expect(anna.get_by_test_id("hand-show")).to_have_count(0)


def test_a_hand_lies_face_down_until_it_is_touched(blind_site: str, open_page: OpenPage) -> None:
    anna = seated(open_page, blind_site, "P0", "Anna")
    tell(anna, "6H", "KS")
    anna.get_by_test_id("hand-hide").click()
    expect(anna.get_by_test_id("hand-card-KS")).to_have_count(0)
    assert "Roi de pique" not in anna.content()
    anna.reload()
    expect(anna.get_by_test_id("hand-card-KS")).to_have_count(0)
    anna.get_by_test_id("hand-show").click()
    expect(anna.get_by_test_id("hand-card-KS")).to_be_visible()


def test_a_hand_that_nobody_took_is_not_entered_again(blind_site: str, open_page: OpenPage) -> None:
    anna = seated(open_page, blind_site, "P0", "Anna")
    anna.route("**/api/v1/request", lambda route: route.abort())
    anna.get_by_test_id("hand-enter").click()
    for card in ("6H", "KS"):
        anna.get_by_test_id(f"enter-card-{card}").click()
    anna.get_by_test_id("hand-save").click()
    expect(anna.get_by_test_id("toast")).to_be_visible()
    for card in ("6H", "KS"):
        expect(anna.get_by_test_id(f"chosen-{card}")).to_be_visible()
    anna.unroute("**/api/v1/request")
    anna.get_by_test_id("hand-save").click()
    expect(anna.get_by_test_id("hand-card-KS")).to_be_visible()


def test_a_wrong_touch_is_mended_before_the_hand_is_entered(
    blind_site: str, blind_table: Table, open_page: OpenPage
) -> None:
    anna = seated(open_page, blind_site, "P0", "Anna")
    anna.get_by_test_id("hand-enter").click()
    expect(anna.get_by_test_id("hand-save")).to_be_disabled()
    for card in ("6H", "KS"):
        anna.get_by_test_id(f"enter-card-{card}").click()
    anna.get_by_test_id("chosen-6H").click()
    anna.get_by_test_id("hand-cancel").click()
    assert blind_table.view(Role.TABLE)["seats"][0]["cards"] is None


def test_a_new_deal_asks_everybody_for_the_hand(blind_site: str, open_page: OpenPage) -> None:
    anna = seated(open_page, blind_site, "P0", "Anna")
    bob = seated(open_page, blind_site, "P1", "Bob", locale="en-CA")
    tell(anna, "6H", "KS")
    bob.get_by_test_id("deal").click()
    expect(anna.get_by_test_id("hand-card-6H")).to_be_visible()
    bob.get_by_test_id("deal").click()
    expect(anna.get_by_test_id("hand-card-KS")).to_be_enabled()
    expect(anna.locator(".hand")).to_have_count(0)


def test_the_former_holder_is_asked_on_the_phone_and_the_new_one_reads_why(
    blind_site: str, blind_table: Table, open_page: OpenPage
) -> None:
    anna = seated(open_page, blind_site, "P0", "Anna")
    asked = parse_request("hand_set", {"cards": ["6H", "KS"]}, Role.SEAT, Seat.P0)
    assert blind_table.request(asked).ok
    expect(anna.get_by_test_id("hand-show")).to_be_visible()
    assert blind_table.request(parse_request("free_seat", {"seat": "P0"}, Role.HOST)).ok
    anna.wait_for_url(f"{blind_site}/")

    zoe = seated(open_page, blind_site, "P0", "Zoé")
    expect(zoe.get_by_test_id("hand-withheld")).to_contain_text("Anna")
    expect(zoe.get_by_test_id("hand-show")).to_have_count(0)

    expect(anna.get_by_test_id("cards-request")).to_contain_text("Zoé")
    anna.get_by_test_id("cards-yes").click()
    expect(anna.get_by_test_id("cards-request")).to_have_count(0)
    expect(zoe.get_by_test_id("hand-show")).to_be_visible()
    expect(zoe.get_by_test_id("hand-withheld")).to_have_count(0)


class Eye:
    """Sees six cards, one of them not surely, one too badly to read it; keeps the photos it was given."""

    def __init__(self) -> None:
        self.photos: list[bytes] = []

    def __call__(self, data: bytes) -> list[dict[str, object]]:
        self.photos.append(data)
        sure = [{"likely": [name], "confidence": 0.98} for name in ("6H", "KS", "10D", "JOK_C")]
        return [*sure, {"likely": ["9S", "9C"], "confidence": 0.6}, {"likely": [], "confidence": 0.0}]


@pytest.fixture
def eye() -> Eye:
    return Eye()


@pytest.fixture
def photo_site(blind_table: Table, eye: Eye) -> Iterator[str]:
    with serve(create_app(blind_table, PageServices(read_cards=eye)), "127.0.0.1", 0) as running:
        yield f"http://{HOST}:{running.port}"


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "hand.jpg"
    cv2.imwrite(str(path), np.full((3000, 4000, 3), 120, np.uint8))
    return path


def test_a_photographed_hand_is_asked_about_and_saved(
    photo_site: str, eye: Eye, photo: Path, open_page: OpenPage
) -> None:
    anna = seated(open_page, photo_site, "P0", "Anna", PIXEL)
    with anna.expect_file_chooser() as chooser:
        anna.get_by_test_id("hand-photo").click()
    chooser.value.set_files(str(photo))
    expect(anna.get_by_test_id("tray").locator("[data-testid^=chosen-]")).to_have_count(5)
    expect(anna.get_by_test_id("photo-unread")).to_contain_text("ajoute-la")
    question = anna.get_by_test_id("photo-question")
    expect(question.get_by_test_id("photo-choice")).to_have_count(2)
    question.locator("[data-choice='9C']").click()
    expect(question).to_have_count(0)
    expect(anna.get_by_test_id("chosen-9C")).to_be_visible()
    expect(anna.get_by_test_id("chosen-9S")).to_have_count(0)
    anna.get_by_test_id("hand-save").click()
    expect(anna.get_by_test_id("hand-card-9C")).to_be_visible()
    (sent,) = eye.photos
    seen = cv2.imdecode(np.frombuffer(sent, np.uint8), cv2.IMREAD_COLOR)
    assert seen is not None
    assert max(seen.shape) == 1600


def test_a_notice_before_the_photo_says_that_it_is_kept(
    photo_site: str, blind_table: Table, tmp_path: Path, open_page: OpenPage
) -> None:
    anna = seated(open_page, photo_site, "P0", "Anna", PIXEL)
    kept = anna.get_by_test_id("photo-kept").locator("visible=true")
    expect(anna.get_by_test_id("hand-photo")).to_be_visible()
    expect(kept).to_have_count(0)
    blind_table.record_to(Recorder(tmp_path / "report", blind_table.board_file, keeps_photos=True))
    expect(kept).to_have_count(1)
    anna.get_by_test_id("hand-enter").click()
    expect(kept).to_have_count(1)
    blind_table.stop_recording()
    expect(kept).to_have_count(0)


def test_a_photo_that_cannot_be_read_leaves_the_editor_as_it_is(
    photo_site: str, photo: Path, tmp_path: Path, open_page: OpenPage
) -> None:
    anna = seated(open_page, photo_site, "P0", "Anna", PIXEL)
    anna.get_by_test_id("hand-enter").click()
    anna.get_by_test_id("enter-card-6H").click()
    wrong = tmp_path / "notes.txt"
    wrong.write_text("no photo")
    anna.get_by_test_id("photo-file").set_input_files(str(wrong))
    expect(anna.get_by_test_id("toast")).not_to_be_empty()
    expect(anna.get_by_test_id("chosen-6H")).to_be_visible()
    expect(anna.get_by_test_id("photo-take")).to_be_enabled()


LETTERS = """cards => cards.map(card => {
  const index = document.querySelector(`[data-testid="hand-card-${card}"] .card b`);
  return index.textContent + getComputedStyle(index, "::before").content.replace(/none|"/g, "");
})"""
"""In one go, because every redraw puts new cards in the place of the old."""


def letters(page: Page, *cards: str) -> list[str]:
    """The letters in the corners of cards of the hand."""
    read: list[str] = page.evaluate(LETTERS, cards)
    return read


def test_cards_have_the_letters_of_the_table_s_deck(site: str, table: Table, open_page: OpenPage) -> None:
    host = live(open_page(f"{site}/host", PIXEL))
    become_host(host)
    anna = seated(open_page, site, "P0", "Anna", PIXEL)
    tell(anna, "JS", "QH", "KD", "AC", "10D")
    assert letters(anna, "JS", "QH", "KD", "AC", "10D") == [*"VDRA", "10"]
    anna.get_by_test_id("language").click()
    expect(anna.locator("html")).to_have_attribute("lang", "en")
    assert letters(anna, "JS", "QH", "KD", "AC", "10D") == [*"JQKA", "10"]
    open_sheet(host, "mode")
    host.get_by_test_id("indices").select_option("french")
    expect(anna.locator("html")).to_have_attribute("data-indices", "french")
    assert letters(anna, "JS", "QH", "KD", "AC", "10D") == [*"VDRA", "10"]
    anna.get_by_test_id("language").click()
    anna.get_by_test_id("hand-card-AC").click()
    anna.get_by_test_id("take-back").click()
    asked = {"card": "KD"}
    assert table.request(parse_request("play_card", asked, Role.SEAT, Seat.P0)).ok
    expect(anna.get_by_test_id("turn")).to_contain_text("R♦")
    expect(anna.locator(".laid-card")).to_contain_text("Roi de carreau")


def test_a_card_that_cannot_be_played_looks_so_and_says_why(
    blind_site: str, blind_table: Table, open_page: OpenPage
) -> None:
    assert blind_table.request(parse_request("new_game", {"ruleset": "mjc"}, Role.HOST)).ok
    anna = seated(open_page, blind_site, "P0", "Anna", PIXEL, "fr-CA")
    tell(anna, "6H", "AS")
    useless, useful = anna.get_by_test_id("hand-card-6H"), anna.get_by_test_id("hand-card-AS")
    expect(useless).to_contain_text("aucun")
    expect(useful).to_contain_text("1 coup")
    colors = [card.evaluate("(node) => getComputedStyle(node).backgroundColor") for card in (useless, useful)]
    assert colors[0] != colors[1]
    useless.click()
    expect(anna.get_by_test_id("toast")).to_contain_text("6 de cœur\u00a0: aucun coup possible")
    expect(anna.locator(".laid-card")).to_have_count(0)


def test_the_letters_are_kept_through_a_restart(tmp_path: Path) -> None:
    for _ in range(2):
        table = Table(generate(4, 440), Store(tmp_path))
        table.start()
        before = table.view(Role.TABLE)["indices"]
        assert table.request(parse_request("set_indices", {"indices": "german"}, Role.HOST)).ok
        assert table.view(Role.TABLE)["indices"] == "german"
        table.stop()
    assert before == "german"


def test_partners_give_each_other_a_card_before_the_first_one(
    blind_site: str, blind_table: Table, open_page: OpenPage
) -> None:
    assert blind_table.request(parse_request("new_game", {"ruleset": "toc"}, Role.HOST)).ok
    anna, cleo = (
        seated(open_page, blind_site, seat, name) for seat, name in (("P0", "Anna"), ("P2", "Cleo"))
    )
    expect(anna.get_by_test_id("turn")).to_contain_text("Choisis une carte pour Cleo")
    expect(anna.locator("[data-testid^=hand-card-]:visible")).to_have_count(0)
    tell(anna, "6H", "KS", "10D", "2C", "3C")
    anna.get_by_test_id("hand-card-6H").click()
    expect(anna.locator(".in-hand")).to_have_count(4)
    anna.get_by_test_id("gift-withdrawn").click()
    expect(anna.locator(".in-hand")).to_have_count(5)
    anna.get_by_test_id("hand-card-KS").click()
    expect(anna.get_by_test_id("turn")).to_contain_text("attend que tout le monde")
    assert "Roi de pique" not in cleo.content()
    cleo.get_by_test_id("gift-unnamed").click()
    # Those without a phone have exchanged their cards when somebody plays.
    expect(cleo.get_by_test_id("gift-received")).to_have_count(0)
    anna.get_by_test_id("hand-card-10D").click()
    expect(cleo.get_by_test_id("gift-received")).to_contain_text("Roi de pique")
