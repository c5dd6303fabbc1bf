"""A TCP line with a delay, simulated packet loss and cuts."""

import asyncio
import random
from contextlib import suppress

HERE = "127.0.0.1"
SEGMENT_BYTES = 1_400
READ_BYTES = 65_536
RETRANSMISSION_S = 0.2
"""Minimum retransmission timeout, added to the round trip."""


class SlowLine:
    """A forwarder to a local port; delay and loss may change while it runs."""

    def __init__(self, port_behind: int, rng: random.Random) -> None:
        self.round_trip_s = self.loss = 0.0
        self.port = 0
        self._behind, self._rng = port_behind, rng
        self._writers: set[asyncio.StreamWriter] = set()
        self._carrying: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        """Listen on a free port."""
        self._server = await asyncio.start_server(self._carry, HERE, 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Stop listening and abort all connections."""
        if self._server is not None:
            self._server.close()
        self.cut()
        await asyncio.gather(*self._carrying, return_exceptions=True)

    def cut(self) -> None:
        """Abort all connections and drop the data in flight."""
        for writer in list(self._writers):
            writer.transport.abort()

    async def _carry(self, near: asyncio.StreamReader, near_back: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._carrying.add(task)
        self._writers.add(near_back)
        with suppress(OSError):
            far, far_back = await asyncio.open_connection(HERE, self._behind)
            self._writers.add(far_back)
            ways = {
                asyncio.create_task(self._pass(near, far_back)),
                asyncio.create_task(self._pass(far, near_back)),
            }
            # One end that hangs up ends both ways, once its data has arrived.
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            self._writers.discard(far_back)
            far_back.close()
        self._writers.discard(near_back)
        near_back.close()
        self._carrying.discard(task)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        waiting: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        sender = asyncio.create_task(_deliver(waiting, writer))
        due_s = 0.0
        try:
            while data := await reader.read(READ_BYTES):
                now_s = asyncio.get_running_loop().time()
                for start in range(0, len(data), SEGMENT_BYTES):
                    # Later segments wait for a lost one.
                    due_s = max(due_s, now_s + self._delay_s())
                    waiting.put_nowait((due_s, data[start : start + SEGMENT_BYTES]))
            waiting.put_nowait((due_s, b""))
            await sender
        finally:
            sender.cancel()

    def _delay_s(self) -> float:
        """Return half the round trip, plus a timeout for each loss."""
        delay_s, wait_s = self.round_trip_s / 2, RETRANSMISSION_S + self.round_trip_s
        while self._rng.random() < self.loss:
            delay_s += wait_s
            wait_s *= 2
        return delay_s


async def _deliver(waiting: "asyncio.Queue[tuple[float, bytes]]", writer: asyncio.StreamWriter) -> None:
    """Write each piece when it is due, until an empty one."""
    loop = asyncio.get_running_loop()
    while True:
        due_s, data = await waiting.get()
        await asyncio.sleep(max(0.0, due_s - loop.time()))
        if not data:
            return
        writer.write(data)
