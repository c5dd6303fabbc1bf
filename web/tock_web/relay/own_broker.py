"""The relay's own broker: Mosquitto's configuration with rights that are made while it runs."""

import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from tock_companion.errors import TockError
from tock_companion.files import MB, replace_file
from tock_companion.mqtt.mosquitto import BrokerPlace, KeptMosquitto
from tock_companion.strict_json import read_object
from tock_web.https.certificate import broker_certificate
from tock_web.relay.keys import relay_key
from tock_web.relay.security_commands import BRIDGE_USER, FAR, NOTES, RELAY_USER, first_file

FOLDER = "broker"
SETUP_NAME, RIGHTS_NAME, PID_NAME, STORE_NAME = (
    "tock.conf",
    "dynamic-security.json",
    "tock.pid",
    "mosquitto.db",
)
PLUGIN = "mosquitto_dynamic_security.so"
PLUGIN_FOLDERS = ("/usr/lib", "/usr/local/lib")
SALT_BYTES = 12
MAX_RIGHTS_BYTES = 64 * MB
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
        """Write its files below the relay's data folder; rights are those that are there already.

        On an address that other machines reach, it speaks TLS alone.
        """
        self._folder = data / FOLDER
        self._folder.mkdir(0o700, exist_ok=True)
        key = relay_key(data)
        self._passwords = {user: key.broker_password(user) for user in (RELAY_USER, BRIDGE_USER)}
        self.certificate: Path | None = None
        tls: tuple[str, ...] = ()
        if not _is_loopback(host):
            files = broker_certificate(self._folder, host)
            self.certificate = files.certificate
            tls = (f"certfile {files.certificate}", f"keyfile {files.key}")
        lines = _setup(self._folder, host, port, tls)
        if bridge is not None:
            lines += _bridge(bridge, self._passwords[BRIDGE_USER])
        replace_file(self._folder / SETUP_NAME, "\n".join([*lines, ""]))
        place = BrokerPlace(self._folder / SETUP_NAME, self._folder / PID_NAME, host, port)
        super().__init__(place, "the relay's broker", NOT_INSTALLED)

    def _before(self) -> None:
        """Replace files that a full disk or a power cut left incomplete: homes ask for their rights again."""
        rights = self._folder / RIGHTS_NAME
        if not _holds_users(rights, self._passwords):
            salts = {user: secrets.token_bytes(SALT_BYTES) for user in self._passwords}
            replace_file(rights, first_file(self._passwords, salts))
        if "database" in self.trouble or "persistence" in self.trouble.lower():
            with suppress(OSError):
                (self._folder / STORE_NAME).unlink()


def find_plugin() -> Path:
    """The plugin for rights, which Debian puts beside the libraries of its machine."""
    for folder in PLUGIN_FOLDERS:
        for pattern in (PLUGIN, f"*/{PLUGIN}"):
            for path in sorted(Path(folder).glob(pattern)):
                return path
    raise TockError(f"{PLUGIN} is missing; it comes with Mosquitto: sudo apt install mosquitto")


def _setup(folder: Path, host: str, port: int, tls: tuple[str, ...]) -> list[str]:
    # Started by root it would become somebody who may not read files that are for root alone.
    as_root = ["user root"] if os.geteuid() == 0 else []
    return [
        "# Written by `tock relay broker`.",
        *as_root,
        f"listener {port} {host}",
        *tls,
        "allow_anonymous false",
        f"plugin {find_plugin()}",
        f"plugin_opt_config_file {folder / RIGHTS_NAME}",
        "max_packet_size 350000",
        # A guest who reads nothing, or floods a home that does not read, is kept small.
        "max_queued_messages 200",
        "max_queued_bytes 2000000",
        "max_inflight_messages 20",
        "set_tcp_nodelay true",
        "persistence true",
        f"persistence_location {folder}/",
        "autosave_interval 10",
        f"pid_file {folder / PID_NAME}",
        "log_dest stderr",
        "log_type error",
    ]


def _bridge(bridge: Bridge, password: str) -> list[str]:
    return [
        f"connection tock-{secrets.token_hex(4)}",
        f"address {bridge.host}:{bridge.port}",
        f"remote_username {BRIDGE_USER}",
        f"remote_password {password}",
        "bridge_protocol_version mqttv50",
        "bridge_max_packet_size 350000",
        "try_private true",
        "notifications false",
        "cleansession true",
        "restart_timeout 1 10",
        *([f"bridge_cafile {bridge.ca}"] if bridge.ca else []),
        f"topic {FAR}/# both 1",
        f"topic {NOTES}/# both 1",
    ]


def _holds_users(path: Path, users: Mapping[str, str]) -> bool:
    with suppress(OSError, ValueError, TockError, KeyError, TypeError):
        document = read_object(path, MAX_RIGHTS_BYTES, "rights")
        found = {client["username"] for client in document["clients"]}
        return isinstance(document["roles"], list) and users.keys() <= found
    return False


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
