"""The given recordings of a hand making a move, and which of them are whole."""

from collections import defaultdict
from collections.abc import Mapping
from hashlib import sha256

import pytest

from tests.support.pictures import BOARDS

FOLDER = BOARDS / "recordings"
NAMES = ("d1_move9", "d2_capture10", "d3_swap", "d4_wrong6", "d5_seven_home")


def _mixed_up() -> dict[str, str]:
    """Map every recording that holds pictures of another board to the recording they belong to.

    Two boards never give the same bytes. Where files of one name were written over each other, the folder
    written last still has its own pictures; so the first by name are the damaged ones.
    """
    owners: dict[tuple[str, bytes], dict[bytes, str]] = defaultdict(dict)
    for name in NAMES:
        board = sha256((FOLDER / name / "board.json").read_bytes()).digest()
        for picture in (FOLDER / name / "frames").glob("*.jpg"):
            owners[picture.name, sha256(picture.read_bytes()).digest()][board] = name
    damaged = {}
    for boards in owners.values():
        *losers, keeper = sorted(boards.values())
        damaged.update(dict.fromkeys(losers, keeper))
    return damaged


def each_recording() -> list[object]:
    """The parameters of a test that runs on every recording; one with another's pictures is skipped, and says so."""
    if not FOLDER.is_dir():
        return []
    damaged = _mixed_up()
    return [pytest.param(name, marks=_marks(name, damaged)) for name in NAMES]


def _marks(name: str, damaged: Mapping[str, str]) -> list[pytest.MarkDecorator]:
    if name in damaged:
        return [pytest.mark.skip(reason=f"given material: {name} holds pictures of {damaged[name]}")]
    return []
