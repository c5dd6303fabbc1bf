"""The touches that a study counts are those that the board maker needs."""

from dataclasses import replace

from tests.vision.test_mending import CROSS
from tock_companion.rules import Hole
from tock_vision.mending.sketch import CENTRE, Sketch
from vision.training.discovery.mending_touches import touches_needed, wrong_holes


def _without(*holes: str) -> Sketch:
    return replace(CROSS, holes={hole: place for hole, place in CROSS.holes.items() if hole not in holes})


def test_a_board_that_is_right_needs_no_touch_however_its_zones_are_numbered() -> None:
    turned = replace(CROSS, holes={CROSS.turned(hole, 1): place for hole, place in CROSS.holes.items()})
    assert touches_needed(CROSS, CROSS.holes) == touches_needed(turned, CROSS.holes) == 0


def test_the_same_hole_of_all_zones_is_one_touch() -> None:
    assert touches_needed(_without("T5", "T23", "T41", "T59"), CROSS.holes) == 1
    moved = dict(CROSS.holes)
    for zone in range(4):
        deepest = Hole.parse(f"P{zone}-H4")
        x, y = moved[deepest]
        moved[deepest] = (1.25 * x, 1.25 * y)
    assert touches_needed(replace(CROSS, holes=moved), CROSS.holes) == 1


def test_a_middle_and_a_single_hole_are_a_touch_each() -> None:
    assert touches_needed(_without(CENTRE, "T5"), CROSS.holes) == 2


def test_another_start_is_one_touch_though_most_names_are_wrong() -> None:
    """Holes elsewhere on the track get new names, counted from its start."""
    shifted = dict(CROSS.holes)
    for number in range(72):
        shifted[Hole.track(number)] = CROSS.holes[Hole.track((number + 3) % 72)]
    wrong = replace(CROSS, holes=shifted)
    assert len(wrong_holes(wrong, CROSS.holes)) == 72
    assert touches_needed(wrong, CROSS.holes) == 1
