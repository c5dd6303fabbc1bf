"""Commands to Mosquitto's plugin for dynamic security, and the file that it begins with.

A table publishes and receives below `far/<table>/`; a guest publishes two topics of one room and receives two.
"""

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence

TOPIC = "$CONTROL/dynamic-security/v1"
RESPONSE = f"{TOPIC}/response"
FAR, NOTES = "far", "relay"
"""Roots of the topics of tables, and of the relays' own."""
RELAY_USER, BRIDGE_USER = "relay", "bridge"
ROUNDS = 101
"""Of PBKDF2, as the plugin counts them; its passwords here are 256 random bits, which nobody guesses."""
LIST_STEP = 200

Command = dict[str, object]
Acl = tuple[str, str]
RELAY_ACLS: Sequence[Acl] = (
    ("publishClientSend", f"{TOPIC}/#"),
    ("publishClientReceive", f"{TOPIC}/#"),
    ("subscribePattern", f"{TOPIC}/#"),
    ("publishClientSend", f"{NOTES}/#"),
    ("publishClientReceive", f"{NOTES}/#"),
    ("subscribePattern", f"{NOTES}/#"),
)
BRIDGE_ACLS: Sequence[Acl] = tuple(
    (kind, f"{root}/#")
    for root in (FAR, NOTES)
    for kind in ("publishClientSend", "publishClientReceive", "subscribePattern")
)


def table_acls(table: str) -> Sequence[Acl]:
    """Rights of a home."""
    below = f"{FAR}/{table}/#"
    return (("publishClientSend", below), ("publishClientReceive", below), ("subscribePattern", below))


def room_acls(table: str, room: str) -> Sequence[Acl]:
    """Rights of the guest of one room."""
    own, home = f"{FAR}/{table}/{room}", f"{FAR}/{table}/home"
    return (
        ("publishClientSend", f"{own}/up"),
        ("publishClientSend", f"{own}/gone"),
        ("publishClientReceive", f"{own}/down"),
        ("publishClientReceive", home),
        ("subscribeLiteral", f"{own}/down"),
        ("subscribeLiteral", home),
    )


def creation(user: str, password: str, acls: Sequence[Acl]) -> list[Command]:
    """Make a user with a role of its own."""
    return [
        {"command": "createRole", "rolename": user, "acls": _acls(acls)},
        {
            "command": "createClient",
            "username": user,
            "password": password,
            "roles": [{"rolename": user}],
            "correlationData": user,
        },
    ]


def removal(user: str) -> list[Command]:
    """Remove a user and its role; it is disconnected."""
    return [
        {"command": "deleteClient", "username": user, "correlationData": user},
        {"command": "deleteRole", "rolename": user},
    ]


def listing(offset: int) -> Command:
    """Ask for the names of some users."""
    return {
        "command": "listClients",
        "verbose": False,
        "count": LIST_STEP,
        "offset": offset,
        "correlationData": str(offset),
    }


def first_file(passwords: Mapping[str, str], salts: Mapping[str, bytes]) -> str:
    """The plugin's file before any table is there: our own users alone."""
    acls = {RELAY_USER: RELAY_ACLS, BRIDGE_USER: BRIDGE_ACLS}
    document = {
        "defaultACLAccess": {
            "publishClientSend": False,
            "publishClientReceive": False,
            "subscribe": False,
            "unsubscribe": True,
        },
        "clients": [_client(user, password, salts[user]) for user, password in passwords.items()],
        "groups": [],
        "roles": [{"rolename": user, "acls": _acls(acls[user])} for user in passwords],
    }
    return json.dumps(document, indent=1) + "\n"


def _client(user: str, password: str, salt: bytes) -> Command:
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ROUNDS)
    return {
        "username": user,
        "password": base64.b64encode(digest).decode(),
        "salt": base64.b64encode(salt).decode(),
        "iterations": ROUNDS,
        "roles": [{"rolename": user}],
    }


def _acls(acls: Sequence[Acl]) -> list[Command]:
    return [{"acltype": kind, "topic": topic, "allow": True} for kind, topic in acls]
