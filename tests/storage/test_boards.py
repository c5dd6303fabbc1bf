"""Boards are kept in a folder as files that people can read, rename and share."""

from dataclasses import replace
from pathlib import Path

import pytest

from tock_companion.boardfile import fingerprint, generate, load, to_text
from tock_companion.errors import BadInputError
from tock_companion.storage.boards import MAX_BOARDS, BadBoard, BoardFolder

OAK = replace(generate(4, 440), name="Chêne de Mémé")


def test_a_board_is_kept_under_a_plain_file_name_and_found_again(tmp_path: Path) -> None:
    folder = BoardFolder(tmp_path / "boards")
    key = folder.add(OAK)
    assert key == "chene-de-meme"
    assert folder.get(key).board == OAK
    assert load(tmp_path / "boards" / "chene-de-meme.json") == OAK
    assert folder.add(replace(generate(6, 600), name="Chêne de Mémé")) == "chene-de-meme-2"
    assert folder.add(OAK) == key
    assert {kept.key for kept in folder.boards()} == {"chene-de-meme", "chene-de-meme-2"}


@pytest.mark.parametrize("name", ["../../etc/passwd", "日本", "a" * 60, "CON", "."])
def test_no_name_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    folder = BoardFolder(tmp_path / "boards")
    kept = folder.get(folder.add(replace(OAK, name=name)))
    assert kept.path.parent == tmp_path / "boards"
    assert kept.board.name == name


@pytest.mark.parametrize("key", ["../games", "..", "", "chene-de-meme.json", "/etc/passwd"])
def test_only_files_of_the_folder_are_boards(tmp_path: Path, key: str) -> None:
    folder = BoardFolder(tmp_path / "boards")
    folder.add(OAK)
    (tmp_path / "games.json").write_text(to_text(OAK))
    with pytest.raises(BadInputError, match="no board"):
        folder.get(key)


def test_another_name_leaves_the_file_and_what_a_camera_learned(tmp_path: Path) -> None:
    folder = BoardFolder(tmp_path)
    key = folder.add(OAK)
    folder.rename(key, "Kitchen")
    renamed = folder.get(key).board
    assert renamed.name == "Kitchen"
    assert fingerprint(renamed) == fingerprint(OAK)
    assert fingerprint(replace(OAK, holes=(*OAK.holes[1:], OAK.holes[0]))) != fingerprint(OAK)


@pytest.mark.parametrize("name", ["", "   ", "x" * 61, "a\nb", "a\u202eb"])
def test_a_bad_name_changes_nothing(tmp_path: Path, name: str) -> None:
    folder = BoardFolder(tmp_path)
    key = folder.add(OAK)
    with pytest.raises(BadInputError):
        folder.rename(key, name)
    assert folder.get(key).board == OAK


def test_a_damaged_file_is_reported_and_hides_no_other_board(tmp_path: Path) -> None:
    folder = BoardFolder(tmp_path)
    folder.add(OAK)
    (tmp_path / "aaa.json").write_text("{")
    bad, good = folder.all()
    assert isinstance(bad, BadBoard)
    assert "aaa.json" in bad.why
    assert [kept.board for kept in folder.boards()] == [OAK]
    assert not isinstance(good, BadBoard)


def test_a_board_is_removed(tmp_path: Path) -> None:
    folder = BoardFolder(tmp_path)
    folder.remove(folder.add(OAK))
    assert folder.boards() == []


def test_there_is_an_end_to_boards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tock_companion.storage.boards.MAX_BOARDS", 2)
    folder = BoardFolder(tmp_path)
    for number in range(2):
        folder.add(replace(OAK, name=f"{number}"))
    with pytest.raises(BadInputError, match="2 boards already"):
        folder.add(replace(OAK, name="one more"))
    assert MAX_BOARDS > 20
