"""`tock image-files`: writes the files for the memory card of a new table, which then starts without a keyboard."""

import argparse
import getpass
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from tock_app.cli.console import Parser
from tock_companion.errors import BadInputError
from tock_companion.language import DEFAULT, LANGUAGES
from tock_companion.machine.network import OWN_NAME, Network, new_password
from tock_hardware.memory_card import settings, writing

OUT = Path("build/image-files")
HOUSE_PASSWORD = "TOCK_HOUSE_PASSWORD"
OWN_PASSWORD = "TOCK_OWN_PASSWORD"


def run(arguments: Sequence[str]) -> int:
    """Write the folder and print the next steps."""
    options = _parser().parse_args(list(arguments))
    card = settings.Card(
        country=options.country,
        own=Network(options.own_name, os.environ.get(OWN_PASSWORD) or new_password()),
        house=_house(options.house),
        house_is_wpa3_only=options.wpa3_only,
        language=options.language,
        timezone=options.timezone,
        host_name=options.host_name,
        ssh_key=settings.read_key(options.ssh_key) if options.ssh_key else None,
    )
    boot = writing.write(card, options.package or _newest_package(options.arch), options.out, options.arch)
    print(f"{boot}: copy all of it onto the card's boot partition (bootfs), the folder tock too")
    print(f"{options.out / writing.SHEET_NAME}: print it; it has the Wi-Fi's code and password")
    return 0


def _parser() -> Parser:
    parser = Parser(
        prog="tock image-files",
        description="Writes what goes onto the boot partition of a card with Raspberry Pi OS Lite (64-bit, Trixie).",
    )
    parser.add_argument(
        "--country", required=True, metavar="CA", help="where the table stands, for its radio"
    )
    parser.add_argument("--language", choices=LANGUAGES, default=DEFAULT, help="of the system and the sheet")
    parser.add_argument("--timezone", default="America/Toronto", help="default: %(default)s")
    parser.add_argument(
        "--house",
        metavar="NAME",
        help=f"the house's Wi-Fi; its password is asked for, or read from {HOUSE_PASSWORD}",
    )
    parser.add_argument(
        "--wpa3-only",
        action="store_true",
        help="the house's Wi-Fi is WPA3 without WPA2; not every Raspberry Pi joins such a one",
    )
    parser.add_argument(
        "--own-name",
        default=OWN_NAME,
        metavar="NAME",
        help=f"the table's own Wi-Fi (default: %(default)s); its password is made, or read from {OWN_PASSWORD}",
    )
    parser.add_argument("--host-name", default="tock", metavar="NAME", help="default: tock, so tock.local")
    parser.add_argument(
        "--ssh-key", type=Path, metavar="FILE", help="a public key that may log in as 'table'"
    )
    parser.add_argument("--package", type=Path, metavar="FILE", help="default: the newest one in dist")
    parser.add_argument("--out", type=Path, default=OUT, metavar="DIR", help="default: %(default)s")
    # Only trials have other machines.
    parser.add_argument("--arch", default="arm64", help=argparse.SUPPRESS)
    return parser


def _newest_package(architecture: str) -> Path:
    found = sorted(
        Path("dist").glob(f"tock-companion_*_{architecture}.deb"), key=lambda path: path.stat().st_mtime
    )
    if not found:
        raise BadInputError(
            f"there is no package in {Path('dist').absolute()}; make one (make deb ARCH={architecture}) "
            "or name one with --package"
        )
    return found[-1]


def _house(name: str | None) -> Network | None:
    if not name:
        return None
    password = os.environ.get(HOUSE_PASSWORD)
    if password is None:
        if not sys.stdin.isatty():
            raise BadInputError(
                f"the password of the Wi-Fi '{name}' is missing; put it into {HOUSE_PASSWORD}"
            )
        password = getpass.getpass(f"password of the Wi-Fi '{name}': ")
    return Network(name, password)
