"""NetworkManager through `nmcli`, and its checkpoints, which only its D-Bus interface has, through `busctl`."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tock_companion.machine.commands import CommandError, output_of
from tock_companion.machine.network import OWN_NETWORK, Network

OWN_PROFILE = "tock-own"
ACTIVATION_S = 45
DESTROY_ALL, DELETE_NEW_CONNECTIONS = 1, 2
"""Flags of CheckpointCreate (NMCheckpointCreateFlags)."""
_BUS_NAME = "org.freedesktop.NetworkManager"
_ROOT = "/org/freedesktop/NetworkManager"
_CHECKPOINT = f"{_BUS_NAME}.Checkpoint"

Run = Callable[[Sequence[str], float], str]


@dataclass(frozen=True, slots=True)
class Device:
    name: str
    kind: str
    state: str
    profile: str
    """The UUID of its connection, empty when it has none."""


@dataclass(frozen=True, slots=True)
class Profile:
    uuid: str
    name: str
    is_own: bool


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A state of the network to which NetworkManager returns by itself unless the new one is confirmed."""

    path: str
    ends_ms: int
    """On the clock that counts from the start of the machine (CLOCK_BOOTTIME)."""


class NetworkManager:
    """Requests to NetworkManager; every method raises CommandError when it refuses."""

    def __init__(self, run: Run = output_of) -> None:
        """`run` calls a program of the system."""
        self._run = run

    def devices(self) -> tuple[Device, ...]:
        rows = self._nmcli("--escape", "no", "--fields", "DEVICE,TYPE,STATE,CON-UUID", "device", "status")
        return tuple(Device(*line.split(":", 3)) for line in rows if line.count(":") >= 3)

    def wifi(self) -> Device | None:
        return next((device for device in self.devices() if device.kind == "wifi"), None)

    def profiles(self) -> tuple[Profile, ...]:
        """Every Wi-Fi that the machine knows, the table's own among them."""
        rows = self._nmcli("--escape", "no", "--fields", "UUID,TYPE,NAME", "connection", "show")
        found = []
        for line in rows:
            uuid, kind, title = (*line.split(":", 2), "", "")[:3]
            if kind != "802-11-wireless":
                continue
            # One field on a line, and the name unescaped.
            fields = "802-11-wireless.mode,802-11-wireless.ssid"
            values = self._nmcli("--escape", "no", "--get-values", fields, "connection", "show", uuid)
            mode, name = (*values, "", "")[:2]
            if title == OWN_PROFILE or mode != "ap":
                found.append(Profile(uuid, name, is_own=title == OWN_PROFILE))
        return tuple(found)

    def houses(self) -> tuple[Profile, ...]:
        """Every Wi-Fi that the machine can join."""
        return tuple(profile for profile in self.profiles() if not profile.is_own)

    def own(self) -> Network | None:
        """The table's own Wi-Fi, None while there is no profile of it."""
        fields = "802-11-wireless.ssid,802-11-wireless-security.psk"
        try:
            name, password, *_ = self._nmcli(
                "--escape", "no", "--show-secrets", "--get-values", fields, "connection", "show", OWN_PROFILE
            )
        except (CommandError, ValueError):
            return None
        return Network(name, password)

    def set_own(self, network: Network) -> None:
        """Make or change the profile of the table's own Wi-Fi; it does not come up by itself."""
        options = (
            "802-11-wireless.ssid", network.name,
            "802-11-wireless.mode", "ap",
            "802-11-wireless.band", "bg",
            "802-11-wireless-security.key-mgmt", "wpa-psk",
            "802-11-wireless-security.proto", "rsn",
            "802-11-wireless-security.pairwise", "ccmp",
            "802-11-wireless-security.group", "ccmp",
            # The radio of a Raspberry Pi refuses the keys of protected management frames as an access point.
            "802-11-wireless-security.pmf", "disable",
            "802-11-wireless-security.psk", network.password,
            "ipv4.method", "shared",
            "ipv4.addresses", OWN_NETWORK,
            "ipv6.method", "disabled",
            "connection.autoconnect", "no",
        )  # fmt: skip
        if self.own() is not None:
            self._nmcli("connection", "modify", OWN_PROFILE, *options)
        else:
            base = ("type", "wifi", "con-name", OWN_PROFILE, "ifname", "*", "ssid", network.name)
            self._nmcli("connection", "add", *base, *options)

    def add_house(self, network: Network) -> str:
        """Add a profile of a Wi-Fi to join; the UUID of it."""
        base = ("type", "wifi", "con-name", network.name, "ifname", "*", "ssid", network.name)
        security = (
            "802-11-wireless-security.key-mgmt", "sae" if self._is_wpa3_only(network.name) else "wpa-psk",
            "802-11-wireless-security.psk", network.password,
        )  # fmt: skip
        before = {profile.uuid for profile in self.profiles()}
        self._nmcli("connection", "add", *base, *security)
        return next(profile.uuid for profile in self.profiles() if profile.uuid not in before)

    def comes_up_by_itself(self, profile: str, *, yes: bool) -> None:
        """Whether a profile comes up when the machine starts, before all others."""
        priority = "100" if yes else "0"
        self._nmcli(
            "connection", "modify", profile,
            "connection.autoconnect", "yes" if yes else "no", "connection.autoconnect-priority", priority,
        )  # fmt: skip

    def up(self, profile: str) -> None:
        self._run(("nmcli", "--wait", str(ACTIVATION_S), "connection", "up", profile), ACTIVATION_S + 15.0)

    def down(self, profile: str) -> None:
        self._nmcli("connection", "down", profile)

    def allow_radio(self) -> None:
        self._run(("rfkill", "unblock", "wifi"), 10.0)
        self._nmcli("radio", "wifi", "on")

    def checkpoint(self, device: Device, seconds: int) -> Checkpoint:
        """Have NetworkManager return to the present state after this many seconds."""
        path = self._nmcli("--get-values", "GENERAL.DBUS-PATH", "device", "show", device.name)[0]
        flags = str(DESTROY_ALL | DELETE_NEW_CONNECTIONS)
        self._call("CheckpointCreate", "aouu", "1", path, str(seconds), flags)
        made = self.pending()
        if made is None:
            raise CommandError("NetworkManager made no checkpoint")
        return made

    def pending(self) -> Checkpoint | None:
        paths = self._property(_ROOT, _BUS_NAME, "Checkpoints")
        if not paths:
            return None
        path = paths[0]
        begun_ms = self._property(path, _CHECKPOINT, "Created")
        seconds = self._property(path, _CHECKPOINT, "RollbackTimeout")
        return Checkpoint(path, begun_ms + seconds * 1000)

    def keep(self, checkpoint: Checkpoint) -> None:
        self._call("CheckpointDestroy", "o", checkpoint.path)

    def go_back(self, checkpoint: Checkpoint) -> None:
        self._call("CheckpointRollback", "o", checkpoint.path)

    def _is_wpa3_only(self, name: str) -> bool:
        """Whether every access point of that name wants WPA3; one that is not seen does not count.

        `wpa-psk` joins all others: NetworkManager takes WPA3 by itself where the radio and both sides can.
        """
        try:
            rows = self._nmcli("--escape", "no", "--fields", "SECURITY,SSID", "device", "wifi", "list")
        except CommandError:
            return False
        offers = [offer.split() for offer, _, seen in (row.partition(":") for row in rows) if seen == name]
        return bool(offers) and all("WPA3" in offer and "WPA2" not in offer for offer in offers)

    def _call(self, *method: str) -> None:
        self._run(("busctl", "--timeout=30", "call", _BUS_NAME, _ROOT, _BUS_NAME, *method), 40.0)

    def _property(self, path: str, interface: str, name: str) -> Any:
        text = self._run(("busctl", "--json=short", "get-property", _BUS_NAME, path, interface, name), 10.0)
        return json.loads(text)["data"]

    def _nmcli(self, *arguments: str) -> list[str]:
        return self._run(("nmcli", "--terse", "--colors", "no", *arguments), 30.0).splitlines()
