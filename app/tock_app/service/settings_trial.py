"""Tries settings before they are kept: sources, pins, addresses, certificates, folders."""

import os
import socket
import ssl
from pathlib import Path

from tock_app.config.load import Config
from tock_app.service.sources import make_sources
from tock_companion.errors import BadInputError
from tock_companion.operating_system import share_address
from tock_companion.panel.pins import require_pins
from tock_companion.panel.wiring import panel_wiring
from tock_web.https.certificate import family_certificate


def refuse_unusable(config: Config, now: Config) -> None:
    """Raise BadInputError where a start would fail; the settings `now` in use are not tried again."""
    make_sources(config)
    require_pins(panel_wiring(config.panel))
    if (config.host, config.port) != (now.host, now.port):
        # The port in use can only be tried on another address.
        _try_address(config, config.port if config.port != now.port else 0)
    if not _may_write(config.data):
        raise BadInputError(f"'data': no games can be kept in {config.data}; name a folder to write to")
    if config.backup is not None and not _may_write(config.backup.folder):
        raise BadInputError(
            f"'backup.folder': no copies can be kept in {config.backup.folder}; name a folder to write to"
        )
    if config.tls != now.tls:
        _try_certificate(config.tls.certificate, config.tls.key)
    broker, before = config.broker, now.broker
    if broker is not None and broker.ca and (before is None or broker.ca != before.ca):
        _try_authority("mqtt.ca", broker.ca)
    if config.far is not None and config.far.ca and config.far != now.far:
        _try_authority("far.ca", config.far.ca)


def _try_address(config: Config, port: int) -> None:
    try:
        family, _, _, _, address = socket.getaddrinfo(config.host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, socket.SOCK_STREAM) as trial:
            share_address(trial)
            trial.bind(address)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise BadInputError(
            f"'host' and 'port': nothing can listen on {config.host}:{config.port} here ({reason})"
        ) from None


def _try_certificate(certificate: Path | None, key: Path | None) -> None:
    if certificate is None or key is None:
        return
    try:
        family_certificate(certificate, key)
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, lambda: "")
    except (BadInputError, OSError, ValueError):
        # One sentence for all, which reveals no file.
        raise BadInputError(
            "'tls.certificate' and 'tls.key': there is no readable certificate in date, with a key that fits it "
            "and has no password; name PEM files that this companion may read"
        ) from None


def _try_authority(key: str, ca: str) -> None:
    try:
        ssl.create_default_context(cafile=ca)
    except (OSError, ValueError):
        raise BadInputError(
            f"'{key}': there is no readable certificate of an authority; name a PEM file that this companion may read"
        ) from None


def _may_write(folder: Path) -> bool:
    """Whether a folder, or its nearest existing parent, is writable."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)
