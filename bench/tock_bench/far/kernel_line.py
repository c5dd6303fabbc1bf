"""A line whose losses and delays the kernel's own TCP meets: packets between two network namespaces pass through here.

It needs root and `/dev/net/tun`; elsewhere `SlowLine` shows losses as TCP would at its slowest.
"""

import asyncio
import fcntl
import os
import random
import struct
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from tests.support.mosquitto import free_port
from tock_bench.far.carrying import carried

HERE = "127.0.0.1"
NEAR, FAR = "10.213.77.1", "10.213.77.2"
TUN = Path("/dev/net/tun")
TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000
PACKET_BYTES = 4_096
READY_S = 30.0


def is_possible() -> bool:
    """Whether this machine lets us make such a line."""
    if os.geteuid() != 0 or not os.access(TUN, os.R_OK | os.W_OK):
        return False
    name = f"tock-try-{os.getpid()}"
    try:
        _ip("netns", "add", name)
        _ip("netns", "delete", name)
    except (OSError, subprocess.CalledProcessError):
        return False
    return True


class KernelLine:
    """Carries connections to a port of this machine over a network that is slow and loses packets."""

    def __init__(self, port_behind: int, rng: random.Random) -> None:
        self.round_trip_s = self.loss = 0.0
        self.port = 0
        self._behind, self._rng = port_behind, rng
        self._space = f"tock-{os.getpid()}"
        self._writers: set[asyncio.StreamWriter] = set()
        self._servers: list[asyncio.Server] = []
        self._files: list[int] = []
        self._folder = tempfile.TemporaryDirectory(prefix="tock-line-")
        self._forwarder: subprocess.Popen[bytes] | None = None

    async def open(self) -> None:
        """Make the two networks, and listen on a free port."""
        _ip("netns", "add", self._space)
        names = [f"tk{side}{os.getpid()}" for side in "ab"]
        self._files = [_tun(name) for name in names]
        _ip("link", "set", names[1], "netns", self._space)
        within = ("netns", "exec", self._space, "ip")
        for where, name, own, other in (((), names[0], NEAR, FAR), (within, names[1], FAR, NEAR)):
            _ip(*where, "addr", "add", own, "peer", other, "dev", name)
            _ip(*where, "link", "set", name, "up")
        near, far = self._files
        loop = asyncio.get_running_loop()
        loop.add_reader(near, self._pass, near, far)
        loop.add_reader(far, self._pass, far, near)
        behind, port = f"{self._folder.name}/behind", free_port()
        self._servers.append(await asyncio.start_unix_server(self._carry_behind, behind))
        arguments = [sys.executable, "-m", "tock_bench.far.carrying", FAR, str(port), behind]
        self._forwarder = subprocess.Popen(["ip", "netns", "exec", self._space, *arguments])
        self._over = port
        server = await asyncio.start_server(self._carry, HERE, 0)
        self._servers.append(server)
        self.port = server.sockets[0].getsockname()[1]
        await self._ready()

    async def _ready(self) -> None:
        end_s = asyncio.get_running_loop().time() + READY_S
        while True:
            try:
                _, writer = await asyncio.open_connection(FAR, self._over)
            except OSError:
                if asyncio.get_running_loop().time() > end_s:
                    raise
                await asyncio.sleep(0.1)
                continue
            writer.close()
            return

    async def close(self) -> None:
        """End it, and take the networks away."""
        for server in self._servers:
            server.close()
        self.cut()
        for file in self._files:
            asyncio.get_running_loop().remove_reader(file)
            os.close(file)
        if self._forwarder is not None:
            self._forwarder.kill()
            self._forwarder.wait()
        _ip("netns", "delete", self._space)
        self._folder.cleanup()

    def cut(self) -> None:
        """Break off all connections, with everything that is under way in them."""
        for writer in list(self._writers):
            writer.transport.abort()

    async def _carry(self, near: asyncio.StreamReader, near_back: asyncio.StreamWriter) -> None:
        await carried(near, near_back, asyncio.open_connection(FAR, self._over), self._writers)

    async def _carry_behind(self, near: asyncio.StreamReader, near_back: asyncio.StreamWriter) -> None:
        await carried(near, near_back, asyncio.open_connection(HERE, self._behind), self._writers)

    def _pass(self, source: int, target: int) -> None:
        """Pass packets on after half the round trip, but those that are lost."""
        loop = asyncio.get_running_loop()
        with suppress(BlockingIOError):
            while True:
                packet = os.read(source, PACKET_BYTES)
                if self._rng.random() >= self.loss:
                    loop.call_later(self.round_trip_s / 2, _write, target, packet)


def _write(target: int, packet: bytes) -> None:
    with suppress(OSError):
        os.write(target, packet)


def _tun(name: str) -> int:
    file = os.open(TUN, os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(file, TUNSETIFF, struct.pack("16sH", name.encode(), IFF_TUN | IFF_NO_PI))
    return file


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)
