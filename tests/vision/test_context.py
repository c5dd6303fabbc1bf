"""The second look at a picture knows how its likely pawns look."""

from typing import Any

import numpy as np

from tock_companion.boardfile import generate
from tock_vision.holes.context import Context, HoleFeatures
from tock_vision.holes.network import COLORS, FEATURES, STATES

BOARD = generate(4, 400)
COUNT = len(BOARD.holes)


class Judge:
    """Stands for the second network: calls a pawn what has more than half in its first feature."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def logits(self, stacked: Any) -> Any:
        self.asked.append(stacked)
        out = np.zeros((len(stacked), STATES + len(COLORS)), dtype=np.float32)
        out[:, 1] = 40 * (stacked[:, 0] - 0.5)
        return out


def features(pawns: list[int]) -> Any:
    out = np.random.default_rng(1).random((COUNT, FEATURES)).astype(np.float32)
    out[:, 0] = 0
    out[pawns, 0] = 1
    return out


def test_the_second_pass_knows_the_mean_of_the_likely_pawns() -> None:
    judge, seen = Judge(), features([3, 40, 77])
    Context(BOARD).logits(judge, HoleFeatures(seen, np.ones(COUNT, dtype=bool)))  # type: ignore[arg-type]
    first, second = judge.asked
    assert not first[:, -FEATURES:].any()
    assert np.allclose(second[:, -FEATURES:], seen[[3, 40, 77]].mean(axis=0), atol=1e-4)
    assert np.array_equal(first[:, :-FEATURES], second[:, :-FEATURES])


def test_pawns_out_of_the_picture_do_not_count() -> None:
    judge, seen = Judge(), features([3, 40, 77])
    in_frame = np.ones(COUNT, dtype=bool)
    in_frame[40] = False
    Context(BOARD).logits(judge, HoleFeatures(seen, in_frame))  # type: ignore[arg-type]
    assert np.allclose(judge.asked[1][:, -FEATURES:], seen[[3, 77]].mean(axis=0), atol=1e-4)


def test_a_hole_seen_twice_is_judged_by_both_views() -> None:
    judge, seen = Judge(), features([3])
    mirrored = seen.copy()
    mirrored[3, 0] = 0
    twice = np.arange(COUNT) == 3
    logits = Context(BOARD).logits(judge, HoleFeatures(seen, np.ones(COUNT, dtype=bool), twice, mirrored))  # type: ignore[arg-type]
    assert abs(logits[3, 1]) < 1e-4


def test_places_beside_the_holes_are_judged_among_the_same_pawns() -> None:
    judge, seen = Judge(), features([3, 40])
    Context(BOARD).logits_beside(judge, HoleFeatures(seen, np.ones(COUNT, dtype=bool)), seen[:5])  # type: ignore[arg-type]
    assert judge.asked[1].shape == (5, judge.asked[0].shape[1])
    assert np.allclose(judge.asked[1][:, -FEATURES:], seen[[3, 40]].mean(axis=0), atol=1e-4)
