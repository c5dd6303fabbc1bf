"""The host sees and changes the settings from the page; what cannot be used changes nothing."""

import json
import socket
import sys
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
import tomlkit

from tock_app.config.keys import template
from tock_app.config.load import Config, Relay, load_config
from tock_app.service.admin import MachineAdmin, starts_again
from tock_companion.boardfile import generate, to_text
from tock_companion.errors import BadInputError
from tock_companion.storage.boards import BoardFolder
from tock_web.https.certificate import own_certificate
from tock_web.https.certificate_files import Files, Names

LONG_NAME = "x" * 300


@pytest.fixture
def admin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MachineAdmin:
    monkeypatch.setenv("TOCK_DATA", str(tmp_path))
    return MachineAdmin(None, load_config(None))


def test_a_change_keeps_every_comment(admin: MachineAdmin, tmp_path: Path) -> None:
    path = tmp_path / "tock.toml"
    path.write_text(template("fr"))
    admin.change("ruleset", "gladius")
    admin.change("mqtt.table", "oak")
    assert load_config(path).setup.ruleset == "gladius"
    comments = [line for line in template("fr").splitlines() if line.startswith("# ")]
    assert [line for line in path.read_text().splitlines() if line.startswith("# ")] == comments
    admin.change("ruleset", None)
    assert load_config(path).setup.ruleset == "mjc"


def test_the_first_change_makes_the_file(admin: MachineAdmin, tmp_path: Path) -> None:
    admin.change("port", 8100)
    assert load_config(tmp_path / "tock.toml", {}).port == 8100


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("port", "many", "'port' must be a whole number"),
        ("port", 0, "from 1 to 65535"),
        ("colour", 1, "there is no setting 'colour'"),
        ("sources", {}, "there is no setting 'sources'"),
        ("board", "nowhere.json", "nowhere.json"),
        ("board", "/dev/zero", "is none of the table's boards"),
        ("names", [None], "'names' cannot be"),
        ("names", ["\ud800"], "holds characters that are no text"),
        ("port", float("nan"), "must be a finite number"),
        ("ruleset", {"a": 1}, "must be a text"),
        ("host", "192.0.2.1", "nothing can listen on 192.0.2.1"),
        ("host", "no such host", "nothing can listen on no such host"),
    ],
)
def test_unusable_settings_change_nothing(
    admin: MachineAdmin, tmp_path: Path, name: str, value: object, complaint: str
) -> None:
    (tmp_path / "tock.toml").write_text("# ours\nport = 8101\n")
    with pytest.raises(BadInputError, match=complaint):
        admin.change(name, value)
    assert (tmp_path / "tock.toml").read_text() == "# ours\nport = 8101\n"


def test_the_whole_file_is_checked_line_by_line(admin: MachineAdmin, tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="line 3"):
        admin.replace("# ours\n\nport = 0\n")
    assert not (tmp_path / "tock.toml").exists()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[panel]\nx=1\n", "line 2: key 'panel.x' is not known"),
        ("[sources.camera]\nfsp = 3", "'sources.camera.fsp' is not known"),
        ("ruleset = 'chess'", "chess"),
        ('board="/dev/zero"', "is none of the table's boards"),
        ("a=" + "[" * 20_000, "nested too deeply"),
        ('data = "/dev/null/games"', "no games can be kept in /dev/null/games"),
        (f'data = "{LONG_NAME}"', "'data' holds a name of more than 255 bytes"),
        (f'board = "{"x/" * 600}"', "is none of the table's boards"),
        ('[backup]\nfolder = "/dev/null/copies"', "no copies can be kept in /dev/null/copies"),
        (f'[mqtt]\nhost = "{"a" * 100}"', "'mqtt.host' must be a host name or an address"),
        ('[mqtt]\nhost = "a..b"', "'mqtt.host' must be a host name or an address"),
        ('[sources.camera]\nvideo = "nowhere.mp4"', "nowhere.mp4 does not exist"),
        ('[sources.camera]\nvideo = "/dev/zero"', "lies outside the table's data folder"),
        ('[sources.camera]\nframes = "nowhere"', "nowhere is not a folder"),
        (f'[sources.camera]\nframes = "{LONG_NAME}"', "holds a name of more than 255 bytes"),
        ('[sources.camera]\nstate = "tock.toml"', "not a file made by `tock board learn`"),
        ('[sources.camera]\nstate = "/dev/zero"', "lies outside the table's data folder"),
        ('[sources.camera]\ncalibration = [{image = "tock.toml", what = "empty"}]', "not a picture"),
        ("[sources.simulated]\nwidth = 1", "'sources.simulated.width' must be a number from 320 to 2560"),
    ],
)
@pytest.mark.timeout(10)
def test_settings_that_the_companion_cannot_start_with_are_refused_when_they_are_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, complaint: str
) -> None:
    monkeypatch.delenv("TOCK_DATA", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    path = tmp_path / "tock-companion/tock.toml"
    path.parent.mkdir()
    path.write_text("# ours\n")
    with pytest.raises(BadInputError, match=complaint):
        MachineAdmin(path, load_config(path)).replace(text)
    assert path.read_text() == "# ours\n"


def test_a_panel_is_refused_on_a_machine_without_pins(
    admin: MachineAdmin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", None)
    with pytest.raises(BadInputError, match="sudo apt install python3-lgpio"):
        admin.replace("[panel]\nturn = 17\n")
    assert not (tmp_path / "tock.toml").exists()
    admin.replace('[panel]\nturn = 17\nfactory = "mock"\n')


def test_a_state_file_that_a_disk_has_damaged_is_no_reason_not_to_start(
    admin: MachineAdmin, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "learned.npz").write_bytes(b"PK\3\4 and nothing behind it")
    admin.replace('[sources.camera]\nstate = "learned.npz"\n')
    assert len(caplog.messages) == 1
    assert "the camera is set up again on the page" in caplog.text


def test_the_port_of_this_companion_itself_may_stay_when_its_address_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as running:
        port = running.getsockname()[1]
        path = tmp_path / "tock.toml"
        path.write_text(f"port = {port}\n")
        MachineAdmin(path, load_config(path)).change("host", "127.0.0.1")
        assert load_config(path).host == "127.0.0.1"
        path.write_text("port = 1\n")
        with pytest.raises(BadInputError, match="nothing can listen"):
            MachineAdmin(path, load_config(path)).change("port", port)


@pytest.mark.parametrize(
    "text",
    [
        '# our broker\n[mqtt]\nhost = "pi"\npassword = "hunter2"\n',
        'mqtt = { host = "pi", password = "hunter2" }\n',
        'mqtt.host = "pi"\nmqtt.password = "hunter2"\n',
    ],
)
def test_the_text_is_shown_without_the_password_and_keeps_it_when_it_comes_back(
    admin: MachineAdmin, tmp_path: Path, text: str
) -> None:
    path = tmp_path / "tock.toml"
    path.write_text(text)
    shown = admin.settings()["text"]
    assert isinstance(shown, str)
    assert "hunter2" not in shown
    admin.replace(shown + "# read\n")
    assert path.read_text() == text + "# read\n"
    admin.replace(shown.replace("(unchanged)", "letmein"))
    broker = load_config(path).broker
    assert broker is not None
    assert broker.password == "letmein"


def certified(folder: Path) -> Files:
    folder.mkdir()
    return own_certificate(folder, Names(frozenset({"pi"}), frozenset()))


@pytest.mark.parametrize(
    ("key", "value"), [("host", "attic"), ("port", 18885), ("user", "eve"), ("ca", "ca.pem")]
)
@pytest.mark.parametrize("whole", [False, True])
def test_the_password_of_the_broker_goes_to_no_other(
    admin: MachineAdmin, tmp_path: Path, key: str, value: object, whole: bool
) -> None:
    made = certified(tmp_path / "tls")
    (tmp_path / "ca.pem").write_bytes(made.certificate.read_bytes())
    path = tmp_path / "tock.toml"
    path.write_text('[mqtt]\nhost = "pi"\nuser = "table7"\npassword = "hunter2"\n')
    if whole:
        settings = tomlkit.parse(str(admin.settings()["text"]))
        settings["mqtt"][key] = value
        admin.replace(tomlkit.dumps(settings))
    else:
        admin.change(f"mqtt.{key}", value)
    assert "hunter2" not in path.read_text()
    broker = load_config(path).broker
    assert broker is not None
    assert broker.password == ""
    admin.replace(path.read_text() + 'password = "letmein"\n')
    admin.change("mqtt.table", "oak")
    assert "letmein" in path.read_text()


def test_a_board_elsewhere_tells_nobody_which_files_there_are(admin: MachineAdmin, tmp_path: Path) -> None:
    (tmp_path / "here.json").write_text("{}")
    complaints = []
    for board in (tmp_path / "here.json", tmp_path / "nowhere.json", "boards/../here.json", "/etc/shadow"):
        for ask in (
            partial(admin.change, "board", str(board)),
            partial(admin.replace, f'board = "{board}"\n'),
        ):
            with pytest.raises(BadInputError) as caught:
                ask()
            complaints.append(str(caught.value))
    assert all("is none of the table's boards" in line for line in complaints)
    key = BoardFolder(tmp_path / "boards").add(generate(6, 560))
    admin.change("board", f"boards/{key}.json")
    (tmp_path / "tock.toml").write_text('board = "elsewhere.json"\n')
    (tmp_path / "elsewhere.json").write_text(to_text(generate(4, 440)))
    admin.change("ruleset", "gladius")


@pytest.mark.parametrize(
    "source",
    [
        'video = "{file}"',
        'frames = "{file}"',
        'state = "{file}"',
        'calibration = [{{image = "{file}", what = "empty"}}]',
    ],
)
def test_pictures_elsewhere_tell_nobody_which_files_there_are(
    admin: MachineAdmin, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, source: str
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "here.mp4").write_text("no film")
    (tmp_path / "link.mp4").symlink_to(elsewhere / "here.mp4")
    path = tmp_path / "tock.toml"
    path.write_text("# ours\n")
    for file in (elsewhere / "here.mp4", elsewhere / "nowhere.mp4", "link.mp4", "../x.mp4", "/etc/shadow"):
        with pytest.raises(BadInputError, match="lies outside the table's data folder") as caught:
            admin.replace(f"[sources.camera]\n{source.format(file=file)}\n")
        assert "\n" not in str(caught.value)
    assert path.read_text() == "# ours\n"


def test_pictures_that_somebody_named_on_the_machine_may_stay(
    admin: MachineAdmin, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    frames = tmp_path_factory.mktemp("frames")
    (frames / "1.jpg").touch()
    text = f'[sources.camera]\nframes = "{frames}"\n'
    (tmp_path / "tock.toml").write_text(text)
    admin.replace(f"port = 8101\n{text}")
    assert load_config(tmp_path / "tock.toml").port == 8101


def test_a_certificate_is_tried_before_it_is_kept(admin: MachineAdmin, tmp_path: Path) -> None:
    made, other = (certified(tmp_path / name) for name in "ab")
    path = tmp_path / "tock.toml"
    path.write_text("# ours\n")
    for certificate, key in (
        ("/etc/shadow", ""),
        ("/nowhere", ""),
        (made.certificate, ""),
        (made.certificate, other.key),
        (made.key, made.certificate),
    ):
        with pytest.raises(
            BadInputError, match="there is no readable certificate in date, with a key that fits it"
        ):
            admin.replace(f'[tls]\ncertificate = "{certificate}"\nkey = "{key}"\n')
    with pytest.raises(BadInputError, match="there is no readable certificate of an authority"):
        admin.replace(f'[mqtt]\nhost = "pi"\nca = "{made.key}"\n')
    assert path.read_text() == "# ours\n"
    admin.replace(f'[tls]\ncertificate = "{made.certificate}"\nkey = "{made.key}"\n')
    assert load_config(path).tls.key == made.key


def test_a_file_that_was_broken_by_hand_is_one_line(admin: MachineAdmin, tmp_path: Path) -> None:
    (tmp_path / "tock.toml").write_text("[mqtt\npassword = 'hunter2'")
    with pytest.raises(BadInputError, match=r"is not TOML .*; correct it on the machine") as caught:
        admin.settings()
    assert "hunter2" not in str(caught.value)


def test_the_password_of_a_network_camera_is_not_shown_and_stays(tmp_path: Path, admin: MachineAdmin) -> None:
    url = "rtsp://tock:hunter2@192.168.1.9/live"
    path = tmp_path / "tock.toml"
    path.write_text(f'[sources.camera]\nurl = "{url}"\n')
    shown = str(admin.settings()["text"])
    assert "hunter2" not in shown
    admin.replace(shown.replace("[sources", "players = 4\n[sources"))
    assert path.read_text() == f'players = 4\n[sources.camera]\nurl = "{url}"\n'


def test_a_password_is_not_shown_as_a_key(admin: MachineAdmin) -> None:
    keys = admin.settings()["keys"]
    assert isinstance(keys, list)
    assert "mqtt.password" not in {key["name"] for key in keys}


def test_the_diagnosis_leaves_the_camera_to_the_table(admin: MachineAdmin) -> None:
    found = admin.diagnosis()
    assert {"disk", "network", "games"} <= {finding["part"] for finding in found}
    assert "camera" not in {finding["part"] for finding in found}


def test_only_a_supervised_companion_comes_back() -> None:
    assert starts_again({"INVOCATION_ID": "1"})
    assert not starts_again({})


class _Relay(BaseHTTPRequestHandler):
    """A meeting place that gives an account to everybody."""

    def do_POST(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"table": "t" * 22, "password": "secret"}).encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_a_meeting_place_that_answers_is_used_at_once_and_a_silent_one_is_refused(tmp_path: Path) -> None:
    path, laid = tmp_path / "tock.toml", list[Config]()
    machine = MachineAdmin(path, load_config(None), reopen=laid.append)
    with HTTPServer(("127.0.0.1", 0), _Relay) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        machine.change("far.relay", address)
        assert laid[0].far == Relay(address)
        server.shutdown()
    with pytest.raises(BadInputError, match="cannot be reached"):
        machine.change("far.relay", address)
    with pytest.raises(BadInputError, match="must be an address"):
        machine.change("far.relay", "tock")
    assert load_config(path).far == Relay(address)
    machine.change("far.relay", None)
    assert laid[-1].far is None
