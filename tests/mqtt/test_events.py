"""Public events at a broker: all of them, in order, each with what Home Assistant needs to know it."""

import json
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from tests.support.mosquitto import Broker
from tests.support.played import log_of
from tests.support.waiting import until
from tock_companion.boardfile import generate
from tock_companion.mqtt.connection import BrokerAddress
from tock_companion.mqtt.home_assistant import discovery
from tock_companion.mqtt.publisher import Publisher
from tock_companion.mqtt.topics import ONLINE, event_topic, status_topic
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_companion.views.public_events import FIELDS, PublicEvent, Translator

NAME = "oak"
EVENTS = 10_000


class House:
    """A program at home that follows the table's events, also those that came while it was away."""

    def __init__(self, port: int) -> None:
        self.received: list[PublicEvent] = []
        self.online = Event()
        self._client = Client(CallbackAPIVersion.VERSION2, "house", clean_session=False)
        self._client.on_message = self._take
        self._client.on_connect = self._connected
        self._client.reconnect_delay_set(1, 1)
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()

    def _connected(self, client: Client, *_: object) -> None:
        client.subscribe([(f"tock/{NAME}/#", 1)])

    def _take(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        if message.topic == event_topic(NAME):
            assert not message.retain
            self.received.append(json.loads(message.payload))
        elif message.topic == status_topic(NAME) and message.payload == ONLINE.encode():
            self.online.set()

    def leave(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    broker = Broker(
        tmp_path, ["persistence true", f"persistence_location {tmp_path}/", "max_queued_messages 0"]
    )
    broker.start()
    yield broker
    broker.stop()


@pytest.mark.whole
def test_ten_thousand_events_arrive_in_order_though_the_broker_goes_away(
    tmp_path: Path, broker: Broker
) -> None:
    store = Store(tmp_path / "table")
    table = Table(generate(4, 440), store, [])
    table.start()
    house = House(broker.port)
    publisher = Publisher(table, BrokerAddress("127.0.0.1", broker.port), NAME, "1.0")
    publisher.start()
    try:
        assert house.online.wait(20)
        expected: list[PublicEvent] = []
        number = 100
        while len(expected) < EVENTS:
            log = log_of(number % 7)
            store.append(number, log)
            expected += Translator(number).events_of(log, {})
            number += 1
            if number == 105:
                until(lambda: bool(house.received))
                broker.restart()
        until(lambda: bool(house.received) and house.received[-1]["id"] == expected[-1]["id"], within_s=60)
    finally:
        publisher.stop()
        house.leave()
        table.stop()
    ids = [event["id"] for event in house.received]
    # QoS 1 repeats those whose receipt was on its way when the broker went: their ids tell them from others.
    assert list(dict.fromkeys(ids)) == [event["id"] for event in expected]


def test_home_assistant_learns_of_each_kind_of_event() -> None:
    found = {topic: json.loads(text) for topic, text in discovery(NAME, "1.0").items()}
    entity = found["homeassistant/event/tock_oak/event/config"]
    assert entity["event_types"] == list(FIELDS)
    assert entity["state_topic"] == "tock/oak/event"
    for kind in FIELDS:
        trigger = found[f"homeassistant/device_automation/tock_oak/{kind}/config"]
        assert (trigger["automation_type"], trigger["payload"]) == ("trigger", kind)
        assert trigger["topic"] == entity["state_topic"]
        assert trigger["device"] == entity["device"]
