"""The host makes a phone the camera from the page: what becomes of the settings, and of the table that runs."""

from dataclasses import replace
from pathlib import Path

import pytest

from tock_app.config.load import Config, load_config, state_path
from tock_app.service.admin import MachineAdmin
from tock_app.service.phone_cameras import PhonePlaces, with_phones_of
from tock_companion.boardfile import generate
from tock_companion.errors import TockError

OTHER_CAMERA = """# ours
[sources.camera]
device = "ribbon"  # over the lamp

[sources.reed]
"""


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOCK_DATA", str(tmp_path))
    return tmp_path


def places() -> tuple[PhonePlaces, list[Config]]:
    config, laid = load_config(None), list[Config]()
    return PhonePlaces(config, MachineAdmin(None, config), laid.append), laid


def test_a_phone_takes_the_place_of_the_simulated_table_and_gives_it_back(tmp_path: Path) -> None:
    begin, laid = places()
    begin.begin()
    assert load_config(tmp_path / "tock.toml").sources == laid[0].sources
    assert laid[0].sources["camera"]["phone"] is True
    end, laid = places()
    end.end()
    assert set(laid[0].sources) == {"simulated"}
    assert set(load_config(None).sources) == {"simulated"}


def test_a_phone_stands_beside_what_sees_the_board_already(tmp_path: Path) -> None:
    path = tmp_path / "tock.toml"
    path.write_text(OTHER_CAMERA)
    for more in ("phone", "phone-2"):
        begin, laid = places()
        begin.begin()
        assert laid[0].sources[more]["phone"] is True
    assert list(laid[0].sources) == ["camera", "reed", "phone", "phone-2"]
    assert path.read_text().startswith(OTHER_CAMERA.strip())
    end, laid = places()
    end.end()
    assert list(laid[0].sources) == ["camera", "reed"]


def test_a_table_that_is_played_on_another_board_keeps_it() -> None:
    written = MachineAdmin(None, load_config(None)).place_phone()
    board = generate(6, 560.0)
    running = with_phones_of(replace(load_config(None), board_file=board), written)
    assert running.board_file is board
    assert running.sources["camera"]["state"] == str(state_path(running.data, board))


def test_unrelated_settings_stay() -> None:
    """`tock run --reed` names a source that is in no file."""
    written = MachineAdmin(None, load_config(None)).place_phone()
    running = replace(load_config(None), sources={"reed": {"port": "sim"}})
    assert list(with_phones_of(running, written).sources) == ["reed", "camera"]


def test_nothing_is_laid_where_the_settings_cannot_be_kept(tmp_path: Path) -> None:
    begin, laid = places()
    (tmp_path / "tock.toml").write_text("port = [")
    with pytest.raises(TockError, match="is not TOML"):
        begin.begin()
    assert (tmp_path / "tock.toml").read_text() == "port = ["
    assert laid == []
