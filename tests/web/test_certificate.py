"""The certificate of the camera's page: made once, renewed in time, and never half there."""

import ssl
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509

from tock_companion.errors import BadInputError
from tock_web.https.certificate import family_certificate, machine_names, own_certificate
from tock_web.https.certificate_files import Files, Names
from tock_web.https.certificate_making import VALID_DAYS

NOW = datetime(2026, 11, 22, tzinfo=UTC)
HOME = Names(frozenset({"tock.local"}), frozenset({ip_address("192.168.1.5")}))
MOVED = Names(frozenset({"tock.local"}), frozenset({ip_address("192.168.1.77")}))


def names_of(files: Files) -> set[str]:
    found = x509.load_pem_x509_certificate(files.certificate.read_bytes())
    names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {*names.get_values_for_type(x509.DNSName), *map(str, names.get_values_for_type(x509.IPAddress))}


def test_it_is_made_once_for_all_names_and_readable_by_its_owner_alone(tmp_path: Path) -> None:
    files = own_certificate(tmp_path, HOME, NOW)
    assert names_of(files) == {"tock.local", "192.168.1.5"}
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}
    before = files.certificate.read_bytes()
    assert own_certificate(tmp_path, HOME, NOW + timedelta(days=300)).certificate.read_bytes() == before
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(files.certificate, files.key)


def test_a_new_address_is_added_to_the_old_ones(tmp_path: Path) -> None:
    own_certificate(tmp_path, HOME, NOW)
    files = own_certificate(tmp_path, MOVED, NOW)
    assert names_of(files) == {"tock.local", "192.168.1.5", "192.168.1.77"}
    before = files.certificate.read_bytes()
    assert own_certificate(tmp_path, HOME, NOW).certificate.read_bytes() == before


@pytest.mark.parametrize("days", [-30, VALID_DAYS - 20, 2 * VALID_DAYS])
def test_it_is_made_again_before_it_ends_or_when_the_clock_was_wrong(tmp_path: Path, days: int) -> None:
    first = own_certificate(tmp_path, HOME, NOW).certificate.read_bytes()
    files = own_certificate(tmp_path, HOME, NOW + timedelta(days=days))
    assert files.certificate.read_bytes() != first


def test_a_later_start_does_without_what_makes_certificates(tmp_path: Path) -> None:
    own_certificate(tmp_path, machine_names(["tock.local"]))
    start = (
        "import sys; from pathlib import Path; from tock_web.https.certificate import machine_names, own_certificate;"
        f"own_certificate(Path({str(tmp_path)!r}), machine_names(['tock.local']));"
        "sys.exit('cryptography' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", start], check=True)


@pytest.mark.parametrize("damaged", ["tls-certificate.pem", "tls-key.pem", "tls-certificate.json"])
def test_a_damaged_one_is_made_again(tmp_path: Path, damaged: str) -> None:
    own_certificate(tmp_path, HOME, NOW)
    (tmp_path / damaged).write_bytes(b"-----BEGIN NONSENSE-----\n")
    files = own_certificate(tmp_path, HOME, NOW)
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(files.certificate, files.key)


def test_the_familys_own_is_used_until_it_ends(tmp_path: Path) -> None:
    made = own_certificate(tmp_path, HOME, NOW)
    assert family_certificate(made.certificate, made.key, NOW) == made
    with pytest.raises(BadInputError, match=r"expired on 2027-12-22; renew it"):
        family_certificate(made.certificate, made.key, NOW + timedelta(days=2 * VALID_DAYS))


def test_a_broken_one_of_the_family_is_named(tmp_path: Path) -> None:
    made = own_certificate(tmp_path, HOME, NOW)
    (tmp_path / "other").mkdir()
    other = own_certificate(tmp_path / "other", HOME, NOW)
    with pytest.raises(BadInputError, match="is not that of certificate"):
        family_certificate(made.certificate, other.key, NOW)
    with pytest.raises(BadInputError, match="cannot be read"):
        family_certificate(tmp_path / "none.pem", made.key, NOW)
    with pytest.raises(BadInputError, match="cannot be used"):
        family_certificate(made.key, made.key, NOW)


def test_a_machine_is_called_by_its_names_and_addresses() -> None:
    found = machine_names(["tock.local", "chez-léa.local", "10.0.0.9"])
    assert found.hosts == {"tock.local", "xn--chez-la-gya.local"}
    assert {ip_address("127.0.0.1"), ip_address("10.0.0.9")} <= found.addresses
