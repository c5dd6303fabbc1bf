"""Serving the camera's page over HTTPS: the app, its server and its certificate put together."""

from pathlib import Path

from flask import Flask

from tock_web.camera_app import create_camera_app
from tock_web.certificate import family_certificate, machine_names, own_certificate
from tock_web.certificate_files import Files
from tock_web.context import context_of
from tock_web.security import HostRule
from tock_web.tls import TlsServer


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

    return TlsServer(create_camera_app(page), host, port, files)
