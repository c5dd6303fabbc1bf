"""Whatever comes before the lens in the middle of a game is named, is never read wrongly, and lets the game go on."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.support.drawn import SMALL, START, moved, on_a_screen, shifted, unknown_holes, wrong_holes
from tests.support.emulated_cameras import EmulatedWebcam
from tests.support.webcam import Evening, Filmed
from tock_companion.boardfile import BoardFile
from tock_vision.reader import BoardReader
from tock_vision.stillness.v4l2 import Control

Draw = Callable[..., Any]
AFTER = moved(START, "P0-C1", "T5")
TILTED = shifted(SMALL, tilt_deg=30.0, turn_deg=70.0)
"""Of a photograph from straight above nothing tells in the end that it is one."""
SLANTED = [(230.0, 60.0), (620.0, 100.0), (680.0, 580.0), (70.0, 520.0)]
FLAT = [(40.0, 20.0), (760.0, 20.0), (760.0, 580.0), (40.0, 580.0)]


def hand_on_the_lens() -> Any:
    """Light comes through the fingers at one side."""
    across = np.linspace(40, 200, SMALL.size_px[0])[None, :, None]
    return np.tile(across * (0.4, 0.55, 1.0), (SMALL.size_px[1], 1, 1)).astype(np.uint8)


@pytest.mark.parametrize("code", ["camera/dark", "camera/covered", "camera/picture"])
def test_a_pawn_moved_while_the_board_was_hidden_is_seen_afterwards(
    board: BoardFile, draw: Draw, code: str
) -> None:
    hidden = {
        "camera/dark": np.full((600, 800, 3), 3, np.uint8),
        "camera/covered": hand_on_the_lens(),
        "camera/picture": on_a_screen(draw(START, TILTED), SLANTED, SMALL.size_px),
    }
    evening = Evening(board, Filmed(EmulatedWebcam(), draw(START)))
    evening.go_on(3)
    evening.grabber.shown = hidden[code]
    evening.go_on(2, every_ms=500)
    assert not wrong_holes(evening.observations[-1].holes, START)
    evening.grabber.shown = draw(AFTER)
    evening.go_on(1.5, every_ms=500)
    assert evening.codes == ["", code, ""]
    assert not wrong_holes(evening.observations[-1].holes, AFTER)
    assert not unknown_holes(evening.observations[-1].holes)


def test_a_camera_turned_in_the_middle_of_a_move_shows_the_move(board: BoardFile, draw: Draw) -> None:
    evening = Evening(board, Filmed(EmulatedWebcam(), draw(START)))
    evening.go_on(1, every_ms=500)
    evening.grabber.shown = draw(AFTER, shifted(SMALL, turn_deg=180))
    evening.go_on(3, every_ms=500)
    assert evening.codes == [""]
    assert not wrong_holes(evening.observations[-1].holes, AFTER)


def test_a_camera_that_darkens_in_the_middle_of_a_move_shows_the_move(board: BoardFile, draw: Draw) -> None:
    webcam = EmulatedWebcam()
    evening = Evening(board, Filmed(webcam, draw(START)))
    evening.go_on(3)
    webcam.values[Control.EXPOSURE_ABSOLUTE] //= 2
    evening.grabber.shown = (draw(AFTER) * (1.15, 1.0, 0.85)).clip(0, 255).astype(np.uint8)
    evening.go_on(2, every_ms=500)
    assert evening.codes == [""]
    assert not wrong_holes(evening.observations[-1].holes, AFTER)


def test_a_picture_of_the_board_is_read_right_or_named(board: BoardFile, draw: Draw) -> None:
    flat = BoardReader(board).read_frame(on_a_screen(draw(AFTER), FLAT, SMALL.size_px), 0)
    assert flat.registered
    assert not wrong_holes(flat.holes, AFTER)
    slanted = BoardReader(board).read_frame(on_a_screen(draw(AFTER, TILTED), SLANTED, SMALL.size_px), 0)
    assert slanted.reason == "camera/picture"


def test_a_picture_of_the_board_beside_the_board_changes_nothing(board: BoardFile, draw: Draw) -> None:
    frame = draw(START, shifted(SMALL, fill=0.6)).copy()
    frame[10:160, 10:210] = on_a_screen(
        draw(AFTER), [(4.0, 4.0), (196.0, 4.0), (196.0, 146.0), (4.0, 146.0)], (200, 150)
    )
    reading = BoardReader(board).read_frame(frame, 0)
    assert reading.registered
    assert not wrong_holes(reading.holes, START)
