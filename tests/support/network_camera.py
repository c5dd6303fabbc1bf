"""A camera on the network: a real HTTP server that sends pictures as cheap webcams do."""

import base64
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

BOUNDARY = "picture"


class NetworkCamera(ThreadingHTTPServer):
    """Serves `/stream` (MJPEG), `/unsized` (the same without sizes), `/still.jpg`, `/page` and `/endless`."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, picture: bytes, password: str = "", port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Answer)
        self.picture = picture
        self.password = password
        self.stopped = threading.Event()

    def url(self, path: str, user: str = "") -> str:
        return f"http://{user and user + '@'}127.0.0.1:{self.server_port}/{path}"


@contextmanager
def network_camera(picture: bytes, password: str = "", port: int = 0) -> Iterator[NetworkCamera]:
    """A camera that is switched on; at the end its power is cut."""
    camera = NetworkCamera(picture, password, port)
    thread = threading.Thread(target=camera.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield camera
    finally:
        camera.stopped.set()
        camera.shutdown()
        camera.server_close()
        thread.join()


class _Answer(BaseHTTPRequestHandler):
    server: Any

    def do_GET(self) -> None:
        expected = base64.b64encode(f"tock:{self.server.password}".encode()).decode()
        if self.server.password and self.headers.get("Authorization") != f"Basic {expected}":
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="camera"')
            self.end_headers()
            return
        # Whoever looked may have gone.
        with suppress(OSError):
            getattr(self, f"_{self.path.strip('/').partition('.')[0]}")()

    def _still(self) -> None:
        self._head("image/jpeg")
        self.wfile.write(self.server.picture)

    def _page(self) -> None:
        self._head("text/html")
        self.wfile.write(b"<h1>Camera</h1>")

    def _stream(self) -> None:
        self._parts(f"Content-Length: {len(self.server.picture)}\r\n".encode())

    def _unsized(self) -> None:
        self._parts(b"")

    def _endless(self) -> None:
        self._head(f"multipart/x-mixed-replace; boundary={BOUNDARY}")
        self.wfile.write(f"--{BOUNDARY}\r\n\r\n".encode())
        while not self.server.stopped.is_set():
            self.wfile.write(b"\xff\xd8" + 1000 * (b"x" * 999 + b"\n"))

    def _parts(self, size: bytes) -> None:
        self._head(f"multipart/x-mixed-replace; boundary={BOUNDARY}")
        while not self.server.stopped.wait(0.02):
            head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\n".encode() + size
            self.wfile.write(head + b"\r\n" + self.server.picture + b"\r\n")

    def _head(self, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""
