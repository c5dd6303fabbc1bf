"""Text of others means one thing or is refused: JSON, encodings, and names on one line without controls."""

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import pytest

from tests.support import valid_files as valid
from tests.support.doors import DOORS, Door
from tests.support.page import OWN, Phone
from tests.support.variants import some
from tock_app.cli.console import answer_line
from tock_app.config.load import config_of
from tock_companion import strict_json
from tock_companion.boardfile import parse
from tock_companion.errors import BadInputError
from tock_companion.events.codec import read_log
from tock_companion.mqtt.club import view_of
from tock_companion.sources.recording import open_recording

OF_TEXT = [
    door for door in DOORS if door.form in ("json", "lines", "toml", "sheet") and "club:" not in door.name
]
FROM_FILES = [door for door in OF_TEXT if door.target and door.name != "report --recording"]
"""The report keeps lines that it cannot read out of the archive, and says nothing of them."""


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    # A forked child has none of the threads of its parent.
    cv2.setNumThreads(0)


@pytest.mark.parametrize("door", some(OF_TEXT, every=2), ids=lambda door: door.name)
def test_a_mark_and_windows_line_ends_change_nothing(door: Door) -> None:
    usual, other = (door.give(content) for content in (door.valid(), _of_windows(door.valid())))
    assert (other.code, other.stderr) == (usual.code, usual.stderr)


@pytest.mark.parametrize("door", some(FROM_FILES, every=2, first=1), ids=lambda door: door.name)
def test_utf_16_is_named_wherever_it_comes_in(door: Door) -> None:
    outcome = door.give(door.valid().decode().encode("utf-16"))
    assert (outcome.code, "saved as UTF-16" in outcome.stderr) == (2, True), outcome.stderr


def _of_windows(content: bytes) -> bytes:
    return b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n")


TWICE = {
    "a key": '{"a": 1, "a": 2}',
    "spelled otherwise": '{"a": 1, "\\u0061": 2}',
    "deep inside": '[{"x": [{"b": null, "c": 1, "b": null}]}]',
}


@pytest.mark.parametrize("text", TWICE.values(), ids=TWICE)
def test_a_key_that_stands_twice_is_refused(text: str) -> None:
    for given in (text, text.encode()):
        with pytest.raises(ValueError, match="stands twice in one object"):
            strict_json.decode(given)


@pytest.mark.parametrize("text", ['{"a": NaN}', '"\\ud800"', "[" * 3000 + "]" * 3000, "9" * 5000, "{", ""])
def test_ambiguous_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        strict_json.decode(text)


def test_all_else_is_as_it_was_written() -> None:
    document = {"a": [1, -0.5, "\u00e9\U0001f600", None, True, {}], "b": {"a": {"a": 1}}}
    assert strict_json.decode(json.dumps(document)) == document


def read_board(folder: Path) -> None:
    parse(valid.board().decode().replace('"zones": 4', '"zones": 6, "zones": 4'))


def read_game(folder: Path) -> None:
    read_log(valid.log().decode().replace('"seq": 1,', '"seq": 2, "seq": 1,').splitlines())


def read_recording(folder: Path) -> None:
    (folder / "board.json").write_bytes(valid.board())
    text = valid.recording()["recording/recording.json"].decode()
    (folder / "recording.json").write_text(text.replace('"v": 1,', '"v": 1, "v": 1,'))
    open_recording(folder)


READERS = {"board file": read_board, "event log": read_game, "recording": read_recording}


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_files_with_doubled_keys_are_refused_in_a_line(read: Callable[[Path], None], tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="stands twice in one object"):
        read(tmp_path)


def test_lines_and_notes_with_doubled_keys_are_refused() -> None:
    answer = answer_line(lambda _: {"ok": True}, '{"id": 1, "kind": "deal", "id": 2}')
    assert answer["error"] == "not JSON: the key 'id' stands twice in one object"
    with pytest.raises(ValueError, match="stands twice"):
        view_of(valid.club_state()[:-1] + b', "revision": 1, "revision": 2}')


def test_a_request_with_doubled_keys_is_refused(phone: Phone) -> None:
    body = '{"name": "Anna", "seat": "P0", "seat": "P1"}'
    answer = phone.client.post("/api/v1/join", data=body, headers=OWN, content_type="application/json")
    assert (answer.status_code, answer.get_json()["code"]) == (400, "bad_input")
    assert phone.get("session").get_json()["seat"] is None


BAD = {
    "control": "a\x1bb",
    "direction": "a\u202eb",
    "half a pair": "a\ud800b",
    "two lines": "a\nb",
    "tab": "a\tb",
}


def named_board(name: str) -> dict[str, object]:
    return {**json.loads(valid.board()), "name": name}


def read_named_board(name: str, folder: Path) -> None:
    parse(named_board(name))


def read_settings(key: str) -> Callable[[str, Path], None]:
    def read(name: str, folder: Path) -> None:
        text = json.dumps(name, ensure_ascii=True) if "\ud800" not in name else '"a\\uD800b"'
        config_of(folder / "tock.toml", key % text)

    return read


def read_named_game(name: str, folder: Path) -> None:
    first, *others = valid.log().decode().splitlines()
    read_log([json.dumps({**json.loads(first), "board": name}), *others])


def read_named_recording(name: str, folder: Path) -> None:
    (folder / "board.json").write_text(json.dumps(named_board(name)))
    (folder / "recording.json").write_bytes(valid.recording()["recording/recording.json"])
    open_recording(folder)


OF_NAMES = {
    "board file": read_named_board,
    "settings: names": read_settings("names = [%s]\n"),
    "settings: the table's name": read_settings("[mqtt]\ntable = %s\n"),
    "settings: a source's name": read_settings("[sources.camera]\nname = %s\n"),
    "event log": read_named_game,
    "recording": read_named_recording,
}


@pytest.mark.parametrize("name", BAD.values(), ids=BAD)
@pytest.mark.parametrize("read", OF_NAMES.values(), ids=OF_NAMES)
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
