"""The files of a certificate, and a note of its contents that saves reading it."""

import hashlib
import json
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

from tock_companion.files import MB, read_bounded, replace_file
from tock_companion.strict_json import read_object

Address = IPv4Address | IPv6Address


@dataclass(frozen=True, slots=True)
class Names:
    """The names and addresses that a certificate covers."""

    hosts: frozenset[str]
    addresses: frozenset[Address]

    def __le__(self, other: "Names") -> bool:
        return self.hosts <= other.hosts and self.addresses <= other.addresses

    def __or__(self, other: "Names") -> "Names":
        return Names(self.hosts | other.hosts, self.addresses | other.addresses)


@dataclass(frozen=True, slots=True)
class Certified:
    """The contents of a certificate: its subject and its period."""

    names: Names
    begins: datetime
    ends: datetime


@dataclass(frozen=True, slots=True)
class Files:
    """The files of certificate and private key, perhaps one for both."""

    certificate: Path
    key: Path

    def note(self, certified: Certified) -> None:
        """Save a note of the certificate's contents beside it, so that the next start need not read it."""
        content = {
            "sha256": self._digest(),
            "hosts": sorted(certified.names.hosts),
            "addresses": sorted(map(str, certified.names.addresses)),
            "begins": certified.begins.isoformat(),
            "ends": certified.ends.isoformat(),
        }
        replace_file(self._note, json.dumps(content) + "\n")

    def noted(self) -> Certified | None:
        """Read the note; None where there is none for exactly these files."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            content = read_object(self._note, MB, "note of the certificate")
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
