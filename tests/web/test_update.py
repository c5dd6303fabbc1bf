"""The machine behind the table: settings and updates, for the host alone and only with the PIN."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import expect
from werkzeug.test import TestResponse

from tests.support.axe import faults_day_and_night
from tests.support.browsing import HOST, OpenPage, become_host, is_too_wide
from tests.support.machine import FakeNetworkManager, HelperServer, settings_of
from tests.support.packages import ANOTHER, OURS, archive_of, build_package, build_repository
from tests.support.page import OWN, Phone, machine_code
from tests.support.service import Companion
from tock_app.service.control import ask
from tock_companion.table.runtime.live import Table
from tock_web import create_app, serve
from tock_web.routes.update import PIECE_BYTES
from tock_web.services import PageServices

SHIMS = {
    "dpkg-query": "#!/bin/sh\nprintf 1.0.0\n",
    "systemctl": '#!/bin/sh\necho "$*" >>"$LOG"\n',
    "lsblk": "#!/bin/sh\necho '{\"blockdevices\": []}'\n",
}


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HelperServer]:
    shims = tmp_path / "shims"
    shims.mkdir()
    for name, text in SHIMS.items():
        (shims / name).write_text(text)
        (shims / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{shims}:{os.environ['PATH']}")
    monkeypatch.setenv("LOG", str(tmp_path / "log"))
    server = HelperServer(tmp_path, FakeNetworkManager())
    yield server
    server.close()


@pytest.fixture
def updatable(table: Table, machine: HelperServer, tmp_path: Path) -> Flask:
    return create_app(
        table, PageServices(helper=machine.helper, data=tmp_path, machine=settings_of(tmp_path))
    )


@pytest.fixture
def host(updatable: Flask) -> Phone:
    """A host with the PIN 1234."""
    phone = Phone(updatable.test_client())
    phone.post("host")
    phone.choose_pin("1234")
    return phone


def piece(client: FlaskClient, data: bytes, offset: int = 0) -> TestResponse:
    return client.post(
        f"/api/v1/machine/update/piece?offset={offset}",
        data=data,
        headers={**OWN, "Content-Type": "application/octet-stream"},
    )


def began(folder: Path) -> bool:
    return (folder / "log").exists() and "tock-companion-update.service" in (folder / "log").read_text()


@pytest.mark.usefixtures("quick_pins")
def test_without_a_pin_even_the_host_sends_nothing(updatable: Flask, tmp_path: Path) -> None:
    phone = Phone(updatable.test_client())
    phone.post("host")
    assert phone.get("machine/update").get_json()["pin"] is False
    answer = piece(phone.client, b"x")
    assert (answer.status_code, answer.get_json()["code"]) == (409, "update/pin")
    answer = phone.post("machine/update/install", sha256="0" * 64)
    assert (answer.status_code, answer.get_json()["code"]) == (409, "update/pin")
    assert not (tmp_path / "update").exists()


@pytest.mark.usefixtures("quick_pins")
def test_a_package_in_pieces_is_looked_at_and_started_with_the_pin(host: Phone, tmp_path: Path) -> None:
    data = archive_of(build_repository(tmp_path)).read_bytes()
    half = len(data) // 2
    assert piece(host.client, data[:half]).get_json()["size"] == half
    assert piece(host.client, data[half:], half).status_code == 200
    candidate = host.post("machine/update/check").get_json()["candidate"]
    assert (candidate["version"], candidate["signer"]) == ("9.0.0", "trials")
    assert not (tmp_path / "update" / "upload.tar").exists()
    wrong = host.post("machine/update/install", sha256=candidate["sha256"], pin="9999")
    assert (wrong.status_code, wrong.get_json()["code"]) == (403, "host/pin")
    assert not began(tmp_path)
    right = host.post("machine/update/install", sha256=candidate["sha256"], pin="1234")
    assert right.get_json()["progress"]["phase"] == "waiting"
    assert began(tmp_path)


@pytest.mark.usefixtures("quick_pins")
def test_the_pin_cannot_be_guessed_here_either(host: Phone) -> None:
    codes = [
        host.post("machine/update/install", sha256="0" * 64, pin=f"{guess:04}").status_code
        for guess in range(8)
    ]
    assert codes == [403] * 5 + [429] * 3


@pytest.mark.usefixtures("quick_pins")
def test_a_gap_or_too_large_a_piece_is_refused(host: Phone, tmp_path: Path) -> None:
    assert piece(host.client, b"abc").status_code == 200
    assert piece(host.client, b"def", 7).get_json()["code"] == "update/gap"
    assert (tmp_path / "update" / "upload.tar").read_bytes() == b"abc"
    assert piece(host.client, bytes(PIECE_BYTES + 1)).status_code == 413
    assert piece(host.client, b"x", 249_999_999 + 1).get_json()["code"] == "update/large"


@pytest.mark.usefixtures("quick_pins")
@pytest.mark.parametrize(
    ("version", "signer", "code", "says"),
    [
        ("9.0.0", None, "update/unsigned", ("n’est pas signé", "is not signed")),
        ("9.0.0", ANOTHER, "update/stranger", ("Aucune clé", "No key")),
        ("0.9.0", OURS, "update/older", ("plus ancienne que 1.0.0", "older than 1.0.0")),
        ("1.0.0", OURS, "update/same", ("déjà installée", "already installed")),
    ],
)
def test_with_the_pin_only_signed_and_newer_packages_install(
    host: Phone,
    tmp_path: Path,
    version: str,
    signer: str | None,
    code: str,
    says: tuple[str, str],
) -> None:
    package = build_package(tmp_path, version)
    sent = archive_of(build_repository(tmp_path, package, signer=signer)) if signer else package
    assert piece(host.client, sent.read_bytes()).status_code == 200
    answer = host.post("machine/update/check")
    assert (answer.status_code, answer.get_json()["code"]) == (409, code)
    message = answer.get_json()["message"]
    assert says[0] in message["fr"]
    assert says[1] in message["en"]
    sha256 = hashlib.sha256(package.read_bytes()).hexdigest()
    refused = host.post("machine/update/install", sha256=sha256, pin="1234")
    assert (refused.status_code, refused.get_json()["code"]) == (409, "update/missing")
    assert not began(tmp_path)


@pytest.mark.usefixtures("quick_pins")
def test_a_bad_package_is_refused_and_gone(host: Phone, tmp_path: Path) -> None:
    piece(host.client, b"no package")
    answer = host.post("machine/update/check")
    assert (answer.status_code, answer.get_json()["code"]) == (409, "update/no-package")
    assert not (tmp_path / "update" / "upload.tar").exists()


@pytest.mark.usefixtures("quick_pins")
@pytest.mark.browser
@pytest.mark.parametrize(
    ("locale", "newer", "trying"),
    [
        ("fr-CA", "Version 9.0.0, plus récente que 1.0.0", "à l’essai"),
        pytest.param("en-CA", "newer than 1.0.0", "being tried", marks=pytest.mark.slow),
    ],
)
def test_the_host_sends_a_package_and_says_yes(
    updatable: Flask, tmp_path: Path, open_page: OpenPage, locale: str, newer: str, trying: str
) -> None:
    with serve(updatable, "127.0.0.1", 0) as running:
        page = open_page(f"http://{HOST}:{running.port}/host", locale=locale)
        become_host(page)
        expect(page.get_by_test_id("link-machine")).to_be_visible()
        page.goto(f"http://{HOST}:{running.port}/host/machine")
        expect(page.get_by_test_id("update-need-pin")).to_be_visible()
        expect(page.get_by_test_id("update-sticks")).to_be_hidden()
        page.evaluate(
            """(proof) => fetch("/api/v1/host/pin", {method: "POST", body: JSON.stringify({pin: "1234", proof}),
            headers: {"X-Tock": "1", "Content-Type": "application/json"}})""",
            machine_code(updatable),
        )
        page.reload()
        page.get_by_test_id("update-sticks").click()
        expect(page.locator("#update-found p")).to_be_visible()
        page.get_by_test_id("update-file").set_input_files(archive_of(build_repository(tmp_path)))
        expect(page.get_by_test_id("update-candidate")).to_contain_text(newer)
        page.get_by_test_id("update-pin").fill("1234")
        assert not is_too_wide(page)
        page.get_by_test_id("update-install").click()
        page.get_by_test_id("danger-yes").click()
        expect(page.get_by_test_id("update-news")).to_contain_text(trying)
        assert began(tmp_path)


PATHS = ("machine/doctor", "machine/settings")


@pytest.mark.parametrize("path", PATHS)
def test_a_companion_without_a_desk_says_so(phone: Phone, path: str) -> None:
    phone.post("host")
    assert phone.get(path).status_code == 404
    assert phone.post("machine/restart").status_code == 404


@pytest.mark.browser
def test_the_host_looks_and_changes_a_setting(tmp_path: Path, open_page: OpenPage) -> None:
    with Companion(tmp_path) as companion:
        page = open_page(f"http://{HOST}:{companion.port}/host/machine", locale="en-CA")
        expect(page.locator("#machine-note")).to_contain_text("Only the host")
        page.goto(f"http://{HOST}:{companion.port}/host")
        become_host(page)
        page.get_by_test_id("link-machine").click()
        expect(page.get_by_test_id("findings")).to_contain_text("MB are free for games")
        assert faults_day_and_night(page) == []
        page.get_by_test_id("key-mqtt.table").fill("oak")
        page.get_by_test_id("key-mqtt.table").press("Enter")
        expect(page.get_by_test_id("toast")).to_contain_text("not the machine’s code")
        page.get_by_test_id("settings-proof-field").fill(str(ask(tmp_path, "host-code")["code"]))
        page.get_by_test_id("key-mqtt.table").fill("our oak")
        page.get_by_test_id("key-mqtt.table").press("Enter")
        expect(page.get_by_test_id("toast")).to_contain_text("up to 40 letters")
        page.get_by_test_id("key-mqtt.table").fill("oak")
        page.get_by_test_id("key-mqtt.table").press("Enter")
        expect(page.get_by_test_id("toast")).to_contain_text("Saved")
        assert 'table = "oak"' in (tmp_path / "tock.toml").read_text()
