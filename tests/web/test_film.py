"""The film of the game that has ended: drawn in the background for whoever asks, and only once somebody has won."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from tests.support.ending import nearly_won, win
from tests.support.page import Phone
from tests.support.waiting import FILM_PATIENCE_S, until
from tock_app.service.films import Films
from tock_companion.boardfile import generate
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_rules import Seat
from tock_vision.film.board_picture import board_png
from tock_web import create_app
from tock_web.services import PageServices

pytestmark = pytest.mark.whole


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


def test_a_spectator_has_the_film_drawn_once_somebody_has_won(late: tuple[Table, Phone]) -> None:
    table, spectator = late
    assert spectator.post("ending/film", lang="en").get_json() == {"state": "none", "percent": 0}
    assert spectator.get("ending/film.gif?lang=en").status_code == 404
    win(table)
    assert spectator.post("ending/film", lang="en").get_json()["state"] == "making"
    until(
        lambda: spectator.get("ending/film?lang=en").get_json()["state"] == "ready", within_s=FILM_PATIENCE_S
    )
    answer = spectator.get("ending/film.gif?lang=en")
    assert answer.mimetype == "image/gif"
    assert Image.open(BytesIO(answer.data)).n_frames > 10  # type: ignore[attr-defined]
    assert spectator.get("ending/film?lang=fr").get_json()["state"] == "none"


def test_the_host_sees_where_the_pawns_of_a_kept_game_stood(late: tuple[Table, Phone]) -> None:
    _, host = late
    assert host.get("games/picture.png?number=1").status_code == 403
    host.post("host")
    answer = host.get("games/picture.png?number=1")
    assert Image.open(BytesIO(answer.data)).size == (192, 192)
    assert host.get("games/picture.png?number=7").status_code == 409
