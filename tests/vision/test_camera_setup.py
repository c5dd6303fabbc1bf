"""The part of the camera in the page's set-up: show the reading, take touches, learn."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.support.drawn import SMALL, START, shifted, unknown_holes, wrong_holes
from tock_companion.boardfile import BoardFile
from tock_companion.errors import BadInputError
from tock_companion.observation import Observation, SourceMessage
from tock_rules import Hole
from tock_vision.calibration_file import load_calibration
from tock_vision.capture import CaptureLoop
from tock_vision.grabbers import Grabber
from tock_vision.reader import BoardReader
from tock_vision.registration.registrar import SearchPlan
from tock_vision.rendering.appearance import pose_of

pytestmark = pytest.mark.whole

Draw = Callable[..., Any]


class Still(Grabber):
    """A grabber that shows one picture."""

    def __init__(self, picture: Any) -> None:
        self.picture = picture

    def open(self) -> None:
        pass

    def grab(self) -> Any:
        return self.picture

    def close(self) -> None:
        pass


def test_four_touches_on_the_newest_frame_find_a_board_without_markers(board: BoardFile, draw: Draw) -> None:
    appearance = shifted(SMALL, markers=False)
    reader = BoardReader(board, plan=SearchPlan(pattern=False))
    source = CaptureLoop("camera", Still(draw(START, appearance)), reader, fps=10)
    on_progress: list[SourceMessage] = []
    source.prepare(on_progress.append)
    source.step(0)
    assert not [message for message in on_progress if isinstance(message, Observation)]
    names = [Hole.track(number) for number in (0, 18, 36, 54)]
    points = np.array([[board.hole(name).x_mm, board.hole(name).y_mm] for name in names])
    places = pose_of(board, appearance).project(points) + 6.0
    answer = source.touch(dict(zip(names, places.tolist(), strict=True)))
    assert answer["registered"]
    source.step(100)
    seen = [message for message in on_progress if isinstance(message, Observation)][-1]
    assert wrong_holes(seen.holes, START) == {}
    assert unknown_holes(seen.holes) == set()


def test_touches_that_fit_nothing_are_answered_with_a_reason(board: BoardFile, draw: Draw) -> None:
    source = CaptureLoop("camera", Still(draw(START)), BoardReader(board), fps=10)
    source.step(0)
    wrong = {"T0": (20.0, 20.0), "T18": (300.0, 20.0), "T36": (300.0, 200.0), "T54": (20.0, 200.0)}
    answer = source.touch({Hole.parse(hole): place for hole, place in wrong.items()})
    assert answer["registered"] is False
    assert answer["reason"] == "camera/no_board"


def test_state_learned_from_the_newest_frame_is_saved(board: BoardFile, draw: Draw, tmp_path: Path) -> None:
    grabber = Still(draw({}))
    state = tmp_path / "state.tock"
    source = CaptureLoop("camera", grabber, BoardReader(board), fps=10, state=state)
    with pytest.raises(BadInputError, match="no picture yet"):
        source.learn("empty")
    source.step(0)
    assert source.learn("empty")["learned"]
    grabber.picture = draw(START)
    source.step(100)
    answer = source.learn("camps")
    assert answer["weak"] == []
    kept = load_calibration(state, board)
    assert kept.empty is not None
    assert set(kept.colors) == set(board.seats)


def test_the_overlay_shows_what_is_seen_on_the_newest_frame(board: BoardFile, draw: Draw) -> None:
    frame = draw(START)
    source = CaptureLoop("camera", Still(frame), BoardReader(board), fps=10)
    assert source.overlay() is None
    source.step(0)
    picture = source.overlay()
    assert picture is not None
    drawn = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    assert drawn is not None
    assert drawn.shape == frame.shape
    hole = board.hole("P0-C1")
    x, y = pose_of(board, SMALL).project(np.array([[hole.x_mm, hole.y_mm]]))[0].astype(int)
    around = np.s_[y - 20 : y + 20, x - 20 : x + 20]
    assert np.abs(drawn[around].astype(int) - frame[around]).max() > 60
