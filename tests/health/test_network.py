"""The address shown to phones."""

import socket

import pytest

from tock_companion.health import system


def test_a_machine_without_a_network_names_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_network(*_arguments: object) -> object:
        raise OSError("network is unreachable")

    monkeypatch.setattr(socket.socket, "connect", no_network)
    monkeypatch.setattr(socket, "gethostbyname", no_network)
    assert system.home_ip() == "127.0.0.1"
