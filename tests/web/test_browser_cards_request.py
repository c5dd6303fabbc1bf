"""The phones when a seat changes its holder: the one asks to see the cards, the other says whether."""

import pytest
from playwright.sync_api import expect

from tests.support.browsing import OpenPage, seated
from tock_companion.core.requests import Role, parse_request
from tock_companion.table.runtime.live import Table
from tock_rules import Seat

pytestmark = pytest.mark.browser


def test_the_former_holder_is_asked_on_the_phone_and_the_new_one_reads_why(
    blind_site: str, blind_table: Table, open_page: OpenPage
) -> None:
    anna = seated(open_page, blind_site, "P0", "Anna")
    asked = parse_request("hand_set", {"cards": ["6H", "KS"]}, Role.SEAT, Seat.P0)
    assert blind_table.request(asked).ok
    expect(anna.get_by_test_id("hand-show")).to_be_visible()
    assert blind_table.request(parse_request("free_seat", {"seat": "P0"}, Role.HOST)).ok
    anna.wait_for_url(f"{blind_site}/")

    zoe = seated(open_page, blind_site, "P0", "Zoé")
    expect(zoe.get_by_test_id("hand-withheld")).to_contain_text("Anna")
    expect(zoe.get_by_test_id("hand-show")).to_have_count(0)

    expect(anna.get_by_test_id("cards-request")).to_contain_text("Zoé")
    anna.get_by_test_id("cards-yes").click()
    expect(anna.get_by_test_id("cards-request")).to_have_count(0)
    expect(zoe.get_by_test_id("hand-show")).to_be_visible()
    expect(zoe.get_by_test_id("hand-withheld")).to_have_count(0)
