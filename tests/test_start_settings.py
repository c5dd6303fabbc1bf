"""Settings that prevent a start: the page's changes are taken back, changes by hand are reported."""

from pathlib import Path

import pytest

from tests.support.page_client import PageClient
from tests.support.service import Companion
from tock_app.cli.main import main
from tock_app.config.load import load_config
from tock_app.config.proven_settings import ProvenSettings
from tock_app.service.admin import MachineAdmin
from tock_companion.boardfile import generate, to_text
from tock_companion.errors import BadInputError
from tock_companion.storage.boards import BoardFolder


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The path of the settings of a data folder with a board of six, `boards/oak.json`."""
    monkeypatch.setenv("TOCK_DATA", str(tmp_path))
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "oak.json").write_text(to_text(generate(6, 560)))
    return tmp_path / "tock.toml"


def page_writes(settings: Path, text: str) -> None:
    MachineAdmin(settings, load_config(settings) if settings.exists() else load_config(None)).replace(text)


def test_a_board_whose_file_has_gone_keeps_nobody_from_playing(settings: Path) -> None:
    page_writes(settings, 'board = "boards/oak.json"\nzones = 6\n')
    (settings.parent / "boards" / "oak.json").unlink()
    config = ProvenSettings(settings).load()
    assert (config.board_file.zones, config.board_path) == (6, None)
    assert config.set_back is not None
    assert config.set_back.code == "board_replaced"
    assert "boards/oak.json: cannot be read" in config.set_back.reason


def test_a_board_that_a_start_was_played_on_may_go_though_a_hand_wrote_it(settings: Path) -> None:
    settings.write_text('board = "boards/oak.json"\nzones = 6\n')
    first = ProvenSettings(settings)
    first.load()
    first.proved()
    (settings.parent / "boards" / "oak.json").write_text("{")
    assert ProvenSettings(settings).load().set_back is not None
    settings.write_text('board = "boards/oak.json"\nzones = 6\n# changed by hand\n')
    with pytest.raises(BadInputError):
        ProvenSettings(settings).load()


def test_the_page_s_changes_are_taken_back_and_those_by_hand_are_not(settings: Path) -> None:
    settings.write_text("# good\n")
    first = ProvenSettings(settings)
    first.load()
    first.proved()
    page_writes(settings, 'board = "boards/oak.json"\nzones = 6\n')
    written = settings.read_text()
    second = ProvenSettings(settings)
    second.load()
    config = second.instead(BadInputError("the panel has no pins"))
    assert config is not None
    assert config.set_back is not None
    assert (config.set_back.code, config.set_back.reason) == ("settings_set_back", "the panel has no pins")
    assert settings.read_text() == "# good\n"
    settings.write_text(written + "# by hand\n")
    third = ProvenSettings(settings)
    third.load()
    assert third.instead(BadInputError("the panel has no pins")) is None
    assert settings.read_text() == written + "# by hand\n"


def test_nothing_is_taken_back_once_the_page_was_up(settings: Path) -> None:
    settings.write_text("# good\n")
    first = ProvenSettings(settings)
    first.load()
    first.proved()
    page_writes(settings, "port = 8101\n")
    second = ProvenSettings(settings)
    second.load()
    second.proved()
    assert second.instead(BadInputError("the disk is full")) is None
    assert settings.read_text() == "port = 8101\n"


@pytest.mark.whole
def test_a_mistake_of_a_hand_ends_the_start_with_a_line(
    settings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.write_text('board = "boards/oka.json"\n')
    assert main(["run"]) == 2
    printed = capsys.readouterr().err
    assert "oka.json: cannot be read" in printed
    assert len(printed.splitlines()) == 1


@pytest.mark.whole
def test_a_running_companion_says_on_the_page_why_it_started_on_another_board(settings: Path) -> None:
    page_writes(settings, 'board = "boards/oak.json"\nzones = 6\n')
    BoardFolder(settings.parent / "boards").remove("oak")
    with Companion(settings.parent) as companion:
        companion.wait_until_up()
        (note,) = PageClient(companion.url).view("table")["health"]
    assert note["code"] == "board_replaced"
    assert "Started on the board “6 zones, 560 mm”" in note["sentence"]["en"]


@pytest.mark.whole
def test_a_start_that_fails_on_what_the_page_wrote_goes_on_with_the_settings_before(settings: Path) -> None:
    settings.write_text("# good\n")
    with Companion(settings.parent) as companion:
        companion.wait_until_up()
    (settings.parent / "frames").mkdir()
    (settings.parent / "frames" / "0.jpg").write_bytes(b"")
    page_writes(settings, '[sources.camera]\nframes = "frames"\n')
    (settings.parent / "frames" / "0.jpg").unlink()
    (settings.parent / "frames").rmdir()
    with Companion(settings.parent) as companion:
        companion.wait_until_up()
        (note,) = PageClient(companion.url).view("table")["health"]
        assert settings.read_text() == "# good\n"
    assert note["code"] == "settings_set_back"
