"""The access rules of a club's broker: who may write what, their passwords, and Mosquitto's settings for them."""

import base64
import hashlib
import os
import secrets
import signal
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from tock_companion.errors import BadInputError, quoted
from tock_companion.files import MB, read_text_bounded, replace_file
from tock_companion.mqtt.club import TABLE_NAME
from tock_companion.mqtt.club_notes import CLUB_ROOT, DESK, PUBLIC
from tock_companion.mqtt.mosquitto import BrokerPlace, running
from tock_companion.mqtt.topics import ROOT

DESK_USER = "desk"
BROKER_FOLDER = "broker"
RIGHTS_NAME, PASSWORDS_NAME, SETUP_NAME, ACCOUNTS_NAME, PID_NAME = (
    "tock.acl",
    "tock.passwd",
    "tock.conf",
    "accounts.txt",
    "tock.pid",
)
FIELDS = 2
ROUNDS = 20_000
"""Of PBKDF2, as mosquitto_passwd counts them; its passwords here are 96 random bits."""


def rights() -> str:
    """The list of rights (Mosquitto's `acl_file`): a user that is a table writes its own topics alone."""
    return "\n".join(
        [
            "# Written for a club. Who gives no name reads round and standings, nothing else.",
            f"topic read {PUBLIC}/#",
            "",
            "# The desk.",
            f"user {DESK_USER}",
            f"topic readwrite {CLUB_ROOT}/#",
            f"topic read {ROOT}/#",
            "",
            "# Every table: %u is the name it connects with.",
            f"pattern write {ROOT}/%u/#",
            f"pattern read {CLUB_ROOT}/table/%u/#",
            f"pattern read {DESK}",
            f"pattern read {PUBLIC}/#",
            "",
        ]
    )


def password_line(user: str, password: str, salt: bytes) -> str:
    """A line of Mosquitto's `password_file`, as its own tool writes it (PBKDF2 with SHA-512)."""
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ROUNDS)
    kept = "$".join(base64.b64encode(part).decode() for part in (salt, digest))
    return f"{user}:$7${ROUNDS}${kept}"


def setup(folder: Path, port: int, certificate: str, key: str) -> str:
    """Mosquitto's configuration for a club over TLS; retained messages survive a restart."""
    # Started by root it would become a user who may not read root's files.
    as_root = ["user root"] if os.geteuid() == 0 else []
    return "\n".join(
        [
            "# Written for a club. Begin with: mosquitto -c tock.conf",
            *as_root,
            f"listener {port}",
            f"certfile {certificate}",
            f"keyfile {key}",
            "allow_anonymous true",
            f"acl_file {folder / RIGHTS_NAME}",
            f"password_file {folder / PASSWORDS_NAME}",
            "max_packet_size 350000",
            "persistence true",
            f"persistence_location {folder}/",
            "autosave_interval 10",
            f"pid_file {folder / PID_NAME}",
            "log_dest stderr",
            "log_type error",
            "",
        ]
    )


def accounts_for(tables: Iterable[str]) -> dict[str, str]:
    """A new password for the desk and for each table; raises BadInputError for what no table can be called."""
    names = list(tables)
    for name in names:
        if not TABLE_NAME.fullmatch(name) or name == DESK_USER:
            raise BadInputError(
                f"{quoted(name)} is no name of a table: up to 40 letters, digits and dashes, and not '{DESK_USER}'"
            )
    if len(set(names)) < len(names):
        raise BadInputError("two tables have the same name; give each its own")
    return {name: secrets.token_urlsafe(12) for name in (DESK_USER, *names)}


def stored_accounts(folder: Path) -> dict[str, str]:
    """The passwords that were written into a folder, by user; empty before."""
    path = folder / ACCOUNTS_NAME
    if not path.exists():
        return {}
    lines = (line.split() for line in read_text_bounded(path, MB, "accounts").splitlines())
    return {line[0]: line[1] for line in lines if len(line) == FIELDS}


def add_accounts(folder: Path, tables: Iterable[str]) -> dict[str, str]:
    """Give each table a password that has none yet; the passwords of these tables. A broker that runs takes them in."""
    names = list(dict.fromkeys(tables))
    known = stored_accounts(folder)
    added = {name: password for name, password in accounts_for(names).items() if name not in known}
    if added:
        accounts = {**known, **added}
        _write_passwords(folder, accounts)
        _reload(folder)
        known = accounts
    return {name: known[name] for name in names}


def _reload(folder: Path) -> None:
    """Have the broker of a folder read its passwords again, if it runs."""
    number = running(broker_place(folder))
    if number is not None:
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGHUP)


def broker_place(folder: Path, host: str = "", port: int = 0) -> BrokerPlace:
    return BrokerPlace(folder / SETUP_NAME, folder / PID_NAME, host, port)


def write_access(folder: Path, accounts: Mapping[str, str], port: int, certificate: str, key: str) -> None:
    """Write the files of a broker into a folder, for its user alone."""
    _write_passwords(folder, accounts)
    replace_file(folder / RIGHTS_NAME, rights())
    replace_file(folder / SETUP_NAME, setup(folder, port, certificate, key))


def _write_passwords(folder: Path, accounts: Mapping[str, str]) -> None:
    lines = [password_line(user, password, secrets.token_bytes(12)) for user, password in accounts.items()]
    rows = [f"{user} {password}" for user, password in accounts.items()]
    replace_file(folder / PASSWORDS_NAME, "\n".join([*lines, ""]))
    replace_file(folder / ACCOUNTS_NAME, "\n".join([*rows, ""]))
