"""Carries bytes between connections; as a program, from a port of an address to a socket in a folder."""

import asyncio
import sys
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

READ_BYTES = 65_536
Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def carried(
    near: asyncio.StreamReader,
    near_back: asyncio.StreamWriter,
    opening: Coroutine[Any, Any, Ends],
    writers: set[asyncio.StreamWriter],
) -> None:
    """Carry until either end hangs up; `writers` holds the ends meanwhile."""
    writers.add(near_back)
    with suppress(OSError):
        far, far_back = await opening
        writers.add(far_back)
        ways = {asyncio.create_task(_pass(near, far_back)), asyncio.create_task(_pass(far, near_back))}
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)
        writers.discard(far_back)
        far_back.close()
    writers.discard(near_back)
    near_back.close()


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(READ_BYTES):
        writer.write(data)


async def _serve(host: str, port: int, behind: str) -> None:
    async def carry(near: asyncio.StreamReader, near_back: asyncio.StreamWriter) -> None:
        await carried(near, near_back, asyncio.open_unix_connection(behind), set())

    server = await asyncio.start_server(carry, host, port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_serve(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
