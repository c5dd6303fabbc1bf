"""`tock club`: a page with all tables of a club, read from their broker; the desk; the files of a broker."""

from collections.abc import Sequence
from typing import TextIO

from tock_app.cli.console import Parser
from tock_app.cli.serving import add_address, add_broker, announce, broker_of, host_of, stop_by_signal
from tock_companion.mqtt.club import Club
from tock_web import page_url, serve
from tock_web.club.tables import create_club_app


def run(arguments: Sequence[str], stdout: TextIO | None = None) -> int:
    """Serve the page, or hand over to one of the parts, until SIGINT or SIGTERM."""
    match list(arguments):
        case ["serve", *rest]:
            from tock_app.cli.commands import club_serve

            return club_serve.run(rest, stdout)
        case ["table", *rest]:
            from tock_app.cli.commands import club_table

            return club_table.run(rest, stdout)
        case ["join", *rest]:
            from tock_app.cli.commands import club_join

            return club_join.run(rest, stdout)
        case ["broker", *rest]:
            from tock_app.cli.commands import club_broker

            return club_broker.run(rest, stdout)
    return _serve_tables(arguments, stdout)


def _serve_tables(arguments: Sequence[str], stdout: TextIO | None) -> int:
    parser = Parser(
        prog="tock club",
        description="Serves a page with all tables that publish on a broker. `tock club serve --help` says how a "
        "tournament is run, `tock club table --help` and `tock club join --help` how a table comes to its broker, "
        "`tock club broker --help` how a broker is set up elsewhere.",
    )
    add_broker(parser)
    add_address(parser, 8090, "the page")
    options = parser.parse_args(list(arguments))
    address = broker_of(options.broker, options.user, options.password, options.ca)
    host, stopped = host_of(options.host), stop_by_signal()
    club = Club(address)
    server = serve(create_club_app(club), host, options.port)
    club.start()
    try:
        announce(f"The club's tables are at {page_url(server.port)}\n", stdout)
        stopped.wait()
    finally:
        club.stop()
        server.stop()
    return 0
