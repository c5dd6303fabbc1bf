"""Fixtures for the tests of the reader."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

pytest.importorskip("cv2", reason="OpenCV is not installed")

from tests.support.drawn import SMALL, Placed
from tock_companion.boardfile import BoardFile, generate
from tock_rules import Seat
from tock_vision.rendering.appearance import Appearance, DrawnPawn, named_color
from tock_vision.rendering.renderer import Renderer


@pytest.fixture(scope="session")
def board() -> BoardFile:
    """A cross of four, 400 mm."""
    return generate(4, 400)


@pytest.fixture(scope="session")
def renderer(board: BoardFile) -> Renderer:
    """Draws that board in a usual look."""
    return Renderer(board, SMALL)


@pytest.fixture(scope="session")
def draw(board: BoardFile) -> Callable[..., Any]:
    """Draw pawns at holes, in a look."""
    made: dict[Appearance, Renderer] = {}

    def drawn(
        placed: Placed,
        appearance: Appearance = SMALL,
        hand_mm: tuple[float, float] | None = None,
        beside: Sequence[DrawnPawn] = (),
        colors: Mapping[Seat, str] = board.colors,
    ) -> Any:
        if appearance not in made:
            made[appearance] = Renderer(board, appearance)
        pawns = []
        for hole_id, seat in placed.items():
            hole = board.hole(hole_id)
            pawns.append(DrawnPawn(hole.x_mm, hole.y_mm, named_color(colors[seat])))
        return made[appearance].frame([*pawns, *beside], hand_mm)

    return drawn
