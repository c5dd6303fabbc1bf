"""The configuration: sensible without a file, one clear line for every mistake in one."""

from pathlib import Path

import pytest

from tock_companion.boardfile import generate, to_text
from tock_companion.config.load import config_of, load_config
from tock_companion.errors import BadInputError
from tock_companion.rules.geometry import Seat


def config_at(folder: Path, text: str) -> Path:
    path = folder / "tock.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_without_a_file_the_simulated_table_opens_on_port_8080(tmp_path: Path) -> None:
    config = load_config(None, {"HOME": str(tmp_path)})
    assert config.port == 8080
    assert list(config.sources) == ["simulated"]
    assert config.board_file.zones == 4
    assert config.data == tmp_path / ".local" / "share" / "tock-companion"


def test_the_environment_names_port_and_data_folder(tmp_path: Path) -> None:
    config = load_config(None, {"TOCK_PORT": "9000", "TOCK_DATA": str(tmp_path / "games")})
    assert (config.port, config.data) == (9000, tmp_path / "games")


def test_a_file_in_the_data_folder_is_found(tmp_path: Path) -> None:
    config_at(tmp_path, "port = 9001\nplayers = 2\n")
    config = load_config(None, {"TOCK_DATA": str(tmp_path)})
    assert config.port == 9001
    assert config.setup.seats == (Seat.P0, Seat.P2)


def test_a_board_file_is_found_beside_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "ours.json").write_text(to_text(generate(6, 560)), encoding="utf-8")
    config = load_config(config_at(tmp_path, 'board = "ours.json"'), {})
    assert config.board_file.zones == 6


def test_paths_of_a_source_are_relative_to_the_configuration(tmp_path: Path) -> None:
    text = '[sources.camera]\nframes = "pictures"\ncalibration = [{image = "empty.jpg", what = "empty"}]'
    settings = load_config(config_at(tmp_path, text), {}).sources["camera"]
    assert settings["frames"] == str(tmp_path / "pictures")
    assert settings["calibration"] == [{"image": str(tmp_path / "empty.jpg"), "what": "empty"}]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("colour = 1", "key 'colour' is not known"),
        ("port = 'x'", "line 1: 'port' must be a whole number"),
        ("# ours\n\n[mqtt]\nport = 0", "line 4: 'mqtt.port' must be a number from 1 to 65535"),
        ("mqtt = 3", "'mqtt' must be a table"),
        ("[mqtt]\nhost = 'pi'\ntable = 'our table'", "line 3: 'mqtt.table' must be up to 40 letters"),
        ("[backup]\nhold = 3", "line 2: key 'backup.hold' is not known"),
        ("[metrics]\nenabled = 1", "'metrics.enabled' must be true or false"),
        ("port = 70000", "from 1 to 65535"),
        (
            "port = 80\n[sources.kinect]",
            "line 2: source 'kinect' is not known; use one of: camera, .*simulated",
        ),
        ("[sources]\ncamera = 3", "must be a table of settings"),
        ("zones = 5", "4, 6 or 8"),
        ("players = 9", "9 players do not fit"),
        ("port = ", "is not TOML"),
        ("board = 'nowhere.json'", "nowhere.json"),
    ],
)
def test_every_mistake_is_named_with_its_place(tmp_path: Path, text: str, complaint: str) -> None:
    path = config_at(tmp_path, text)
    with pytest.raises(BadInputError, match=complaint) as caught:
        load_config(path, {})
    assert "\n" not in str(caught.value)
    assert str(tmp_path) in str(caught.value)


def test_a_port_in_the_environment_that_is_none_is_named() -> None:
    with pytest.raises(BadInputError, match="TOCK_PORT must be a number"):
        load_config(None, {"TOCK_PORT": "http"})


def test_what_a_camera_learns_is_kept_for_each_board_without_any_setting(tmp_path: Path) -> None:
    def state(text: str) -> object:
        return (
            config_of(tmp_path / "tock.toml", text, {"TOCK_DATA": str(tmp_path)})
            .sources["camera"]
            .get("state")
        )

    usual = state("[sources.camera]\ndevice = 0")
    assert str(usual).startswith(str(tmp_path))
    assert usual == state("[sources.camera]")
    assert usual != state("zones = 6\n[sources.camera]")
    assert state('[sources.camera]\nstate = "own.npz"') == str(tmp_path / "own.npz")
    assert state('[sources.camera]\nvideo = "old.mp4"') is None
