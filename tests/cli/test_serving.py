"""A club's desk listens where `--host` says, else where the settings say."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.forked import ForkedTock
from tests.support.mosquitto import free_port
from tests.support.waiting import until
from tock_app.cli.main import main

PATIENCE_S = 45.0
OWN, OTHER = "127.0.0.1", "127.0.0.2"
"""Two addresses of this machine; what listens on all of them hears both."""


@contextmanager
def desk(data: Path, *arguments: str) -> Iterator[int]:
    """`tock club serve` on a free port, once it listens."""
    port = free_port()
    tock = ForkedTock(
        ["club", "serve", "--no-broker", "--port", str(port), *arguments],
        {**os.environ, "TOCK_DATA": str(data)},
    )
    try:
        until(
            lambda: hears(OWN, port) or hears(OTHER, port) or tock.poll() is not None,
            "a desk that listens",
            within_s=PATIENCE_S,
        )
        assert tock.poll() is None, tock.communicate()
        yield port
    finally:
        tock.terminate()
        tock.communicate(PATIENCE_S)


def hears(address: str, port: int) -> bool:
    """Whether anybody listens there."""
    with socket.socket() as line:
        return line.connect_ex((address, port)) == 0


@pytest.mark.parametrize(
    ("settings", "arguments", "reachable"),
    [
        ("", (), (True, True)),
        (f'host = "{OTHER}"\n', (), (False, True)),
        (f'host = "{OTHER}"\n', ("--host", OWN), (True, False)),
    ],
    ids=["everywhere", "as in the settings", "as named, before the settings"],
)
def test_a_desk_listens_where_it_should_and_nowhere_else(
    tmp_path: Path, settings: str, arguments: tuple[str, ...], reachable: tuple[bool, bool]
) -> None:
    (tmp_path / "tock.toml").write_text(settings)
    with desk(tmp_path, *arguments) as port:
        assert (hears(OWN, port), hears(OTHER, port)) == reachable


def test_a_bad_address_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(("club", "serve", "--host", "a..b", "--data", str(tmp_path))) == 2
    assert capsys.readouterr().err == "tock club: 'a..b' is no address to listen on; for example 127.0.0.1\n"
