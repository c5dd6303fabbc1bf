"""`tock club broker`: the files with which Mosquitto serves a club: rights, passwords, certificate."""

from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from tock_app.cli.console import Parser
from tock_app.cli.serving import announce
from tock_companion.club.access import (
    ACCOUNTS_NAME,
    DESK_USER,
    accounts_for,
    write_access,
)
from tock_companion.errors import BadInputError
from tock_companion.mqtt.broker_setup import SETUP_NAME
from tock_companion.mqtt.mosquitto import PROGRAM, find_mosquitto
from tock_companion.storage.files import prepare_folder
from tock_web.https.certificate import broker_certificate


def run(arguments: Sequence[str], stdout: TextIO | None = None) -> int:
    """Write the files, except existing ones, and print the next steps.

    Only for a broker on another machine: a desk configures its own.
    """
    parser = Parser(
        prog="tock club broker", description="Writes what Mosquitto needs to serve a club over TLS."
    )
    parser.add_argument("tables", nargs="+", help="names of the tables, as in their settings")
    parser.add_argument("--out", type=Path, default=Path("club-broker"), help="folder for the files")
    parser.add_argument("--port", type=int, default=8883, help="port of the broker (default: 8883)")
    parser.add_argument("--host", default="", help="name under which tables find this machine")
    options = parser.parse_args(list(arguments))
    folder = options.out.absolute()
    if (folder / SETUP_NAME).exists():
        raise BadInputError(f"{folder} has a broker's files already; name another folder with --out")
    accounts = accounts_for(options.tables)
    prepare_folder(folder)
    files = broker_certificate(folder, options.host)
    write_access(folder, accounts, options.port, str(files.certificate), str(files.key))
    announce(
        f"Start the broker:  {find_mosquitto() or PROGRAM} -c {folder / SETUP_NAME}\n"
        f"Start the desk:    tock club serve localhost:{options.port} --user {DESK_USER} "
        f"--ca {files.certificate}   (its password in TOCK_CLUB_PASSWORD)\n"
        f"Each table gets its name and password from {folder / ACCOUNTS_NAME}, and a copy of {files.certificate}\n",
        stdout,
    )
    return 0
