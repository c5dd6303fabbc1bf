"""Cameras at an address: their pictures are read, their faults are reported, and they are found again."""

import base64
import logging
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import cv2
import pytest

from tests.support.drawn import START
from tests.support.waiting import until
from tock_companion.boardfile import BoardFile
from tock_companion.errors import BadInputError
from tock_companion.health import Level
from tock_companion.mqtt.joining import fingerprint
from tock_companion.observation import Observation, SourceCondition, SourceMessage, SourceReport
from tock_companion.schema import check
from tock_vision.camera import CameraSource, grabber_for
from tock_vision.camera_timeouts import STREAM_FROZEN_AFTER_MS
from tock_vision.checkup import check_camera
from tock_vision.grabbers import GrabError
from tock_vision.network_camera import NetworkGrabber, without_password
from tock_vision.settings import CameraSettings
from tock_web.https.certificate_files import Names
from tock_web.https.certificate_making import make_certificate

BOUNDARY = "picture"


class NetworkCamera(ThreadingHTTPServer):
    """Serves `/stream` (MJPEG), `/unsized` (the same without sizes), `/still.jpg`, `/page`, `/endless` and habits."""

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

    def _named(self) -> None:
        """A picture under another name, with its size and the line kept open."""
        self.send_response(200)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Length", str(len(self.server.picture)))
        self.end_headers()
        self.wfile.write(self.server.picture)

    def _mixed(self) -> None:
        """A stream that says to be a single picture, without delimiters and without ends of pictures."""
        self._head("image/jpg")
        while not self.server.stopped.wait(0.02):
            self.wfile.write(self.server.picture.removesuffix(b"\xff\xd9"))

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


Draw = Callable[..., Any]
SECRET = "s3cret"


@pytest.fixture(scope="module")
def picture(draw: Draw) -> bytes:
    return cv2.imencode(".jpg", draw(START), [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()


@pytest.fixture
def camera(picture: bytes) -> Iterator[NetworkCamera]:
    with network_camera(picture) as on:
        yield on


def frames_of(url: str, count: int = 3, certificate: str | None = None) -> list[Any]:
    grabber = NetworkGrabber(url, 30, certificate)
    grabber.open()
    found: list[Any] = []
    try:
        while len(found) < count:
            if not grabber.awaits():
                found.append(grabber.grab())
    finally:
        grabber.close()
    return found


@pytest.mark.parametrize("path", ["stream", "unsized", "still.jpg", "named", "mixed"])
def test_pictures_come_as_a_stream_or_one_by_one(camera: NetworkCamera, path: str) -> None:
    assert [frame.shape for frame in frames_of(camera.url(path))] == 3 * [(600, 800, 3)]


@pytest.mark.parametrize("path", ["page", "endless", "none"])
def test_an_address_without_pictures_says_so(camera: NetworkCamera, path: str) -> None:
    if path == "none":
        camera.password = "x"
    with pytest.raises(GrabError) as caught:
        frames_of(camera.url(path))
    assert caught.value.code == ("camera/no_password" if path == "none" else "camera/no_pictures")


def test_a_password_opens_the_camera_and_is_shown_to_nobody(
    picture: bytes, board: BoardFile, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with network_camera(picture, SECRET) as camera:
        assert frames_of(camera.url("stream", f"tock:{SECRET}"), 1)
        with pytest.raises(GrabError) as caught:
            frames_of(camera.url("stream", f"tock:{SECRET}x"), 1)
        settings = {"camera": {"url": camera.url("stream", f"tock:{SECRET}x")}}
        findings = list(check_camera(board, settings))
    assert caught.value.code == "camera/no_password"
    assert [(finding.code, finding.level) for finding in findings] == [("camera/unreachable", Level.FAULT)]
    assert SECRET not in f"{caught.value} {findings} {caplog.text}"
    assert without_password("rtsp://u:p@cam:554/live") == "rtsp://u:***@cam:554/live"
    assert without_password("http://cam/s?user=a&pwd=b&x=1") == "http://cam/s?user=a&pwd=***&x=1"
    assert (
        without_password("rtsp://cam/user=a_password=b_channel=1")
        == "rtsp://cam/user=a_password=***_channel=1"
    )


def test_the_doctor_looks_through_a_network_camera(camera: NetworkCamera, board: BoardFile) -> None:
    codes = {finding.code for finding in check_camera(board, {"camera": {"url": camera.url("stream")}})}
    assert {"camera/ok", "camera/board"} <= codes


def test_the_doctor_names_every_camera_by_its_section(camera: NetworkCamera, board: BoardFile) -> None:
    sections: dict[str, dict[str, object]] = {
        "shelf": {"url": camera.url("page")},
        "lamp": {"phone": True},
        "reed": {"port": "auto"},
    }
    found = [(finding.part, finding.code) for finding in check_camera(board, sections)]
    assert found == [("shelf", "camera/unreachable"), ("lamp", "camera/phone")]


@pytest.mark.parametrize("scheme", ["http", "rtsp"])
def test_a_camera_that_is_switched_off_is_reported(scheme: str) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with pytest.raises(GrabError) as caught:
        frames_of(f"{scheme}://127.0.0.1:{port}/live", 1)
    assert caught.value.code == "camera/no_answer"


@pytest.mark.parametrize("path", ["stream", "still.jpg"])
def test_a_camera_that_repeats_one_picture_is_noticed(
    camera: NetworkCamera, board: BoardFile, path: str
) -> None:
    received: list[SourceMessage] = []
    source = CameraSource(board, {"url": camera.url(path), "fps": 60})
    source.prepare(received.append)
    try:
        until(lambda: bool(source.step(0)) and bool(received))
        for times in range(1, 4):
            # A step without a picture asks for the next one at once.
            until(partial(source.step, times * STREAM_FROZEN_AFTER_MS))
    finally:
        source.stop()
    assert [report.code for report in received if isinstance(report, SourceReport)][-1] == "camera/frozen"


def test_a_certificate_of_the_cameras_own_making_is_accepted_by_its_fingerprint(
    picture: bytes, tmp_path: Path
) -> None:
    certificate, key = make_certificate(Names(frozenset({"ipcam"}), frozenset()), datetime.now(UTC))
    (tmp_path / "both.pem").write_text(certificate + key)
    trust = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trust.load_cert_chain(tmp_path / "both.pem")
    with network_camera(picture) as camera:
        camera.socket = trust.wrap_socket(camera.socket, server_side=True)
        url = camera.url("still.jpg").replace("http:", "https:")
        with pytest.raises(GrabError, match=f'certificate = "{fingerprint(certificate)}"') as caught:
            frames_of(url, 1)
        assert caught.value.code == "camera/certificate"
        assert frames_of(url, 2, fingerprint(certificate))
        with pytest.raises(GrabError, match="another certificate than before"):
            frames_of(url, 1, "0" * 32)


def test_a_camera_that_comes_back_is_found_again(picture: bytes, board: BoardFile) -> None:
    received: list[SourceMessage] = []
    with network_camera(picture) as camera:
        port = camera.server_port
        source = CameraSource(board, {"url": camera.url("stream")})
        source.start(received.append, lambda: int(1000 * time.monotonic()))
        try:
            until(lambda: any(isinstance(message, Observation) for message in received))
            camera.stopped.set()
            until(lambda: conditions(received)[-1] is SourceCondition.LOST)
        except BaseException:
            source.stop()
            raise
    try:
        with network_camera(picture, port=port):
            until(lambda: conditions(received)[-1] is SourceCondition.OK)
    finally:
        source.stop()
    assert conditions(received) == [SourceCondition.OK, SourceCondition.LOST, SourceCondition.OK]


@pytest.mark.parametrize(
    "url",
    [
        "ftp://camera/x", "http://", "camera.local", "http://u:hush@[::1/x", "rtsp://u:hush@cam:99999/",
        *(f"http://u:{text}@cam:8080/x" for text in ("hush#1", "12#hush", "7/hush", "hu?hush", "[hush", "a hush")),
    ],
)  # fmt: skip
def test_an_address_that_cannot_be_one_is_refused_without_being_repeated(url: str) -> None:
    with pytest.raises(BadInputError) as caught:
        check(CameraSettings, {"url": url}, "source camera")
    assert "hush" not in str(caught.value)
    assert "write # as %23, / as %2F" in str(caught.value)


@pytest.mark.parametrize("password", ["p@ss", "p:x", "a%23b", "caf\u00e9"])
def test_other_signs_may_stand_in_a_password(password: str) -> None:
    assert isinstance(grabber_for(CameraSettings(url=f"http://u:{password}@cam/x")), NetworkGrabber)


def test_one_origin_is_enough() -> None:
    with pytest.raises(BadInputError, match="names device and url; keep one"):
        check(CameraSettings, {"url": "http://cam/x", "device": 0}, "source camera")
    assert isinstance(grabber_for(CameraSettings(url="http://cam/x")), NetworkGrabber)


def conditions(received: list[SourceMessage]) -> list[SourceCondition]:
    return [message.condition for message in received if isinstance(message, SourceReport)]
