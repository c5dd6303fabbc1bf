"""The host lets the table join a club, and leave it, from the host's page."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import expect

from tests.support.axe import faults_day_and_night
from tests.support.browsing import HOST, PIXEL, OpenPage, become_host
from tests.support.club import running_desk
from tests.support.page import Phone
from tests.support.waiting import until
from tock_companion.core.requests import Role
from tock_companion.mqtt.connection import BrokerAddress
from tock_companion.mqtt.member import Member
from tock_companion.table.runtime.live import Table
from tock_companion.tournament.decisions import begin_round, pair
from tock_companion.tournament.plan import Plan
from tock_web import create_app, serve
from tock_web.club.member import ClubServices
from tock_web.services import PageServices

pytestmark = pytest.mark.whole


@pytest.fixture
def member(table: Table, address: BrokerAddress) -> Iterator[Member]:
    member = Member(table, address, "oak")
    member.start()
    yield member
    member.stop()


@pytest.fixture
def app(table: Table, member: Member) -> Flask:
    return create_app(table, PageServices(of_features=[ClubServices(member)]))


def test_a_table_joins_by_a_button_and_is_given_the_game_that_waits_for_it(
    tmp_path: Path, address: BrokerAddress, table: Table, member: Member, app: Flask
) -> None:
    phone = Phone(app.test_client())
    assert phone.get("membership").status_code == 403
    phone.post("host")
    until(lambda: member.broker_up)
    none = {"offered": True, "broker": True, "club": None, "member": False, "elsewhere": False}
    assert phone.get("membership").json == none
    assert phone.post("membership", member=True).get_json()["code"] == "club/no-desk"
    with running_desk(tmp_path / "club", address, "Oaks") as desk:
        until(lambda: phone.get("membership").json == {**none, "club": "Oaks"})
        assert not desk.state.tables
        assert desk.open(Plan("Evening")) is None
        assert desk.enter_all([("Ana",), ("Bea",), ("Chloé",), ("Dan",)]) is None
        assert desk.ask(pair) is None
        assert desk.ask(begin_round) is None
        for _ in range(2):
            assert phone.post("membership", member=True).status_code == 200
            until(lambda: "oak" in desk.state.tables)
            until(lambda: {seat["name"] for seat in table.view(Role.TABLE)["seats"]} >= {"Ana", "Dan"})
            assert phone.post("membership", member=False).status_code == 200
            until(lambda: "oak" not in desk.state.tables)
        assert phone.post("membership", member=True).status_code == 200
    until(lambda: phone.get("membership").json == {**none, "elsewhere": True})


def test_a_companion_without_a_broker_offers_no_club(table: Table) -> None:
    phone = Phone(create_app(table).test_client())
    phone.post("host")
    assert not phone.get("membership").get_json()["offered"]
    assert phone.post("membership", member=True).status_code == 404


TOPS_OF_CLUB = """
  const tops = new Set();
  globalThis.topsOfClub = tops;
  const look = () => {
    const club = document.querySelector("#open-club");
    if (club?.checkVisibility()) tops.add(club.offsetTop);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
"""
"""Collects the places of a button in all frames in which it is visible."""


@pytest.mark.browser
def test_no_tool_of_the_host_moves_under_a_finger(
    tmp_path: Path, address: BrokerAddress, app: Flask, open_page: OpenPage
) -> None:
    """The panel for far guests arrived last, and pushed the club's button down."""
    with (
        running_desk(tmp_path / "club", address, "Club du Chêne"),
        serve(app, "127.0.0.1", 0) as server,
    ):
        page = open_page(f"http://{HOST}:{server.port}/host", PIXEL)
        page.add_init_script(TOPS_OF_CLUB)
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 12})
        become_host(page)
        expect(page.locator("#far")).to_contain_text("Jouer de loin")
        expect(page.get_by_test_id("open-club")).to_be_visible()
        page.evaluate("new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")
        assert len(page.evaluate("[...topsOfClub]")) == 1


@pytest.mark.browser
def test_the_host_joins_from_a_phone(
    tmp_path: Path, address: BrokerAddress, app: Flask, open_page: OpenPage
) -> None:
    with (
        running_desk(tmp_path / "club", address, "Club du Chêne") as desk,
        serve(app, "127.0.0.1", 0) as server,
    ):
        page = open_page(f"http://{HOST}:{server.port}/host", PIXEL)
        become_host(page)
        page.get_by_test_id("open-club").click()
        expect(page.get_by_test_id("club-is")).to_contain_text("n’en fait pas partie")
        page.get_by_test_id("club-join").click()
        expect(page.get_by_test_id("club-is")).to_contain_text("fait partie du club")
        until(lambda: "oak" in desk.state.tables)
        assert faults_day_and_night(page) == []
        page.get_by_test_id("club-leave").click()
        page.get_by_test_id("danger-yes").click()
        expect(page.get_by_test_id("club-join")).to_be_visible()
