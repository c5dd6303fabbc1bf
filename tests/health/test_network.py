"""The address shown to phones: that of the home network, whatever else the machine is on."""

import socket
from pathlib import Path

import pytest

from tock_companion.health import system
from tock_companion.health.system import Found, in_order

WIFI, CABLE, VPN = Found("wlan0", "192.168.1.50"), Found("enp3s0", "192.168.2.7"), Found("wg0", "10.8.0.2")
DOCKER, SIX = Found("docker0", "172.17.0.1"), Found("eth0", "fd00::7")
LOOP = [Found("lo", "127.0.0.1"), Found("lo", "::1")]


@pytest.mark.parametrize(
    ("found", "first"),
    [
        ([VPN, DOCKER, WIFI], WIFI),
        ([VPN, CABLE], CABLE),
        ([CABLE, WIFI], WIFI),
        ([Found("tailscale0", "100.64.0.3"), Found("br0", "192.168.3.3")], Found("br0", "192.168.3.3")),
        ([SIX, CABLE], CABLE),
        ([SIX, VPN, DOCKER], SIX),
        ([VPN, DOCKER], VPN),
        ([Found("ethernet9", "192.168.9.9"), CABLE], CABLE),
    ],
)
def test_the_home_network_comes_first_and_vpns_last(found: list[Found], first: Found) -> None:
    ordered = in_order([*LOOP, *found], route=first.address if first in (CABLE, VPN) else VPN.address)
    assert ordered[0] == first.address
    assert sorted(ordered) == sorted(one.address for one in found)


def test_a_machine_without_a_network_names_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_network(*_arguments: object) -> object:
        raise OSError("network is unreachable")

    monkeypatch.setattr(socket.socket, "connect", no_network)
    monkeypatch.setattr(socket, "if_nameindex", list)
    monkeypatch.setattr(system, "IPV6_ADDRESSES", Path("none"))
    assert system.home_ip() == "127.0.0.1"
