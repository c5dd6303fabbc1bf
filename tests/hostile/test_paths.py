"""Every command that takes a path answers one line where it is not a file, for reading and for writing."""

import os
from pathlib import Path

import cv2
import pytest

from tests.support import valid_files as valid
from tests.support.doors import command
from tests.support.trial import trial
from tests.support.variants import each_asked_about_two

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


@pytest.mark.parametrize(("arguments", "kind"), each_asked_about_two(READING, NO_FILES), ids=named)
def test_a_path_without_a_file_is_not_read(folder: Path, arguments: tuple[str, ...], kind: str) -> None:
    call(folder, arguments, kind)


@pytest.mark.parametrize(("arguments", "kind"), each_asked_about_two(WRITING, NO_FILES), ids=named)
def test_a_path_without_a_file_is_not_written(folder: Path, arguments: tuple[str, ...], kind: str) -> None:
    call(folder, arguments, kind)
    assert not (folder / "out.npz").exists()
