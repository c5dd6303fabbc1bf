"""`tock host` on the machine of a running companion, and of one that is stopped."""

from pathlib import Path

import pytest

from tests.support.forked import ForkedTock
from tests.support.service import Companion, Phone
from tock_app.cli.commands.host import run
from tock_companion.errors import BadInputError
from tock_web.pin import PIN_NAME


def tock_host(companion: Companion, command: str) -> str:
    process = ForkedTock(["host", command], {"TOCK_DATA": str(companion.data)})
    told, _errors = process.communicate(timeout=30)
    assert process.returncode == 0
    return str(told).strip()


def test_a_code_of_the_machine_lets_a_second_device_be_host_and_the_pin_is_forgotten(tmp_path: Path) -> None:
    with Companion(tmp_path) as companion:
        child, parent = Phone(companion.url), Phone(companion.url)
        child.post("/api/v1/join", name="Tim", seat="P0", lang="fr")
        assert parent.post("/api/v1/host")["code"] == "host/taken"
        code = tock_host(companion, "code")
        assert parent.post("/api/v1/host", pin=code)["ok"]
        assert parent.post("/api/v1/host/pin", pin="4711", proof=code)["ok"]
        assert child.get("/api/v1/session")["host"], "whoever is host and here stays host"
        assert child.get("/api/v1/session")["pin"]
        assert "forgotten" in tock_host(companion, "forget-pin")
        assert not child.get("/api/v1/session")["pin"]
        assert "no PIN" in tock_host(companion, "forget-pin")
        parent.post("/api/v1/host/pin", pin="4711", proof=code)
    assert (tmp_path / PIN_NAME).exists()
    assert "forgotten" in tock_host(companion, "forget-pin"), "also while the companion is stopped"
    assert not (tmp_path / PIN_NAME).exists()


def test_the_start_shows_a_code_for_the_first_pin(tmp_path: Path) -> None:
    with Companion(tmp_path) as companion:
        companion.process.terminate()
        shown, _errors = companion.process.communicate(timeout=10)
    line = next(line for line in str(shown).splitlines() if "the host's PIN" in line)
    assert len(line.rpartition(": ")[2].replace(" ", "")) == 8


def test_without_a_running_companion_there_is_no_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOCK_DATA", str(tmp_path))
    with pytest.raises(BadInputError, match="no companion is running"):
        run(["code"])
