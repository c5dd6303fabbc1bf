"""The address that phones are given: an IP address of the home network, whatever else the machine is on."""

import socket
from pathlib import Path

import pytest

from tock_companion.health import system
from tock_companion.health.system import Found, in_order
from tock_web import address
from tock_web.address import page_url, phone_url
from tock_web.qr import qr_svg, qr_terminal


@pytest.fixture(autouse=True)
def _home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "home_ip", lambda: "192.168.1.50")


@pytest.mark.parametrize(
    ("opened_at", "url"),
    [
        ("tock.local:8080", "http://192.168.1.50:8080/"),
        ("localhost:8080", "http://192.168.1.50:8080/"),
        ("127.0.0.1:8080", "http://192.168.1.50:8080/"),
        ("192.168.7.7:8080", "http://192.168.7.7:8080/"),
        ("192.168.7.7", "http://192.168.7.7/"),
        ("tock.local", "http://192.168.1.50/"),
        ("[fd00::7]:8080", "http://[fd00::7]:8080/"),
        ("[::1]:8080", "http://192.168.1.50:8080/"),
    ],
)
def test_phones_get_an_address_that_they_can_reach(opened_at: str, url: str) -> None:
    assert phone_url(opened_at) == url


def test_the_usual_port_is_left_out() -> None:
    assert page_url(80) == "http://192.168.1.50/"
    assert page_url(8080) == "http://192.168.1.50:8080/"


def test_the_code_is_small_and_has_its_own_white_ground() -> None:
    image = qr_svg(page_url(8080))
    assert "#fff" in image
    assert len(image) < 5_000
    assert "http" not in image.removeprefix('<?xml version="1.0" encoding="utf-8"?>').replace(
        "http://www.w3.org", ""
    )


def test_a_terminal_can_show_the_code() -> None:
    lines = qr_terminal(page_url(8080)).splitlines()
    assert 10 < len(lines) < 30


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
