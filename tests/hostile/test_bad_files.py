"""The files that once broke a command, by their fault: one line each, quickly, and in little memory."""

import json
import os
from pathlib import Path

import cv2
import pytest

from tests.support import valid_files as valid
from tests.support.doors import BY_NAME, command, empty_folder
from tests.support.trial import trial

START = json.loads(valid.log().splitlines()[0])
PLAYED = {"event": "card_played", "card": "AS", "by": "touch", "use": "play"}
REQUEST = {"t_ms": 1, "kind": "play_card", "role": "seat", "seat": "P0", "data": {}}


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    # A forked child has none of the threads of its parent.
    cv2.setNumThreads(0)


def log(*events: dict[str, object], **changes: object) -> bytes:
    """An event log of a game that begins with changes."""
    lines = [
        {**START, **changes},
        *({"v": 1, "seq": 2 + n, "t_ms": 1, **event} for n, event in enumerate(events)),
    ]
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def recorded(**changes: object) -> bytes:
    document = json.loads(valid.recording()["recording/recording.json"])
    return json.dumps({**document, **changes}).encode()


def asked(**changes: object) -> bytes:
    return json.dumps({**REQUEST, **changes}).encode() + b"\n"


def flipped(content: bytes) -> bytes:
    """The same with its middle byte turned over: of an archive, one that its own sums watch."""
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 0xFF]) + content[middle + 1 :]


def without(key: str) -> bytes:
    return json.dumps({name: value for name, value in REQUEST.items() if name != key}).encode() + b"\n"


BAD = [
    ("judge", "not UTF-8", b'{"id": "\xff"}\n'),
    ("judge", "a lone surrogate", b'{"id":"\\ud800"}\n'),
    ("judge", "a line without an end", b"[" * 2_000_000),
    ("judge", "nested deeply", b"[" * 100_000 + b"\n"),
    ("judge", "a number of thousands of digits", b'{"id": ' + b"9" * 5_000 + b"}\n"),
    ("hint", "not UTF-8", b'{"id": "\xff"}\n'),
    ("hint", "a lone surrogate", b'{"id":"\\ud800"}\n'),
    ("hint", "a line without an end", b"x" * 2_000_000),
    ("config check", "a NUL in the board's name", b'board = "\\u0000"\n'),
    ("config check", "an endless board", b'board = "/dev/zero"\n'),
    ("config check", "a random board", b'board = "/dev/urandom"\n'),
    ("config check", "a board that is a folder", b'board = "/"\n'),
    ("config check", "a name that is no text", b"names = [null]\n"),
    ("config check", "a lone surrogate", b'names = ["\\ud800"]\n'),
    ("config check", "nested deeply", b"a = " + b"[" * 5_000),
    ("config check", "a panel of what no panel has", b"[panel]\nx = 1\n"),
    ("config check", "not UTF-8", b'board = "\xff"\n'),
    ("game import", "a ruleset in a list", log(ruleset=[None])),
    ("game import", "a lone surrogate", log(board="\ud800")),
    ("game import", "counts that are a text", log({"event": "cards_dealt", "counts": "AS"})),
    ("game import", "a seat in a list", log({**PLAYED, "seat": ["P0"]})),
    ("game import", "a seat that is a number", log({**PLAYED, "seat": 1e30})),
    ("game import", "a name that turns the direction of writing", log(board="a\u202eb")),
    ("game import", "not UTF-8", b"\xff\n"),
    ("game export LOG", "a ruleset in a list", log(ruleset=[None])),
    ("game export LOG", "seats that are no list", log(seats=1)),
    ("game export LOG", "a position that is a text", log(position="P0")),
    ("game export LOG", "teams that are numbers", log(teams=[1, 2])),
    ("game restore", "no database", b"not a database"),
    ("game restore", "a head and nothing behind it", b"SQLite format 3\0" + b"\xff" * 5_000),
    ("board read --state", "empty", b""),
    ("board read --state", "a flipped byte", flipped(valid.state())),
    ("cards read --jokers", "empty", b""),
    ("cards read --jokers", "a text", b"jokers"),
    ("replay: requests.jsonl", "data that is a text", asked(data="AS")),
    ("replay: requests.jsonl", "not UTF-8", b"\xff\n"),
    ("replay: requests.jsonl", "a lone surrogate", asked(data={"card": "\ud800"})),
    ("replay: requests.jsonl", "a role that nobody has", asked(role="king")),
    ("replay: requests.jsonl", "no kind", without("kind")),
    ("replay: requests.jsonl", "an endless time", asked(t_ms=float("inf"))),
    ("replay: requests.jsonl", "nested deeply", b"[" * 100_000 + b"\n"),
    ("replay: recording.json", "sources that are a text", recorded(sources="reed.jsonl")),
    ("replay: recording.json", "a NUL in the board's name", recorded(board="\0")),
    ("replay: recording.json", "an endless board", recorded(board="/dev/zero")),
    ("replay: recording.json", "a board that is a folder", recorded(board=".")),
    ("replay: recording.json", "a long name", recorded(board="x" * 5_000)),
    ("replay: recording.json", "an escape for the terminal", recorded(board="\x1b[31m")),
    ("replay: recording.json", "an endless log", recorded(sources={"reed": "/dev/zero"})),
    ("report --recording", "broken lines", b'{"kind": \n[1]\n\xff\n'),
    ("club: state of a table", "nested deeply", b"[" * 200_000),
    ("club: state of a table", "seats that are no number", b'{"seats":NaN}'),
    ("club: state of a table", "a lone surrogate", b'{"seats":"\\ud800"}'),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "content"), [pytest.param(door, content, id=f"{door}-{about}") for door, about, content in BAD]
)
def test_a_bad_file_is_one_line_of_the_command(name: str, content: bytes) -> None:
    door = BY_NAME[name]
    outcome = door.give(content)
    assert not door.faults(outcome), outcome.stderr
    # A report takes all readable files; everything else refuses.
    assert outcome.code in ((0,) if name == "report --recording" else (1, 2))


@pytest.mark.parametrize(
    "arguments",
    [
        ("board", "read", "odd\udcff.jpg", "--board", "odd\udcff.json"),
        ("board", "file", "check", "odd\udcff\x1b[31m.json"),
        ("cards", "read", "odd\udcff.jpg"),
        ("config", "check", "x" * 5_000),
        ("replay", "odd\udcff"),
        ("game", "export", "odd\x1b]0;\udcff"),
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_a_name_that_no_encoding_can_write_is_one_line(arguments: tuple[str, ...], tmp_path: Path) -> None:
    outcome = trial(command(*arguments), tmp_path)
    assert not outcome.faults(), outcome.stderr
    assert outcome.code == 2


def test_a_picture_with_a_name_that_no_encoding_can_write_is_read(tmp_path: Path) -> None:
    picture = "odd\udcff.jpg"
    (tmp_path / picture).write_bytes(valid.card_photo())
    (tmp_path / "board.json").write_bytes(valid.board())
    for arguments in (("cards", "read", picture), ("board", "read", picture, "--board", "board.json")):
        outcome = trial(command(*arguments), tmp_path)
        assert not outcome.faults(), outcome.stderr
        assert json.loads(outcome.stdout)["image"] == picture


@pytest.mark.parametrize("port", ["²", "٨٠", "0x50", "", "-1", "99999", "８０"])
def test_a_port_in_other_digits_is_refused(
    port: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOCK_PORT", port)
    monkeypatch.setenv("TOCK_DATA", str(tmp_path))
    outcome = trial(command("config", "check"), tmp_path)
    assert not outcome.faults(), outcome.stderr
    assert outcome.code == (0 if port == "" else 2)


def test_endless_lines_on_standard_input_are_refused() -> None:
    with empty_folder() as folder, Path("/dev/zero").open("rb") as endless:
        kept = os.dup(0)
        try:
            os.dup2(endless.fileno(), 0)
            outcome = trial(command("judge"), folder, b"\0" * 3_000_000)
        finally:
            os.dup2(kept, 0)
            os.close(kept)
    assert not outcome.faults(), outcome.stderr
    assert outcome.code == 2
