"""Settings: each mistake is named with its place, and `tock config` overwrites no file."""

import io
import os
from pathlib import Path

import pytest

from tock_app.cli.commands.config import run
from tock_app.config.keys import KEYS, template
from tock_app.config.load import config_of, load_config
from tock_companion.boardfile import generate, to_text
from tock_companion.errors import BadInputError, FaultyDocumentError
from tock_rules import Seat


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
    (tmp_path / "empty.jpg").touch()
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
        ("[sources]\ncamera = 3", "line 2: 'sources.camera' must be a table, not 3"),
        ("zones = 5", "4, 6 or 8"),
        ("players = 9", "'players' must be a number from 0 to 8, not 9"),
        ("players = 6", "'players': 6 players do not fit a board of 4 zones"),
        ("# ours\nprot = 80", "line 2: key 'prot' is not known; did you mean 'port'"),
        ("names = ['a', 3]", r"line 1: 'names\[1\]' must be a text in quotes, not 3"),
        ("ruleset = 'chess'", "line 1: the first game: .*chess"),
        ("[options]\njoker = 3", "line 1: the first game: .*joker"),
        ("[panel]\nx = 1", "line 2: key 'panel.x' is not known; known are turn"),
        (
            "# one\n[sources.camera]\nfsp = 10",
            "line 3: key 'sources.camera.fsp' is not known; did you mean 'fps'",
        ),
        (
            "[sources.camera]\nfps = 1000",
            "line 2: 'sources.camera.fps' must be a number from 0.2 to 60, not 1000",
        ),
        ("[sources.camera]\ndevice = 0\nvideo = 'a'", "'sources.camera' names device and video; keep one"),
        ("[sources.reed]\ndebounce_ms = 1", "'sources.reed.debounce_ms' must be a number from 2 to 100"),
        (
            "[sources.camera]\ncalibration = [{image = 'none.jpg', what = 'empty'}]",
            r"line 2: 'sources.camera.calibration\[0\].image': there is no picture .*none.jpg",
        ),
        ('names = ["a\\u0000b"]', r"'names\[0\]' holds characters that are no text: 'a\\x00b'"),
        ("port = nan", "line 1: 'port' must be a finite number, not nan"),
        ("[options]\na = inf", "line 2: 'options.a' must be a finite number, not inf"),
        ("[options]\na = " + "[" * 30 + "]" * 30, "is nested too deeply"),
        ("a = " + "[" * 100_000, "is not TOML: nested too deeply"),
        ("port = " + "9" * 5000, "is not TOML"),
        ("port = ", "is not TOML"),
        ("board = 'nowhere.json'", "nowhere.json"),
    ],
)
def test_every_mistake_is_named_with_its_place(tmp_path: Path, text: str, complaint: str) -> None:
    path = config_at(tmp_path, text)
    with pytest.raises(BadInputError, match=complaint) as caught:
        load_config(path, {})
    assert str(caught.value).isprintable()
    assert str(tmp_path) in str(caught.value)


def test_every_mistake_has_a_line_of_its_own(tmp_path: Path) -> None:
    path = config_at(tmp_path, "port = 0\nzones = 5\n\n[mqtt]\nhots = 'pi'\n")
    with pytest.raises(FaultyDocumentError) as caught:
        load_config(path, {})
    assert caught.value.mistakes == (
        f"{path}, line 1: 'port' must be a number from 1 to 65535, not 0",
        f"{path}, line 2: 'zones' must be 2, 3, 4, 6 or 8, not 5",
        f"{path}, line 5: key 'mqtt.hots' is not known; did you mean 'host'?",
    )
    assert str(caught.value) == (
        f"{path}, line 1: 'port' must be a number from 1 to 65535, not 0 "
        f"(and 2 more: `tock config check {path}` lists them)"
    )


@pytest.mark.timeout(5)
@pytest.mark.parametrize("board", ["/dev/zero", "/dev/urandom", ".", "\\u0001"])
def test_a_board_that_is_no_file_is_refused_without_being_read(tmp_path: Path, board: str) -> None:
    with pytest.raises(BadInputError, match=r"is a device|is a folder|no text"):
        load_config(config_at(tmp_path, f'board = "{board}"'), {})


@pytest.mark.timeout(5)
def test_settings_that_are_no_file_are_refused_without_being_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    for path in (Path("/dev/zero"), tmp_path / "pipe.toml", tmp_path):
        with pytest.raises(BadInputError, match=r"settings .*, not a file"):
            load_config(path, {})


def test_a_password_is_in_no_message(tmp_path: Path) -> None:
    for value in ("[1, 'hunter2']", '"hunter2\\u0000"'):
        with pytest.raises(BadInputError, match=r"mqtt\.password") as caught:
            load_config(config_at(tmp_path, f"[mqtt]\nhost = 'pi'\npassword = {value}"), {})
        assert "hunter2" not in str(caught.value)
    config = load_config(config_at(tmp_path, "[mqtt]\nhost = 'pi'\npassword = 'hunter2'"), {})
    assert "hunter2" not in repr(config)


@pytest.mark.parametrize("port", ["http", "²", "٨٠", "0", "65536", " 80", "9" * 5000])
def test_a_bad_port_in_the_environment_is_named(port: str, tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="'TOCK_PORT' must be a number from 1 to 65535") as caught:
        load_config(None, {"TOCK_PORT": port, "HOME": str(tmp_path)})
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    "text",
    [
        "board = \u201cours.json\u201d",
        "port\u00a0= 80",
        "[mqtt]\nport = \u22121",
        "names = [\u00ab tock \u00bb]",
    ],
)
def test_a_sign_that_an_editor_put_in_is_named(text: str, tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=r"line \d has a .*, which some editors write: type a plain one"):
        load_config(config_at(tmp_path, text), {})


def test_the_home_folder_may_be_written_as_shells_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert load_config(None, {"TOCK_DATA": "~/games", "HOME": str(tmp_path)}).data == tmp_path / "games"
    text = 'data = "~/games"\n[sources.camera]\nvideo = "~/v.mp4"\n[backup]\nfolder = "~/copies"'
    config = load_config(config_at(tmp_path, text), {})
    assert config.data == tmp_path / "games"
    assert config.sources["camera"]["video"] == str(tmp_path / "v.mp4")
    assert config.backup is not None
    assert config.backup.folder == tmp_path / "copies"


def test_each_board_keeps_its_camera_state_without_any_setting(tmp_path: Path) -> None:
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


def test_a_written_configuration_can_be_used_and_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "tock.toml"
    out = io.StringIO()
    assert run(["init", str(path), "--lang", "fr", "--port", "80"], out) == 0
    assert load_config(path, {}).port == 80
    with pytest.raises(BadInputError, match="exists and is left as it is"):
        run(["init", str(path)], out)


def test_check_says_what_will_be_used(tmp_path: Path) -> None:
    path = tmp_path / "tock.toml"
    path.write_text('ruleset = "gladius"\n[mqtt]\nhost = "pi"\n')
    out = io.StringIO()
    assert run(["check", str(path)], out) == 0
    assert out.getvalue().startswith("ok: gladius, 4 zones, simulated, port ")


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_every_key_is_explained_and_its_default_is_a_value_that_fits(lang: str, tmp_path: Path) -> None:
    text = template(lang)
    for key in KEYS:
        assert f"# {key.about[lang]}" in text
    plain = [line.removeprefix("# ") if " = " in line else line for line in text.splitlines()]
    path = tmp_path / "tock.toml"
    path.write_text("\n".join(plain))
    assert load_config(path, {"HOME": str(tmp_path)}) == load_config(None, {"HOME": str(tmp_path)})
