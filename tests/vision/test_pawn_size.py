"""Pawns much narrower than the pitch: the photo of all pawns in their camps shows how wide they are."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.support.variants import some
from tests.vision.test_mending import sketch_of_board
from tock_companion.boardfile import BoardFile, PawnShape, generate
from tock_companion.observation import HoleState
from tock_rules import Hole, HoleKind, Seat
from tock_vision.arrays import Frame
from tock_vision.calibration_file import load_calibration, save_calibration
from tock_vision.holes.calibration import Calibration
from tock_vision.holes.patches import MIN_RADIUS_PITCHES, closeness, cut, patch_grid
from tock_vision.holes.pawn_size import narrow_pawn, seen_pawn
from tock_vision.learning import learn
from tock_vision.mending.checking import check_pawns
from tock_vision.reader import BoardReader
from tock_vision.rendering.appearance import Appearance, DrawnPawn, named_color, pose_of
from tock_vision.rendering.renderer import Renderer

BOARD = generate(4, 440)
APPEARANCE = Appearance(size_px=(480, 360), seed=5)


def photo(radius_pitches: float) -> Frame:
    """All pawns, so wide, in their camps."""
    narrow = _with_pawns(radius_pitches)
    pawns = [
        DrawnPawn(hole.x_mm, hole.y_mm, named_color(BOARD.colors[hole.seat]), int(hole.seat))
        for hole in BOARD.holes
        if hole.kind is HoleKind.CAMP and hole.seat is not None
    ]
    return Renderer(narrow, APPEARANCE).frame(pawns, None, None)


def _with_pawns(radius_pitches: float) -> BoardFile:
    return replace(BOARD, pawn=PawnShape("opaque", radius_pitches * BOARD.pitch_mm))


CAMPS = np.array([hole.kind is HoleKind.CAMP for hole in BOARD.holes])


def test_narrow_pawns_that_are_hard_to_see_tell_that_they_are_narrow() -> None:
    shape = narrow_pawn(BOARD, photo(0.16), pose_of(BOARD, APPEARANCE), CAMPS)
    assert shape is not None
    assert shape.radius_mm < MIN_RADIUS_PITCHES * BOARD.pitch_mm


@pytest.mark.parametrize("radius", some([0.32, 0.38, 0.45], every=3))
def test_pawns_as_wide_as_usual_change_nothing(radius: float) -> None:
    assert narrow_pawn(BOARD, photo(radius), pose_of(BOARD, APPEARANCE), CAMPS) is None


def test_the_check_keeps_the_width_of_narrow_pawns_in_the_board_file() -> None:
    sketch = sketch_of_board(BOARD)
    checked = check_pawns(sketch, photo(0.16), [])
    assert checked.all_seen
    pawn = checked.sketch.board("Ours").pawn
    assert pawn is not None
    assert pawn.radius_mm < MIN_RADIUS_PITCHES * BOARD.pitch_mm
    assert check_pawns(checked.sketch, photo(0.36), []).sketch.board("Ours").pawn is None


def test_the_learned_size_of_narrow_pawns_is_saved_and_used(tmp_path: Path) -> None:
    learned = learn(BOARD, [(photo(0.16), "camps")])
    assert isinstance(learned, Calibration)
    save_calibration(tmp_path / "state", BOARD, learned)
    kept = load_calibration(tmp_path / "state", BOARD)
    assert kept.pawn is not None
    assert kept.pawn == learned.pawn
    assert BoardReader(BOARD, kept).read_frame(photo(0.16)).holes[Hole.parse("P0-C1")].state is HoleState.PAWN
    # A whole photo of pawns as wide as usual makes them usual again.
    usual = learn(BOARD, [(photo(0.36), "camps")], known=kept)
    assert isinstance(usual, Calibration)
    assert usual.pawn is None


def test_holes_seen_empty_before_narrow_pawns_are_compared_as_closely() -> None:
    pose = pose_of(BOARD, APPEARANCE)
    empty = Renderer(BOARD, APPEARANCE).frame([], None, None)
    learned = learn(BOARD, [(empty, "empty"), (photo(0.16), "camps")])
    assert isinstance(learned, Calibration)
    assert learned.empty is not None
    close = cut(empty, patch_grid(pose, learned.fitted(BOARD)))
    wide = cut(empty, patch_grid(pose, BOARD))
    assert np.abs(learned.empty - close).mean() < 0.3 * np.abs(wide - close).mean()


def test_patches_are_cut_closer_around_narrow_pawns_alone() -> None:
    assert closeness(BOARD) == closeness(_with_pawns(0.4)) == 1.0
    assert closeness(_with_pawns(MIN_RADIUS_PITCHES / 2)) == pytest.approx(0.5)
    assert closeness(replace(BOARD, pawn=PawnShape("peg", 1.5))) == 1.0


@pytest.mark.parametrize(("radius", "is_narrow"), [(0.18, True), (0.38, False)])
def test_any_picture_with_pawns_shows_whether_they_are_narrow(radius: float, is_narrow: bool) -> None:
    pawns = [
        DrawnPawn(hole.x_mm, hole.y_mm, named_color(BOARD.colors[hole.seat or Seat(number % 4)]))
        for number, hole in enumerate(BOARD.holes)
        if hole.kind is HoleKind.CAMP or number % 4 == 1
    ]
    frame = Renderer(_with_pawns(radius), APPEARANCE).frame(pawns, None, None)
    assert (seen_pawn(BOARD, frame, pose_of(BOARD, APPEARANCE)) is not None) == is_narrow


def test_an_empty_board_shows_no_size() -> None:
    frame = Renderer(BOARD, APPEARANCE).frame([], None, None)
    assert seen_pawn(BOARD, frame, pose_of(BOARD, APPEARANCE)) is None
