"""Relays and their brokers as processes of their own, as they run on a rented machine."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.support.mosquitto import free_port
from tests.support.relay_process import HERE, ask
from tests.support.waiting import until
from tock_companion.errors import TockError

PATIENCE_S = 60.0
TABLES_OF_ADDRESS = 10


class Process:
    """`tock` with some arguments."""

    def __init__(self, arguments: Sequence[str], log: Path) -> None:
        self._log = log
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tock_app.cli.main", *arguments],
                stdout=output,
                stderr=output,
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def log(self) -> str:
        """All lines so far."""
        return self._log.read_text(errors="replace")

    def wait_for(self, *words: str) -> None:
        """Wait until its log has all these words; raises TockError where it ends before."""

        def is_ready() -> bool:
            if self._process.poll() is not None:
                raise TockError(f"'tock' has ended: {self.log}")
            return all(word in self.log for word in words)

        until(is_ready, f"{words} in {self._log}", PATIENCE_S)

    def stop(self) -> None:
        """End it as a service is ended."""
        self._process.terminate()
        self._process.wait(PATIENCE_S)


class RelayProcess:
    """`tock relay`, before a broker."""

    def __init__(self, folder: Path, broker_port: int) -> None:
        self.port = free_port()
        folder.mkdir(exist_ok=True)
        place = f"--listen {HERE}:{self.port} --broker {HERE}:{broker_port}".split()
        self.process = Process(["relay", *place, "--data", str(folder)], folder / "relay.log")
        self.url, self.ca = f"https://{HERE}:{self.port}", str(folder / "tls-certificate.pem")

    def wait(self) -> None:
        """Wait until it answers and has reached its broker."""
        self.process.wait_for("listens", "is reached")

    def stop(self) -> None:
        """End it."""
        self.process.stop()


class BrokerProcess:
    """`tock relay broker`."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        arguments = ["relay", "broker", "--data", str(folder), "--listen", f"{HERE}:{self.port}"]
        folder.mkdir(exist_ok=True)
        self.process = Process(arguments, folder / "broker.log")
        self.process.wait_for("listens")
        self._pid_file = folder / "broker" / "tock.pid"

    @property
    def pid(self) -> int:
        """The number of Mosquitto's process."""
        return int(self._pid_file.read_text())

    def stop(self) -> None:
        """End it."""
        self.process.stop()


def address_of(number: int) -> str:
    """An address of this machine's own for a client: each may ask for ten tables an hour."""
    return f"127.1.{number // (200 * TABLES_OF_ADDRESS)}.{1 + number // TABLES_OF_ADDRESS % 200}"


def new_table(relay: RelayProcess, number: int) -> tuple[str, str]:
    """A table and its password."""
    status, answer = ask(
        relay.url, relay.ca, "POST", "/relay/v1/tables", {"form": 1}, local=address_of(number)
    )
    if status != 201:
        raise TockError(f"no table: {status} {answer}")
    return answer["table"], answer["password"]
