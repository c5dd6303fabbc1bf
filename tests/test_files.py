"""Files that a person named: regular ones of a sensible size, everything else is one line."""

import os
from pathlib import Path

import pytest

from tock_companion.errors import BadInputError, printable, quoted
from tock_companion.files import read_bounded, read_text_bounded, text_of


def test_a_file_is_read_up_to_its_bound(tmp_path: Path) -> None:
    path = tmp_path / "ours.json"
    path.write_bytes(b"x" * 1000)
    assert read_bounded(path, 1000, "board file") == b"x" * 1000
    with pytest.raises(
        BadInputError, match=r"board file .*ours.json: larger than 999 B; is it the right file"
    ):
        read_bounded(path, 999, "board file")


@pytest.mark.timeout(5)
def test_devices_pipes_and_folders_are_refused_without_being_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path, found in ((Path("/dev/zero"), "a device"), (pipe, "a pipe"), (tmp_path, "a folder")):
        with pytest.raises(BadInputError, match=f"is {found}, not a file; check the path"):
            read_bounded(path, 1000, "settings")


def test_a_link_to_a_device_is_a_device(tmp_path: Path) -> None:
    (tmp_path / "board.json").symlink_to("/dev/zero")
    with pytest.raises(BadInputError, match="is a device"):
        read_bounded(tmp_path / "board.json", 1000, "board file")


@pytest.mark.parametrize("name", ["absent", "nul\0", "half\ud800", "x" * 5000, "two\nlines"])
def test_a_name_that_leads_nowhere_is_one_short_line(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInputError, match="check the path") as caught:
        read_bounded(tmp_path / name, 1000, "log")
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400


def test_a_binary_file_is_refused_with_a_reason(tmp_path: Path) -> None:
    (tmp_path / "photo").write_bytes(b"ab\xff\xd8")
    with pytest.raises(BadInputError, match=r"photo: not UTF-8 text \(line 1, byte 2\); save it as UTF-8"):
        read_text_bounded(tmp_path / "photo", 1000, "log")


@pytest.mark.parametrize(
    "saved", [b"\xef\xbb\xbfa\xc3\xa9\r\nb\r\n", b"a\xc3\xa9\rb\r", "\ufeffa\u00e9\r\nb\n"]
)
def test_text_is_the_same_whichever_editor_saved_it(saved: bytes | str) -> None:
    assert text_of(saved, "settings") == "a\u00e9\nb\n"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_text_in_utf_16_is_named(encoding: str) -> None:
    with pytest.raises(BadInputError, match="settings: saved as UTF-16; save it as UTF-8"):
        text_of("port = 8080".encode(encoding), "settings")


def test_quoted_values_stay_on_one_short_line() -> None:
    for value in (
        "a\nb\x1b[31m\ud800",
        "x" * 100_000,
        [[[[["deep"]]]]] * 500,
        10**100,
        10**5000,
        {"k": "v" * 5000},
    ):
        assert quoted(value).isprintable()
        assert len(quoted(value)) < 300


def test_keys_and_file_names_are_shown_without_control_characters() -> None:
    assert printable("ours\n\x1b[31m\udcff") == "ours\\n\\x1b[31m\\udcff"
    assert len(printable("x" * 5000)) < 300
