"""Names in files: of one spelling, on one line, without controls, direction marks and halves of pairs."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import valid_files as valid
from tock_app.config.load import config_of
from tock_companion.boardfile import parse
from tock_companion.errors import BadInputError
from tock_companion.events.codec import read_log
from tock_companion.sources.recording import open_recording

BAD = {
    "control": "a\x1bb",
    "direction": "a\u202eb",
    "half a pair": "a\ud800b",
    "two lines": "a\nb",
    "tab": "a\tb",
}


def named_board(name: str) -> dict[str, object]:
    return {**json.loads(valid.board()), "name": name}


def read_board(name: str, folder: Path) -> None:
    parse(named_board(name))


def read_settings(key: str) -> Callable[[str, Path], None]:
    def read(name: str, folder: Path) -> None:
        text = json.dumps(name, ensure_ascii=True) if "\ud800" not in name else '"a\\uD800b"'
        config_of(folder / "tock.toml", key % text)

    return read


def read_game(name: str, folder: Path) -> None:
    first, *others = valid.log().decode().splitlines()
    read_log([json.dumps({**json.loads(first), "board": name}), *others])


def read_recording(name: str, folder: Path) -> None:
    (folder / "board.json").write_text(json.dumps(named_board(name)))
    (folder / "recording.json").write_bytes(valid.recording()["recording/recording.json"])
    open_recording(folder)


READERS = {
    "board file": read_board,
    "settings: names": read_settings("names = [%s]\n"),
    "settings: the table's name": read_settings("[mqtt]\ntable = %s\n"),
    "settings: a source's name": read_settings("[sources.camera]\nname = %s\n"),
    "event log": read_game,
    "recording": read_recording,
}


@pytest.mark.parametrize("name", BAD.values(), ids=BAD)
@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_a_name_that_breaks_lines_and_terminals_is_refused(
    read: Callable[[str, Path], None], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOCK_DATA", str(tmp_path))
    with pytest.raises(BadInputError) as caught:
        read(name, tmp_path)
    assert "\x1b" not in str(caught.value)
    assert "\u202e" not in str(caught.value)


def test_equal_names_are_spelled_alike() -> None:
    assert parse(named_board("Chene\u0302")).name == "Chen\u00ea"


@pytest.mark.parametrize("name", ["\u200b", "\u2060\ufeff", "\u3164", "\u00ad", " "])
def test_a_board_has_a_name_that_one_can_see(name: str) -> None:
    with pytest.raises(BadInputError, match="'name' must have a letter that one can see"):
        parse(named_board(name))
    assert parse(named_board(f"Oak{name}")).name == "Oak"
