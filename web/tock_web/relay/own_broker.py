"""The relay's own broker: Mosquitto behind relays alone, with nothing on the disk."""

from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from secrets import token_hex

from tock_companion.mqtt.broker_setup import (
    Bounds,
    broker_place,
    write_passwords,
    write_rights,
    write_setup,
)
from tock_companion.mqtt.connection import MAX_PACKET_BYTES
from tock_companion.mqtt.mosquitto import KeptMosquitto
from tock_web.https.certificate import broker_certificate
from tock_web.relay.accounts import FAR
from tock_web.relay.keys import relay_key
from tock_web.relay.notes import NOTES

FOLDER = "broker"
RELAY_USER, BRIDGE_USER = "relay", "bridge"
ROUNDS = 101
"""Of PBKDF2; its passwords here are 256 random bits, and each line of a phone is checked."""
BOUNDS = Bounds(memory_mb=150, connections=8_000, queued_messages=200, queued_mb=0.8)
"""A guest who reads nothing, or floods a home that does not read, is kept small."""
LEFT_BEHIND = ("dynamic-security.json", "mosquitto.db")
"""Files of releases up to 0.4 that kept rights on the disk."""
NOT_INSTALLED = "Mosquitto is not installed. Install it with: sudo apt install mosquitto"


@dataclass(frozen=True, slots=True)
class Bridge:
    """Another broker of the same relay."""

    host: str
    port: int
    ca: str = ""


class RelayBroker(KeptMosquitto):
    """A broker that runs while we do."""

    def __init__(self, data: Path, host: str, port: int, bridge: Bridge | None = None) -> None:
        """Write its files below the relay's data folder.

        On an address that other machines reach, it speaks TLS alone.
        """
        folder = data / FOLDER
        folder.mkdir(0o700, exist_ok=True)
        for name in LEFT_BEHIND:
            with suppress(OSError):
                (folder / name).unlink()
        key = relay_key(data)
        passwords = {user: key.broker_password(user) for user in (RELAY_USER, BRIDGE_USER)}
        self.certificate: Path | None = None
        more = ["allow_anonymous false", "persistence false"]
        if not _is_loopback(host):
            files = broker_certificate(folder, host)
            self.certificate = files.certificate
            more = [f"certfile {files.certificate}", f"keyfile {files.key}", *more]
        if bridge is not None:
            more += _bridge(bridge, passwords[BRIDGE_USER])
        # Relays let only the topics of each account through, so that the broker needs no user for each.
        topics = [f"topic readwrite {root}/#" for root in (FAR, NOTES)]
        write_rights(folder, [line for user in passwords for line in (f"user {user}", *topics)])
        write_passwords(folder, passwords, ROUNDS)
        write_setup(folder, f"{port} {host}", BOUNDS, more)
        super().__init__(broker_place(folder, host, port), "the relay's broker", NOT_INSTALLED)


def _bridge(bridge: Bridge, password: str) -> list[str]:
    return [
        f"connection tock-{token_hex(4)}",
        f"address {bridge.host}:{bridge.port}",
        f"remote_username {BRIDGE_USER}",
        f"remote_password {password}",
        "bridge_protocol_version mqttv50",
        f"bridge_max_packet_size {MAX_PACKET_BYTES}",
        "try_private true",
        "notifications false",
        "cleansession true",
        "restart_timeout 1 10",
        *([f"bridge_cafile {bridge.ca}"] if bridge.ca else []),
        f"topic {FAR}/# both 1",
        f"topic {NOTES}/# both 1",
    ]


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
