"""Establishes trust in a club's broker: by the fingerprint of its certificate, which a person carries over."""

import hashlib
import hmac
import ssl

from tock_companion.errors import BadInputError, TockError

FINGERPRINT_DIGITS = 32
PATIENCE_S = 10.0


def fingerprint(certificate: str) -> str:
    """The fingerprint of a certificate (PEM): the first half of its SHA-256."""
    try:
        data = ssl.PEM_cert_to_DER_cert(certificate)
    except ValueError:
        raise BadInputError("that is no certificate") from None
    return hashlib.sha256(data).hexdigest()[:FINGERPRINT_DIGITS]


def certificate_at(host: str, port: int, expected: str) -> str:
    """The certificate of a broker; raises TockError where nothing answers, or another one than was expected."""
    try:
        found = ssl.get_server_certificate((host, port), timeout=PATIENCE_S)
    except (OSError, ValueError) as error:
        raise TockError(
            f"no club's broker answers at {host}:{port} ({error}); is the club's desk on, and on the same network?"
        ) from None
    if not hmac.compare_digest(fingerprint(found).encode(), expected.lower().encode()):
        raise TockError(
            f"another broker than the club's answers at {host}:{port}; have the line printed again"
        )
    return found
