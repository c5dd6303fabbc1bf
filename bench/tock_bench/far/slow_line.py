"""A line between a phone or a home and a relay: it takes its time, loses segments as TCP shows it, and can be cut."""

import asyncio
import random
import ssl
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

HERE = "127.0.0.1"
SEGMENT_BYTES = 1_400
READ_BYTES = 65_536
RETRANSMISSION_S = 0.2
"""The least time after which a system sends a lost segment again, beside the round trip."""


Take = Callable[[bytes], None]


@dataclass(frozen=True, slots=True)
class Opened:
    """The keys with which a line opens TLS, as whoever holds the relay's machine could."""

    near: ssl.SSLContext
    far: ssl.SSLContext


class SlowLine:
    """Carries connections to a port of this machine; all that it does may be changed while it runs."""

    def __init__(
        self,
        port_behind: int,
        rng: random.Random,
        local: str = "",
        record: Callable[[], Take] | None = None,
        opened: Opened | None = None,
    ) -> None:
        """Prepare; it comes to the port behind from `local`, or else from the address that came to it.

        `record` takes the bytes of each connection and way; with `opened` TLS is opened, and it takes what is inside.
        """
        self.round_trip_s = self.loss = 0.0
        self.port = 0
        self._local, self.record, self._opened = local, record, opened
        self._behind, self._rng = port_behind, rng
        self._writers: set[asyncio.StreamWriter] = set()
        self._carrying: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        """Listen on a free port."""
        trust = None if self._opened is None else self._opened.near
        self._server = await asyncio.start_server(self._carry, HERE, 0, ssl=trust)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """End it and all that it carries."""
        if self._server is not None:
            self._server.close()
        self.cut()
        await asyncio.gather(*self._carrying, return_exceptions=True)

    def cut(self) -> None:
        """Break off all connections, with everything that is under way in them."""
        for writer in list(self._writers):
            writer.transport.abort()

    async def _carry(self, near: asyncio.StreamReader, near_back: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._carrying.add(task)
        self._writers.add(near_back)
        with suppress(OSError):
            local = self._local or near_back.get_extra_info("peername")[0]
            trust = None if self._opened is None else self._opened.far
            far, far_back = await asyncio.open_connection(
                HERE, self._behind, ssl=trust, local_addr=(local, 0)
            )
            self._writers.add(far_back)
            ways = {
                asyncio.create_task(self._pass(near, far_back)),
                asyncio.create_task(self._pass(far, near_back)),
            }
            # One end that hangs up ends both ways, once what it had sent is there.
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
        due_s, take = 0.0, _ignore if self.record is None else self.record()
        try:
            while data := await reader.read(READ_BYTES):
                take(data)
                now_s = asyncio.get_running_loop().time()
                for start in range(0, len(data), SEGMENT_BYTES):
                    # What comes behind a lost segment waits for it.
                    due_s = max(due_s, now_s + self._delay_s())
                    waiting.put_nowait((due_s, data[start : start + SEGMENT_BYTES]))
            waiting.put_nowait((due_s, b""))
            await sender
        finally:
            sender.cancel()

    def _delay_s(self) -> float:
        """The time of one segment: half the round trip, and more for each time that it is lost."""
        delay_s, wait_s = self.round_trip_s / 2, RETRANSMISSION_S + self.round_trip_s
        while self._rng.random() < self.loss:
            delay_s += wait_s
            wait_s *= 2
        return delay_s


async def _deliver(waiting: "asyncio.Queue[tuple[float, bytes]]", writer: asyncio.StreamWriter) -> None:
    """Write each piece when it is due; an empty one is the end."""
    loop = asyncio.get_running_loop()
    while True:
        due_s, data = await waiting.get()
        await asyncio.sleep(max(0.0, due_s - loop.time()))
        if not data:
            return
        writer.write(data)


def _ignore(_data: bytes) -> None:
    """Record nothing."""
