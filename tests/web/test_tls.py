"""The camera's page over TLS, with a certificate that is made once and renewed in time."""

import http.client
import json
import logging
import socket
import ssl
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from flask import Flask

from tests.support.page import OWN
from tests.support.waiting import until
from tock_app.config.load import Tls, load_config
from tock_app.service.camera_page import CameraPage
from tock_companion.errors import BadInputError
from tock_companion.table.runtime.live import Table
from tock_web import create_app
from tock_web.https import live_certificate
from tock_web.https.camera_server import LIMITS, CameraServer, create_camera_app, serve_camera
from tock_web.https.certificate import (
    CERTIFICATE_NAME,
    KEY_NAME,
    family_certificate,
    machine_names,
    own_certificate,
)
from tock_web.https.certificate_files import Files, Names
from tock_web.https.certificate_making import VALID_DAYS

STRANGER = "127.0.0.2"
ANSWER_S = 3.0


@pytest.fixture
def camera(app: Flask, tmp_path: Path) -> Iterator[CameraServer]:
    running = serve_camera(app, "127.0.0.1", 0, tmp_path)
    yield running
    running.stop()


@pytest.fixture
def trust(camera: CameraServer, tmp_path: Path) -> ssl.SSLContext:
    """Trusts the certificate, as a phone does once somebody has told it to."""
    return ssl.create_default_context(cafile=str(tmp_path / CERTIFICATE_NAME))


def ask(camera: CameraServer, trust: ssl.SSLContext) -> tuple[int, object]:
    line = http.client.HTTPSConnection("127.0.0.1", camera.port, timeout=ANSWER_S, context=trust)
    line.request("POST", "/api/v1/phone/ask", b"{}", {"Content-Type": "application/json", **OWN})
    answer = line.getresponse()
    view = json.loads(answer.read())
    line.close()
    return answer.status, view["state"]


def test_the_camera_asks_over_tls_with_a_certificate_for_this_address(
    camera: CameraServer, trust: ssl.SSLContext
) -> None:
    assert ask(camera, trust) == (200, "asking")


def test_without_tls_there_is_nothing(camera: CameraServer) -> None:
    with socket.create_connection(("127.0.0.1", camera.port), ANSWER_S) as line:
        line.sendall(b"GET /camera HTTP/1.1\r\nHost: localhost\r\n\r\n")
        answer = b"".join(iter(lambda: line.recv(1000), b""))
    assert b"<html" not in answer
    assert b"200" not in answer


def test_strangers_who_say_nothing_hold_up_nobody(camera: CameraServer, trust: ssl.SSLContext) -> None:
    with ExitStack() as lines:
        for _ in range(3 * LIMITS.connections_per_address):
            lines.enter_context(
                socket.create_connection(("127.0.0.1", camera.port), ANSWER_S, source_address=(STRANGER, 0))
            )
        assert ask(camera, trust) == (200, "asking")


def test_a_hundred_megabytes_are_refused_unread(camera: CameraServer, trust: ssl.SSLContext) -> None:
    line = http.client.HTTPSConnection("127.0.0.1", camera.port, timeout=ANSWER_S, context=trust)
    line.putrequest("POST", "/api/v1/phone/picture?taken_ms=0")
    for name, value in {"Content-Type": "image/jpeg", "Content-Length": "100000000", **OWN}.items():
        line.putheader(name, value)
    line.endheaders(b"\xff\xd8")
    answer = line.getresponse()
    assert answer.status == 413
    assert len(answer.read().splitlines()) == 1
    line.close()


def raw(camera: CameraServer, trust: ssl.SSLContext, sent: bytes) -> bytes:
    """All that comes back for some bytes."""
    with (
        socket.create_connection(("127.0.0.1", camera.port), ANSWER_S) as plain,
        trust.wrap_socket(plain, server_hostname="127.0.0.1") as line,
    ):
        line.sendall(sent)
        got = b""
        with suppress(OSError):
            while piece := line.recv(4096):
                got += piece
        return got


@pytest.mark.parametrize(
    "odd",
    [
        b"Content-Length: +2",
        b"Content-Length: 1_0",
        b"Content-Length: -5",
        b"Content-Length : 2",
        b"Content-Length: 2\r\nContent-Length: 2",
        b"Content-Length: 2\r\nTransfer-Encoding: chunked",
        b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        b"X-Tock: 1\r\n goes: on",
        b"X_Tock: 1",
        b"no colon",
    ],
)
def test_a_head_that_could_be_read_in_two_ways_is_refused(
    camera: CameraServer, trust: ssl.SSLContext, odd: bytes
) -> None:
    head = b"POST /api/v1/phone/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    answer = raw(camera, trust, head + odd + b"\r\n\r\n{}")
    assert answer.startswith(b"HTTP/1.1 400")
    assert answer.count(b"HTTP/1.1") == 1
    for sealed in (b"Content-Security-Policy", b"nosniff", b"Connection: close"):
        assert sealed in answer


def test_the_rest_of_a_chunked_body_is_not_a_request(camera: CameraServer, trust: ssl.SSLContext) -> None:
    hidden = b"GET /camera HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    head = b"POST /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    answer = raw(camera, trust, head + b"%x\r\n%s\r\n0\r\n\r\n" % (len(hidden), hidden))
    assert answer.count(b"HTTP/1.1") == 1


def test_the_sender_of_too_large_a_frame_reads_why(camera: CameraServer, trust: ssl.SSLContext) -> None:
    head = b"POST /api/v1/phone/picture HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5000000\r\n\r\n"
    answer = raw(camera, trust, head + bytes(5_000_000))
    assert answer.startswith(b"HTTP/1.1 413")
    assert b"nosniff" in answer


@pytest.mark.parametrize(
    "sent",
    [b"", b"POST /api/v1/phone/ask HTTP/1.1\r\nHost", b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n{"],
)
def test_breaking_off_leaves_no_traceback(
    camera: CameraServer, trust: ssl.SSLContext, caplog: pytest.LogCaptureFixture, sent: bytes
) -> None:
    for _ in range(5):
        plain = socket.create_connection(("127.0.0.1", camera.port), ANSWER_S)
        line = trust.wrap_socket(plain, server_hostname="127.0.0.1")
        line.sendall(sent)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        line.close()
    assert ask(camera, trust) == (200, "asking")
    assert not [record for record in caplog.records if record.exc_info or record.levelno >= logging.ERROR]


def test_a_taken_port_is_reported_in_one_line_and_the_table_goes_on(
    table: Table, camera: CameraServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    app = create_app(table)
    with pytest.raises(BadInputError, match=f"port {camera.port} on 127.0.0.1 cannot be used.*TOCK_TLS_PORT"):
        serve_camera(app, "127.0.0.1", camera.port, tmp_path)
    caplog.set_level(logging.ERROR)
    environment = {"TOCK_DATA": str(tmp_path), "TOCK_TLS_PORT": str(camera.port)}
    page = CameraPage(load_config(None, environment))
    page.start(app)
    assert page.port == 0
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert "\n" not in caplog.text.strip()
    page.stop()


def test_a_broken_certificate_of_the_family_is_reported_in_one_line(app: Flask, tmp_path: Path) -> None:
    (tmp_path / "ours.pem").write_text("nothing")
    with pytest.raises(BadInputError, match=r"certificate .*ours.pem cannot be used"):
        serve_camera(app, "127.0.0.1", 0, tmp_path, tmp_path / "ours.pem")


def test_the_port_is_chosen_or_switched_off(tmp_path: Path) -> None:
    path = tmp_path / "tock.toml"
    path.write_text("[tls]\nport = 9443\ncertificate = 'ours.pem'\n")
    assert load_config(path, {}).tls == Tls(9443, tmp_path / "ours.pem", tmp_path / "ours.pem")
    assert load_config(path, {"TOCK_TLS_PORT": "0"}).tls.port == 0
    with pytest.raises(BadInputError, match="'TOCK_TLS_PORT' must be a number from 0 to 65535, not 'x'"):
        load_config(path, {"TOCK_TLS_PORT": "x"})


UNCALLED = """
import sys
from pathlib import Path
from tock_web.https.camera_server import CameraServer
from tock_web.https.certificate import machine_names, own_certificate
def never() -> None:
    raise AssertionError("nobody called")
server = CameraServer(never, "127.0.0.1", 0, lambda: own_certificate(Path(sys.argv[1]), machine_names(frozenset())))
server.stop()
assert "cryptography" not in sys.modules
"""


def test_https_libraries_load_with_the_first_call(tmp_path: Path) -> None:
    own_certificate(tmp_path, machine_names(frozenset()))
    subprocess.run([sys.executable, "-c", UNCALLED, str(tmp_path)], check=True)


def test_the_port_is_free_again_after_a_stop_without_a_call(app: Flask, tmp_path: Path) -> None:
    first = serve_camera(app, "127.0.0.1", 0, tmp_path)
    first.stop()
    first.stop()
    with serve_camera(app, "127.0.0.1", first.port, tmp_path) as second:
        trust = ssl.create_default_context(cafile=str(tmp_path / CERTIFICATE_NAME))
        assert ask(second, trust) == (200, "asking")


def test_a_key_that_does_not_fit_leaves_the_certificate_in_use(
    app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(live_certificate, "RENEW_S", 0.02)
    for name in ("ours", "other"):
        (tmp_path / name).mkdir()
        own_certificate(tmp_path / name, machine_names(frozenset()))
    certificate, key = (tmp_path / "ours" / name for name in (CERTIFICATE_NAME, KEY_NAME))
    used = Files(certificate, key)
    trust = ssl.create_default_context(cafile=str(certificate))
    with CameraServer(lambda: create_camera_app(app), "127.0.0.1", 0, lambda: used) as server:
        key.write_bytes((tmp_path / "other" / KEY_NAME).read_bytes())
        until(lambda: "cannot be used" in caplog.text)
        assert ask(server, trust) == (200, "asking")


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
