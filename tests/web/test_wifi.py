"""The Wi-Fi from the host's page: for the host alone, kept by a phone that comes by it, and found by phones there."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import expect

from tests.support.browsing import HOST, OpenPage, become_host, is_too_wide
from tests.support.machine import HOUSE, OWN_UUID, FakeNetworkManager, HelperServer, settings_of
from tests.support.page import Phone
from tests.support.waiting import until
from tock_companion.machine.network import OWN_ADDRESS, Network
from tock_companion.table.runtime.live import Table
from tock_web import create_app, serve
from tock_web.captive_portal import PROBES
from tock_web.services import PageServices

ON_OWN = {"REMOTE_ADDR": "10.42.0.57"}
AT_HOME = {"REMOTE_ADDR": "192.168.1.20"}


@pytest.fixture
def manager() -> FakeNetworkManager:
    return FakeNetworkManager()


@pytest.fixture
def machine(tmp_path: Path, manager: FakeNetworkManager) -> Iterator[HelperServer]:
    (tmp_path / "helper").mkdir()
    server = HelperServer(tmp_path / "helper", manager)
    yield server
    server.close()


@pytest.fixture
def steered(table: Table, machine: HelperServer, tmp_path: Path) -> Flask:
    """The app of a companion whose machine has a radio."""
    return create_app(table, PageServices(helper=machine.helper, machine=settings_of(tmp_path)))


@pytest.fixture
def host(steered: Flask) -> Phone:
    phone = Phone(steered.test_client())
    phone.post("host")
    return phone


def test_a_machine_without_a_helper_offers_nothing(phone: Phone) -> None:
    phone.post("host")
    assert phone.get("machine/wifi").get_json() == {"radio": False}
    assert phone.get("machine/update").get_json()["here"] is False
    assert phone.post("machine/wifi/own").status_code == 404
    assert phone.post("machine/update/sticks").status_code == 404


def test_a_page_opened_by_the_own_wifi_keeps_it(
    host: Phone, steered: Flask, manager: FakeNetworkManager
) -> None:
    assert host.post("machine/wifi/own").status_code == 200
    until(lambda: manager.saved is not None)
    assert host.get("machine/wifi").get_json()["own"]["name"] == "Tock"
    # The old network, and the phones' own questions, prove nothing.
    steered.test_client().get("/", environ_overrides=AT_HOME)
    steered.test_client().get("/generate_204", environ_overrides=ON_OWN)
    assert manager.saved is not None
    steered.test_client().get("/", environ_overrides=ON_OWN, headers={"Host": OWN_ADDRESS})
    until(lambda: manager.saved is None)
    assert manager.state.profile == OWN_UUID


def test_a_page_opened_at_home_keeps_the_house(
    host: Phone, steered: Flask, manager: FakeNetworkManager
) -> None:
    host.post("machine/wifi/house", id=HOUSE.uuid)
    until(lambda: manager.saved is not None)
    steered.test_client().get("/", environ_overrides=AT_HOME)
    until(lambda: manager.saved is None)


def test_a_wrong_password_is_reported_before_anything_changes(
    host: Phone, manager: FakeNetworkManager
) -> None:
    answer = host.post("machine/wifi/own", name="Tock", password="short")
    assert (answer.status_code, answer.get_json()["code"]) == (409, "wifi/network")
    assert manager.saved is None


class TestPhonesFindThePage:
    """On the own Wi-Fi every name leads to the table."""

    @pytest.mark.parametrize("path", PROBES)
    def test_by_the_question_of_their_system(self, steered: Flask, path: str) -> None:
        client = steered.test_client()
        asked = {"headers": {"Host": "connectivitycheck.gstatic.com"}, "environ_overrides": ON_OWN}
        first = client.get(path, **asked)
        assert (first.status_code, first.headers["Location"]) == (302, f"http://{OWN_ADDRESS}/")
        client.get("/", headers={"Host": OWN_ADDRESS}, environ_overrides=ON_OWN)
        status, _, text = PROBES[path]
        again = client.get(path, **asked)
        assert again.status_code == status
        if status == 200:
            assert again.text == text

    @pytest.mark.parametrize("path", ["/", "/host", "/api/v1/view", "/static/x", "/generate_204/x"])
    def test_and_nothing_else_answers_to_the_names_of_others(self, steered: Flask, path: str) -> None:
        answer = steered.test_client().get(path, headers={"Host": "evil.example"}, environ_overrides=ON_OWN)
        assert answer.status_code == 421

    @pytest.mark.parametrize("address", ["192.168.1.20", "10.42.1.9", "::1", ""])
    def test_only_there(self, steered: Flask, address: str) -> None:
        answer = steered.test_client().get(
            "/generate_204", headers={"Host": "evil.example"}, environ_overrides={"REMOTE_ADDR": address}
        )
        assert answer.status_code == 421

    def test_only_by_asking(self, steered: Flask) -> None:
        answer = steered.test_client().post(
            "/generate_204", headers={"Host": "evil.example"}, environ_overrides=ON_OWN
        )
        assert answer.status_code == 421


@pytest.mark.browser
@pytest.mark.parametrize(
    ("locale", "words"),
    [("fr-CA", "sur son propre Wi-Fi"), pytest.param("en-CA", "on its own Wi-Fi", marks=pytest.mark.slow)],
)
def test_the_host_opens_the_own_wifi_and_sees_its_code(
    steered: Flask,
    machine: HelperServer,
    manager: FakeNetworkManager,
    open_page: OpenPage,
    locale: str,
    words: str,
) -> None:
    manager.own_network = Network("Tock", "k7mq-2x9w-p4ht")
    with serve(steered, "127.0.0.1", 0) as running:
        page = open_page(f"http://{HOST}:{running.port}/host", locale=locale)
        become_host(page)
        expect(page.get_by_test_id("link-machine")).to_be_visible()
        page.goto(f"http://{HOST}:{running.port}/host/machine")
        expect(page.get_by_test_id("wifi-now")).to_contain_text("Maison")
        expect(page.get_by_test_id("wifi-password")).to_have_text("k7mq-2x9w-p4ht")
        page.locator("#wifi details").first.locator("summary").click()
        page.get_by_test_id("own-name").fill("Le Tock")
        page.get_by_test_id("wifi-open").click()
        expect(page.get_by_test_id("wifi-now")).to_contain_text(words)
        expect(page.get_by_test_id("wifi-now")).to_contain_text("Le Tock")
        assert page.evaluate("document.getElementById('wifi-code').naturalWidth") > 0
        assert not is_too_wide(page)
        manager.lapse()
        expect(page.get_by_test_id("wifi-now")).to_contain_text("Maison")
