"""`tock update`: verifies a release, and lists or adds trusted keys."""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from tock_app.cli.console import NO, Parser
from tock_companion.errors import BadInputError, printable
from tock_companion.files import require_file
from tock_companion.language import TERMINAL
from tock_companion.machine.apt_repository import verified
from tock_companion.machine.keyrings import FAMILY_KEYS, read_public, trust, trusted_keys
from tock_companion.machine.refusals import RefusedError
from tock_companion.machine.update_checks import copy_archive
from tock_companion.views.phrases import phrase


def run(arguments: Sequence[str], stdout: TextIO | None = None) -> int:
    """Verify, trust or list; 1 when a release is not signed with a trusted key."""
    options = _parser().parse_args(list(arguments))
    out = stdout or sys.stdout
    match options.command:
        case "verify":
            return _verify(options.file, options.key, options.keys, out)
        case "trust":
            name = _trusted(options.file, options.keys).stem
            out.write(f"releases signed with the key {name} can be installed from the host's page now\n")
        case "keys":
            for key in trusted_keys(options.keys):
                out.write(f"{key.stem}: {key}\n")
    return 0


def _parser() -> Parser:
    parser = Parser(prog="tock update", description="Releases that the host's page may install.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    verify = commands.add_parser("verify", help="says whether a release is signed with a trusted key")
    verify.add_argument("file", type=Path, help="the release: its archive (.tar), or the folder of its files")
    verify.add_argument(
        "--key", type=Path, action="append", help="a public key to go by, instead of this machine's"
    )
    adding = commands.add_parser(
        "trust", help="adds a public key to those of this machine (as the superuser)"
    )
    adding.add_argument("file", type=Path, help="the public key, as `gpg --armor --export` writes it")
    listing = commands.add_parser("keys", help="lists the keys that this machine trusts")
    for command in (verify, adding, listing):
        command.add_argument(
            "--keys", type=Path, default=FAMILY_KEYS, help="the folder of this machine's own keys"
        )
    return parser


def _verify(path: Path, only: Sequence[Path] | None, family: Path, out: TextIO) -> int:
    for key in only or ():
        read_public(key)
    keys = [key.absolute() for key in only] if only else trusted_keys(family)
    with tempfile.TemporaryDirectory() as temporary:
        repository = path.absolute() if path.is_dir() else Path(temporary, "repository")
        try:
            if not path.is_dir():
                require_file(path, "release")
                repository.mkdir()
                copy_archive(path.parent, path.name, repository)
            signer = verified(repository, Path(temporary, "package.deb"), keys)
        except RefusedError as error:
            line = f"{printable(str(path))}: {phrase(error.code, **error.values)[TERMINAL]}"
            if error.code == "update/no-package":
                raise BadInputError(line) from None
            out.write(f"{line}\n")
            return NO
    out.write(f"{printable(str(path))}: signed with the key {signer}\n")
    return 0


def _trusted(path: Path, family: Path) -> Path:
    try:
        return trust(path, family)
    except PermissionError:
        raise BadInputError("only the superuser adds a key: sudo tock update trust FILE") from None
