"""The host chooses another board, and every open page comes back with it."""

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.axe import faults_day_and_night
from tests.support.browsing import HOST, OpenPage, become_host, hole, is_too_wide, live, open_sheet, sit
from tests.support.service import Companion
from tock_companion.boardfile import generate, load, to_text
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_web import create_app, serve

pytestmark = pytest.mark.browser


NARROW = {"width": 360, "height": 740}


def test_a_shared_board_is_taken_in_named_and_laid(tmp_path: Path, open_page: OpenPage) -> None:
    shared = tmp_path / "shared.json"
    shared.write_text(to_text(replace(generate(6, 600), name="Star")))
    with Companion(tmp_path / "data") as companion:
        page = open_page(f"http://{HOST}:{companion.port}/host", NARROW)
        become_host(page)
        guest = live(open_page(f"http://{HOST}:{companion.port}/watch", NARROW))
        open_sheet(page, "boards")
        page.get_by_test_id("board-file").set_input_files(str(shared))
        row = page.get_by_test_id("board-row-star")
        row.locator("summary").click()
        row.get_by_test_id("board-rename-star").click()
        row.get_by_test_id("board-name").fill("Étoile de Léo")
        row.get_by_test_id("board-name-save").click()
        expect(row).to_contain_text("Étoile de Léo")
        assert load(tmp_path / "data" / "boards" / "star.json").name == "Étoile de Léo"
        assert faults_day_and_night(page, "#menu") == []
        assert not is_too_wide(page)
        expect(hole(guest, "T107")).to_have_count(0)
        page.get_by_test_id("board-choose-star").click()
        for each in (page, guest):
            expect(hole(each, "T107")).to_have_count(1)
        live(page)
        open_sheet(page, "boards")
        expect(page.get_by_test_id("board-row-star")).to_contain_text("Sur la table")


def test_open_phones_draw_the_new_board_after_a_change(tmp_path: Path, open_page: OpenPage) -> None:
    """Fault 6: they threw, and kept the old board under a green light."""
    four = Table(generate(4, 440), Store(tmp_path))
    four.start()
    with serve(create_app(four), "127.0.0.1", 0) as running:
        port = running.port
        lea = sit(open_page(f"http://{HOST}:{port}/"), "P0", "Léa")
        watcher = live(open_page(f"http://{HOST}:{port}/watch"))
        expect(hole(lea, "T72")).to_have_count(0)
    four.stop()
    six = Table(generate(6, 560), Store(tmp_path))
    six.start()
    with serve(create_app(six), "127.0.0.1", port):
        for phone in (lea, watcher):
            expect(hole(phone, "T107")).to_have_count(1)
            live(phone)
        assert lea.url.endswith("/seat")
    six.stop()
