"""Without colours, as some players see and old tablets show: marks alone tell the seats apart."""

import io
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Page

from tests.support.browsing import HOST, PIXEL, OpenPage, live
from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_web import create_app, serve

pytestmark = pytest.mark.browser
DENSE = {"device_scale_factor": 2.625}
"""Of the phone whose size `PIXEL` is."""
SIDE_PX = 24
INSIDE = 0.62
"""The part of a pawn's picture that its rim and the wood around it leave."""
VISIBLE_DIFFERENCE = 0.05
"""Mean difference in brightness of two marks, of 1 from black to white."""


def grey(page: Page) -> Page:
    """Show the page as somebody sees it who sees no colours."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setEmulatedVisionDeficiency", {"type": "achromatopsia"})
    return page


def mark(page: Page, hole: str) -> NDArray[np.float64]:
    """Brightness of the middle of a pawn on the screen, 0 to 1."""
    box = page.get_by_test_id(f"hole-{hole}").bounding_box()
    assert box is not None
    margin = box["width"] * (1 - INSIDE) / 2
    size = box["width"] * INSIDE
    clip = {"x": box["x"] + margin, "y": box["y"] + margin, "width": size, "height": size}
    picture = Image.open(io.BytesIO(page.screenshot(clip=clip)))  # type: ignore[arg-type]
    channels = np.asarray(picture.convert("RGB"), dtype=float)
    assert np.ptp(channels, axis=2).max() <= 2, "the picture has colours"
    return np.asarray(picture.convert("L").resize((SIDE_PX, SIDE_PX)), dtype=float) / 255


def closest(page: Page, holes: list[str]) -> float:
    """Difference between the two pawns that look most alike."""
    marks = [mark(page, hole) for hole in holes]
    return min(float(np.abs(one - two).mean()) for one, two in combinations(marks, 2))


def test_eight_seats_differ_without_colours_even_on_a_phone(tmp_path: Path, open_page: OpenPage) -> None:
    setup = GameSetup(
        "diagonale", position={f"P{seat}": [f"T{18 * seat + 5}", *["camp"] * 3] for seat in range(8)}
    )
    table = Table(generate(8, 600), Store(tmp_path), setup=setup)
    table.start()
    holes = [f"T{18 * seat + 5}" for seat in range(8)]
    with serve(create_app(table), "127.0.0.1", 0) as running:
        page = grey(live(open_page(f"http://{HOST}:{running.port}/watch", PIXEL, **DENSE)))
        with_marks = closest(page, holes)
        page.evaluate(
            "document.querySelectorAll('.layer-pawns .pawn').forEach((pawn) => pawn.lastChild.remove())"
        )
        without = closest(page, holes)
    table.stop()
    assert with_marks > VISIBLE_DIFFERENCE > 2 * without, (with_marks, without)
