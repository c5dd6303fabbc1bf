"""The machine as files (Linux describes nearly everything about itself under /proc, /sys and /dev) and its addresses.

That of the home network comes first: phones reach neither a VPN nor a container.
"""

import os
import shutil
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from pathlib import Path

if sys.platform == "linux":
    import fcntl

LOOPBACK = "127.0.0.1"
ANYWHERE = "10.254.254.254"
"""Only to ask the system which route it would take; no packet leaves the machine."""
SIOCGIFADDR = 0x8915
IPV6_ADDRESSES = Path("/proc/net/if_inet6")
GLOBAL_SCOPE = "00"
PASSING = 0x01 | 0x20 | 0x40
"""Flags of addresses that are temporary, deprecated or not yet sure."""
WIRELESS = ("wl", "wifi", "ath", "uap")
VIRTUAL = (
    "wg", "tun", "tap", "ppp", "ipsec", "tailscale", "zt", "nordlynx", "proton", "mullvad", "docker", "br-", "virbr",
    "veth", "vnet", "vmnet", "vboxnet", "lxc", "lxd", "podman", "cni", "flannel", "cali", "dummy", "sit", "he-ipv6",
)  # fmt: skip
"""Beginnings of the names of interfaces, as the systems give them."""

AVAHI_NAME = (
    "busctl", "--system", "call", "org.freedesktop.Avahi", "/", "org.freedesktop.Avahi.Server", "GetHostNameFqdn"
)  # fmt: skip
AVAHI_S = 2.0


@dataclass(frozen=True, slots=True)
class System:
    """The running machine; tests give a `root` with the files of a machine that has the fault."""

    root: Path = Path("/")

    def text(self, path: str) -> str | None:
        """Read a file, stripped of surrounding white space; None when it cannot be read."""
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace").strip("\0 \n")
        except OSError:
            return None

    def devices(self, pattern: str) -> tuple[Path, ...]:
        return tuple(sorted(self.root.glob(pattern)))

    def may_use(self, path: Path) -> bool:
        """Whether this user may read and write a device."""
        return os.access(path, os.R_OK | os.W_OK)

    def free_mb(self, folder: Path) -> int:
        """Measure the free megabytes of the disk on which a folder lies or will lie."""
        while not folder.exists() and folder != folder.parent:
            folder = folder.parent
        return shutil.disk_usage(folder).free // 1_000_000


@dataclass(frozen=True, slots=True)
class Found:
    """One address of one interface."""

    interface: str
    address: str


def home_ip() -> str:
    """Find this machine's address on the home network, 127.0.0.1 when it is on none."""
    return next(iter(own_addresses()), LOOPBACK)


def avahi_name(command: Sequence[str] = AVAHI_NAME) -> str:
    """The name by which Avahi announces this machine, such as `pi-2.local`; empty where it does not run."""
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=AVAHI_S, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return ""
    return answer.removeprefix("s ").strip().strip('"').lower()


def own_addresses() -> list[str]:
    """All addresses but loopback, that of the home network first."""
    return in_order([*_ipv4(), *_ipv6()], _route())


def in_order(found: list[Found], route: str) -> list[str]:
    """Wi-Fi before cables before VPNs and containers, IPv4 before IPv6; then the one of the usual route."""

    def rank(one: Found) -> tuple[int, bool, bool]:
        kind = 0 if one.interface.startswith(WIRELESS) else 2 if one.interface.startswith(VIRTUAL) else 1
        return kind, ":" in one.address, one.address != route

    return [one.address for one in sorted(found, key=rank) if not ip_address(one.address).is_loopback]


def _ipv4() -> Iterator[Found]:
    if sys.platform != "linux":
        # Other systems do not say whose address it is, and list their own name's alone.
        with suppress(OSError):
            listed = socket.gethostbyname_ex(socket.gethostname())[2]
            yield from (Found("", address) for address in dict.fromkeys([*listed, _route()]) if address)
        return
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            with suppress(OSError):  # An interface without an address.
                packed = fcntl.ioctl(probe.fileno(), SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
                yield Found(name, socket.inet_ntoa(packed[20:24]))


def _ipv6() -> Iterator[Found]:
    with suppress(OSError, ValueError):
        for line in IPV6_ADDRESSES.read_text(encoding="ascii").splitlines():
            digits, _, _, scope, flags, name = line.split()
            if scope == GLOBAL_SCOPE and not int(flags, 16) & PASSING:
                yield Found(name, str(IPv6Address(int(digits, 16))))


def _route() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect((ANYWHERE, 9))
        return str(probe.getsockname()[0])
    return ""
