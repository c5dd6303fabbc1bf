"""Reads certificates, compares them with their keys, and makes them.

Imported only when one is read or made: the library takes 9 MB of memory.
"""

from datetime import datetime, timedelta

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from tock_companion.errors import BadInputError, printable
from tock_companion.files import MB, read_bounded
from tock_web.https.certificate_files import Address, Certified, Files, Names

VALID_DAYS = 397
"""Browsers refuse certificates that are valid for longer than 398 days."""
CLOCK_MAY_ERR = timedelta(days=2)
"""A machine without a hardware clock may have the wrong time for a while after its start."""


def read_certificate(files: Files) -> Certified:
    """Read the contents of a certificate; raises BadInputError naming the file that is wrong or does not match."""
    try:
        found = x509.load_pem_x509_certificate(read_bounded(files.certificate, MB, "certificate"))
    except (ValueError, UnsupportedAlgorithm) as error:
        raise BadInputError(
            f"certificate {printable(str(files.certificate))} cannot be used: {error}"
        ) from None
    try:
        key = serialization.load_pem_private_key(read_bounded(files.key, MB, "key"), None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise BadInputError(f"key {printable(str(files.key))} cannot be used: {error}") from None
    form = (serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    if key.public_key().public_bytes(*form) != found.public_key().public_bytes(*form):
        raise BadInputError(
            f"key {printable(str(files.key))} is not that of certificate {printable(str(files.certificate))}"
        )
    try:
        alternative = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (ValueError, x509.ExtensionNotFound):
        alternative = x509.SubjectAlternativeName([])
    addresses = (ip for ip in alternative.get_values_for_type(x509.IPAddress) if isinstance(ip, Address))
    names = Names(frozenset(alternative.get_values_for_type(x509.DNSName)), frozenset(addresses))
    return Certified(names, found.not_valid_before_utc, found.not_valid_after_utc)


def make_certificate(names: Names, now: datetime, days: int | None = None) -> tuple[str, str]:
    """A self-signed certificate and its key, as PEM; it lasts for `days`, else for as long as browsers allow."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Tock Companion")])
    alternatives = [
        *(x509.DNSName(host) for host in sorted(names.hosts)),
        *(x509.IPAddress(address) for address in sorted(names.addresses, key=str)),
    ]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - CLOCK_MAY_ERR)
        .not_valid_after(now - CLOCK_MAY_ERR + timedelta(days=days or VALID_DAYS))
        .add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    return certificate.public_bytes(serialization.Encoding.PEM).decode(), key.private_bytes(*form).decode()
