"""A meeting place of processes that are killed while tables play, and of which every byte may be recorded."""

import asyncio
import random
import ssl
from collections.abc import Callable
from pathlib import Path

import paho.mqtt.client as mqtt
from paho.mqtt.client import MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from tock_bench.far.recording import Recording
from tock_bench.far.relays import MortalPlace
from tock_bench.far.slow_line import Opened, SlowLine
from tock_bench.meeting_place import HERE, context_of
from tock_web.relay.keys import relay_key
from tock_web.relay.security_commands import BRIDGE_USER, FAR, NOTES


class Meeting:
    """Relay and broker; with a recording, whatever passes between them and those who come is kept, TLS opened."""

    def __init__(self, folder: Path, recording: Recording | None, rng: random.Random) -> None:
        """Start the broker and wait."""
        self.folder, self.recording, self._rng = folder, recording, rng
        self._place = MortalPlace(folder)
        self._lines: list[SlowLine] = []
        self._spy: mqtt.Client | None = None
        self._turn = asyncio.Lock()
        self.relay_kills = self.broker_kills = 0

    async def open(self) -> None:
        """Start the relay, and what listens in."""
        behind = broker_port = self._place.broker.port
        if self.recording is not None:
            line = await self._line(SlowLine(broker_port, self._rng, record=self.recording.of("broker")))
            behind = line.port
            self._spy = spy(self.folder, broker_port, self.recording.of("spy")())
        await asyncio.to_thread(self._place.open, behind)
        self.port, self.ca = self._place.relay.port, self._place.relay.ca
        if self.recording is not None:
            trust = Opened(_own(self.folder), context_of(self.ca))
            line = SlowLine(self.port, self._rng, record=self.recording.of("relay"), opened=trust)
            self.port = (await self._line(line)).port

    async def _line(self, line: SlowLine) -> SlowLine:
        await line.open()
        self._lines.append(line)
        return line

    async def kill_relay(self) -> None:
        """Kill the relay and start it again as its unit does."""
        async with self._turn:
            self.relay_kills += 1
            await asyncio.to_thread(self._place.kill_relay)

    async def kill_broker(self) -> None:
        """Kill Mosquitto; its own program starts it again."""
        async with self._turn:
            self.broker_kills += self._place.kill_broker()
            await asyncio.sleep(0.3)

    async def close(self) -> None:
        """End all."""
        for line in self._lines:
            await line.close()
        if self._spy is not None:
            self._spy.disconnect()
            self._spy.loop_stop()
        await asyncio.to_thread(self._place.stop)


def spy(folder: Path, port: int, take: Callable[[bytes], None]) -> mqtt.Client:
    """Somebody with all rights at the broker, who reads every topic of tables and relays."""
    client = mqtt.Client(CallbackAPIVersion.VERSION2)
    client.username_pw_set(BRIDGE_USER, relay_key(folder).broker_password(BRIDGE_USER))
    client.reconnect_delay_set(1, 2)

    def connected(client: mqtt.Client, *_: object) -> None:
        client.subscribe([(f"{FAR}/#", 1), (f"{NOTES}/#", 1)])

    def received(_client: mqtt.Client, _data: object, message: MQTTMessage) -> None:
        take(message.topic.encode() + b"\n" + bytes(message.payload) + b"\n")

    client.on_connect, client.on_message = connected, received
    client.connect_async(HERE, port)
    client.loop_start()
    return client


def _own(folder: Path) -> ssl.SSLContext:
    """The relay's own certificate, as whoever holds its machine has it."""
    found = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    found.load_cert_chain(folder / "tls-certificate.pem", folder / "tls-key.pem")
    return found
