"""Serving the camera's page over HTTPS: the app, its server and its certificate put together."""

import logging
from collections.abc import Callable
from functools import cache
from pathlib import Path

from flask import Flask

from tock_web.assets import assets
from tock_web.context import context_of, install
from tock_web.https.certificate import family_certificate, machine_names, own_certificate
from tock_web.https.certificate_files import Files
from tock_web.https.live_certificate import LiveCertificate
from tock_web.limits.bodies import CAMERA_BYTES, JSON_BYTES
from tock_web.limits.quotas import Quotas, limit_requests
from tock_web.routes.camera_pictures import phone, secret
from tock_web.serving.answering import Answering
from tock_web.serving.faults import handle_faults
from tock_web.serving.guard import Guard, Limits
from tock_web.serving.security import HostRule, protect
from tock_web.serving.server import Server, bound
from tock_web.serving.tock_flask import TockFlask

LIMITS = Limits(connections=100, connections_per_address=16, first_s=10.0, body_bytes=CAMERA_BYTES)
log = logging.getLogger(__name__)


class CameraServer:
    """A running server of the camera's page; also looks after its certificate."""

    def __init__(
        self, make_app: Callable[[], Flask], host: str, port: int, certificate: Callable[[], Files]
    ) -> None:
        """Serve from now on; `make_app` is called with the first request, `certificate` now and then.

        Raises BadInputError when the port or the certificate cannot be used.
        """
        self._certificate = LiveCertificate(certificate)
        guard = Guard(LIMITS)
        self._server = Server(
            "camera-server",
            "serves the camera's page over HTTPS with asyncio",
            bound(host, port, "camera page", "TOCK_TLS_PORT"),
            Answering(cache(make_app), guard),
            guard,
            lambda: self._certificate.context,
        )
        self.port = self._server.port
        self._certificate.start()
        self._server.start()
        log.info("camera page: serving on %s port %d", host, self.port)

    def stop(self) -> None:
        """End all connections and free the port."""
        self._certificate.stop()
        self._server.stop()

    def __enter__(self) -> "CameraServer":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def serve_camera(
    page: Flask, host: str, port: int, folder: Path, certificate: Path | None = None, key: Path | None = None
) -> CameraServer:
    """Serve the camera's page beside that of a table over HTTPS, with a certificate of our own or of the family.

    Raises TockError when the port or the certificate cannot be used.
    """
    hosts = HostRule.of(context_of(page).services.host_names).names

    def files() -> Files:
        if certificate is not None:
            return family_certificate(certificate, key or certificate)
        return own_certificate(folder, machine_names(hosts))

    return CameraServer(lambda: create_camera_app(page), host, port, files)


def create_camera_app(page: Flask) -> Flask:
    """The app beside the page of a table: it shares the table and the admitted phones, and no cookie."""
    app = TockFlask("tock_web", static_folder=None)
    app.config.update(MAX_CONTENT_LENGTH=JSON_BYTES)
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    here = context_of(page)
    install(app, here)
    protect(app, HostRule.of(here.services.host_names))
    quotas = Quotas()

    def camera() -> str | None:
        own = secret()
        return own if own is not None and here.phones.feed(own) is not None else None

    limit_requests(app, lambda: quotas, camera)
    app.register_blueprint(assets)
    app.register_blueprint(phone)
    handle_faults(app)
    return app
