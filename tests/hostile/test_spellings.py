"""Every door for text takes what any editor saves: a byte order mark and Windows' line ends change nothing."""

import cv2
import pytest

from tests.support.doors import DOORS, Door

OF_TEXT = [
    door for door in DOORS if door.form in ("json", "lines", "toml", "sheet") and "club:" not in door.name
]
FROM_FILES = [door for door in OF_TEXT if door.target and door.name != "report --recording"]
"""The report keeps lines that it cannot read out of the archive, and says nothing of them."""


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    # A forked child has none of the threads of its parent.
    cv2.setNumThreads(0)


@pytest.mark.parametrize("door", OF_TEXT, ids=lambda door: door.name)
def test_a_mark_and_windows_line_ends_change_nothing(door: Door) -> None:
    usual, other = (door.give(content) for content in (door.valid(), _of_windows(door.valid())))
    assert (other.code, other.stderr) == (usual.code, usual.stderr)


@pytest.mark.parametrize("door", FROM_FILES, ids=lambda door: door.name)
def test_utf_16_is_named_wherever_it_comes_in(door: Door) -> None:
    outcome = door.give(door.valid().decode().encode("utf-16"))
    assert (outcome.code, "saved as UTF-16" in outcome.stderr) == (2, True), outcome.stderr


def _of_windows(content: bytes) -> bytes:
    return b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n")
