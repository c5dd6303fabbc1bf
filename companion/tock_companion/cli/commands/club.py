"""`tock club`: a page with all tables of a club, from their broker alone."""

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


def run(arguments: Sequence[str], stdout: TextIO | None = None) -> int:
    """Serve the page until SIGINT or SIGTERM."""
    parser = Parser(prog="tock club", description="Serves a page with all tables that publish on a broker.")
    parser.add_argument("broker", help="address of the MQTT broker: host or host:port")
    parser.add_argument("--port", type=int, default=8090, help="port of the page (default: 8090)")
    parser.add_argument("--user", default="", help="user at the broker, if it asks")
    parser.add_argument("--password", default="", help="password of that user")
    options = parser.parse_args(list(arguments))
    host, _, digits = options.broker.partition(":")
    if not host or not _is_name(host) or (digits and not digits.isdigit()):
        raise BadInputError(
            f"'{options.broker}' is no broker; write host or host:port, for example pi.local:1883"
        )
    stopped = StopRequest()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda _signal, _frame: stopped.ask())
    web = importlib.import_module("tock_web")
    club = Club(BrokerAddress(host, int(digits or 1883), options.user, options.password))
    server = web.serve(web.create_club_app(club), "0.0.0.0", options.port)
    club.start()
    try:
        url = web.page_url(server.port)
        (stdout or sys.stdout).write(f"The club's tables are at {url}\n")
        (stdout or sys.stdout).flush()
        stopped.wait()
    finally:
        club.stop()
        server.stop()
    return 0


def _is_name(host: str) -> bool:
    try:
        host_name(host)
    except ValueError:
        return False
    return True
