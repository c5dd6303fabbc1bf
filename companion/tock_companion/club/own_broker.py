"""The club's own broker: Mosquitto, set up for the user that the desk runs as, kept running while the desk does."""

import socket
from contextlib import suppress
from pathlib import Path

from tock_companion.club.access import (
    DESK_USER,
    accounts_for,
    stored_accounts,
    write_access,
)
from tock_companion.errors import TockError
from tock_companion.files import read_text_bounded, replace_file
from tock_companion.mqtt.broker_setup import broker_place
from tock_companion.mqtt.connection import BrokerAddress
from tock_companion.mqtt.mosquitto import KeptMosquitto
from tock_companion.operating_system import share_address

HERE = "127.0.0.1"
PORTS = range(8883, 8900)
"""Tables are set up for one of these: the first that is free when the folder is made, and that one from then on."""
PORT_NAME = "port"
NOT_INSTALLED = (
    "Mosquitto is not installed, so tables with a companion cannot join; all others can. "
    "Install it with: sudo apt install mosquitto"
)


class OwnBroker(KeptMosquitto):
    """A broker on this machine that runs while the desk does."""

    def __init__(self, folder: Path, certificate: Path, key: Path) -> None:
        """Write its files into a folder; passwords and port are those that are there already."""
        accounts = stored_accounts(folder)
        if DESK_USER not in accounts:
            accounts = {**accounts, **accounts_for(())}
        self.port = _chosen_port(folder)
        write_access(folder, accounts, self.port, str(certificate), str(key))
        self.address = BrokerAddress(HERE, self.port, DESK_USER, accounts[DESK_USER], str(certificate))
        super().__init__(broker_place(folder, HERE, self.port), "the club's broker", NOT_INSTALLED)


def stored_port(folder: Path) -> int | None:
    """The port of the broker whose files are in a folder; None before."""
    path = folder / PORT_NAME
    if path.exists():
        with suppress(ValueError):
            return int(read_text_bounded(path, 10, "port of the broker"))
    return None


def _chosen_port(folder: Path) -> int:
    stored = stored_port(folder)
    if stored is not None:
        return stored
    port = next((port for port in PORTS if _is_free(port)), None)
    if port is None:
        raise TockError(
            f"no port from {PORTS[0]} to {PORTS[-1]} is free; end one of the programs that have them"
        )
    replace_file(folder / PORT_NAME, f"{port}\n")
    return port


def _is_free(port: int) -> bool:
    with socket.socket() as probe, suppress(OSError):
        share_address(probe)
        probe.bind(("", port))
        return True
    return False
