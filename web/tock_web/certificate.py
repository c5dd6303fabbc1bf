"""The certificate of the page for cameras: made by ourselves, for the names and addresses of this machine."""

import fcntl
import logging
import socket
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from tock_companion.errors import BadInputError, printable
from tock_companion.files import MB, read_bounded, replace_file
from tock_companion.health.system import home_ip

CERTIFICATE_NAME, KEY_NAME = "tls-certificate.pem", "tls-key.pem"
VALID_DAYS = 397
"""Browsers refuse certificates that are valid for longer than 398 days."""
RENEW_DAYS = 30
CLOCK_MAY_ERR = timedelta(days=2)
"""A machine without a clock of its own may be wrong for a while after its start."""
SIOCGIFADDR = 0x8915
"""Linux: the IPv4 address of a network interface."""
log = logging.getLogger(__name__)

Address = IPv4Address | IPv6Address


@dataclass(frozen=True, slots=True)
class Names:
    """What a certificate is for."""

    hosts: frozenset[str]
    addresses: frozenset[Address]


@dataclass(frozen=True, slots=True)
class Files:
    """Where certificate and private key lie; both may be in one file."""

    certificate: Path
    key: Path


def machine_names(hosts: Iterable[str]) -> Names:
    """The names by which this machine is called, and its addresses now."""
    found = {ip_address("127.0.0.1"), ip_address(home_ip()), *_interface_addresses()}
    names = set()
    for host in hosts:
        try:
            found.add(ip_address(host))
        except ValueError:
            names.add(host.encode("idna").decode("ascii") if not host.isascii() else host)
    return Names(frozenset(names), frozenset(found))


def _interface_addresses() -> Iterable[Address]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            try:
                told = fcntl.ioctl(probe.fileno(), SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
            except OSError:
                continue  # An interface without an address.
            yield IPv4Address(told[20:24])


def own_certificate(folder: Path, names: Names, now: datetime | None = None) -> Files:
    """The certificate that we make ourselves; made anew when it lacks a name, ends soon, or cannot be read.

    A name or an address that is gone stays in it: phones were told to trust just this certificate.
    """
    now = now or datetime.now(UTC)
    files = Files(folder / CERTIFICATE_NAME, folder / KEY_NAME)
    known = _usable(files, now)
    if known is not None and names.hosts <= known.hosts and names.addresses <= known.addresses:
        return files
    if known is not None:
        names = Names(names.hosts | known.hosts, names.addresses | known.addresses)
    certificate, key = _made(names, now)
    # The key first: a certificate without its key is made again with the next start.
    replace_file(files.key, key)
    replace_file(files.certificate, certificate)
    log.info("tls: made a certificate for %s", ", ".join(sorted(map(str, names.hosts | names.addresses))))
    return files


def family_certificate(certificate: Path, key: Path, now: datetime | None = None) -> Files:
    """A certificate that the family has brought; raises BadInputError when it cannot be used or has expired."""
    files = Files(certificate, key)
    found, _ = _read(files)
    if (now or datetime.now(UTC)) > found.not_valid_after_utc:
        raise BadInputError(
            f"certificate {printable(str(certificate))} expired on {found.not_valid_after_utc:%Y-%m-%d}; "
            "renew it, or take it out of tls.certificate"
        )
    return files


def _read(files: Files) -> tuple[x509.Certificate, object]:
    """Certificate and key, which fit each other; raises BadInputError naming the file that is wrong."""
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
    return found, key


def _usable(files: Files, now: datetime) -> Names | None:
    """What our certificate is for; None when there is none that will do for a while."""
    if not (files.certificate.exists() and files.key.exists()):
        return None
    try:
        found, _ = _read(files)
        told = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (BadInputError, OSError, ValueError, x509.ExtensionNotFound) as error:
        log.warning("tls: %s; it is made anew", error)
        return None
    if not found.not_valid_before_utc <= now <= found.not_valid_after_utc - timedelta(days=RENEW_DAYS):
        return None
    addresses = (ip for ip in told.get_values_for_type(x509.IPAddress) if isinstance(ip, Address))
    return Names(frozenset(told.get_values_for_type(x509.DNSName)), frozenset(addresses))


def _made(names: Names, now: datetime) -> tuple[str, str]:
    """A self-signed certificate and its key, as PEM."""
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
        .not_valid_after(now - CLOCK_MAY_ERR + timedelta(days=VALID_DAYS))
        .add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    return certificate.public_bytes(serialization.Encoding.PEM).decode(), key.private_bytes(*form).decode()
