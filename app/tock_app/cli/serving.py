"""Shared by commands that serve a page until a signal ends them, most of them beside an MQTT broker."""

import signal
import sys
from pathlib import Path
from typing import TextIO

from tock_app.cli.console import Parser
from tock_app.config.load import config_path, load_config
from tock_app.config.settings import host_name
from tock_app.service.stopping import StopRequest
from tock_companion.errors import BadInputError, quoted
from tock_companion.mqtt.connection import BrokerAddress


def add_broker(parser: Parser, *, required: bool = True) -> None:
    """Add the arguments that name a broker."""
    parser.add_argument(
        "broker",
        nargs=None if required else "?",
        default="",
        help="address of the MQTT broker: host or host:port",
    )
    parser.add_argument("--user", default="", help="user at the broker, if it asks")
    parser.add_argument("--password", default="", help="password of that user")
    parser.add_argument("--ca", default="", help="file of the broker's certificate, for an encrypted line")


def add_address(parser: Parser, port: int, what: str) -> None:
    """Add the arguments for the address and port."""
    parser.add_argument("--port", type=int, default=port, help=f"port of {what} (default: {port})")
    parser.add_argument(
        "--host",
        default="",
        help="address to listen on (default: `host` of tock.toml, else the whole network)",
    )


def host_of(named: str) -> str:
    """The address to listen on, from the arguments or else the settings; raises BadInputError."""
    if named and not _is_name(named):
        raise BadInputError(f"{quoted(named)} is no address to listen on; for example 127.0.0.1")
    return named or load_config(None).host


def club_folder(named: Path | None) -> Path:
    """The folder of a club's desk; by default `club` in the data folder."""
    return named or config_path(None).parent / "club"


def broker_of(text: str, user: str, password: str, ca: str) -> BrokerAddress:
    """Parse the address of a broker; raises BadInputError."""
    host, _, digits = text.partition(":")
    if not host or not _is_name(host) or (digits and not digits.isdigit()):
        raise BadInputError(f"'{text}' is no broker; write host or host:port, for example pi.local:1883")
    return BrokerAddress(host, int(digits or (8883 if ca else 1883)), user, password, ca)


def stop_by_signal() -> StopRequest:
    """A stop request, made by SIGINT and SIGTERM."""
    stopped = StopRequest()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda _signal, _frame: stopped.ask())
    return stopped


def announce(text: str, stdout: TextIO | None) -> None:
    """Print the page's address."""
    (stdout or sys.stdout).write(text)
    (stdout or sys.stdout).flush()


def _is_name(host: str) -> bool:
    try:
        host_name(host)
    except ValueError:
        return False
    return True
