"""HTTPS for phones that are cameras, beside the table's page; a table goes on without it."""

import importlib
import logging
from typing import Any

from tock_companion.config.load import Config
from tock_companion.errors import TockError, escaped

LOG = logging.getLogger(__name__)


class CameraPage:
    """The server of the camera's page, where it is wanted and can be had."""

    def __init__(self, page: object, config: Config) -> None:
        """Serve beside a page, once started."""
        self._page, self._config = page, config
        self._server: Any = None

    @property
    def port(self) -> int:
        """Where it is served; 0 while it is not."""
        return 0 if self._server is None else int(self._server.port)

    def start(self) -> None:
        """Begin to serve; what stands in the way is one line of the log."""
        tls = self._config.tls
        if not tls.port:
            return
        try:
            self._server = importlib.import_module("tock_web.camera_server").serve_camera(
                self._page, self._config.host, tls.port, self._config.data, tls.certificate, tls.key
            )
        except (TockError, OSError, ImportError) as error:
            LOG.error("phones cannot be cameras here: %s", escaped(str(error)))

    def stop(self) -> None:
        """End it."""
        if self._server is not None:
            self._server.stop()
