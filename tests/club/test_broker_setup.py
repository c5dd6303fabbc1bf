"""`tock club broker` writes the configuration of a real Mosquitto: TLS, passwords, rights."""

import subprocess
from io import StringIO
from pathlib import Path

import pytest

from tests.support.mosquitto import free_port
from tests.support.waiting import until
from tock_app.cli.commands.club import run
from tock_companion.errors import BadInputError
from tock_companion.mqtt.connection import BrokerAddress, BrokerConnection
from tock_companion.mqtt.mosquitto import find_mosquitto

pytestmark = pytest.mark.whole


def test_a_table_reaches_the_broker_over_tls_with_its_password_and_with_no_other(tmp_path: Path) -> None:
    port, folder, out = free_port(), tmp_path / "broker", StringIO()
    arguments = ["broker", "oak", "--out", str(folder), "--port", str(port), "--host", "localhost"]
    assert run(arguments, out) == 0
    assert f"mosquitto -c {folder / 'tock.conf'}" in out.getvalue()
    passwords = dict(line.split() for line in (folder / "accounts.txt").read_text().splitlines())
    ca = next(
        str(path)
        for path in folder.iterdir()
        if path.name.endswith((".crt", ".pem")) and "key" not in path.name
    )
    program = find_mosquitto()
    assert program is not None
    assert f"Start the broker:  {program} -c" in out.getvalue()
    process = subprocess.Popen([program, "-c", str(folder / "tock.conf")], stderr=subprocess.DEVNULL)
    right = BrokerConnection(BrokerAddress("localhost", port, "oak", passwords["oak"], ca), "a", lambda: None)
    wrong = BrokerConnection(BrokerAddress("localhost", port, "oak", "guessed", ca), "b", lambda: None)
    try:
        right.start()
        wrong.start()
        until(lambda: right.up)
        assert not wrong.up
    finally:
        right.stop()
        wrong.stop()
        process.terminate()
        process.wait()
    with pytest.raises(BadInputError, match="files already"):
        run(arguments, out)


def test_a_file_that_is_no_certificate_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "ca").write_text("no certificate")
    with pytest.raises(BadInputError, match="holds no certificate"):
        BrokerConnection(BrokerAddress("localhost", 1, ca=str(tmp_path / "ca")), "a", lambda: None)
