"""Cameras on the network by their address: MJPEG and single JPEGs over HTTP, RTSP through OpenCV's FFmpeg."""

import os
import re
import ssl
import threading
from collections.abc import Generator
from contextlib import closing
from functools import partial
from http.client import HTTPS_PORT, HTTPException, HTTPResponse, HTTPSConnection
from time import monotonic
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import (
    BaseHandler,
    HTTPBasicAuthHandler,
    HTTPDigestAuthHandler,
    HTTPPasswordMgrWithDefaultRealm,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    build_opener,
)

import cv2

from tock_companion.background import run_once
from tock_companion.mqtt.joining import fingerprint
from tock_vision.camera_timeouts import (
    FILM_FROZEN_AFTER_MS,
    NETWORK_ANSWER_S,
    NETWORK_GONE_S,
    STREAM_FROZEN_AFTER_MS,
)
from tock_vision.grabbers import GrabError
from tock_vision.mailbox import ArrivingGrabber, Mailbox, Picture
from tock_vision.picture_headers import header_of, other_form
from tock_vision.picture_stream import MAX_PICTURE_BYTES, PictureCutter

CHUNK_BYTES = 65_536
FETCHES = "fetches the pictures of a camera on the network"
PASSWORD_IN_PATH = re.compile(r"(?<=[?&_/;])((?:pass|passwd|password|pwd|token)=)[^&_/\s]+", re.IGNORECASE)
"""Many cameras want user and password as parts of the address."""


def without_password(url: str) -> str:
    """Show an address in messages and logs, without its password."""
    parts = urlsplit(url)
    netloc = parts.netloc if parts.username is None else f"{parts.username}:***@{_host_of(parts)}"
    return PASSWORD_IN_PATH.sub(r"\1***", parts._replace(netloc=netloc).geturl())


class NetworkGrabber(ArrivingGrabber):
    """A camera at an address; its pictures are fetched in a separate thread, so that nothing waits for it."""

    patience_s = NETWORK_GONE_S

    def __init__(self, url: str, fps: float, certificate: str | None = None) -> None:
        """`certificate` is the fingerprint of one that the camera made itself."""
        super().__init__(f"camera {without_password(url)}")
        self._url, self._certificate = url, certificate
        is_film = urlsplit(url).scheme.startswith("rtsp")
        self.frozen_after_ms = FILM_FROZEN_AFTER_MS if is_film else STREAM_FROZEN_AFTER_MS
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
            if isinstance(reason, ssl.SSLCertVerificationError):
                mailbox.fail(self._unknown_certificate())
                return
            mailbox.fail(GrabError("camera/no_answer", f"{self.label} does not answer ({reason})"))

    def _unknown_certificate(self) -> GrabError:
        """Say how to accept the certificate that the camera shows."""
        parts = urlsplit(self._url)
        try:
            address = (parts.hostname or "", parts.port or HTTPS_PORT)
            mark = fingerprint(ssl.get_server_certificate(address, timeout=NETWORK_ANSWER_S))
        except (OSError, ValueError) as error:
            return GrabError("camera/no_answer", f"{self.label} does not answer ({error})")
        found = "another certificate than before" if self._certificate else "a certificate of its own making"
        return GrabError(
            "camera/certificate",
            f'{self.label} shows {found}; to accept it, write certificate = "{mark}" beside its url',
        )

    def _pictures(self, ended: threading.Event) -> Generator[Picture, None, None]:
        if urlsplit(self._url).scheme.startswith("rtsp"):
            return self._rtsp()
        return self._http(ended)

    def _http(self, ended: threading.Event) -> Generator[Picture, None, None]:
        opener, url = _opener(self._url, self._certificate)
        while not ended.is_set():
            began_s = monotonic()
            with closing(self._answer(opener, url)) as answer:
                is_stream = answer.headers.get_content_maintype() == "multipart"
                if answer.length is not None and not is_stream:
                    # A file: phones and cameras put further pictures behind the first one.
                    yield self._file(answer, answer.read(MAX_PICTURE_BYTES))
                else:
                    count = yield from self._stream(answer)
                    if is_stream or count > 1:
                        return
            ended.wait(self._period_s - (monotonic() - began_s))

    def _stream(self, answer: HTTPResponse) -> Generator[Picture, None, int]:
        """Yield the pictures of an answer until it ends, and return their number; raises GrabError without any."""
        cutter, count = PictureCutter(), 0
        while data := answer.read1(CHUNK_BYTES):
            for picture in cutter.feed(data):
                count += 1
                yield picture
        if not count:
            yield self._file(answer, cutter.rest())
            count = 1
        return count

    def _file(self, answer: HTTPResponse, data: bytes) -> bytes:
        if header_of(data) is None:
            found = other_form(data) or answer.headers.get_content_type()
            raise GrabError(
                "camera/no_pictures",
                f"{self.label} sends {found}; give the address of its MJPEG stream or of a JPEG picture",
            )
        return data

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


class _PinnedConnection(HTTPSConnection):
    """Trusts one certificate, whoever signed it and whatever name is in it."""

    def __init__(self, *arguments: Any, fingerprint: str, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._fingerprint = fingerprint

    def connect(self) -> None:
        super().connect()
        shown = ssl.DER_cert_to_PEM_cert(self.sock.getpeercert(binary_form=True) or b"")
        if fingerprint(shown) != self._fingerprint:
            self.close()
            raise ssl.SSLCertVerificationError("another certificate")


class _Pinned(HTTPSHandler):
    def __init__(self, fingerprint: str) -> None:
        self._trust = ssl.create_default_context()
        self._trust.check_hostname, self._trust.verify_mode = False, ssl.CERT_NONE
        super().__init__(context=self._trust)
        self._fingerprint = fingerprint

    def https_open(self, request: Request) -> HTTPResponse:
        connection: Any = partial(_PinnedConnection, fingerprint=self._fingerprint)
        return self.do_open(connection, request, context=self._trust)


def _opener(url: str, certificate: str | None) -> tuple[OpenerDirector, str]:
    """An opener for the address, and the address without user and password."""
    parts = urlsplit(url)
    plain = parts._replace(netloc=_host_of(parts)).geturl()
    passwords = HTTPPasswordMgrWithDefaultRealm()
    if parts.username is not None:
        user, password = unquote(parts.username), unquote(parts.password or "")
        passwords.add_password(None, plain, user, password)
    # Cameras are on the home network, never behind a proxy.
    handlers: list[BaseHandler] = [ProxyHandler({}), _Basic(passwords), _Digest(passwords)]
    if certificate is not None:
        handlers.append(_Pinned(certificate))
    return build_opener(*handlers), plain


def _host_of(parts: SplitResult) -> str:
    return parts.netloc.rpartition("@")[2]
