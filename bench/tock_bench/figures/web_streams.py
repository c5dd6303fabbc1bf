"""Many spectators in one process: opens streams, and prints the time of each view.

Usage: `python -m tock_bench.figures.web_streams PORT COUNT`; prints `open` once every stream has its first view, and
from then on for each view a line `STREAM WALL_CLOCK_S`. Views made while spectators still arrive may follow.
"""

import re
import selectors
import socket
import sys
import time

VIEW = re.compile(rb"id: [0-9a-f]+\.\d+\n.*?\n\n", re.DOTALL)


def main() -> None:
    """Read until the server ends the streams."""
    port, count = int(sys.argv[1]), int(sys.argv[2])
    poll = selectors.DefaultSelector()
    for number in range(count):
        line = socket.create_connection(("127.0.0.1", port))
        query = (
            f"GET /api/v1/events?role=watch&tab=spectator-{number:05d} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        )
        line.sendall(query.encode())
        poll.register(line, selectors.EVENT_READ, (number, bytearray()))
    greeted = set[int]()
    while poll.get_map():
        for key, _ in poll.select():
            stream, (number, buffer) = key.fileobj, key.data
            assert isinstance(stream, socket.socket)
            part = stream.recv(65536)
            now_s = time.time()
            if not part:
                poll.unregister(stream)
                stream.close()
                continue
            buffer += part
            while found := VIEW.search(buffer):
                del buffer[: found.end()]
                if len(greeted) == count:
                    sys.stdout.write(f"{number} {now_s:.6f}\n")
                elif number not in greeted:
                    greeted.add(number)
                    if len(greeted) == count:
                        sys.stdout.write("open\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
