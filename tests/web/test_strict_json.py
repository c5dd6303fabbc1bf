"""JSON of others means one thing to every reader, or it is refused: files, lines, requests, notes."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import valid_files as valid
from tests.support.page import OWN, Phone
from tock_app.cli.console import answer_line
from tock_companion import strict_json
from tock_companion.boardfile import parse
from tock_companion.errors import BadInputError
from tock_companion.events.codec import read_log
from tock_companion.mqtt.club import view_of
from tock_companion.sources.recording import open_recording

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
