"""A piece of Wi-Fi that can be cut."""

import socket
import threading
from contextlib import suppress


class Wire:
    """A piece of Wi-Fi that can be cut: forwards bytes, and drops every connection on demand."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Drop all connections; new ones pass."""
        dropped, self._open = self._open, []
        for line in dropped:
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self._target))
            except OSError:
                return
            self._open += [near, far]
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=self._pass, args=(source, target), daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket) -> None:
        try:
            with suppress(OSError):
                while part := source.recv(65536):
                    target.sendall(part)
        finally:
            for line in (source, target):
                with suppress(OSError):
                    line.shutdown(socket.SHUT_RDWR)
            source.close()
