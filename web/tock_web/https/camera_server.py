"""Serving the camera's page over HTTPS: the app, its server and its certificate put together."""

from importlib.util import find_spec
from pathlib import Path

from flask import Flask

from tock_web.assets import assets
from tock_web.context import context_of, install
from tock_web.https.certificate import family_certificate, machine_names, own_certificate
from tock_web.https.certificate_files import Files
from tock_web.https.tls import TlsServer
from tock_web.limits.bodies import JSON_BYTES
from tock_web.limits.quotas import Quotas, limit_requests
from tock_web.routes.phone import phone, secret
from tock_web.serving.faults import handle_faults
from tock_web.serving.security import HostRule, protect
from tock_web.serving.tock_flask import TockFlask


def serve_camera(
    page: Flask, host: str, port: int, folder: Path, certificate: Path | None = None, key: Path | None = None
) -> TlsServer:
    """Serve the camera's page beside that of a table over HTTPS, with a certificate of our own or of the family.

    Raises TockError when the port or the certificate cannot be used.
    """
    hosts = HostRule.of(context_of(page).services.host_names).names

    def files() -> Files:
        if certificate is not None:
            return family_certificate(certificate, key or certificate)
        return own_certificate(folder, machine_names(hosts))

    if find_spec("cheroot") is None:
        raise ImportError("cheroot is missing; install the companion again")
    return TlsServer(lambda: create_camera_app(page), host, port, files)


def create_camera_app(page: Flask) -> Flask:
    """The app beside the page of a table: it shares the table and the admitted phones, and no cookie."""
    app = TockFlask("tock_web", static_folder=None)
    app.config.update(MAX_CONTENT_LENGTH=JSON_BYTES)
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    here = context_of(page)
    install(app, here)
    protect(app, HostRule.of(context_of(page).services.host_names))
    quotas = Quotas()

    def camera() -> str | None:
        own = secret()
        return own if own is not None and here.phones.feed(own) is not None else None

    limit_requests(app, lambda: quotas, camera)
    app.register_blueprint(assets)
    app.register_blueprint(phone)
    handle_faults(app)
    return app
