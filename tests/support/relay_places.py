"""A real relay on a free port with broker and TLS, one for all tests that ask for it."""

from collections.abc import Iterator
from queue import Queue

import paho.mqtt.client as mqtt
import pytest

from tests.support.relay_process import HERE, RunningRelay, mqtt_client
from tests.support.waiting import PATIENCE_S, until
from tock_companion.far.link import read_link, room_keys
from tock_web.relay.limits import Limits

MANY = Limits(tables_per_hour=1_000, requests=10_000)
"""All homes of the tests come from one address."""


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningRelay]:
    running = RunningRelay(tmp_path_factory.mktemp("relay"), MANY).start()
    yield running
    running.stop()


class GuestsLine:
    """The far phone's own connection, as `FarGuest` speaks through it."""

    def __init__(self, place: RunningRelay, link: str) -> None:
        found = read_link(link)
        self._keys, self._topic = room_keys(found.table, found.secret), f"far/{found.table}"
        self._down: Queue[bytes] = Queue()
        self.home: Queue[bytes] = Queue()
        self._client = mqtt_client(place.ca, self._keys.room, self._keys.broker_password)
        self._client.will_set(f"{self._topic}/{self._keys.room}/gone", b"", qos=1)
        self._client.on_message = self._received
        self._granted = False
        self._client.on_connect = lambda client, *_: client.subscribe(
            [(f"{self._topic}/{self._keys.room}/down", 1), (f"{self._topic}/home", 1)]
        )
        self._client.on_subscribe = lambda *_: setattr(self, "_granted", True)
        self._client.connect_async(HERE, place.port, 30)
        self._client.loop_start()
        until(lambda: self._granted)

    def _received(self, _client: object, _data: object, message: mqtt.MQTTMessage) -> None:
        queue = self.home if message.topic.endswith("/home") else self._down
        queue.put(bytes(message.payload))

    def listen(self, _room: str) -> Queue[bytes]:
        return self._down

    def up(self, room: str, frame: bytes) -> None:
        self._client.publish(f"{self._topic}/{room}/up", frame, 1)

    def hear_home(self, *words: bytes) -> None:
        """Wait until home has said these words, one after the other: a hello before `here` is lost."""
        for word in words:
            while self.home.get(timeout=PATIENCE_S) != word:
                pass

    def drop(self) -> None:
        """Lose the connection without a word: the broker publishes the will."""
        sock = self._client.socket()
        assert sock is not None
        self._client.loop_stop()
        sock.close()

    def stop(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


__all__ = ["GuestsLine", "RunningRelay"]
