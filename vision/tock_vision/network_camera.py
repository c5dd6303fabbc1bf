"""Cameras on the network by their address: MJPEG and single JPEGs over HTTP, RTSP through OpenCV's FFmpeg."""

import os
import re
import threading
from collections.abc import Generator, Iterator
from contextlib import closing
from email.message import Message
from http.client import HTTPException, HTTPResponse
from time import monotonic
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import (
    BaseHandler,
    HTTPBasicAuthHandler,
    HTTPDigestAuthHandler,
    HTTPPasswordMgrWithDefaultRealm,
    OpenerDirector,
    ProxyHandler,
    Request,
    build_opener,
)

import cv2

from tock_companion.background import run_once
from tock_vision.camera_timeouts import NETWORK_ANSWER_S, NETWORK_GONE_S
from tock_vision.grabbers import GrabError
from tock_vision.mailbox import ArrivingGrabber, Mailbox, Picture

MAX_PICTURE_BYTES = 8_000_000
MAX_LINE_BYTES = 65_536
MAX_HEADER_LINES = 50
FETCHES = "fetches the pictures of a camera on the network"
PASSWORD_IN_PATH = re.compile(r"(?<=[?&_/;])((?:pass|passwd|password|pwd|token)=)[^&_/\s]+", re.IGNORECASE)
"""Many cameras want user and password as parts of the address."""
STREAM = "multipart/x-mixed-replace"


def without_password(url: str) -> str:
    """Show an address in messages and logs, without its password."""
    parts = urlsplit(url)
    netloc = parts.netloc if parts.username is None else f"{parts.username}:***@{_host_of(parts)}"
    return PASSWORD_IN_PATH.sub(r"\1***", parts._replace(netloc=netloc).geturl())


class NetworkGrabber(ArrivingGrabber):
    """A camera at an address; its pictures are fetched in a separate thread, so that nothing waits for it."""

    patience_s = NETWORK_GONE_S

    def __init__(self, url: str, fps: float) -> None:
        super().__init__(f"camera {without_password(url)}")
        self._url = url
        self._period_s = 1.0 / fps
        self._ended = threading.Event()

    def open(self) -> None:
        """Begin to fetch; `awaits` reports what goes wrong."""
        super().open()
        self.mailbox, self._ended = Mailbox(), threading.Event()
        # A thread that still waits for an old connection has another mailbox, which is no longer read.
        mailbox, ended = self.mailbox, self._ended
        run_once("tock-network", FETCHES, lambda: self._fetch(mailbox, ended))

    def silent(self) -> GrabError:
        """No picture came in time."""
        return GrabError(
            "camera/no_answer", f"{self.label} sends no pictures; check its power and the network"
        )

    def close(self) -> None:
        """Let the thread end at its next picture."""
        self._ended.set()

    def _fetch(self, mailbox: Mailbox, ended: threading.Event) -> None:
        try:
            with closing(self._pictures(ended)) as pictures:
                for picture in pictures:
                    if ended.is_set():
                        return
                    mailbox.put(picture)
            mailbox.fail(self.silent())
        except GrabError as error:
            mailbox.fail(error)
        except (OSError, HTTPException, ValueError) as error:
            reason = error.reason if isinstance(error, URLError) else error
            mailbox.fail(GrabError("camera/no_answer", f"{self.label} does not answer ({reason})"))

    def _pictures(self, ended: threading.Event) -> Generator[Picture, None, None]:
        if urlsplit(self._url).scheme.startswith("rtsp"):
            return self._rtsp()
        return self._http(ended)

    def _http(self, ended: threading.Event) -> Generator[Picture, None, None]:
        opener, url = _opener(self._url)
        while not ended.is_set():
            began_s = monotonic()
            with closing(self._answer(opener, url)) as answer:
                kind = answer.headers.get_content_type()
                if kind == STREAM:
                    yield from parts_of(answer, answer.headers)
                    return
                if kind != "image/jpeg":
                    raise GrabError(
                        "camera/no_pictures",
                        f"{self.label} sends {kind}; give the address of its MJPEG stream or of a JPEG picture",
                    )
                yield answer.read(MAX_PICTURE_BYTES)
            ended.wait(self._period_s - (monotonic() - began_s))

    def _answer(self, opener: OpenerDirector, url: str) -> HTTPResponse:
        try:
            answer: HTTPResponse = opener.open(url, timeout=NETWORK_ANSWER_S)
        except HTTPError as error:
            error.close()
            if error.code in (401, 403):
                raise GrabError(
                    "camera/no_password",
                    f"{self.label} refuses the user or the password; correct them in 'url'",
                ) from None
            raise GrabError(
                "camera/no_pictures", f"{self.label} answers {error.code}; check the path in 'url'"
            ) from None
        return answer

    def _rtsp(self) -> Generator[Picture, None, None]:
        # FFmpeg writes complaints with the address to standard error; over TCP no picture is torn.
        os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
        # OpenCV warns each time that a camera does not answer; our own sentence is enough.
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)
        os.environ.setdefault("OPENCV_FFMPEG_CAPTURE_OPTIONS", "rtsp_transport;tcp")
        patience_ms = int(1000 * NETWORK_ANSWER_S)
        limits = (cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, patience_ms, cv2.CAP_PROP_READ_TIMEOUT_MSEC, patience_ms)
        capture = cv2.VideoCapture(self._url, cv2.CAP_FFMPEG, limits)
        try:
            while capture.isOpened():
                came, frame = capture.read()
                if not came:
                    return
                yield frame
        finally:
            capture.release()


def parts_of(answer: HTTPResponse, headers: Message) -> Iterator[bytes]:
    """Yield the pictures of an MJPEG stream until it ends; raises GrabError for one that is too large."""
    boundary = b"--" + str(headers.get_param("boundary", "")).strip('"').removeprefix("--").encode("latin-1")
    _until(answer, boundary)
    while True:
        size = _size_of_part(answer)
        picture = answer.read(size) if size is not None else _until(answer, boundary)
        if not picture:
            return
        yield picture
        if size is not None:
            # Only after the picture is handed on: the next boundary comes with the next picture.
            _until(answer, boundary)


def _size_of_part(answer: HTTPResponse) -> int | None:
    """Read the headers of one part; its size where they have it."""
    size = None
    for _ in range(MAX_HEADER_LINES):
        name, _, value = answer.readline(MAX_LINE_BYTES).partition(b":")
        if not name.strip():
            break
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            size = min(int(value), MAX_PICTURE_BYTES)
    return size


def _until(answer: HTTPResponse, boundary: bytes) -> bytes:
    """Read up to the next boundary and over it."""
    found = bytearray()
    while (line := answer.readline(MAX_LINE_BYTES)) and not line.startswith(boundary):
        found += line
        if len(found) > MAX_PICTURE_BYTES:
            raise GrabError("camera/no_pictures", "a picture of the stream has no end; is the address right?")
    return bytes(found)


class _Closes(BaseHandler):
    """Closes the refused answer once the next one has come, which urllib leaves to the garbage collector."""

    def http_error_401(self, request: Request, refused: Any, code: int, message: str, headers: Any) -> Any:
        try:
            answer = super().http_error_401(request, refused, code, message, headers)  # type: ignore[misc]
        except Exception:
            refused.close()
            raise
        if answer is not None:
            refused.close()
        return answer


class _Basic(_Closes, HTTPBasicAuthHandler):
    pass


class _Digest(_Closes, HTTPDigestAuthHandler):
    pass


def _opener(url: str) -> tuple[OpenerDirector, str]:
    """An opener for the address, and the address without user and password."""
    parts = urlsplit(url)
    plain = parts._replace(netloc=_host_of(parts)).geturl()
    passwords = HTTPPasswordMgrWithDefaultRealm()
    if parts.username is not None:
        user, password = unquote(parts.username), unquote(parts.password or "")
        passwords.add_password(None, plain, user, password)
    # Cameras are on the home network, never behind a proxy.
    handlers = (ProxyHandler({}), _Basic(passwords), _Digest(passwords))
    return build_opener(*handlers), plain


def _host_of(parts: SplitResult) -> str:
    return parts.netloc.rpartition("@")[2]
