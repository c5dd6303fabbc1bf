"""Strangers at a club's broker: they cut nobody off, learn nothing that is not public, and cannot fill its memory."""

import ssl
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from tests.support.club import PlainTable, running_desk
from tests.support.mosquitto import free_port
from tests.support.waiting import until
from tests.support.watching import Held
from tock_companion.club import access, own_broker
from tock_companion.club.access import add_accounts
from tock_companion.club.own_broker import OwnBroker
from tock_companion.mqtt.broker_setup import Bounds
from tock_companion.mqtt.connection import BrokerAddress
from tock_companion.tournament.plan import Plan
from tock_web.https.certificate import broker_certificate

pytestmark = pytest.mark.whole
PATIENCE_S = 20.0
MEMORY_MB = 20


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OwnBroker]:
    monkeypatch.setattr(own_broker, "PORTS", [free_port()])
    monkeypatch.setattr(access, "BOUNDS", Bounds(MEMORY_MB, 100, 5_000, 20))
    files = broker_certificate(tmp_path)
    own = OwnBroker(tmp_path, files.certificate, files.key)
    own.start()
    assert own.wait(PATIENCE_S), own.trouble
    yield own
    own.stop()


class Stranger:
    """A client with an id of its choice; it hears all that it may."""

    def __init__(self, address: BrokerAddress, name: str, user: str = "", password: str = "") -> None:
        self.topics: list[str] = []
        self.client = mqtt.Client(
            CallbackAPIVersion.VERSION2, client_id=name, protocol=MQTTProtocolVersion.MQTTv5
        )
        self.client.tls_set_context(ssl.create_default_context(cafile=address.ca))
        if user:
            self.client.username_pw_set(user, password)
        self.client.on_message = lambda _client, _data, message: self.topics.append(message.topic)
        self.client.connect(address.host, address.port)
        self.client.loop_start()
        until(self.client.is_connected)

    def stop(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()


def account(own: OwnBroker, folder: Path, name: str) -> BrokerAddress:
    password = add_accounts(folder, [name])[name]
    return BrokerAddress(own.address.host, own.port, name, password, own.address.ca)


def test_a_stranger_with_the_ids_of_table_and_desk_cuts_neither_and_does_not_read_the_desks_note(
    own: OwnBroker, tmp_path: Path
) -> None:
    oak, pine = (account(own, tmp_path, name) for name in ("oak", "pine"))
    table = PlainTable(oak, "oak")
    with ExitStack() as stack, running_desk(tmp_path / "club", own.address) as desk:
        table.start()
        stack.callback(table.stop)
        until(lambda: "oak" in desk.state.tables)
        assert desk.open(Plan("Cup", seats=2, rounds=2)) is None
        run = table.desk_run
        for user, password in (("", ""), (pine.user, pine.password)):
            reader = Stranger(own.address, f"reader-{user}", user, password)
            stack.callback(reader.stop)
            reader.client.subscribe([("tock-club/#", 1), ("tock/#", 1), ("$SYS/#", 1)])
            for name in ("tock-table-oak", "tock-member-oak", f"tock-desk-{run}"):
                stack.callback(Stranger(own.address, name, user, password).stop)
            reader.client.subscribe("tock-club/public/#", 1)
            until(lambda topics=reader.topics: "tock-club/public/round" in topics)  # type: ignore[misc]
            assert ("tock-club/desk" in reader.topics) is (user == "pine")
        assert table.up
        assert table.cuts == 0
        assert desk.state.tables["oak"].online


def test_a_table_that_floods_the_broker_meets_its_limit_and_the_others_go_on(
    own: OwnBroker, tmp_path: Path
) -> None:
    oak, pine = (account(own, tmp_path, name) for name in ("oak", "pine"))
    flood = Stranger(own.address, "flood", oak.user, oak.password)
    for number in range(200):
        flood.client.publish(f"tock/oak/club/result/{number}", b"x" * 300_000, 1, retain=True)
        flood.client.publish(f"tock/oak/more/{number}", b"x", 1, retain=True)
    until(lambda: not flood.client.is_connected())
    flood.stop()
    assert own.pid is not None
    assert Held.by(own.pid).memory_mb < 2 * MEMORY_MB
    table = PlainTable(pine, "pine")
    table.start()
    try:
        until(lambda: table.up)
    finally:
        table.stop()
