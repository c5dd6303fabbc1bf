"""The host chooses the board of the next game, names boards, shares them and takes them in."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask

from tests.support.page import Phone, offer
from tock_app.service.boards import BoardAdmin
from tock_companion.boardfile import BoardFile, generate, parse, to_text
from tock_companion.errors import BadInputError
from tock_companion.storage.boards import BoardFolder
from tock_companion.table.runtime.live import Table
from tock_web import create_app
from tock_web.services import PageServices

OAK = replace(generate(4, 440), name="Oak", size_mm=(450.0, 450.0))


class Settings:
    """Takes any choice but a board for six, and remembers it."""

    def __init__(self) -> None:
        self.chosen: list[tuple[Path | None, int]] = []

    def names_board(self) -> Path | None:
        return self.chosen[-1][0] if self.chosen else None

    def board_choice(self, path: Path | None, zones: int) -> Callable[[], None]:
        if zones == 6:
            raise BadInputError("'players': 8 players do not fit a board of 6 zones")
        return lambda: self.chosen.append((path, zones))


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
    def reopen(board: BoardFile, path: Path | None, once_built: Callable[[], None]) -> None:
        opened.append(board)
        once_built()

    admin = BoardAdmin(folder, table.board_file, settings, reopen, state_of)
    return create_app(table, PageServices(boards=admin))


@pytest.fixture
def host(boards_app: Flask) -> Phone:
    phone = Phone(boards_app.test_client())
    phone.post("host")
    return phone


def listed(phone: Phone) -> dict[str, dict[str, object]]:
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
    }
    assert set(rows) == {"oak", "standard-4", "standard-6", "standard-8"}


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


@pytest.mark.parametrize("drawing", ["paper", "drill"])
def test_a_board_is_printed_at_full_size(host: Phone, drawing: str) -> None:
    answer = host.get(f"boards/sheets?key=standard-4&drawing={drawing}")
    assert answer.mimetype == "application/pdf"
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
