"""`tock club`: a page with all tables of a club, from their broker alone; the club's desk; what its broker needs."""

import importlib
import signal
import sys
from collections.abc import Sequence
from typing import TextIO

from tock_companion.cli.console import Parser
from tock_companion.config.settings import host_name
from tock_companion.errors import BadInputError
from tock_companion.mqtt.club import Club
from tock_companion.mqtt.connection import BrokerAddress
from tock_companion.service.stopping import StopRequest

PARTS = {
    "serve": "tock_companion.cli.commands.club_serve",
    "broker": "tock_companion.cli.commands.club_broker",
}


def run(arguments: Sequence[str], stdout: TextIO | None = None) -> int:
    """Serve the page, or hand over to one of the parts, until SIGINT or SIGTERM."""
    if arguments and arguments[0] in PARTS:
        return int(importlib.import_module(PARTS[arguments[0]]).run(arguments[1:], stdout))
    parser = Parser(
        prog="tock club",
        description="Serves a page with all tables that publish on a broker. `tock club serve --help` says how a "
        "tournament is run, `tock club broker --help` how a broker is set up.",
    )
    add_broker(parser)
    parser.add_argument("--port", type=int, default=8090, help="port of the page (default: 8090)")
    options = parser.parse_args(list(arguments))
    address = broker_of(options.broker, options.user, options.password, options.ca)
    stopped = stop_by_signal()
    web = importlib.import_module("tock_web")
    club = Club(address)
    server = web.serve(web.create_club_app(club), "0.0.0.0", options.port)
    club.start()
    try:
        announce(f"The club's tables are at {web.page_url(server.port)}\n", stdout)
        stopped.wait()
    finally:
        club.stop()
        server.stop()
    return 0


def add_broker(parser: Parser, *, required: bool = True) -> None:
    """The arguments that name a broker."""
    parser.add_argument(
        "broker",
        nargs=None if required else "?",
        default="",
        help="address of the MQTT broker: host or host:port",
    )
    parser.add_argument("--user", default="", help="user at the broker, if it asks")
    parser.add_argument("--password", default="", help="password of that user")
    parser.add_argument("--ca", default="", help="file of the broker's certificate, for an encrypted line")


def broker_of(text: str, user: str, password: str, ca: str) -> BrokerAddress:
    """The address of a broker as it is typed; raises BadInputError."""
    host, _, digits = text.partition(":")
    if not host or not _is_name(host) or (digits and not digits.isdigit()):
        raise BadInputError(f"'{text}' is no broker; write host or host:port, for example pi.local:1883")
    return BrokerAddress(host, int(digits or (8883 if ca else 1883)), user, password, ca)


def stop_by_signal() -> StopRequest:
    """What SIGINT and SIGTERM ask for."""
    stopped = StopRequest()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda _signal, _frame: stopped.ask())
    return stopped


def announce(text: str, stdout: TextIO | None) -> None:
    """Say where the page is."""
    (stdout or sys.stdout).write(text)
    (stdout or sys.stdout).flush()


def _is_name(host: str) -> bool:
    try:
        host_name(host)
    except ValueError:
        return False
    return True
