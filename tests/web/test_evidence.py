"""Pictures of moves: the evidence for a disputed one, for the host alone, and the film of a game that has ended."""

from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path

import pytest
from flask import Flask
from PIL import Image

from tests.support.page import Phone
from tests.support.sources import PerfectEye
from tests.support.tables import nearly_won, put, wait_for, win
from tests.web.conftest import START
from tock_app.service.films import Films
from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Role, parse_request
from tock_companion.sources.scene import Scene
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_rules import Seat
from tock_vision.film.board_picture import board_png
from tock_web import create_app
from tock_web.services import PageServices

pytestmark = pytest.mark.whole


class Remembering(PerfectEye):
    """An eye whose pictures tell of which hole they are."""

    def crops(self, _t_ms: int, names: Sequence[str]) -> Mapping[str, bytes]:
        return {name: f"PNG of {name}".encode() for name in names}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    board = generate(4, 440)
    scene = Scene(board)
    running = Table(
        board, Store(tmp_path), [Remembering(scene)], scene=scene, setup=GameSetup(position=START)
    )
    running.start()
    yield running
    running.stop()


@pytest.fixture
def host(app: Flask) -> Phone:
    phone = Phone(app.test_client())
    phone.post("host")
    return phone


@pytest.fixture
def seq(table: Table, host: Phone, phone: Phone) -> int:
    """The event of a move that was seen."""
    phone.sit("P0")
    assert phone.post("request", kind="play_card", data={"card": "6H"}).status_code == 200
    put(table, "T26", "P1-C4")
    put(table, "T20", "T26")
    seen = wait_for(table, lambda view: view["history"])
    # Pictures are kept after the move was shown; the answer to any request comes after that.
    phone.post("request", kind="decide_now")
    return int(seen["history"][0]["seq"])


def test_the_host_sees_what_speaks_for_a_move(seq: int, host: Phone) -> None:
    evidence = host.get(f"evidence?seq={seq}").get_json()
    assert (evidence["card"], evidence["move"]) == ("6H", "P0:T20>T26")
    assert evidence["probability"] > 0.9
    assert evidence["rule"][0].startswith("R004-")
    assert evidence["places"]["T26"]["en"]
    assert {"before/T20", "after/T26", "card"} <= set(evidence["pictures"])
    picture = host.get(f"evidence/picture?seq={seq}&name=after/T26")
    assert (picture.mimetype, picture.data) == ("image/png", b"PNG of T26")


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("evidence", 400),
        ("evidence?seq=-1", 400),
        ("evidence?seq=99999999999", 400),
        ("evidence?seq=1", 409),
        ("evidence?seq=5000", 409),
        ("evidence?seq=1&game=77", 409),
        ("evidence/picture?seq=1&name=../../x", 404),
        ("evidence/picture?seq=1", 404),
    ],
)
def test_an_event_other_than_a_move_has_no_evidence(phone: Phone, path: str, status: int) -> None:
    phone.post("host")
    assert phone.get(path).status_code == status


@pytest.fixture
def late(tmp_path: Path) -> Iterator[tuple[Table, Phone]]:
    """A table one move from the end, and a spectator."""
    table = Table(generate(4, 440), Store(tmp_path), setup=nearly_won())
    films = Films(tmp_path)
    table.start()
    table.people.join("Léa", Seat.P0)
    yield table, Phone(create_app(table, PageServices(films=films, draw_board=board_png)).test_client())
    films.close()
    table.stop()


def test_a_spectator_may_have_the_film_drawn_once_somebody_has_won(late: tuple[Table, Phone]) -> None:
    table, spectator = late
    assert spectator.post("ending/film", lang="en").get_json() == {"state": "none", "percent": 0}
    assert spectator.get("ending/film.gif?lang=en").status_code == 404
    win(table)
    assert spectator.post("ending/film", lang="en").get_json()["state"] == "making"
    assert spectator.get("ending/film?lang=fr").get_json()["state"] == "none"


def test_the_host_sees_where_the_pawns_of_a_kept_game_stood(late: tuple[Table, Phone]) -> None:
    _, host = late
    assert host.get("games/picture.png?number=1").status_code == 403
    host.post("host")
    answer = host.get("games/picture.png?number=1")
    assert Image.open(BytesIO(answer.data)).size == (192, 192)
    assert host.get("games/picture.png?number=7").status_code == 409


def test_the_host_deletes_pictures_a_game_and_a_name_once_nothing_on_the_table_needs_them(
    seq: int, host: Phone, phone: Phone, table: Table
) -> None:
    def forget(**what: object) -> str:
        return str(host.post("games/forget", **what).get_json()["code"])

    def begin_another() -> None:
        assert table.request(parse_request("new_game", {}, Role.HOST)).ok

    def kept() -> tuple[list[int], list[str], bool]:
        listed = host.get("games").get_json()
        pictures = host.get(f"evidence?seq={seq}&game=1").get_json().get("pictures")
        return [game["number"] for game in listed["games"]], listed["names"], bool(pictures)

    assert phone.post("games/forget", game=1).status_code == 403
    assert kept() == ([1], ["Anna"], True)
    assert [forget(game=1), forget(name="anna"), forget(), forget(game=1, name="x"), forget(game=9)] == [
        "forget_running", "forget_present", "bad_request", "bad_request", "forget_gone",
    ]  # fmt: skip
    assert (forget(seq=seq), kept()) == ("ok", ([1], ["Anna"], False))
    begin_another()
    assert forget(name="ANNA") == "forget_present", "she still sits there"
    phone.post("leave")
    begin_another()
    assert (forget(name="ANNA"), kept()) == ("ok", ([3, 2, 1], [], False))
    assert "Anna" not in str(host.get("games").get_json()) + str(table.view(Role.HOST))
    assert (forget(game=1), forget(game=2), kept()[0]) == ("ok", "ok", [3])
