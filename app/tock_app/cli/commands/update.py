"""`tock update`: signs packages, says whether one is signed, and which keys the host's page goes by."""

import getpass
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from tock_app.cli.console import NO, Parser
from tock_companion.errors import BadInputError, printable
from tock_companion.files import require_file
from tock_companion.machine.refusals import RefusedError
from tock_companion.machine.signatures import sign, verified
from tock_companion.machine.signing_keys import (
    FAMILY_KEYS,
    TrustedKey,
    read_private,
    read_public,
    trust,
    trusted_keys,
    write_pair,
)
from tock_companion.views.phrases import phrase

KEY_VARIABLE = "TOCK_SIGNING_KEY"
SHORT = 16
"""Digits of a fingerprint that are shown: 64 bits, enough to compare by eye."""


def run(arguments: Sequence[str], stdout: TextIO | None = None) -> int:
    """Verify, sign, trust, list or make; 1 when a package is not signed with a trusted key."""
    options = _parser().parse_args(list(arguments))
    out = stdout or sys.stdout
    match options.command:
        case "verify":
            return _verify(options.file, options.key, options.keys, out)
        case "sign":
            _sign(options.file, options.key, out)
        case "trust":
            key = _trusted(options.file, options.keys)
            out.write(
                f"packages signed with the key {_shown(key)} can be installed from the host's page now\n"
            )
        case "keys":
            for key in trusted_keys(options.keys).values():
                out.write(f"{_shown(key)}\n")
        case "keygen":
            key = write_pair(options.file)
            out.write(
                f"{options.file}: the private key {_shown(key)}; {options.file.with_suffix('.pub')}: the public one\n"
            )
    return 0


def _parser() -> Parser:
    parser = Parser(prog="tock update", description="Packages that the host's page may install.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    verify = commands.add_parser("verify", help="says whether a package is signed with a trusted key")
    verify.add_argument("file", type=Path, help="the package")
    verify.add_argument(
        "--key", type=Path, action="append", help="a public key to go by, instead of this machine's"
    )
    signing = commands.add_parser("sign", help="signs a package that you built, in its place")
    signing.add_argument("file", type=Path, help="the package")
    signing.add_argument("--key", type=Path, help=f"the private key; {KEY_VARIABLE} if left out")
    adding = commands.add_parser(
        "trust", help="adds a public key to those of this machine (as the superuser)"
    )
    adding.add_argument("file", type=Path, help="the public key")
    listing = commands.add_parser("keys", help="lists the keys that this machine trusts")
    for command in (verify, adding, listing):
        command.add_argument(
            "--keys", type=Path, default=FAMILY_KEYS, help="the folder of this machine's own keys"
        )
    making = commands.add_parser("keygen", help="makes a private key and its public one")
    making.add_argument("file", type=Path, help="where the private key goes; the public one lies beside it")
    return parser


def _verify(path: Path, only: Sequence[Path] | None, family: Path, out: TextIO) -> int:
    keys = {key.fingerprint: key for key in map(read_public, only)} if only else trusted_keys(family)
    require_file(path, "package")
    try:
        with path.open("rb") as file:
            statement, _, _ = verified(file, keys)
    except RefusedError as error:
        if error.code == "update/no-package":
            raise BadInputError(_sentence(path, error)) from None
        out.write(f"{_sentence(path, error)}\n")
        return NO
    out.write(
        f"{printable(str(path))}: {statement.name} {statement.version} for {statement.architecture}, "
        f"signed with the key {_shown(keys[statement.key])}\n"
    )
    return 0


def _sign(path: Path, key: Path | None, out: TextIO) -> None:
    named = key or Path(os.environ.get(KEY_VARIABLE) or "")
    if named == Path():
        raise BadInputError(
            f"no key: give --key FILE, or its path in {KEY_VARIABLE}; `tock update keygen` makes one"
        )
    require_file(path, "package")
    private = read_private(named, _password_of(named))
    try:
        statement = sign(path, private)
    except RefusedError as error:
        raise BadInputError(_sentence(path, error)) from None
    out.write(
        f"{printable(str(path))}: {statement.name} {statement.version} for {statement.architecture} is signed, "
        f"key {statement.key[:SHORT]}\n"
    )


def _password_of(path: Path) -> bytes | None:
    """Ask for a key's password where it has one."""
    require_file(path, "key")
    if b"ENCRYPTED" not in path.read_bytes()[:100]:
        return None
    return getpass.getpass(f"password of {printable(str(path))}: ").encode()


def _trusted(path: Path, family: Path) -> TrustedKey:
    try:
        return trust(path, family)
    except PermissionError:
        raise BadInputError("only the superuser adds a key: sudo tock update trust FILE") from None


def _shown(key: TrustedKey) -> str:
    return f"{key.name} ({key.fingerprint[:SHORT]})"


def _sentence(path: Path, error: RefusedError) -> str:
    return f"{printable(str(path))}: {phrase(error.code, **error.values)['en']}"
