"""`tock club table`: creates a table's account at the broker of the club's desk."""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from tock_app.cli.console import Parser
from tock_app.cli.serving import announce, club_folder
from tock_companion.club.access import BROKER_FOLDER, add_accounts
from tock_companion.club.own_broker import stored_port
from tock_companion.errors import BadInputError, TockError
from tock_companion.files import MB, read_text_bounded
from tock_companion.health.system import home_ip
from tock_companion.mqtt.broker_setup import SETUP_NAME
from tock_companion.mqtt.joining import fingerprint
from tock_web.https.certificate import CERTIFICATE_NAME

SETUP = "/opt/tock-companion/setup.sh"


def run(arguments: Sequence[str], stdout: TextIO | None = None) -> int:
    """Print the line to type at each table; existing passwords stay."""
    parser = Parser(
        prog="tock club table",
        description="Lets tables with a companion come to the broker of a club's desk: prints a line for each.",
    )
    parser.add_argument("tables", nargs="+", help="a name for each table: letters, digits and dashes")
    parser.add_argument("--host", default="", help="address of this machine (default: its present one)")
    parser.add_argument("--data", type=Path, help="folder of the desk (default: club in the data folder)")
    options = parser.parse_args(list(arguments))
    folder = club_folder(options.data) / BROKER_FOLDER
    port = stored_port(folder)
    if port is None or not (folder / SETUP_NAME).exists():
        raise BadInputError(
            f"no club's desk with a broker of its own has run on {folder.parent}; start one first"
        )
    _require_own(folder)
    mark = fingerprint(read_text_bounded(folder / CERTIFICATE_NAME, MB, "certificate"))
    here = options.host or home_ip()
    for table, password in add_accounts(folder, options.tables).items():
        line = f"{here}:{port} {table} {password} {mark}"
        announce(
            f"At the table {table}, type:\n  sudo sh {SETUP} join {line}\n"
            f"or, in a checkout:\n  tock club join {line}\n",
            stdout,
        )
    return 0


def _require_own(folder: Path) -> None:
    """Refuse another user: the broker could not read the files."""
    if sys.platform == "win32" or (owner := folder.stat().st_uid) == os.geteuid():
        return
    name = str(owner)
    with suppress(KeyError):
        name = folder.owner()
    raise TockError(f"{folder} belongs to the user {name}; type: sudo sh {SETUP} table NAME")
