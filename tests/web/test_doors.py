"""Settings that open doors need the proof of a host; those of the game do not."""

from pathlib import Path

import pytest

from tests.support.page import Phone, machine_code
from tock_app.cli.main import main
from tock_app.config.load import config_of
from tock_app.service.admin import MachineAdmin
from tock_companion.table.runtime.live import Table
from tock_web import PageServices, create_app

BEFORE = 'port = 8080\n[sources.camera]\nurl = "http://10.0.0.9/a.jpg"\nfps = 5\n[sources.usb]\ndevice = 0\n'
DOORS = {
    "names": ("names", ["evil.com"]),
    "host": ("host", "127.0.0.1"),
    "port": ("port", 8100),
    "data": ("data", "elsewhere"),
    "relay": ("far.relay", "https://tock.example"),
    "copies": ("backup.folder", "/tmp"),
    "no copies": ("backup.keep", 0),
    "broker": ("mqtt.table", "oak"),
    "figures": ("metrics.enabled", True),
    "recordings": ("retention.recordings_mb", 1),
    "pictures": ("retention.pictures_days", 1),
}
TEXTS = {
    "camera's address": BEFORE.replace("10.0.0.9", "10.0.0.8"),
    "device by address": BEFORE.replace("device = 0", 'device = "rtsp://10.0.0.8/x"'),
    "another source": BEFORE + '[sources.other]\nurl = "http://10.0.0.7/a.jpg"\n',
    "no source": "port = 8080\n",
    "names in the text": f'names = ["evil.com"]\n{BEFORE}',
    "relay in the text": BEFORE + '[far]\nrelay = "https://tock.example"\n',
}
HARMLESS = {
    "ruleset": {"name": "ruleset", "value": "gladius"},
    "players": {"name": "players", "value": 2},
    "frame rate": {"text": BEFORE.replace("fps = 5", "fps = 7")},
    "camera's number": {"text": BEFORE.replace("device = 0", "device = 1")},
    "a comment": {"text": f"# ours\n{BEFORE}"},
}


@pytest.fixture
def phone(table: Table, tmp_path: Path) -> Phone:
    path = tmp_path / "tock.toml"
    path.write_text(BEFORE)
    machine = MachineAdmin(path, config_of(path, BEFORE, {"TOCK_DATA": str(tmp_path)}))
    phone = Phone(create_app(table, PageServices(machine=machine, data=tmp_path)).test_client())
    phone.post("host")
    return phone


@pytest.mark.parametrize(
    "change",
    [{"name": name, "value": value} for name, value in DOORS.values()]
    + [{"text": t} for t in TEXTS.values()],
    ids=[*DOORS, *TEXTS],
)
def test_a_setting_that_opens_a_door_needs_the_proof(
    phone: Phone, tmp_path: Path, change: dict[str, object]
) -> None:
    for proof in ("", "0000"):
        answer = phone.post("machine/settings", **change, proof=proof)
        assert (answer.status_code, answer.get_json()["code"]) == (403, "host/code")
    assert (tmp_path / "tock.toml").read_text() == BEFORE
    proven = phone.post("machine/settings", **change, proof=machine_code(phone.client.application))
    assert proven.status_code == 200, proven.text
    assert (tmp_path / "tock.toml").read_text() != BEFORE


@pytest.mark.parametrize("change", HARMLESS.values(), ids=HARMLESS)
def test_a_setting_of_the_game_needs_none(phone: Phone, change: dict[str, object]) -> None:
    assert phone.post("machine/settings", **change).status_code == 200


@pytest.mark.parametrize(
    ("relay", "good"),
    [
        ("https://tock.example", True),
        ("http://127.0.0.1:8444", True),
        ("http://localhost:8444", True),
        ("http://[::1]:8444", True),
        ("http://tock.example", False),
        ("http://192.168.1.20", False),
        ("http://127.0.0.1.evil.com", False),
    ],
)
def test_a_password_goes_to_no_relay_in_clear(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], relay: str, good: bool
) -> None:
    file = tmp_path / "tock.toml"
    file.write_text(f'[far]\nrelay = "{relay}"\n')
    assert main(("config", "check", str(file))) == (0 if good else 2)
    assert good or "https://" in capsys.readouterr().err
