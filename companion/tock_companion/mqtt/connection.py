"""The connection to a broker, of a club or behind a relay: kept up in the background, and nothing waits for it."""

import hmac
import logging
import os
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from paho.mqtt.client import (
    MQTT_ERR_SUCCESS,
    Client,
    ConnectFlags,
    DisconnectFlags,
    MQTTMessage,
    MQTTMessageInfo,
)
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from tock_companion.errors import BadInputError

LOG = logging.getLogger(__name__)
KEEP_ALIVE_S = 20
MAX_RETRY_S = 5
QOS = 1
MAX_PACKET_BYTES = 350_000
"""The broker keeps larger messages back: a client may publish hundreds of megabytes, which the others have to hold."""


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    """Address of the broker, and our account there."""

    host: str
    port: int = 1883
    user: str = ""
    password: str = field(default="", repr=False)
    ca: str = ""
    """File of the certificates that the broker's is checked against; without one, nothing is encrypted."""
    path: str = ""
    """Path of the WebSocket behind a relay; empty for plain MQTT."""


def client_id(name: str, password: str) -> str:
    """An id that only the holder of the password knows: a broker ends the connection whose id another one gives."""
    return f"{name}-{hmac.digest(password.encode(), name.encode(), sha256).hex()[:32]}" if password else name


class BrokerConnection:
    """A connection that is renewed whenever it breaks; callbacks run on its own thread."""

    def __init__(
        self,
        address: BrokerAddress,
        name: str,
        on_up: Callable[[], None],
        on_message: Callable[[str, bytes], None] | None = None,
        will: tuple[str, str] | None = None,
        *,
        on_down: Callable[[], None] = lambda: None,
        keeps_will: bool = True,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """Prepare to connect; `will` is the topic and payload that the broker publishes when we vanish."""
        self._address, self._name = address, name
        self._on_down = on_down
        self.is_refused = False
        """Whether the broker answers, and does not let this user in."""
        self._on_up = on_up
        self._on_message = on_message
        # Only version 5 can say how much a client takes.
        self._client = Client(
            CallbackAPIVersion.VERSION2,
            client_id=client_id(name, address.password),
            protocol=MQTTProtocolVersion.MQTTv5,
            transport="websockets" if address.path else "tcp",
        )
        if address.path:
            self._client.ws_set_options(path=address.path)
        if tls is not None:
            self._client.tls_set_context(tls)
        if address.user:
            self._client.username_pw_set(address.user, address.password)
        if address.ca:
            try:
                self._client.tls_set(address.ca)
            except (OSError, ValueError) as error:
                raise BadInputError(
                    f"{address.ca} holds no certificate ({error}); name the file that the club's desk wrote"
                ) from None
        if will is not None:
            self._client.will_set(will[0], will[1], qos=QOS, retain=keeps_will)
        self._client.reconnect_delay_set(1, MAX_RETRY_S)
        self._client.on_socket_open = send_at_once
        self._client.on_connect = self._connected
        self._client.on_disconnect = self._disconnected
        self._client.on_message = self._message

    @property
    def up(self) -> bool:
        return bool(self._client.is_connected())

    def start(self) -> None:
        limits = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        limits.MaximumPacketSize = MAX_PACKET_BYTES
        self._client.connect_async(
            self._address.host, self._address.port, KEEP_ALIVE_S, clean_start=True, properties=limits
        )
        self._client.loop_start()

    def stop(self, last: tuple[str, str] | None = None, *, retain: bool = True) -> None:
        """Publish a last message if the broker can be reached, and disconnect."""
        if last is not None and self.up:
            self._client.publish(last[0], last[1], qos=QOS, retain=retain).wait_for_publish(timeout=0.5)
        self._client.disconnect()
        self._client.loop_stop()

    def publish(self, topic: str, payload: str) -> None:
        """Send a retained message; while the broker is away it is dropped."""
        if self.up:
            self._client.publish(topic, payload, qos=QOS, retain=True)

    def send(self, topic: str, frame: bytes) -> MQTTMessageInfo | None:
        """Send a message that is not retained; None while the broker is away."""
        if not self.up:
            return None
        sent = self._client.publish(topic, frame, qos=QOS)
        return sent if sent.rc == MQTT_ERR_SUCCESS else None

    def command(self, topic: str, payload: str) -> None:
        """Send to those who listen now, or a command to the broker itself: nothing confirms the receipt."""
        if self.up:
            self._client.publish(topic, payload, qos=0)

    def subscribe(self, *topics: str) -> None:
        """Subscribe to topics; call it whenever the connection is up again."""
        self._client.subscribe([(topic, QOS) for topic in topics])

    def _connected(
        self, _client: Client, _data: object, _flags: ConnectFlags, code: ReasonCode, _more: Properties | None
    ) -> None:
        self.is_refused = code.is_failure
        if code.is_failure:
            LOG.warning("the broker %s refuses %s: %s", self._address.host, self._name, code)
            return
        LOG.info("the broker %s is reached", self._address.host)
        self._on_up()

    def _disconnected(
        self,
        _client: Client,
        _data: object,
        _flags: DisconnectFlags,
        code: ReasonCode,
        _more: Properties | None,
    ) -> None:
        if code.is_failure:
            LOG.warning("the broker %s is away (%s); all else goes on", self._address.host, code)
        self._on_down()

    def _message(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        if self._on_message is not None:
            self._on_message(message.topic, bytes(message.payload))


def send_at_once(_client: Client, _data: object, line: Any) -> None:
    """Have a connection send small packets at once; `line` is a socket or what paho wraps around one."""
    # A view and an answer in a row would wait 40 ms for each other. A wrapper has no options, but the same file.
    with socket.socket(fileno=os.dup(line.fileno())) as same:
        same.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
