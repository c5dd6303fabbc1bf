"""The certificate of the page for cameras: made by ourselves, for the names and addresses of this machine."""

import logging
import re
import socket
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from tock_companion.errors import BadInputError, printable
from tock_companion.files import replace_file
from tock_companion.health.system import own_addresses
from tock_web.https.certificate_files import Certified, Files, Names

CERTIFICATE_NAME, KEY_NAME = "tls-certificate.pem", "tls-key.pem"
RENEW_DAYS = 30
BROKER_DAYS = 3650
HOST_NAME = re.compile("[a-zA-Z0-9-]{1,63}")
SIOCGIFADDR = 0x8915
"""Linux: the IPv4 address of a network interface."""
log = logging.getLogger(__name__)


def machine_names(hosts: Iterable[str]) -> Names:
    """The names and present addresses of this machine."""
    found = {ip_address("127.0.0.1"), *map(ip_address, own_addresses())}
    names = set()
    for host in hosts:
        try:
            found.add(ip_address(host))
        except ValueError:
            names.add(host.encode("idna").decode("ascii") if not host.isascii() else host)
    return Names(frozenset(names), frozenset(found))


def broker_certificate(folder: Path, host: str = "") -> Files:
    """The certificate of a broker, for the names of this machine.

    Tables keep a copy of it. So it lasts ten years, and is not made again because the machine has another address.
    """
    name = socket.gethostname()
    hosts = [
        "localhost",
        *([host] if host else []),
        *([name, f"{name}.local"] if HOST_NAME.fullmatch(name) else []),
    ]
    has_one = (folder / CERTIFICATE_NAME).exists()
    names = Names(frozenset(hosts), frozenset()) if has_one else machine_names(hosts)
    return own_certificate(folder, names, days=BROKER_DAYS)


def own_certificate(
    folder: Path, names: Names, now: datetime | None = None, days: int | None = None
) -> Files:
    """Our own certificate; made again when it lacks a name, ends soon, or cannot be read.

    It lasts for `days`, else for as long as browsers allow. A name or an address that is gone stays in it, because
    phones have come to trust this very certificate.
    """
    now = now or datetime.now(UTC)
    files = Files(folder / CERTIFICATE_NAME, folder / KEY_NAME)
    known = _usable(files, now)
    if known is not None and names <= known:
        return files
    if known is not None:
        names |= known
    # Making certificates takes memory that most starts can do without.
    from tock_web.https.certificate_making import make_certificate, read_certificate  # noqa: PLC0415

    certificate, key = make_certificate(names, now, days)
    # The key first: the next start replaces a certificate without its key.
    replace_file(files.key, key)
    replace_file(files.certificate, certificate)
    files.note(read_certificate(files))
    log.info("tls: made a certificate for %s", ", ".join(sorted(map(str, names.hosts | names.addresses))))
    return files


def family_certificate(certificate: Path, key: Path, now: datetime | None = None) -> Files:
    """Load a certificate that the family supplied; raises BadInputError when it cannot be used or has expired."""
    from tock_web.https.certificate_making import read_certificate  # noqa: PLC0415

    files = Files(certificate, key)
    ends = read_certificate(files).ends
    if (now or datetime.now(UTC)) > ends:
        raise BadInputError(
            f"certificate {printable(str(certificate))} expired on {ends:%Y-%m-%d}; "
            "renew it, or take it out of tls.certificate"
        )
    return files


def _usable(files: Files, now: datetime) -> Names | None:
    """The subject of our certificate; None when there is none, or none that lasts long enough."""
    if not (files.certificate.exists() and files.key.exists()):
        return None
    try:
        certified = files.noted() or _read_and_noted(files)
    except (BadInputError, OSError) as error:
        log.warning("tls: %s; it will be replaced", error)
        return None
    if not certified.begins <= now <= certified.ends - timedelta(days=RENEW_DAYS):
        return None
    return certified.names


def _read_and_noted(files: Files) -> Certified:
    from tock_web.https.certificate_making import read_certificate  # noqa: PLC0415

    certified = read_certificate(files)
    files.note(certified)
    return certified
