"""A connection to the broker behind a meeting place, outwards over the relay's own port: of a home, and of a guest."""

import logging
import os
import socket
import ssl
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

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

LOG = logging.getLogger(__name__)
PATH = "/mqtt"
KEEP_ALIVE_S = 20
MAX_RETRY_S = 5
QOS = 1
MAX_PACKET_BYTES = 350_000
HTTPS_PORT, HTTP_PORT = 443, 80
HERE, AWAY = b"here", b"away"


@dataclass(frozen=True, slots=True)
class BrokerUser:
    """An account at the broker of a meeting place."""

    relay: str
    name: str
    password: str = field(repr=False)
    client: str
    """The name of the connection: the broker ends an older one of that name."""


@dataclass(frozen=True, slots=True)
class LastWord:
    """A message published when the connection ends, whether by us or by itself."""

    topic: str
    payload: bytes
    retain: bool = False


class RelayLine:
    """Keeps the connection up; callbacks run on its own thread."""

    def __init__(
        self,
        user: BrokerUser,
        trust: ssl.SSLContext | None,
        last: LastWord,
        topics: Sequence[str],
        received: Callable[[str, bytes], None],
        changed: Callable[[bool], None],
    ) -> None:
        """Prepare to connect; `received` gets topic and bytes, `changed` whether the broker is reached."""
        self._user, self._last, self._topics = user, last, topics
        self._received, self._changed = received, changed
        self.is_refused = False
        """Whether the broker answers, and does not let this user in."""
        self._client = Client(
            CallbackAPIVersion.VERSION2,
            client_id=user.client,
            protocol=MQTTProtocolVersion.MQTTv5,
            transport="websockets",
        )
        self._client.ws_set_options(path=PATH)
        self._client.username_pw_set(user.name, user.password)
        if trust is not None:
            self._client.tls_set_context(trust)
        self._client.will_set(last.topic, last.payload, qos=QOS, retain=last.retain)
        self._client.reconnect_delay_set(1, MAX_RETRY_S)
        self._client.on_connect, self._client.on_disconnect = self._connected, self._disconnected
        self._client.on_message, self._client.on_socket_open = self._message, send_at_once

    @property
    def is_up(self) -> bool:
        """Whether the broker is reached now."""
        return bool(self._client.is_connected())

    def start(self) -> None:
        """Begin to connect; returns at once."""
        address = urlsplit(self._user.relay)
        port = address.port or (HTTPS_PORT if address.scheme == "https" else HTTP_PORT)
        limits = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        limits.MaximumPacketSize = MAX_PACKET_BYTES
        self._client.connect_async(
            address.hostname or "", port, KEEP_ALIVE_S, clean_start=True, properties=limits
        )
        self._client.loop_start()

    def stop(self) -> None:
        """Publish the last word, and disconnect."""
        last = self._last
        if self.is_up:
            sent = self._client.publish(last.topic, last.payload, qos=QOS, retain=last.retain)
            sent.wait_for_publish(timeout=0.5)
        self._client.disconnect()
        self._client.loop_stop()

    def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> MQTTMessageInfo | None:
        """Publish something; None while the broker is away."""
        if not self.is_up:
            return None
        sent = self._client.publish(topic, payload, qos=QOS, retain=retain)
        return sent if sent.rc == MQTT_ERR_SUCCESS else None

    def _connected(
        self, client: Client, _data: object, _flags: ConnectFlags, code: ReasonCode, _more: Properties | None
    ) -> None:
        self.is_refused = code.is_failure
        if code.is_failure:
            LOG.warning("the meeting place refuses %s: %s", self._user.client, code)
            return
        client.subscribe([(topic, QOS) for topic in self._topics])
        LOG.info("the meeting place is reached")
        self._changed(True)

    def _disconnected(
        self,
        _client: Client,
        _data: object,
        _flags: DisconnectFlags,
        code: ReasonCode,
        _more: Properties | None,
    ) -> None:
        if code.is_failure:
            LOG.warning("the meeting place is away (%s); the table goes on", code)
        self._changed(False)

    def _message(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        self._received(message.topic, bytes(message.payload))


def send_at_once(_client: Client, _data: object, line: Any) -> None:
    """Have a connection send small packets at once; `line` is a socket or what paho wraps around one."""
    # A view and an answer in a row would wait 40 ms for each other. A wrapper has no options, but the same file.
    with socket.socket(fileno=os.dup(line.fileno())) as same:
        same.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
