"""`tock club serve`: the club's desk, with the pages of director, players and hall, and the broker for its tables."""

import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from tock_app.cli.console import Parser
from tock_app.cli.serving import (
    add_address,
    add_broker,
    announce,
    broker_of,
    club_folder,
    host_of,
    stop_by_signal,
)
from tock_app.config.load import load_config
from tock_app.service.supervision import Supervision
from tock_companion.club.access import BROKER_FOLDER, DESK_USER
from tock_companion.errors import TockError
from tock_companion.files import replace_file
from tock_companion.mqtt.connection import BrokerAddress
from tock_companion.storage.files import prepare_folder
from tock_web import page_url, qr_terminal, serve
from tock_web.https.certificate import broker_certificate

if TYPE_CHECKING:
    from tock_companion.club.desk import Desk

BROKER_PATIENCE_S = 3.0
CODE_NAME = "director-code.txt"


def run(arguments: Sequence[str], stdout: TextIO | None = None) -> int:
    """Run the desk until SIGINT or SIGTERM."""
    options = _parser().parse_args(list(arguments))
    named = None if options.no_broker else _named_broker(options)
    try:
        from tock_companion.club.desk import Desk
        from tock_companion.club.repository import ClubRepository
        from tock_web.club.desk import create_desk_app, director_pin
    except ModuleNotFoundError as error:
        raise TockError(
            f"the desk needs {error.name}; install it with: pip install 'tock-companion[club]'"
        ) from None
    host, stopped, supervision = host_of(options.host), stop_by_signal(), Supervision()
    folder = club_folder(options.data)
    with ExitStack() as stack:
        repository = ClubRepository(folder, options.database)
        stack.callback(repository.close)
        desk = Desk(repository, options.name)
        app = create_desk_app(desk)
        server = serve(app, host, options.port, "--port")
        stack.callback(server.stop)
        if not options.no_broker:
            _link_to_tables(stack, desk, named or _own_broker(stack, folder / BROKER_FOLDER))
        stack.callback(desk.stop)
        url = page_url(server.port)
        # For `setup.sh club`: a service's output goes into the journal, which people post when they ask for help.
        replace_file(folder / CODE_NAME, f"{director_pin(app)}\n")
        is_read_here = (stdout or sys.stdout).isatty()
        code = director_pin(app) if is_read_here else f"in {folder / CODE_NAME}"
        announce(
            f"The hall's screen is at {url}\n"
            f"The director's page is at {url}director, its code is {code}\n"
            f"Players join with this code:\n\n{qr_terminal(url, stdout or sys.stdout)}\n",
            stdout,
        )
        supervision.ready(f"the hall's screen is at {url}")
        stopped.wait()
        supervision.stopping()
    return 0


def _own_broker(stack: ExitStack, folder: Path) -> BrokerAddress:
    """Start the desk's own broker; the stack stops it."""
    from tock_companion.club.own_broker import OwnBroker

    files = broker_certificate(prepare_folder(folder))
    own = OwnBroker(folder, files.certificate, files.key)
    stack.callback(own.stop)
    own.start()
    own.wait(BROKER_PATIENCE_S)
    return own.address


def _link_to_tables(stack: ExitStack, desk: "Desk", address: BrokerAddress) -> None:
    """Connect the desk with the broker of its tables; the stack ends the connection."""
    from tock_companion.club.broker import BrokerLink

    link = BrokerLink(desk, address)
    stack.callback(link.stop)
    link.start()
    link.wait(BROKER_PATIENCE_S)


def _named_broker(options: Namespace) -> BrokerAddress | None:
    """The broker named by the arguments or settings; None where the desk starts one."""
    if options.broker:
        return broker_of(options.broker, options.user, options.password, options.ca)
    settings = load_config(None).broker
    # A table's account lacks the rights of a desk.
    if settings is None or settings.user not in ("", DESK_USER):
        return None
    return BrokerAddress(settings.host, settings.port, settings.user, settings.password, settings.ca)


def _parser() -> Parser:
    parser = Parser(
        prog="tock club serve",
        description="Runs a club's tournaments. Without the name of a broker it starts one of its own (Mosquitto) and "
        "keeps it running.",
    )
    add_broker(parser, required=False)
    parser.set_defaults(
        broker=os.environ.get("TOCK_CLUB_BROKER", ""),
        user=os.environ.get("TOCK_CLUB_USER", ""),
        password=os.environ.get("TOCK_CLUB_PASSWORD", ""),
        ca=os.environ.get("TOCK_CLUB_CA", ""),
    )
    parser.add_argument(
        "--no-broker", action="store_true", help="start none: all tables are without a companion"
    )
    parser.add_argument(
        "--name", default=os.environ.get("TOCK_CLUB_NAME", ""), help="name of the club (or TOCK_CLUB_NAME)"
    )
    add_address(parser, 8091, "the pages")
    parser.add_argument("--data", type=Path, help="folder of the database (default: club in the data folder)")
    parser.add_argument(
        "--database",
        default=os.environ.get("TOCK_CLUB_DATABASE", ""),
        help="address of a PostgreSQL database instead (or TOCK_CLUB_DATABASE)",
    )
    return parser
