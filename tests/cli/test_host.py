"""The line between commands of one user, and `tock host` beside a companion that runs or is stopped."""

import os
from contextlib import closing
from pathlib import Path
from queue import Queue

import pytest

from tests.support.forked import ForkedTock
from tests.support.page_client import PageClient
from tests.support.service import Companion
from tests.support.tables import people_of
from tock_app.cli.commands.host import run
from tock_app.config.load import config_of
from tock_app.service.boot_files import forgets_pin, show_code
from tock_app.service.companion import serve
from tock_app.service.control import RUNNING_NAME, ControlServer, ask, call
from tock_app.service.shutdown import Shutdown
from tock_app.service.supervision import Supervision
from tock_companion.errors import BadInputError, TockError
from tock_companion.storage import Store
from tock_rules import Seat
from tock_web.rights.machine_code import MachineCode
from tock_web.rights.pin import PIN_NAME, PinKeeper, forget_pin


@pytest.fixture
def ended() -> "Queue[str]":
    return Queue()


def test_a_command_is_carried_out_until_its_caller_leaves(tmp_path: Path, ended: "Queue[str]") -> None:
    begun: Queue[dict[str, str]] = Queue()

    def begin(_command: str, parameters: dict[str, str]) -> dict[str, str]:
        begun.put(parameters)
        return {}

    server = ControlServer(tmp_path, begin, ended.put)
    line = call(tmp_path, "record", out="/somewhere")
    assert begun.get(timeout=5)["out"] == "/somewhere"
    line.close()
    assert ended.get(timeout=5) == "record"
    server.close()


def test_a_refusal_reaches_the_caller(tmp_path: Path, ended: "Queue[str]") -> None:
    def refuse(_command: str, _parameters: dict[str, str]) -> dict[str, str]:
        raise TockError("the folder is not empty")

    server = ControlServer(tmp_path, refuse, ended.put)
    with pytest.raises(TockError, match="not empty"):
        call(tmp_path, "record", out="/somewhere")
    server.close()


def test_only_the_user_may_read_the_way_in(tmp_path: Path, ended: "Queue[str]") -> None:
    server = ControlServer(tmp_path, lambda _command, _parameters: {}, ended.put)
    assert (tmp_path / RUNNING_NAME).stat().st_mode & 0o077 == 0
    server.close()
    assert not (tmp_path / RUNNING_NAME).exists()


def test_the_companion_s_answer_reaches_the_caller(tmp_path: Path, ended: "Queue[str]") -> None:
    server = ControlServer(tmp_path, lambda command, _parameters: {"code": command.upper()}, ended.put)
    assert ask(tmp_path, "host-code")["code"] == "HOST-CODE"
    assert ended.get(timeout=5) == "host-code"
    server.close()


def test_without_a_running_companion_the_command_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="no companion is running"):
        call(tmp_path, "record", out="/somewhere")


def tock_host(companion: Companion, command: str) -> str:
    process = ForkedTock(["host", command], {"TOCK_DATA": str(companion.data)})
    output, _errors = process.communicate(timeout=30)
    assert process.returncode == 0
    return str(output).strip()


def test_a_code_of_the_machine_lets_a_second_device_be_host_and_the_pin_is_forgotten(tmp_path: Path) -> None:
    with Companion(tmp_path) as companion:
        child, parent = PageClient(companion.url), PageClient(companion.url)
        child.post("/api/v1/join", name="Tim", seat="P0", lang="fr")
        assert parent.post("/api/v1/host")["code"] == "host/taken"
        code = tock_host(companion, "code")
        assert parent.post("/api/v1/host", pin=code)["ok"]
        assert parent.post("/api/v1/host/pin", pin="4711", proof=code)["ok"]
        assert not child.get("/api/v1/session")["host"], "a new PIN ends the other hosts"
        assert child.get("/api/v1/session")["pin"]
        assert "forgotten" in tock_host(companion, "forget-pin")
        assert not child.get("/api/v1/session")["pin"]
        assert "no PIN" in tock_host(companion, "forget-pin")
        parent.post("/api/v1/host/pin", pin="4711", proof=code)
    assert (tmp_path / PIN_NAME).exists()
    assert "forgotten" in tock_host(companion, "forget-pin"), "also while the companion is stopped"
    assert not (tmp_path / PIN_NAME).exists()


def test_without_a_running_companion_there_is_no_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOCK_DATA", str(tmp_path))
    with pytest.raises(BadInputError, match="no companion is running"):
        run(["code"])


def test_a_new_file_on_the_card_forgets_the_pin_once(tmp_path: Path) -> None:
    boot, data = tmp_path / "boot", tmp_path / "data"
    boot.mkdir()
    data.mkdir()
    PinKeeper(data).set("4711")
    assert not forgets_pin(data, boot)
    (boot / "tock-forget-pin.txt").touch()
    assert forgets_pin(data, boot)
    assert not PinKeeper(data).is_set
    PinKeeper(data).set("0815")
    assert not forgets_pin(data, boot), "it was left on the card"
    an_hour_later_ns = (boot / "tock-forget-pin.txt").stat().st_mtime_ns + 3600 * 10**9
    os.utime(boot / "tock-forget-pin.txt", ns=(an_hour_later_ns, an_hour_later_ns))
    assert not forgets_pin(data, boot), "the summer has come"
    os.utime(boot / "tock-forget-pin.txt", ns=(an_hour_later_ns, an_hour_later_ns + 2 * 10**9))
    assert forgets_pin(data, boot), "it was put there again"
    assert not PinKeeper(data).is_set


def test_the_code_on_the_card_counts(tmp_path: Path) -> None:
    code = MachineCode()
    show_code(code, tmp_path)
    # Windows hides the ending of a name, so people add another one.
    (tmp_path / "tock-host-code.txt.txt").write_bytes(b"\xef\xbb\xbf1234 5678\r\n")
    show_code(code, tmp_path)
    assert code.is_right("12345678", "a")
    assert not code.is_right("12345678", "b")


@pytest.mark.parametrize("text", ["", "1234", "123456789", "١٢٣٤٥٦٧٨", "x" * 2000])
def test_a_file_without_a_code_is_no_code(tmp_path: Path, text: str) -> None:
    code = MachineCode()
    (tmp_path / "tock-host-code").write_text(text, encoding="utf-8")
    show_code(code, tmp_path)
    assert not code.is_right(text, "a")


def test_a_start_after_a_file_on_the_card_has_no_pin_and_no_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Store(tmp_path)) as store:
        people = people_of(store)
        people.join("Tim", Seat.P0)
        store.choices.keep("host_seat", "P0")
    PinKeeper(tmp_path).set("4711")
    asked: list[bool] = []
    monkeypatch.setattr("tock_app.service.companion.forgets_pin", forget_pin)
    monkeypatch.setattr(
        "tock_app.service.companion._serve_table", lambda laid, *_: asked.append(laid.table.host_seat is None)
    )
    config = config_of(tmp_path / "tock.toml", "", {"TOCK_DATA": str(tmp_path)})
    serve(config, None, Shutdown(Supervision()), Supervision())
    assert asked == [True]
    assert not PinKeeper(tmp_path).is_set
