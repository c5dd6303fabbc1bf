"""A club evening in a real browser: the director's page, the hall's screen, and a table without sensors."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.axe import faults_day_and_night
from tests.support.browsing import HOST, PIXEL, TABLET, OpenPage
from tock_companion.club.desk import Desk
from tock_companion.club.repository import ClubRepository
from tock_web import serve
from tock_web.club.access import DESK
from tock_web.club.desk import STREAM_LIMIT, create_desk_app, director_pin
from tock_web.context import STREAMS
from tock_web.streams import Stream

pytestmark = pytest.mark.browser
NAMES = "Ana, Béa, Chloé, Dan, Élise, Fred, Gaël, Hugo, Inès, Jules, Karim, Léa, Marc, Nora, Omar, Paul"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with closing(ClubRepository(tmp_path)) as repository:
        yield Desk(repository, "Club du Chêne")


def test_sixteen_people_play_a_round_from_the_list_to_the_standings(desk: Desk, open_page: OpenPage) -> None:
    app = create_desk_app(desk)
    with serve(app, "127.0.0.1", 0) as server:
        url = f"http://{HOST}:{server.port}/"
        hall = open_page(url, TABLET)
        expect(hall.get_by_test_id("hall-round")).to_contain_text("Aucun tournoi")
        director = open_page(f"{url}director", TABLET)
        expect(director.get_by_test_id("connection")).to_have_attribute("data-state", "live")
        director.get_by_test_id("director-pin").fill(director_pin(app))
        director.get_by_test_id("director-enter").click()
        expect(director.get_by_label("Règles").locator("option").first).to_have_text("MJC")
        director.get_by_test_id("open-form").select_option("singles")
        director.get_by_test_id("open-name").fill("Coupe")
        director.get_by_test_id("open-go").click()
        director.get_by_test_id("people-list").fill(NAMES.replace(", ", "\n"))
        director.get_by_test_id("people-add").click()
        expect(director.get_by_test_id("people")).to_contain_text("Inscrits : 16")
        expect(director.get_by_test_id("open-name")).to_be_hidden()
        # Every button is tapped twice, as excited people do: a step has its place, and what ends something asks.
        director.get_by_test_id("do-pair").dblclick()
        director.get_by_test_id("do-begin").dblclick()
        pairings = director.get_by_test_id("pairings")
        expect(pairings.get_by_test_id("hall-table-4")).to_contain_text("en cours")
        expect(pairings.locator("li")).to_have_count(16)
        director.get_by_test_id("do-time").dblclick()
        director.get_by_test_id("danger-no").click()
        expect(hall.get_by_test_id("hall-round")).to_have_text("Ronde 1 sur 5")
        expect(hall.get_by_test_id("hall-table-4")).to_be_visible()
        hall.get_by_test_id("hall-name").fill("Ana")
        expect(hall.get_by_test_id("hall-mine")).to_contain_text("Ana : table")
        assert faults_day_and_night(hall) == []
        assert faults_day_and_night(director) == []

        phone = open_page(f"{url}sheet#{app.extensions[DESK].code_of(1, 0)}", PIXEL)
        phone.get_by_test_id("winner").select_option("2")
        expect(phone.get_by_test_id("home-2")).to_have_value("4")
        assert faults_day_and_night(phone) == []
        phone.get_by_test_id("sheet-send").click()
        expect(hall.get_by_test_id("hall-table-1")).to_contain_text("à confirmer")
        expect(phone.get_by_test_id("sheet-yes")).to_have_count(0)
        phone.get_by_test_id("sheet-no").click()
        phone.get_by_test_id("winner").select_option("1")
        phone.get_by_test_id("sheet-send").click()
        other = open_page(f"{url}sheet#{app.extensions[DESK].code_of(1, 1)}", PIXEL)
        assert faults_day_and_night(other) == []
        other.get_by_test_id("sheet-yes").click()
        expect(other.get_by_test_id("sheet-done")).to_be_visible()
        expect(phone.get_by_test_id("sheet-done")).to_be_visible()
        expect(hall.get_by_test_id("hall-table-1")).to_contain_text("a gagné")
        # All are first until the round is counted.
        expect(hall.get_by_test_id("standing-1").first).to_contain_text("3")

        director.get_by_test_id("result-table").select_option("1")
        director.get_by_test_id("winner").select_option("0")
        director.get_by_test_id("result-save").click()
        expect(director.get_by_test_id("toast")).to_contain_text("raison")
        director.get_by_test_id("result-why").fill("deux noms échangés")
        director.get_by_test_id("result-save").click()
        expect(hall.locator("#hall-more")).to_contain_text("deux noms échangés")
        expect(pairings.get_by_test_id("hall-table-1")).to_contain_text("a gagné")

        director.get_by_test_id("open-fold").locator("summary").click()
        director.get_by_test_id("open-name").fill("Une autre coupe")
        director.get_by_test_id("open-go").dblclick()
        expect(director.get_by_test_id("danger")).to_contain_text("« Coupe » n’est pas clos")
        director.get_by_test_id("danger-no").click()
        expect(hall.get_by_test_id("hall-title")).to_contain_text("Coupe")
        assert desk.state.number == 1
        assert desk.left_s is None
        assert faults_day_and_night(director) == []
        hall.get_by_test_id("language").click()
        expect(hall.get_by_test_id("hall-round")).to_have_text("Round 1 of 5")


def test_a_screen_that_was_refused_comes_back_by_itself(desk: Desk, open_page: OpenPage) -> None:
    app = create_desk_app(desk)
    streams = app.extensions[STREAMS]
    others = [Stream(f"tab-{number}", "", device=f"device-{number}") for number in range(STREAM_LIMIT)]
    assert all(streams.admit(other) for other in others)
    with serve(app, "127.0.0.1", 0) as server:
        hall = open_page("about:blank", TABLET)
        with hall.expect_response("**/desk/events") as refused:
            hall.goto(f"http://{HOST}:{server.port}/")
        assert refused.value.status == 503
        expect(hall.get_by_test_id("connection")).to_have_attribute("data-state", "lost")
        for other in others:
            streams.drop(other)
        expect(hall.get_by_test_id("connection")).to_have_attribute("data-state", "live")
        expect(hall.get_by_test_id("hall-round")).to_contain_text("Aucun tournoi")


def people(count: int) -> str:
    return "\n".join(f"{NAMES.split(', ')[number % 16]} {number}" for number in range(count))


@pytest.mark.parametrize("count", [8, 40])
@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_the_hall_shows_everybody_on_one_screen(
    desk: Desk, open_page: OpenPage, count: int, size: tuple[int, int]
) -> None:
    """Eight names did not fit, and nobody scrolls on a wall; with partners, for the rules have them."""
    app = create_desk_app(desk)
    with serve(app, "127.0.0.1", 0) as server:
        url = f"http://{HOST}:{server.port}/"
        director = open_page(f"{url}director", TABLET)
        director.get_by_test_id("director-pin").fill(director_pin(app))
        director.get_by_test_id("director-enter").click()
        expect(director.get_by_test_id("open-form")).to_have_value("drawn-pairs")
        director.get_by_test_id("open-rules").select_option("gladius")
        expect(director.get_by_test_id("open-form")).to_have_value("singles")
        director.get_by_test_id("open-rules").select_option("mjc")
        director.get_by_test_id("open-name").fill("Coupe")
        director.get_by_test_id("open-go").click()
        director.get_by_test_id("people-list").fill(people(count))
        director.get_by_test_id("people-add").click()
        director.get_by_test_id("do-pair").click()
        director.get_by_test_id("do-begin").click()
        hall = open_page(url, {"width": size[0], "height": size[1]})
        expect(hall.locator(".hall-table")).to_have_count(count // 4)
        expect(hall.locator(".standings th[scope=row]")).to_have_count(count)
        expect(hall.locator(".hall-table li").first).to_contain_text(" & ")
        hall.wait_for_function("document.documentElement.scrollHeight <= innerHeight")
        letters = "Number(getComputedStyle(document.querySelector('.hall-table li')).fontSize.slice(0, -2))"
        zoom = "Number(document.querySelector('#hall').style.zoom)"
        assert hall.evaluate(f"{letters} * {zoom}") >= 9
        hall.get_by_test_id("hall-name").fill("  ana 0")
        expect(hall.get_by_test_id("hall-mine")).to_contain_text(", contre ")
        hall.get_by_test_id("hall-name").fill("zoe")
        expect(hall.get_by_test_id("hall-mine")).to_have_text("Choisis ton nom dans la liste.")
