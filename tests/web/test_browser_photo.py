"""A hand is photographed: the cards stand in the editor, a doubtful one is asked with two buttons."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from tests.support.browsing import HOST, PIXEL, OpenPage, seated
from tock_companion.table.runtime.live import Table
from tock_companion.table.runtime.recorder import Recorder
from tock_web import create_app, serve
from tock_web.services import PageServices

pytestmark = pytest.mark.browser


class Eye:
    """Sees six cards, one of them not surely, one too badly to read it; keeps the photos it was given."""

    def __init__(self) -> None:
        self.photos: list[bytes] = []

    def __call__(self, data: bytes) -> list[dict[str, object]]:
        self.photos.append(data)
        sure = [{"likely": [name], "confidence": 0.98} for name in ("6H", "KS", "10D", "JOK_C")]
        return [*sure, {"likely": ["9S", "9C"], "confidence": 0.6}, {"likely": [], "confidence": 0.0}]


@pytest.fixture
def eye() -> Eye:
    return Eye()


@pytest.fixture
def photo_site(blind_table: Table, eye: Eye) -> Iterator[str]:
    with serve(create_app(blind_table, PageServices(read_cards=eye)), "127.0.0.1", 0) as running:
        yield f"http://{HOST}:{running.port}"


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "hand.jpg"
    cv2.imwrite(str(path), np.full((3000, 4000, 3), 120, np.uint8))
    return path


def test_a_photographed_hand_is_asked_about_and_saved(
    photo_site: str, eye: Eye, photo: Path, open_page: OpenPage
) -> None:
    anna = seated(open_page, photo_site, "P0", "Anna", PIXEL)
    with anna.expect_file_chooser() as chooser:
        anna.get_by_test_id("hand-photo").click()
    chooser.value.set_files(str(photo))
    expect(anna.get_by_test_id("tray").locator("[data-testid^=chosen-]")).to_have_count(5)
    expect(anna.get_by_test_id("photo-unread")).to_contain_text("ajoute-la")
    question = anna.get_by_test_id("photo-question")
    expect(question.get_by_test_id("photo-choice")).to_have_count(2)
    question.locator("[data-choice='9C']").click()
    expect(question).to_have_count(0)
    expect(anna.get_by_test_id("chosen-9C")).to_be_visible()
    expect(anna.get_by_test_id("chosen-9S")).to_have_count(0)
    anna.get_by_test_id("hand-save").click()
    expect(anna.get_by_test_id("hand-card-9C")).to_be_visible()
    (sent,) = eye.photos
    seen = cv2.imdecode(np.frombuffer(sent, np.uint8), cv2.IMREAD_COLOR)
    assert seen is not None
    assert max(seen.shape) == 1600


def test_a_notice_before_the_photo_says_that_it_is_kept(
    photo_site: str, blind_table: Table, tmp_path: Path, open_page: OpenPage
) -> None:
    anna = seated(open_page, photo_site, "P0", "Anna", PIXEL)
    kept = anna.get_by_test_id("photo-kept").locator("visible=true")
    expect(anna.get_by_test_id("hand-photo")).to_be_visible()
    expect(kept).to_have_count(0)
    blind_table.record_to(Recorder(tmp_path / "report", blind_table.board_file, keeps_photos=True))
    expect(kept).to_have_count(1)
    anna.get_by_test_id("hand-enter").click()
    expect(kept).to_have_count(1)
    blind_table.stop_recording()
    expect(kept).to_have_count(0)


def test_a_photo_that_cannot_be_read_leaves_the_editor_as_it_is(
    photo_site: str, photo: Path, tmp_path: Path, open_page: OpenPage
) -> None:
    anna = seated(open_page, photo_site, "P0", "Anna", PIXEL)
    anna.get_by_test_id("hand-enter").click()
    anna.get_by_test_id("enter-card-6H").click()
    wrong = tmp_path / "notes.txt"
    wrong.write_text("no photo")
    anna.get_by_test_id("photo-file").set_input_files(str(wrong))
    expect(anna.get_by_test_id("toast")).not_to_be_empty()
    expect(anna.get_by_test_id("chosen-6H")).to_be_visible()
    expect(anna.get_by_test_id("photo-take")).to_be_enabled()
