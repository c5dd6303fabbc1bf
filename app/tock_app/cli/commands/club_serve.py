"""`tock club serve`: the club's desk, with the pages of director, players and hall."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from tock_app.cli.console import Parser
from tock_app.cli.serving import add_address, add_broker, announce, broker_of, host_of, stop_by_signal
from tock_app.config.load import config_path
from tock_companion.errors import TockError
from tock_web import page_url, qr_terminal, serve

PASSWORD = "TOCK_CLUB_PASSWORD"
DATABASE = "TOCK_CLUB_DATABASE"
FOLDER = "club"
BROKER_PATIENCE_S = 3.0


def run(arguments: Sequence[str], stdout: TextIO | None = None) -> int:
    """Run the desk until SIGINT or SIGTERM."""
    options = _parser().parse_args(list(arguments))
    password = options.password or os.environ.get(PASSWORD, "")
    address = broker_of(options.broker, options.user, password, options.ca) if options.broker else None
    try:
        from tock_companion.club.broker import BrokerLink
        from tock_companion.club.desk import Desk
        from tock_companion.club.repository import ClubRepository
        from tock_web.desk import create_desk_app, director_pin
    except ModuleNotFoundError as error:
        raise TockError(
            f"the desk needs {error.name}; install it with: pip install 'tock-companion[club]'"
        ) from None
    host, stopped = host_of(options.host), stop_by_signal()
    folder = options.data or config_path(None).parent / FOLDER
    repository = ClubRepository(folder, options.database)
    desk = Desk(repository, options.name)
    link = BrokerLink(desk, address) if address is not None else None
    server = None
    try:
        app = create_desk_app(desk)
        server = serve(app, host, options.port)
        if link is not None:
            link.start()
            link.wait(BROKER_PATIENCE_S)
        url = page_url(server.port)
        announce(
            f"The hall's screen is at {url}\n"
            f"The director's page is at {url}director, its code is {director_pin(app)}\n"
            f"Players join with this code:\n\n{qr_terminal(url)}\n",
            stdout,
        )
        stopped.wait()
    finally:
        desk.stop()
        if link is not None:
            link.stop()
        if server is not None:
            server.stop()
        repository.close()
    return 0


def _parser() -> Parser:
    parser = Parser(prog="tock club serve", description="Runs a club's tournaments.")
    add_broker(parser, required=False)
    parser.add_argument("--name", default="", help="name of the club")
    add_address(parser, 8091, "the pages")
    parser.add_argument("--data", type=Path, help="folder of the database (default: club in the data folder)")
    parser.add_argument(
        "--database",
        default=os.environ.get(DATABASE, ""),
        help=f"address of a PostgreSQL database instead (or {DATABASE})",
    )
    return parser
