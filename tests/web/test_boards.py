"""The host chooses the board of the next game, names boards, shares them and takes them in."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.support.page import Phone, offer
from tock_app.config.load import Config
from tock_app.service.boards import BoardAdmin
from tock_app.service.table_factory import BuiltTable, places_on
from tock_companion.boardfile import BoardFile, generate, parse, to_text
from tock_companion.core.game_setup import GameSetup
from tock_companion.errors import BadInputError
from tock_companion.storage.boards import BoardFolder
from tock_companion.table.runtime.live import Table
from tock_companion.table.seats.chairs import Places
from tock_web import create_app
from tock_web.services import PageServices

OAK = replace(generate(4, 440), name="Oak", size_mm=(450.0, 450.0))


class Settings:
    """Takes any choice but a board for six, and remembers it."""

    def __init__(self) -> None:
        self.chosen: list[tuple[Path | None, int]] = []

    def names_board(self) -> Path | None:
        return self.chosen[-1][0] if self.chosen else None

    def board_choice(self, path: Path | None, board: BoardFile, _game: str) -> Callable[[], None]:
        if board.zones == 6:
            raise BadInputError("'players': 8 players do not fit a board of 6 zones")
        return lambda: self.chosen.append((path, board.zones))


@pytest.fixture
def settings() -> Settings:
    return Settings()


@pytest.fixture
def opened() -> list[BoardFile]:
    """The boards with which the table was opened again."""
    return []


@pytest.fixture
def folder(tmp_path: Path) -> BoardFolder:
    return BoardFolder(tmp_path / "boards")


def state_of(board: BoardFile) -> Path:
    """The file in which a camera would keep its calibration."""
    return Path(f"/nowhere/{board.name}")


@pytest.fixture
def boards_app(table: Table, folder: BoardFolder, settings: Settings, opened: list[BoardFile]) -> Flask:
    def reopen(board: BoardFile, path: Path | None, _game: str, once_built: Callable[[], None]) -> None:
        opened.append(board)
        once_built()

    def places(board: BoardFile, game: str) -> Places:
        config = Config(0, "", folder.folder, table.board_file, GameSetup())
        return places_on(BuiltTable(table, config), board, game)

    admin = BoardAdmin(folder, table.board_file, settings, reopen, state_of, places_on=places)
    return create_app(table, PageServices(boards=admin))


@pytest.fixture
def host(boards_app: Flask) -> Phone:
    phone = Phone(boards_app.test_client())
    phone.post("host")
    return phone


def listed(phone: Phone) -> dict[str, dict[str, Any]]:
    return {row["key"]: row for row in phone.get("boards").get_json()["boards"]}


def test_the_board_in_use_and_those_to_choose_from_are_listed(host: Phone, folder: BoardFolder) -> None:
    rows = listed(host)
    assert [key for key, row in rows.items() if row["in_use"]] == ["standard-4"]
    folder.add(OAK)
    rows = listed(host)
    assert rows["oak"] == {
        "key": "oak",
        "name": "Oak",
        "zones": 4,
        "holes": 105,
        "own": True,
        "in_use": False,
        "colors": {seat.name: color for seat, color in OAK.colors.items()},
        "places": {},
    }
    assert {"oak", "standard-4", "standard-6", "standard-8"} < set(rows)
    drawn = {"standard-2", "standard-keezen-4", "standard-brandi-dog-6", "standard-pegs-jokers-8"}
    assert drawn < set(rows), "every game has the board that it is played on"
    assert "standard-jackaroo-4" not in rows, "one that is played on a Tock board needs no other"


def test_a_companion_that_keeps_no_boards_lists_none(host: Phone, boards_app: Flask) -> None:
    offer(boards_app, boards=None)
    assert listed(host) == {}
    assert host.post("boards/choose", key="oak").status_code == 404


def test_a_board_that_is_chosen_is_laid(
    host: Phone, folder: BoardFolder, settings: Settings, opened: list[BoardFile]
) -> None:
    folder.add(OAK)
    assert host.post("boards/choose", key="oak").status_code == 200
    assert host.post("boards/choose", key="standard-8").status_code == 200
    assert settings.chosen == [(folder.get("oak").path, 4), (None, 8)]
    assert [board.zones for board in opened] == [4, 8]
    assert opened[0] == OAK


def test_a_board_says_who_would_sit_where_and_leaves_nobody_without_a_seat(
    host: Phone, boards_app: Flask, opened: list[BoardFile]
) -> None:
    """Fault 1: with six zones, rules for four have no third seat, and who sat there was in no game."""
    for seat in ("P0", "P1", "P2", "P3"):
        Phone(boards_app.test_client()).sit(seat, f"Guest {seat}")
    assert listed(host)["standard-6"]["places"] == {"P0": "P0", "P1": "P1", "P2": "P3", "P3": "P4"}
    assert host.post("request", kind="prepare", role="host", data={"ruleset": "diagonale"}).status_code == 200
    assert listed(host)["standard-6"]["places"] == {f"P{seat}": f"P{seat}" for seat in range(4)}
    assert listed(host)["standard-3"]["places"]["P3"] is None
    assert host.post("boards/choose", key="standard-3").get_json()["code"] == "too_many_sit"
    assert opened == []


def test_a_board_that_does_not_fit_is_not_laid(host: Phone, opened: list[BoardFile]) -> None:
    answer = host.post("boards/choose", key="standard-6")
    assert answer.status_code == 409
    assert "8 players do not fit" in answer.get_json()["message"]["fr"]
    assert host.post("boards/choose", key="../tock").status_code == 409
    assert opened == []


def test_a_board_is_named_shared_taken_in_and_removed(host: Phone, folder: BoardFolder) -> None:
    assert host.post("boards", file=to_text(OAK)).get_json()["key"] == "oak"
    assert host.post("boards/rename", key="oak", name="Kitchen").status_code == 200
    shared = host.get("boards/file?key=oak")
    assert shared.headers["Content-Disposition"].startswith("attachment")
    assert parse(shared.get_data(as_text=True)) == replace(OAK, name="Kitchen")
    assert host.post("boards/remove", key="oak").status_code == 200
    assert folder.boards() == []


def test_the_board_in_use_is_not_removed(
    table: Table, host: Phone, folder: BoardFolder, settings: Settings
) -> None:
    key = folder.add(replace(table.board_file, name="In use"))
    answer = host.post("boards/remove", key=key)
    assert answer.status_code == 409
    assert "choose another board first" in answer.get_json()["message"]["en"]
    assert folder.get(key)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "JSON"),
        ("{", "JSON"),
        ("[]", "table"),
        (json.dumps({**json.loads(to_text(OAK)), "zones": 5}), "zones"),
        (json.dumps({**json.loads(to_text(OAK)), "name": "\u202e"}), "name"),
        (to_text(replace(OAK, holes=OAK.holes[1:])), "T0"),
        (to_text(OAK).replace('"red"', '"blue"', 1), "blue"),
        (to_text(OAK).replace("450.0", "1e999"), ""),
    ],
)
def test_a_file_that_is_no_board_is_refused_with_one_line(
    host: Phone, folder: BoardFolder, text: str, says: str
) -> None:
    answer = host.post("boards", file=text)
    assert answer.status_code == 409, answer.text
    assert answer.get_json()["code"] == "board/file"
    for sentence in answer.get_json()["message"].values():
        assert says in sentence
        assert "\n" not in sentence
    assert folder.boards() == []


def test_each_game_has_a_board_to_lay_the_family_s_that_was_laid_last_before_a_drawn_one(
    host: Phone, folder: BoardFolder, settings: Settings, table: Table
) -> None:
    admin = BoardAdmin(folder, table.board_file, settings, lambda *_: None, state_of)
    assert (admin.board_for("toc"), admin.board_for("brandi-dog")) == ("standard-4", "standard-brandi-dog-4")
    oak, pine = (
        folder.add(replace(OAK, name=name, size_mm=size))
        for name, size in (("Oak", (450.0, 450.0)), ("Pine", (451.0, 450.0)))
    )
    for key, s in ((oak, 2_000), (pine, 1_000)):
        os.utime(folder.get(key).path, (s, s))
    assert admin.board_for("toc") == oak
    laid = BoardAdmin(
        folder, folder.get(pine).board, settings, lambda *_: None, state_of, folder.get(pine).path
    )
    laid.choose("standard-keezen-4", "keezen")
    assert admin.board_for("toc") == pine
    # A board that the folder does not have is kept in it.
    elsewhere = BoardAdmin(
        folder, replace(OAK, name="Far", size_mm=(500.0, 500.0)), settings, lambda *_: None, state_of
    )
    elsewhere.choose("standard-keezen-4", "keezen")
    assert admin.board_for("toc") == "far"


@pytest.mark.parametrize("drawing", ["paper", "drill"])
@pytest.mark.parametrize(("size", "points"), [("a4", b"595"), ("letter", b"612")])
def test_a_board_is_printed_at_full_size_on_usual_sheets(
    host: Phone, drawing: str, size: str, points: bytes
) -> None:
    answer = host.get(f"boards/sheets?key=standard-4&drawing={drawing}&size={size}")
    assert answer.mimetype == "application/pdf"
    assert points in answer.data
    assert answer.data.startswith(b"%PDF")


def test_of_twins_the_one_whose_file_is_in_use_stays(
    table: Table, folder: BoardFolder, settings: Settings
) -> None:
    anna, bert = (folder.add(replace(OAK, name=name)) for name in ("Anna", "Bert"))
    path = folder.get(bert).path
    settings.chosen.append((path, 4))
    admin = BoardAdmin(folder, OAK, settings, lambda *_: None, state_of, path)
    assert [row["key"] for row in admin.known() if row["in_use"]] == [bert]
    with pytest.raises(BadInputError, match="played on Bert"):
        admin.remove(bert)
    admin.remove(anna)
    # A running game may be played on another board than the settings name for the next start.
    elsewhere = BoardAdmin(folder, generate(4, 440), settings, lambda *_: None, state_of)
    with pytest.raises(BadInputError, match="choose another board first"):
        elsewhere.remove(bert)


def test_a_board_without_holes_at_its_lower_edge_is_printed(host: Phone, folder: BoardFolder) -> None:
    folder.add(replace(OAK, name="Low", size_mm=(450.0, 600.0)))
    sheets = host.get("boards/sheets?key=low&drawing=drill")
    assert sheets.status_code == 200
    assert sheets.data.startswith(b"%PDF")
