"""A guest's connection to the broker behind a meeting place, over the relay's own port."""

import logging
import secrets
import ssl
from collections.abc import Callable
from urllib.parse import urlsplit

from paho.mqtt.client import MQTT_ERR_SUCCESS, Client, ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from tock_companion.far.line import (
    HERE,
    HTTP_PORT,
    HTTPS_PORT,
    KEEP_ALIVE_S,
    MAX_PACKET_BYTES,
    MAX_RETRY_S,
    PATH,
    QOS,
    send_at_once,
)
from tock_companion.far.link import FarLink, RoomKeys

LOG = logging.getLogger(__name__)


class BrokerLine:
    """Keeps the connection up; callbacks run on its own thread."""

    def __init__(
        self,
        link: FarLink,
        keys: RoomKeys,
        trust: ssl.SSLContext | None,
        received: Callable[[bytes], None],
        changed: Callable[[bool], None],
    ) -> None:
        """Prepare to connect; `changed` gets whether home can be reached now."""
        self._link, self._received, self._changed = link, received, changed
        self._topic = f"far/{link.table}/{keys.room}"
        self._client = Client(
            CallbackAPIVersion.VERSION2,
            client_id=f"board-{secrets.token_hex(8)}",
            protocol=MQTTProtocolVersion.MQTTv5,
            transport="websockets",
        )
        self._client.ws_set_options(path=PATH)
        self._client.username_pw_set(keys.room, keys.broker_password)
        if trust is not None:
            self._client.tls_set_context(trust)
        self._client.will_set(f"{self._topic}/gone", b"", qos=QOS)
        self._client.reconnect_delay_set(1, MAX_RETRY_S)
        self._client.on_connect, self._client.on_disconnect = self._connected, self._disconnected
        self._client.on_message, self._client.on_socket_open = self._message, send_at_once

    def start(self) -> None:
        """Begin to connect; returns at once."""
        address = urlsplit(self._link.relay)
        port = address.port or (HTTPS_PORT if address.scheme == "https" else HTTP_PORT)
        limits = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        limits.MaximumPacketSize = MAX_PACKET_BYTES
        self._client.connect_async(
            address.hostname or "", port, KEEP_ALIVE_S, clean_start=True, properties=limits
        )
        self._client.loop_start()

    def stop(self) -> None:
        """Say that this board is gone, and disconnect."""
        if self._client.is_connected():
            self._client.publish(f"{self._topic}/gone", b"", qos=QOS).wait_for_publish(timeout=0.5)
        self._client.disconnect()
        self._client.loop_stop()

    def send(self, frame: bytes) -> bool:
        """Send a frame up; False while the broker is away."""
        if not self._client.is_connected():
            return False
        return self._client.publish(f"{self._topic}/up", frame, qos=QOS).rc == MQTT_ERR_SUCCESS

    def _connected(
        self, client: Client, _data: object, _flags: ConnectFlags, code: ReasonCode, _more: Properties | None
    ) -> None:
        if code.is_failure:
            LOG.warning("the meeting place refuses this board: %s", code)
            return
        client.subscribe([(f"{self._topic}/down", QOS), (f"far/{self._link.table}/home", QOS)])
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
            LOG.warning("the meeting place is away (%s); the board shows what it knows", code)
        self._changed(False)

    def _message(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        if message.topic.endswith("/down"):
            self._received(bytes(message.payload))
        elif message.payload == HERE:
            # A home that comes back knows no session of before.
            self._changed(True)
