"""Tables on a real broker: published, found again after it was away, and shown by the club from the broker alone."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.mosquitto import Broker
from tests.support.waiting import until
from tock_companion.boardfile import generate
from tock_companion.core.requests import Role, parse_request
from tock_companion.mqtt.club import MAX_STATE_BYTES, Club, ClubTable, view_of
from tock_companion.mqtt.connection import BrokerAddress, BrokerConnection
from tock_companion.mqtt.home_assistant import discovery
from tock_companion.mqtt.publisher import Publisher
from tock_companion.mqtt.topics import event_topic, messages
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_rules import Card, Seat


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(generate(4, 440.0), Store(tmp_path / "data"))
    table.start()
    yield table
    table.stop()


def shown_card(table: ClubTable) -> str | None:
    return table.view["card"] if table.view is not None else None


def lay(table: Table, card: str) -> None:
    assert table.request(parse_request("play_card", {"card": card}, Role.HOST, Seat.P0)).ok


def test_topics_hold_the_parts_of_the_public_view(table: Table) -> None:
    published = messages("oak", table.view(Role.TABLE))
    assert json.loads(published["tock/oak/state"]) == json.loads(json.dumps(table.view(Role.TABLE)))
    assert json.loads(published["tock/oak/turn"])["seat"] == "P0"
    assert json.loads(published["tock/oak/warning"]) is None
    assert json.loads(published["tock/oak/result"]) is None


def test_home_assistant_gets_topics_that_exist(table: Table) -> None:
    published = messages("oak", table.view(Role.TABLE))
    for payload in discovery("oak", "1.0").values():
        config = json.loads(payload)
        if config.get("automation_type") == "trigger":
            assert config["topic"] == event_topic("oak")
            continue
        assert config["state_topic"] in {*published, event_topic("oak")}
        assert config["availability_topic"] == "tock/oak/status"


@pytest.mark.whole
def test_the_club_sees_a_table_through_a_broker_that_forgets_everything(table: Table, broker: Broker) -> None:
    publisher = Publisher(table, BrokerAddress("127.0.0.1", broker.port), "oak", "1.0")
    club = Club(BrokerAddress("127.0.0.1", broker.port))
    publisher.start()
    club.start()

    def oak() -> ClubTable:
        return next((found for found in club.tables()[1] if found.name == "oak"), ClubTable("oak"))

    try:
        until(lambda: oak().online and bool(oak().view))
        lay(table, "KH")
        until(lambda: shown_card(oak()) == "KH")
        broker.stop()
        assert table.request(parse_request("undo", {}, Role.HOST, Seat.P0)).ok
        broker.start()
        until(lambda: oak().view is not None and shown_card(oak()) is None)
        newcomer = Club(BrokerAddress("127.0.0.1", broker.port))
        newcomer.start()
        until(lambda: bool(newcomer.tables()[1]) and newcomer.tables()[1][0].online)
        newcomer.stop()
    finally:
        publisher.stop()
    until(lambda: not oak().online)
    club.stop()


@pytest.mark.whole
def test_a_message_larger_than_any_table_sends_stays_at_the_broker(
    broker: Broker, caplog: pytest.LogCaptureFixture
) -> None:
    club, address = Club(BrokerAddress("127.0.0.1", broker.port)), BrokerAddress("127.0.0.1", broker.port)
    anybody = BrokerConnection(address, "anybody", lambda: None)
    club.start()
    anybody.start()
    try:
        until(lambda: club.up and anybody.up)
        anybody.publish("tock/oak/state", " " * 2_000_000)
        until(lambda: club.up)
        anybody.publish("tock/oak/status", "online")
        until(lambda: any(table.online for table in club.tables()[1]))
    finally:
        anybody.stop()
        club.stop()
    assert "is not the view of a table" not in caplog.text


def state_of(table: Table, **changes: object) -> bytes:
    return json.dumps({**table.view(Role.TABLE), **changes}).encode()


def test_a_view_of_a_newer_table_is_taken_without_what_is_not_known(table: Table) -> None:
    view = view_of(state_of(table, weather="fine"))
    assert view["to_move"] == "P0"
    assert "weather" not in view


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\xff",
        b"[" * 200_000,
        b'{"seats": NaN}',
        b'{"seats": "\\ud800"}',
        b'{"seats": []}',
        b" " * (MAX_STATE_BYTES + 1),
    ],
)
def test_a_malformed_note_is_a_fault_of_its_sender(payload: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the text is for the log alone
        view_of(payload)


@pytest.mark.parametrize(
    "changes",
    [{"seats": None}, {"board": {"name": "b", "zones": 5}}, {"holes": {"T0": 3}}, {"sentence": "x"}],
)
def test_a_view_with_something_wrong_in_it_is_refused(table: Table, changes: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(changes))):
        view_of(state_of(table, **changes))


@pytest.mark.whole
def test_nonsense_on_the_broker_is_left_out(broker: Broker) -> None:
    club = Club(BrokerAddress("127.0.0.1", broker.port))
    club.start()
    stranger = BrokerConnection(BrokerAddress("127.0.0.1", broker.port), "stranger", lambda: None)
    stranger.start()
    try:
        until(lambda: stranger.up and club.up)
        for payload in ("{", "[]", '{"a": 1}'):
            stranger.publish("tock/odd/state", payload)
        stranger.publish("tock/odd/status", "online")
        until(lambda: [found.name for found in club.tables()[1]] == ["odd"])
        assert club.tables()[1][0].view is None
    finally:
        stranger.stop()
        club.stop()


@pytest.mark.whole
def test_a_table_without_a_broker_goes_on(table: Table) -> None:
    publisher = Publisher(table, BrokerAddress("127.0.0.1", 1), "oak", "1.0")
    publisher.start()
    lay(table, "KH")
    view = table.view(Role.TABLE)
    assert view["card"] == "KH"
    publisher.stop()
    assert Card.parse(view["card"])
