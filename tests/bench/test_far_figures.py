"""The bench of two homes: requests counted as lost or doubled, and the line between the homes."""

import asyncio
import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from tock_bench.far.seat import compared
from tock_bench.far.slow_line import HERE, SlowLine


def test_a_request_missing_in_the_log_is_lost_and_one_that_was_not_granted_is_doubled() -> None:
    granted = ["AH", "withdrawn", "KH", "withdrawn"]
    assert compared(granted, granted) == (0, 0)
    assert compared(granted, ["AH", "withdrawn", "withdrawn"]) == (1, 0)
    assert compared(granted, ["AH", "withdrawn", "KH", "withdrawn", "KH"]) == (0, 1)


def test_the_line_takes_its_time_keeps_the_order_and_is_cut() -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(100_000):
                writer.write(data)
        writer.close()

    async def carried() -> None:
        behind = await asyncio.start_server(echo, HERE, 0)
        line = SlowLine(behind.sockets[0].getsockname()[1], random.Random(1))
        line.round_trip_s = 0.05
        await line.open()
        reader, writer = await asyncio.open_connection(HERE, line.port)
        sent = random.Random(2).randbytes(30_000)
        began_s = asyncio.get_running_loop().time()
        writer.write(sent)
        assert await reader.readexactly(len(sent)) == sent
        assert asyncio.get_running_loop().time() - began_s >= line.round_trip_s
        line.cut()
        with suppress(ConnectionResetError):
            assert await reader.read() == b""
        writer.close()
        await line.close()
        behind.close()

    # Browser tests of the same worker may have a loop running in this thread.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(carried())).result()
