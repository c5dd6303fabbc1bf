"""A meeting place of processes that are killed while tables play, and of which every byte may be recorded."""

import asyncio
import os
import random
import signal
import ssl
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import paho.mqtt.client as mqtt
from paho.mqtt.client import MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from tock_bench.far.recording import Recording
from tock_bench.far.relays import BrokerProcess, RelayProcess
from tock_bench.far.slow_line import Opened, SlowLine
from tock_bench.meeting_place import context_of
from tock_web.relay.keys import relay_key
from tock_web.relay.security_commands import BRIDGE_USER, FAR, NOTES

HERE = "127.0.0.1"


class Meeting:
    """Relay and broker; with a recording, whatever passes between them and those who come is kept, TLS opened."""

    def __init__(self, folder: Path, recording: Recording | None, rng: random.Random) -> None:
        """Start both and wait."""
        self.folder, self.recording, self._rng = folder, recording, rng
        self.broker = BrokerProcess(folder)
        self._behind = self.broker.port
        self._lines: list[SlowLine] = []
        self._spy: mqtt.Client | None = None
        self._turn = asyncio.Lock()
        self._restarts = 0
        self.relay_kills = self.broker_kills = 0

    async def open(self) -> None:
        """Start the relay, and what listens in."""
        if self.recording is not None:
            line = await self._line(SlowLine(self.broker.port, self._rng, record=self.recording.of("broker")))
            self._behind = line.port
            self._spy = spy(self.folder, self.broker.port, self.recording.of("spy")())
        self.relay = RelayProcess(self.folder, self._behind)
        await asyncio.to_thread(self.relay.wait)
        self.port, self.ca = self.relay.port, self.relay.ca
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
            await asyncio.to_thread(self.relay.process.kill)
            self._restarts += 1
            log = self.folder / "relay.log"
            log.rename(self.folder / f"relay-{self._restarts}.log")
            self.relay = RelayProcess(self.folder, self._behind, self.relay.port)
            await asyncio.to_thread(self.relay.wait)

    async def kill_broker(self) -> None:
        """Kill Mosquitto; its own program starts it again."""
        async with self._turn:
            with suppress(OSError, ValueError):
                os.kill(self.broker.pid, signal.SIGKILL)
                self.broker_kills += 1
            await asyncio.sleep(0.3)

    async def close(self) -> None:
        """End all."""
        for line in self._lines:
            await line.close()
        if self._spy is not None:
            self._spy.disconnect()
            self._spy.loop_stop()
        await asyncio.to_thread(self.relay.stop)
        await asyncio.to_thread(self.broker.stop)


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
