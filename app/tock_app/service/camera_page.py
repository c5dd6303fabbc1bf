"""HTTPS for phones that are cameras, beside the table's page; a table goes on without it."""

import logging
from typing import TYPE_CHECKING

from tock_app.config.load import Config
from tock_companion.errors import TockError, escaped

if TYPE_CHECKING:
    from flask import Flask

    from tock_web.https.camera_server import CameraServer

LOG = logging.getLogger(__name__)


class CameraPage:
    """The server of the camera's page, if configured and possible."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._server: CameraServer | None = None

    @property
    def port(self) -> int:
        """The port on which it is served; 0 while it is not."""
        return 0 if self._server is None else self._server.port

    def start(self, page: "Flask") -> None:
        """Serve beside a page; log one line where that fails."""
        tls = self._config.tls
        if not tls.port:
            return
        try:
            # Its libraries stay out of a companion without HTTPS, which goes on where they are missing.
            from tock_web.https.camera_server import serve_camera  # noqa: PLC0415

            self._server = serve_camera(
                page, self._config.host, tls.port, self._config.data, tls.certificate, tls.key
            )
        except (TockError, OSError, ImportError) as error:
            LOG.error("phones cannot be cameras here: %s", escaped(str(error)))

    def stop(self) -> None:
        """Stop the server."""
        if self._server is not None:
            self._server.stop()
