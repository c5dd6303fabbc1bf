"""A certificate's files, and the note that says what it certifies without reading it."""

import hashlib
import json
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

from tock_companion.files import MB, read_bounded, replace_file
from tock_companion.strict_json import once_each

Address = IPv4Address | IPv6Address


@dataclass(frozen=True, slots=True)
class Names:
    """What a certificate is for."""

    hosts: frozenset[str]
    addresses: frozenset[Address]

    def __le__(self, other: "Names") -> bool:
        return self.hosts <= other.hosts and self.addresses <= other.addresses

    def __or__(self, other: "Names") -> "Names":
        return Names(self.hosts | other.hosts, self.addresses | other.addresses)


@dataclass(frozen=True, slots=True)
class Certified:
    """What a certificate says: for whom, and from when to when."""

    names: Names
    begins: datetime
    ends: datetime


@dataclass(frozen=True, slots=True)
class Files:
    """Where certificate and private key lie; both may be in one file."""

    certificate: Path
    key: Path

    def note(self, certified: Certified) -> None:
        """Keep what the certificate says beside it, so that the next start need not read it."""
        content = {
            "sha256": self._digest(),
            "hosts": sorted(certified.names.hosts),
            "addresses": sorted(map(str, certified.names.addresses)),
            "begins": certified.begins.isoformat(),
            "ends": certified.ends.isoformat(),
        }
        replace_file(self._note, json.dumps(content) + "\n")

    def noted(self) -> Certified | None:
        """What the note says; None where there is none of just these files."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            content = json.loads(
                read_bounded(self._note, MB, "note of the certificate"), object_pairs_hook=once_each
            )
            if content["sha256"] == self._digest():
                names = Names(frozenset(content["hosts"]), frozenset(map(ip_address, content["addresses"])))
                ends = datetime.fromisoformat(content["ends"])
                return Certified(names, datetime.fromisoformat(content["begins"]), ends)
        return None

    @property
    def _note(self) -> Path:
        return self.certificate.with_suffix(".json")

    def _digest(self) -> str:
        both = (read_bounded(path, MB, "certificate") for path in (self.certificate, self.key))
        return hashlib.sha256(b"".join(both)).hexdigest()
