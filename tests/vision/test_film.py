"""The film of a game: as short and small as phones share, drawn as the page draws, and true to its end."""

import re
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageColor

from tests.support.odd_boards import blossom
from tests.support.played import log_of
from tock_app.cli.main import main
from tock_companion.boardfile.film_scenes import FilmScript
from tock_companion.events.codec import event_to_line
from tock_companion.events.game import fold
from tock_companion.hints.film_script import MAX_SLOW, film_script
from tock_companion.hints.story import story_of
from tock_companion.views.replay import holes
from tock_rules import Seat
from tock_vision.film.film import HEAD_PX, Film, Made
from tock_vision.film.styles import MARKS, PALETTE, legible

MAX_S, MAX_BYTES = 30, 3_000_000
BEGUN = 60
"""Events of a game that has begun."""
PEOPLE = dict(zip(Seat, ("Léa", "Mamie", "Tom", "Guy"), strict=False))
SHAPES = Path("web/tock_web/static/js/board/shapes.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def script() -> FilmScript:
    return film_script(log_of(2, "duel"), PEOPLE, "fr")


@pytest.fixture(scope="module")
def film(script: FilmScript) -> tuple[Made, bytes]:
    out = BytesIO()
    return Film(script).write(out), out.getvalue()


def test_every_move_has_its_scene_and_the_moments_that_counted_are_slow(script: FilmScript) -> None:
    game = fold(log_of(2, "duel"))
    assert [scene.seat for scene in script.scenes] == [played.seat for played in game.moves]
    assert script.last == holes(game.position)
    slow = [number for number, scene in enumerate(script.scenes) if scene.is_slow]
    turning = next(number for number, one in enumerate(game.moves) if one.seq == story_of(game).turning)
    assert len(script.scenes) - 1 in slow
    assert turning in slow
    assert len(slow) <= MAX_SLOW


def test_it_says_who_played_and_who_won_in_either_language() -> None:
    log = log_of(1)
    scripts = {lang: film_script(log, PEOPLE, lang) for lang in ("fr", "en")}
    assert scripts["fr"].title == "Léa et Tom contre Mamie et Guy"
    assert scripts["fr"].end == "Léa et Tom gagnent\u202f!"
    assert scripts["en"].end == "Léa and Tom win!"
    assert scripts["fr"].players[Seat.P1] == "Mamie"
    one_move = next(number for number, event in enumerate(log) if event.fact.KIND == "move_accepted") + 1
    assert film_script(log[:one_move], PEOPLE, "en").opening == "A single move"


def test_it_is_short_small_and_loops(film: tuple[Made, bytes]) -> None:
    made, data = film
    picture = Image.open(BytesIO(data))
    assert picture.n_frames == made.pictures >= 60  # type: ignore[attr-defined]
    assert picture.size == made.size_px
    shown_ms = 0
    for number in range(made.pictures):
        picture.seek(number)
        shown_ms += picture.info["duration"]
    assert shown_ms == pytest.approx(1000 * made.seconds)
    assert 10 < made.seconds <= MAX_S
    assert len(data) <= MAX_BYTES
    assert picture.info["loop"] == 0


def test_its_last_picture_shows_the_board_as_it_stood(script: FilmScript, film: tuple[Made, bytes]) -> None:
    made, data = film
    picture = Image.open(BytesIO(data))
    picture.seek(made.pictures - 1)
    last, board = np.asarray(picture.convert("RGB")).astype(int), Film(script).board
    for hole in script.board.holes:
        x, y = board.at(hole.id)
        row, column = round(y + HEAD_PX), round(x)
        seat = script.last.get(hole.id)
        if seat is None:
            assert last[row, column].max() < 90, f"{hole.id} is empty"
            continue
        # Beside the mark, inside the rim.
        seen = last[row, round(x - 0.31 * board.pitch_px)]
        wanted = ImageColor.getrgb(board.styles[Seat.parse(seat)].fill)
        assert np.abs(seen - np.array(wanted)).sum() < 60, f"{hole.id}: {seen} is not {wanted}"


def test_a_board_of_ones_own_is_drawn_with_its_holes_where_they_are() -> None:
    script = film_script(log_of(2, "duel", make_board=blossom), {}, "en")
    film = Film(script)
    out = BytesIO()
    assert film.write(out).pictures > 60
    xs = [film.board.at(hole.id)[0] for hole in script.board.holes]
    assert 0 < min(xs) < max(xs) < film.size_px[0]


def test_pawns_look_as_they_do_on_the_page() -> None:
    rows = re.findall(r'(\w+): \["(#\w+)", "(#\w+)", (?:"(\w+)"|null)\]', SHAPES)
    assert {name: (fill, ink, mark or None) for name, fill, ink, mark in rows} == dict(PALETTE)
    assert f"const MARKS = {list(MARKS)}".replace("'", '"') in SHAPES


def test_names_keep_what_can_be_written() -> None:
    assert legible("Zoé 🎲 Łukasz") == "Zoé Łukasz"


def test_the_command_draws_a_log_and_names_what_it_cannot_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, film = tmp_path / "game.jsonl", tmp_path / "film.gif"
    log.write_text("".join(f"{event_to_line(event)}\n" for event in log_of(2, "duel")[:BEGUN]))
    assert main(["game", "film", str(log), "--out", str(film), "--name", "P0=Léa", "--lang", "en"]) == 0
    scripts = capsys.readouterr()
    assert "100 %" in scripts.err
    assert str(film) in scripts.out
    assert film.read_bytes().startswith(b"GIF89a")
    assert main(["game", "film", str(log), "--out", str(film), "--name", "Léa"]) == 2
    assert "--name P0=Léa" in capsys.readouterr().err
    log.write_text(log.read_text().splitlines()[0] + "\n")
    assert main(["game", "film", str(log), "--out", str(film)]) == 2
    assert "nobody has moved" in capsys.readouterr().err
