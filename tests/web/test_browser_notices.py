"""Notices besides the game are on every page: the host records, the machine has a trouble."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.axe import faults_day_and_night
from tests.support.browsing import PIXEL, OpenPage, is_too_wide, live, sit
from tock_companion.table.runtime.live import Table
from tock_companion.table.runtime.recorder import Recorder

pytestmark = pytest.mark.browser


def test_all_phones_say_that_the_host_records(
    site: str, table: Table, tmp_path: Path, open_page: OpenPage
) -> None:
    pages = [
        sit(open_page(f"{site}/", PIXEL), "P0", "Anna"),
        *(live(open_page(f"{site}/{path}", PIXEL)) for path in ("watch", "host")),
    ]
    boards = [page.locator("#board svg") for page in pages[:2]]
    places = [board.bounding_box() for board in boards]
    table.record_to(Recorder(tmp_path / "film", table.board_file))
    for page in pages:
        expect(page.get_by_test_id("recorded")).to_be_visible()
        assert not is_too_wide(page)
    assert [board.bounding_box() for board in boards] == places, "no tap misses its hole"
    assert faults_day_and_night(pages[0]) == []
    table.stop_recording()
    for page in pages:
        expect(page.get_by_test_id("recorded")).to_have_count(0)
