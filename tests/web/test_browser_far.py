"""The host invites somebody far away: a link to send, how things stand, and what everybody reads meanwhile."""

from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import expect

from tests.support.browsing import OpenPage, is_too_wide, live, seated, small_targets
from tests.support.far import FarGuest, far_home
from tests.support.page import offer
from tock_companion.far.link import read_link
from tock_companion.table.runtime.live import Table
from tock_web.far.home import FarServices

pytestmark = pytest.mark.browser
NARROW = {"width": 320, "height": 640}


def test_the_host_sends_a_link_and_everybody_reads_how_things_stand(
    table: Table, app: Flask, site: str, tmp_path: Path, open_page: OpenPage
) -> None:
    with far_home(table, app, tmp_path) as (tunnel, line):
        offer(app, of_features=[FarServices(tunnel)])
        anna = seated(open_page, site, "P0", "Anna", NARROW)
        anna.goto(f"{site}/host")
        live(anna).locator("[data-seat=P1] [data-testid=far-invite]").click()
        link = anna.get_by_test_id("far-link").get_attribute("href") or ""
        assert read_link(link).relay == tunnel.relay
        state = anna.get_by_test_id("far-state")
        expect(state).to_have_attribute("data-state", "waiting")
        assert not is_too_wide(anna)
        assert small_targets(anna, "#far") == []
        guest = FarGuest(line, link)
        assert guest.hello() is None
        guest.call("POST", "join", body={"name": "Mamie", "lang": "fr"})
        expect(state).to_have_attribute("data-state", "here")
        expect(state).to_contain_text("Mamie est là.")
        line.cut()
        expect(state).to_have_attribute("data-state", "away")
        expect(state).to_contain_text("Mamie n’est plus en ligne")
        line.mend()
        anna.locator("#far summary", has_text="Cartes").click()
        anna.get_by_test_id("far-cards").select_option("real")
        expect(anna.get_by_test_id("far-photo")).to_be_visible()
        anna.get_by_test_id("far-revoke").click()
        anna.get_by_test_id("far-revoke").click()
        expect(anna.locator("[data-seat=P1] [data-testid=far-invite]")).to_be_visible()
        assert "P1" not in {seat.name for seat in table.people.names()}
