"""The certificate in use, and a thread that replaces it when there is a better one."""

import ssl
from collections.abc import Callable

from tock_companion.background import Background
from tock_companion.errors import BadInputError
from tock_web.https.certificate_files import Files

RENEW_S = 20.0
"""Interval at which the certificate is compared with its files and with the names of the machine."""


class LiveCertificate:
    """The context for new connections.

    A new pair is opened in a fresh context before it is used, so that a key that does not fit spoils nothing.
    """

    def __init__(self, files: Callable[[], Files]) -> None:
        """Open the certificate; raises BadInputError. `files` is asked now and then whether there is another."""
        self._files = files
        found = files()
        self._stamp, self.context = _stamp(found), _opened(found)
        self._loop = Background("certificate", "keeps the certificate of a port right", self._renew)

    def start(self) -> None:
        """Begin to look for another one."""
        self._loop.start()

    def stop(self) -> None:
        """Look no more."""
        self._loop.stop()

    def _renew(self) -> float:
        found = self._files()
        stamp = _stamp(found)
        if stamp != self._stamp:
            self.context = _opened(found)
            self._stamp = stamp
        return RENEW_S


def _opened(files: Files) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    try:
        context.load_cert_chain(files.certificate, files.key)
    except (OSError, ssl.SSLError) as error:
        raise BadInputError(f"certificate {files.certificate} cannot be used: {error}") from None
    return context


def _stamp(files: Files) -> tuple[int, ...]:
    return tuple(path.stat().st_mtime_ns for path in (files.certificate, files.key))
