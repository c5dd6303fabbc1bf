"""A club's own broker: started by the desk, or set up by `tock club broker` with TLS, passwords and rights."""

import os
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from io import StringIO
from pathlib import Path

import pytest

from tests.support.club import PlainTable
from tests.support.forked import ForkedTock
from tests.support.mosquitto import free_port
from tests.support.waiting import until
from tock_app.cli.commands.club import run
from tock_app.cli.main import main
from tock_app.config.load import load_config
from tock_companion.club import own_broker
from tock_companion.club.access import BROKER_FOLDER, DESK_USER, stored_accounts
from tock_companion.club.own_broker import OwnBroker
from tock_companion.club.repository import ClubRepository
from tock_companion.errors import BadInputError
from tock_companion.mqtt.connection import BrokerAddress, BrokerConnection
from tock_companion.mqtt.mosquitto import find_mosquitto
from tock_web.https.certificate import broker_certificate
from tock_web.https.certificate_files import Files

pytestmark = pytest.mark.whole


PATIENCE_S = 45.0


@pytest.fixture(autouse=True)
def ports_of_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Brokers of this process are out of the way of those of desks that run beside it."""
    first = free_port()
    monkeypatch.setattr(own_broker, "PORTS", range(first, first + len(own_broker.PORTS)))


class ServedDesk:
    """`tock club serve` as a process, without any argument that names a broker."""

    def __init__(self, data: Path, *arguments: str) -> None:
        self.broker_folder = data / "club/broker"
        self.port = free_port()
        self._log = data.with_suffix(f".{self.port}.log")
        place = ["--host", "127.0.0.1", "--port", str(self.port)]
        with self._log.open("wb") as log:
            self.tock = ForkedTock(
                ["club", "serve", *place, *arguments], {**os.environ, "TOCK_DATA": str(data)}, log
            )

    def wait(self) -> None:
        """Wait until its page answers."""
        until(lambda: self.tock.poll() is not None or listens(self.port))
        assert self.tock.poll() is None, self.log

    @property
    def log(self) -> str:
        return self._log.read_text()

    @property
    def address(self) -> BrokerAddress:
        """The desk's own account: the only one that there is at first."""
        port = int((self.broker_folder / "port").read_text())
        password = stored_accounts(self.broker_folder)[DESK_USER]
        ca = str(self.broker_folder / "tls-certificate.pem")
        return BrokerAddress("127.0.0.1", port, DESK_USER, password, ca)


def listens(port: int) -> bool:
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) == 0


def broker_of(parent: int) -> int | None:
    """The number of the Mosquitto that a process has started."""
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, rest = re.fullmatch(r"\d+ \((.*)\) \S (.*)", status.read_text().strip(), re.DOTALL).groups()  # type: ignore[union-attr]
        except (OSError, AttributeError):
            continue
        if name == "mosquitto" and rest.split()[0] == str(parent):
            return int(status.parent.name)
    return None


@contextmanager
def served(data: Path, *arguments: str) -> Iterator[ServedDesk]:
    desk = ServedDesk(data, *arguments)
    try:
        desk.wait()
        yield desk
    finally:
        desk.tock.terminate()
        desk.tock.communicate(PATIENCE_S)


def test_a_broker_comes_back_when_it_dies_and_ends_with_its_desk_however_that_ends(tmp_path: Path) -> None:
    with served(tmp_path / "data") as desk:
        until(lambda: broker_of(desk.tock.pid) is not None)
        first = broker_of(desk.tock.pid)
        assert first is not None
        before = desk.address
        table = PlainTable(before, "oak")
        table.start()
        try:
            until(lambda: table.up)
            os.kill(first, signal.SIGKILL)
            until(lambda: broker_of(desk.tock.pid) not in (None, first))
            until(lambda: table.up)
        finally:
            table.stop()
        assert desk.log.count("the club's broker has ended (by signal 9); it is started again") == 1
        assert {path.stat().st_mode & 0o777 for path in desk.broker_folder.iterdir()} == {0o600}
        os.kill(desk.tock.pid, signal.SIGKILL)
        desk.tock.wait(PATIENCE_S)
    with served(tmp_path / "data") as desk:
        until(lambda: broker_of(desk.tock.pid) is not None and listens(before.port))
        assert desk.address == before
    assert desk.tock.returncode == 0
    assert not listens(before.port)
    assert "Traceback" not in desk.log


@pytest.fixture
def usual_signals() -> Iterator[None]:
    """Restore the signal handlers that a desk in this process replaces."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("usual_signals")
def test_two_desks_on_one_folder_and_a_port_that_is_taken_are_one_line_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        port = str(other.getsockname()[1])
        command = ("club", "serve", "--host", "127.0.0.1", "--port", port, "--data", str(tmp_path))
        assert main(command) == 2
        printed = capsys.readouterr().err
        assert printed.startswith(f"tock club: page: port {port} on 127.0.0.1 cannot be used")
        assert printed.endswith("or set --port to a free port\n")
    with closing(ClubRepository(tmp_path)):
        assert main(command) == 2
        printed = capsys.readouterr().err
        assert printed.startswith(f"tock club: a club's desk is running on {tmp_path}; stop it first")
        assert printed.count("\n") == 1
    assert not (tmp_path / "broker").exists()


@pytest.fixture
def certificate(tmp_path: Path) -> Files:
    return broker_certificate(tmp_path)


def test_without_mosquitto_the_desk_says_in_one_line_how_to_get_it(
    tmp_path: Path, certificate: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tock_companion.mqtt.mosquitto.find_mosquitto", lambda: None)
    own = OwnBroker(tmp_path, certificate.certificate, certificate.key)
    own.start()
    try:
        assert not own.wait(PATIENCE_S)
        assert "sudo apt install mosquitto" in own.trouble
    finally:
        own.stop()


def test_a_port_that_somebody_else_has_is_named_and_taken_when_it_is_free(
    tmp_path: Path, certificate: Files
) -> None:
    with socket.socket() as other:
        other.bind(("0.0.0.0", free_port()))
        other.listen()
        (tmp_path / "port").write_text(f"{other.getsockname()[1]}\n")
        own = OwnBroker(tmp_path, certificate.certificate, certificate.key)
        own.start()
        try:
            until(lambda: f"port {own.port} is taken by another program" in own.trouble)
            other.close()
            until(lambda: listens(own.port))
        finally:
            own.stop()


def test_the_first_free_port_is_chosen_and_kept(tmp_path: Path, certificate: Files) -> None:
    first = OwnBroker(tmp_path, certificate.certificate, certificate.key).port
    assert first in own_broker.PORTS
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("", first))
        other.listen()
        assert OwnBroker(tmp_path, certificate.certificate, certificate.key).port == first
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()
        assert OwnBroker(elsewhere, certificate.certificate, certificate.key).port != first


def test_a_club_keeps_its_certificate_for_years_and_wherever_the_machine_goes(tmp_path: Path) -> None:
    before = broker_certificate(tmp_path).certificate.read_bytes()
    assert broker_certificate(tmp_path).certificate.read_bytes() == before
    assert broker_certificate(tmp_path, "hall.local").certificate.read_bytes() != before


def test_a_password_that_begins_with_a_dash_is_no_option(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One in 64 does; the line that the desk had printed could not be typed then."""
    monkeypatch.setenv("TOCK_DATA", str(tmp_path))
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{nobody.getsockname()[1]}"
        assert main(("club", "join", address, "oak", "-aPassword_12345", "0" * 32)) == 2
    assert "no club's broker answers" in capsys.readouterr().err


@pytest.mark.usefixtures("usual_signals")
def test_a_table_joins_by_the_line_that_the_desk_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    desk, table = tmp_path / "desk", tmp_path / "table"
    folder = desk / "club" / BROKER_FOLDER
    folder.mkdir(parents=True)
    monkeypatch.setenv("TOCK_DATA", str(desk))
    assert main(("club", "table", "oak")) == 2
    assert "start one first" in capsys.readouterr().err
    files = broker_certificate(folder)
    own = OwnBroker(folder, files.certificate, files.key)
    own.start()
    try:
        assert own.wait(PATIENCE_S)
        assert main(("club", "table", "oak", "--host", "127.0.0.1")) == 0
        line = capsys.readouterr().out.splitlines()[-1].split("tock club join ")[1].split()
        assert main(("club", "table", "oak", "--host", "127.0.0.1")) == 0
        assert capsys.readouterr().out.splitlines()[-1].split("tock club join ")[1].split() == line

        monkeypatch.setenv("TOCK_DATA", str(table))
        table.mkdir()
        (table / "tock.toml").write_text("# Our table.\nplayers = 2\n")
        assert main(("club", "join", *line[:3], "0" * 32)) == 2
        assert "another broker than the club's" in capsys.readouterr().err
        assert "mqtt" not in (table / "tock.toml").read_text()
        assert main(("club", "join", *line)) == 0
        assert (table / "tock.toml").read_text().startswith("# Our table.\nplayers = 2\n")
        broker = load_config(None).broker
        assert broker is not None
        assert (broker.table, broker.joins_club) == ("oak", True)
        address = BrokerAddress(broker.host, broker.port, broker.user, broker.password, broker.ca)
        joined = PlainTable(address, "oak")
        joined.start()
        try:
            until(lambda: joined.up)
        finally:
            joined.stop()
    finally:
        own.stop()
    assert main(("club", "join", *line)) == 2
    assert "no club's broker answers" in capsys.readouterr().err


def test_a_table_reaches_the_broker_over_tls_with_its_password_and_with_no_other(tmp_path: Path) -> None:
    port, folder, out = free_port(), tmp_path / "broker", StringIO()
    arguments = ["broker", "oak", "--out", str(folder), "--port", str(port), "--host", "localhost"]
    assert run(arguments, out) == 0
    assert f"mosquitto -c {folder / 'tock.conf'}" in out.getvalue()
    passwords = dict(line.split() for line in (folder / "accounts.txt").read_text().splitlines())
    ca = next(
        str(path)
        for path in folder.iterdir()
        if path.name.endswith((".crt", ".pem")) and "key" not in path.name
    )
    program = find_mosquitto()
    assert program is not None
    assert f"Start the broker:  {program} -c" in out.getvalue()
    process = subprocess.Popen([program, "-c", str(folder / "tock.conf")], stderr=subprocess.DEVNULL)
    right = BrokerConnection(BrokerAddress("localhost", port, "oak", passwords["oak"], ca), "a", lambda: None)
    wrong = BrokerConnection(BrokerAddress("localhost", port, "oak", "guessed", ca), "b", lambda: None)
    try:
        right.start()
        wrong.start()
        until(lambda: right.up)
        assert not wrong.up
    finally:
        right.stop()
        wrong.stop()
        process.terminate()
        process.wait()
    with pytest.raises(BadInputError, match="files already"):
        run(arguments, out)


def test_a_file_that_is_no_certificate_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "ca").write_text("no certificate")
    with pytest.raises(BadInputError, match="holds no certificate"):
        BrokerConnection(BrokerAddress("localhost", 1, ca=str(tmp_path / "ca")), "a", lambda: None)
