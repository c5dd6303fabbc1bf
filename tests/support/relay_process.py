"""A real relay on a free port with broker and TLS, and a far phone's own connection to it."""

import json
import ssl
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPSConnection
from pathlib import Path
from queue import Queue
from time import time
from typing import Any

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from tests.support.mosquitto import free_port
from tests.support.waiting import PATIENCE_S as WORD_PATIENCE_S
from tests.support.waiting import until
from tock_companion.far.link import RoomKeys, read_link, room_keys
from tock_companion.mqtt.connection import BrokerAddress
from tock_web.https.certificate import broker_certificate
from tock_web.https.certificate_files import Files
from tock_web.relay.app import create_relay_app
from tock_web.relay.door import Door
from tock_web.relay.front import Front
from tock_web.relay.keys import relay_key
from tock_web.relay.limits import Limits
from tock_web.relay.own_broker import RELAY_USER, Bridge, RelayBroker
from tock_web.relay.rights import Rights

HERE = "127.0.0.1"
PATIENCE_S = 10.0


class RunningRelay:
    """A relay in this process, and its broker."""

    def __init__(
        self,
        folder: Path,
        limits: Limits | None = None,
        *,
        broker_port: int | None = None,
        bridge_port: int | None = None,
        files: Callable[[], Files] | None = None,
    ) -> None:
        """`broker_port` is that of a broker that another relay runs, `bridge_port` of one to be bridged."""
        self.folder = folder
        self.broker: RelayBroker | None = None
        self.broker_port = broker_port or free_port()
        if broker_port is None:
            bridge = None if bridge_port is None else Bridge(HERE, bridge_port)
            self.broker = RelayBroker(folder, HERE, self.broker_port, bridge)
        key = relay_key(folder)
        address = BrokerAddress(HERE, self.broker_port, RELAY_USER, key.broker_password(RELAY_USER))
        own = broker_certificate(folder)
        self.ca = str(own.certificate)
        self.rights, limits = Rights(address), limits or Limits()
        app = create_relay_app(self.rights, key, limits=limits)
        self.port = free_port()
        self._make_front: Callable[[], Front] = lambda: Front(
            app, Door(self.rights, key, address, limits), HERE, self.port, files or (lambda: own)
        )
        self.front = self._make_front()
        self.url = f"https://{HERE}:{self.port}"

    def start(self) -> "RunningRelay":
        """Start, and wait until the relay has reached its broker."""
        if self.broker is not None:
            self.broker.start()
            assert self.broker.wait(PATIENCE_S), self.broker.trouble
        self.rights.start()
        self.front.start()
        until(lambda: self.rights.up, "the broker", PATIENCE_S)
        return self

    def stop(self) -> None:
        """End all."""
        self.front.stop()
        self.rights.stop()
        if self.broker is not None:
            self.broker.stop()

    def ask(
        self, method: str, path: str, body: object = None, table: tuple[str, str] | None = None
    ) -> tuple[int, Any]:
        """A request to the relay: status and JSON."""
        return ask(self.url, self.ca, method, path, body, table)

    def table(self) -> tuple[str, str]:
        """A new table and its password."""
        status, answer = self.ask("POST", "/relay/v1/tables", {"form": 1})
        assert status == 201, answer
        return answer["table"], answer["password"]

    def room(self, table: tuple[str, str], keys: RoomKeys, for_s: float = 3600) -> tuple[int, Any]:
        """Open a room of a table."""
        wish = {"room": keys.room, "password": keys.broker_password, "until": int(time() + for_s)}
        return self.ask("POST", "/relay/v1/rooms", wish, table)


def ask(
    url: str,
    ca: str,
    method: str,
    path: str,
    body: object = None,
    table: tuple[str, str] | None = None,
    local: str = HERE,
) -> tuple[int, Any]:
    """A request to a relay from one of our addresses: status and JSON, None where the answer is of another kind."""
    headers = {"Content-Type": "application/json"}
    if table is not None:
        headers["Authorization"] = "Basic " + b64encode(":".join(table).encode()).decode()
    data = None if body is None else json.dumps(body).encode()
    line = HTTPSConnection(
        url.removeprefix("https://"), timeout=PATIENCE_S, context=context_of(ca), source_address=(local, 0)
    )
    with closing(line):
        line.request(method, path, data, headers)
        answer = line.getresponse()
        return answer.status, _json(answer.read())


def context_of(ca: str) -> ssl.SSLContext:
    """What trusts the relay's own certificate alone."""
    return ssl.create_default_context(cafile=ca)


def mqtt_client(ca: str, user: str, password: str, name: str = "", path: str = "/mqtt") -> mqtt.Client:
    """A client that speaks MQTT over the relay's port, not yet connected."""
    client = mqtt.Client(
        CallbackAPIVersion.VERSION2,
        client_id=name,
        transport="websockets",
        protocol=MQTTProtocolVersion.MQTTv5,
    )
    client.tls_set_context(context_of(ca))
    client.ws_set_options(path=path)
    client.username_pw_set(user, password)
    client.reconnect_delay_set(1, 2)
    return client


def _json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except ValueError:
        return None


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
            while self.home.get(timeout=WORD_PATIENCE_S) != word:
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
