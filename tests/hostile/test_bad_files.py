"""Files and paths that once broke a command, by their fault: one line each, quickly, and in little memory."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import cv2
import pytest

from tests.support import valid_files as valid
from tests.support.doors import BY_NAME, command, empty_folder
from tests.support.trial import trial
from tests.support.variants import each_asked_about_one

PLAYED = {"event": "card_played", "card": "AS", "by": "touch", "use": "play"}
REQUEST = {"t_ms": 1, "kind": "play_card", "role": "seat", "seat": "P0", "data": {}}


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    # A forked child has none of the threads of its parent.
    cv2.setNumThreads(0)


def log(*events: dict[str, object], **changes: object) -> bytes:
    """An event log of a game that begins with changes."""
    lines = [
        {**json.loads(valid.log().splitlines()[0]), **changes},
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


BAD: list[tuple[str, str, bytes | Callable[[], bytes]]] = [
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
    ("game import", "a ruleset in a list", lambda: log(ruleset=[None])),
    ("game import", "a lone surrogate", lambda: log(board="\ud800")),
    ("game import", "counts that are a text", lambda: log({"event": "cards_dealt", "counts": "AS"})),
    ("game import", "a seat in a list", lambda: log({**PLAYED, "seat": ["P0"]})),
    ("game import", "a seat that is a number", lambda: log({**PLAYED, "seat": 1e30})),
    ("game import", "a name that turns the direction of writing", lambda: log(board="a\u202eb")),
    ("game import", "not UTF-8", b"\xff\n"),
    ("game export LOG", "a ruleset in a list", lambda: log(ruleset=[None])),
    ("game export LOG", "seats that are no list", lambda: log(seats=1)),
    ("game export LOG", "a position that is a text", lambda: log(position="P0")),
    ("game export LOG", "teams that are numbers", lambda: log(teams=[1, 2])),
    ("game restore", "no database", b"not a database"),
    ("game restore", "a head and nothing behind it", b"SQLite format 3\0" + b"\xff" * 5_000),
    ("board read --state", "empty", b""),
    ("board read --state", "a flipped byte", lambda: flipped(valid.state())),
    ("cards read --jokers", "empty", b""),
    ("cards read --jokers", "a text", b"jokers"),
    ("replay: requests.jsonl", "data that is a text", lambda: asked(data="AS")),
    ("replay: requests.jsonl", "not UTF-8", b"\xff\n"),
    ("replay: requests.jsonl", "a lone surrogate", lambda: asked(data={"card": "\ud800"})),
    ("replay: requests.jsonl", "a role that nobody has", lambda: asked(role="king")),
    ("replay: requests.jsonl", "no kind", lambda: without("kind")),
    ("replay: requests.jsonl", "an endless time", lambda: asked(t_ms=float("inf"))),
    ("replay: requests.jsonl", "nested deeply", b"[" * 100_000 + b"\n"),
    ("replay: recording.json", "sources that are a text", lambda: recorded(sources="reed.jsonl")),
    ("replay: recording.json", "a NUL in the board's name", lambda: recorded(board="\0")),
    ("replay: recording.json", "an endless board", lambda: recorded(board="/dev/zero")),
    ("replay: recording.json", "a board that is a folder", lambda: recorded(board=".")),
    ("replay: recording.json", "a long name", lambda: recorded(board="x" * 5_000)),
    ("replay: recording.json", "an escape for the terminal", lambda: recorded(board="\x1b[31m")),
    ("replay: recording.json", "an endless log", lambda: recorded(sources={"reed": "/dev/zero"})),
    ("report --recording", "broken lines", b'{"kind": \n[1]\n\xff\n'),
    ("club: state of a table", "nested deeply", b"[" * 200_000),
    ("club: state of a table", "seats that are no number", b'{"seats":NaN}'),
    ("club: state of a table", "a lone surrogate", b'{"seats":"\\ud800"}'),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "content"), [pytest.param(door, content, id=f"{door}-{about}") for door, about, content in BAD]
)
def test_a_bad_file_is_one_line_of_the_command(name: str, content: bytes | Callable[[], bytes]) -> None:
    door = BY_NAME[name]
    outcome = door.give(content if isinstance(content, bytes) else content())
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


THERE = "there"
"""Stands for the path in question."""
READING = (
    ("board", "read", THERE, "--board", "board.json"),
    ("board", "read", "photo.jpg", "--board", THERE),
    ("board", "read", "photo.jpg", "--board", "board.json", "--state", THERE),
    ("board", "overlay", THERE, "--board", "board.json", "--out", "out.png"),
    ("board", "learn", "--board", "board.json", "--empty", THERE, "--out", "out.npz"),
    ("board", "file", "check", THERE),
    ("cards", "read", THERE),
    ("cards", "read", "card.jpg", "--jokers", THERE),
    ("cards", "overlay", THERE, "--out", "out.png"),
    ("cards", "enrol", THERE, "card.jpg", "--out", "out.npz"),
    ("cards", "enrol", "card.jpg", THERE, "--out", "out.npz"),
    ("config", "check", THERE),
    ("doctor", "--config", THERE),
    ("game", "export", THERE),
    ("game", "import", THERE),
    ("game", "restore", THERE),
    ("hardware", "--board", THERE, "magnets"),
    ("record", "--out", "recording", "--config", THERE),
    ("reed", "wizard", "--board", THERE),
    ("replay", THERE),
    ("report", "--yes", "--recording", THERE, "--out", "out.zip"),
    ("run", "--config", THERE),
)
WRITING = (
    ("board", "overlay", "photo.jpg", "--board", "board.json", "--out", THERE),
    ("board", "learn", "--board", "board.json", "--camps", "photo.jpg", "--out", THERE),
    ("cards", "overlay", "card.jpg", "--out", THERE),
    ("cards", "enrol", "card.jpg", "card.jpg", "--out", THERE),
    ("config", "init", THERE),
    ("game", "backup", THERE),
    ("report", "--yes", "--out", THERE),
)
NO_FILES = ("folder", "pipe", "/dev/zero", "/dev/full", "long")


def named(part: str | tuple[str, ...]) -> str:
    return part if isinstance(part, str) else " ".join(part)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    # A forked child has none of the threads of its parent.
    cv2.setNumThreads(0)
    monkeypatch.setenv("TOCK_DATA", str(tmp_path / "data"))
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "games.sqlite").write_bytes(valid.games())
    (tmp_path / "board.json").write_bytes(valid.board())
    (tmp_path / "photo.jpg").write_bytes(valid.board_photo())
    (tmp_path / "card.jpg").write_bytes(valid.card_photo())
    return tmp_path


def laid(folder: Path, kind: str) -> str:
    """Put something that is no file where a command looks for one; return its path."""
    path = folder / ("x" * 300 if kind == "long" else "there.png")
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind != "long":
        path.symlink_to(kind)
    return str(path)


def call(folder: Path, arguments: tuple[str, ...], kind: str) -> None:
    path = laid(folder, kind)
    outcome = trial(command(*(path if part == THERE else part for part in arguments)), folder)
    assert not outcome.faults(), outcome
    # The doctor goes on after a finding.
    assert outcome.code == (1 if arguments[0] == "doctor" else 2)
    assert len(outcome.stderr) < 1_000


@pytest.mark.parametrize(("arguments", "kind"), each_asked_about_one(READING, NO_FILES), ids=named)
def test_a_path_without_a_file_is_not_read(folder: Path, arguments: tuple[str, ...], kind: str) -> None:
    call(folder, arguments, kind)


@pytest.mark.parametrize(("arguments", "kind"), each_asked_about_one(WRITING, NO_FILES), ids=named)
def test_a_path_without_a_file_is_not_written(folder: Path, arguments: tuple[str, ...], kind: str) -> None:
    call(folder, arguments, kind)
    assert not (folder / "out.npz").exists()
