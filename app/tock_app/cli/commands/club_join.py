"""`tock club join`: writes the broker of a club's desk into this table's settings."""

from collections.abc import Sequence
from typing import TextIO

import tomlkit

from tock_app.cli.console import Parser
from tock_app.cli.serving import announce, broker_of
from tock_app.config.document import document_at
from tock_app.config.load import config_of, config_path
from tock_companion.files import replace_file
from tock_companion.mqtt.joining import certificate_at
from tock_companion.storage.files import prepare_folder

CERTIFICATE_NAME = "club-certificate.pem"
WORDS_OF_A_LINE = 4
"""Broker, table, password and fingerprint."""


def run(arguments: Sequence[str], stdout: TextIO | None = None) -> int:
    """Fetch the broker's certificate, compare its fingerprint, and write the settings."""
    parser = Parser(
        prog="tock club join",
        description="Lets this table join a club, with the line that `tock club table` prints.",
    )
    parser.add_argument("broker", help="address of the broker: host:port")
    parser.add_argument("table", help="name of this table there")
    parser.add_argument("password", help="its password")
    parser.add_argument("fingerprint", help="fingerprint of the broker's certificate")
    # One password in 64 begins with a dash, which argparse would take for an option.
    is_line = len(arguments) == WORDS_OF_A_LINE
    options = parser.parse_args(["--", *arguments] if is_line else list(arguments))
    address = broker_of(options.broker, options.table, options.password, CERTIFICATE_NAME)
    path = config_path(None)
    prepare_folder(path.parent)
    document = document_at(path)
    settings = document.setdefault("mqtt", tomlkit.table())
    settings.update(
        {
            "host": address.host,
            "port": address.port,
            "user": options.table,
            "password": options.password,
            "table": options.table,
            "ca": CERTIFICATE_NAME,
            "club": True,
        }
    )
    written = tomlkit.dumps(document)
    config_of(path, written)
    certificate = certificate_at(address.host, address.port, options.fingerprint)
    replace_file(path.with_name(CERTIFICATE_NAME), certificate)
    replace_file(path, written)
    announce(f"The table {options.table} is set up for the club; it joins when it starts again.\n", stdout)
    return 0
