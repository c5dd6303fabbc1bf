"""Another board while phones are open, and a phone whose seat is not where its page believes."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.browsing import HOST, OpenPage, hole, live, sit
from tock_companion.boardfile import generate
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_web import create_app, serve

pytestmark = pytest.mark.browser


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
