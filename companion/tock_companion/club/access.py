"""The access rules of a club's broker: who may write what, their passwords, and Mosquitto's settings for them."""

import os
import secrets
import signal
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from tock_companion.errors import BadInputError, quoted
from tock_companion.files import MB, read_text_bounded, replace_file
from tock_companion.mqtt.broker_setup import (
    Bounds,
    broker_place,
    write_passwords,
    write_rights,
    write_setup,
)
from tock_companion.mqtt.club import TABLE_NAME
from tock_companion.mqtt.club_notes import CLUB_ROOT, DESK, PUBLIC
from tock_companion.mqtt.mosquitto import running
from tock_companion.mqtt.topics import OWN_TOPICS, ROOT, machine_topic, status_topic

DESK_USER = "desk"
BROKER_FOLDER = "broker"
ACCOUNTS_NAME = "accounts.txt"
FIELDS = 2
ROUNDS = 20_000
"""Of PBKDF2, as mosquitto_passwd counts them; its passwords here are 96 random bits."""
BOUNDS = Bounds(memory_mb=200, connections=1_000, queued_messages=5_000, queued_mb=20)
"""A desk that comes back to 200 tables has 1,000 messages waiting, records of games among them."""


def rights(tables: Iterable[str]) -> list[str]:
    """The list of rights: a user that is a table writes its own topics alone."""
    # A pattern without %u is also for clients without a name, so the desk's note is named for each user.
    return [
        "# Written for a club. Who gives no name reads round and standings, nothing else.",
        f"topic read {PUBLIC}/#",
        f"user {DESK_USER}",
        f"topic readwrite {CLUB_ROOT}/#",
        f"topic read {ROOT}/#",
        *(line for table in tables for line in (f"user {table}", f"topic read {DESK}")),
        *(f"pattern write {ROOT}/%u/{name}" for name in OWN_TOPICS),
        *(
            f"pattern read {topic}"
            for topic in (f"{CLUB_ROOT}/table/%u/game", machine_topic("%u"), status_topic("%u"))
        ),
        f"pattern read {PUBLIC}/#",
    ]


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
        known = {**known, **added}
        _write_accounts(folder, known)
        _reload(folder)
    return {name: known[name] for name in names}


def _reload(folder: Path) -> None:
    """Have the broker of a folder read its passwords again, if it runs."""
    number = running(broker_place(folder))
    if number is not None:
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGHUP)


def write_access(folder: Path, accounts: Mapping[str, str], port: int, certificate: str, key: str) -> None:
    """Write the files of a broker into a folder, for its user alone; retained messages survive a restart."""
    _write_accounts(folder, accounts)
    more = (
        f"certfile {certificate}",
        f"keyfile {key}",
        "allow_anonymous true",
        "persistence true",
        f"persistence_location {folder}/",
        "autosave_interval 10",
    )
    write_setup(folder, str(port), BOUNDS, more)


def _write_accounts(folder: Path, accounts: Mapping[str, str]) -> None:
    write_passwords(folder, accounts, ROUNDS)
    write_rights(folder, rights(user for user in accounts if user != DESK_USER))
    rows = [f"{user} {password}" for user, password in accounts.items()]
    replace_file(folder / ACCOUNTS_NAME, "\n".join([*rows, ""]))
