"""The address that phones are given works on phones: an IP address, never a name or loopback."""

import pytest

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
