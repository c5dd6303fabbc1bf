"""Mosquitto's configuration and files for a broker of ours: the same bounds for the club's and for the relay's."""

import base64
import hashlib
import os
import secrets
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tock_companion.files import MB, replace_file
from tock_companion.mqtt.connection import MAX_PACKET_BYTES
from tock_companion.mqtt.mosquitto import BrokerPlace

RIGHTS_NAME, PASSWORDS_NAME, SETUP_NAME, PID_NAME = "tock.acl", "tock.passwd", "tock.conf", "tock.pid"
SALT_BYTES = 12


@dataclass(frozen=True, slots=True)
class Bounds:
    """Resources that all clients of a broker may take together, and one that does not read."""

    memory_mb: int
    """Beyond it Mosquitto drops the message and disconnects its sender."""
    connections: int
    queued_messages: int
    queued_mb: float


def broker_place(folder: Path, host: str = "", port: int = 0) -> BrokerPlace:
    return BrokerPlace(folder / SETUP_NAME, folder / PID_NAME, host, port)


def write_setup(folder: Path, listener: str, bounds: Bounds, more: Sequence[str]) -> None:
    """Write the configuration; `more` are further lines, the listener's own first."""
    # Started by root it would become a user who may not read root's files.
    as_root = ["user root"] if sys.platform != "win32" and os.geteuid() == 0 else []
    queued_bytes = round(bounds.queued_mb * MB)
    lines = [
        "# Written by Tock Companion.",
        *as_root,
        f"listener {listener}",
        f"max_connections {bounds.connections}",
        "max_topic_alias 0",
        *more,
        f"acl_file {folder / RIGHTS_NAME}",
        f"password_file {folder / PASSWORDS_NAME}",
        f"memory_limit {bounds.memory_mb * MB}",
        f"max_packet_size {MAX_PACKET_BYTES}",
        f"max_queued_messages {bounds.queued_messages}",
        f"max_queued_bytes {queued_bytes}",
        "max_inflight_messages 20",
        f"max_inflight_bytes {queued_bytes}",
        "persistent_client_expiration 1h",
        "sys_interval 0",
        "set_tcp_nodelay true",
        f"pid_file {folder / PID_NAME}",
        "log_dest stderr",
        "log_type error",
        "",
    ]
    replace_file(folder / SETUP_NAME, "\n".join(lines))


def write_rights(folder: Path, rights: Sequence[str]) -> None:
    """Write the list of rights (Mosquitto's `acl_file`)."""
    replace_file(folder / RIGHTS_NAME, "\n".join([*rights, ""]))


def write_passwords(folder: Path, accounts: Mapping[str, str], rounds: int) -> None:
    """Write the passwords by user, hashed by PBKDF2 in this number of rounds."""
    lines = [
        _password_line(user, password, secrets.token_bytes(SALT_BYTES), rounds)
        for user, password in accounts.items()
    ]
    replace_file(folder / PASSWORDS_NAME, "\n".join([*lines, ""]))


def _password_line(user: str, password: str, salt: bytes, rounds: int) -> str:
    """A line of Mosquitto's `password_file`, as its own tool writes it (PBKDF2 with SHA-512)."""
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, rounds)
    kept = "$".join(base64.b64encode(part).decode() for part in (salt, digest))
    return f"{user}:$7${rounds}${kept}"
