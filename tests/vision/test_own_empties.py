"""A doubtful hole is compared with the clear empty ones of its own kind in the picture."""

import numpy as np
import pytest

from tests.vision.test_readings import chances_of
from tock_companion.boardfile import BoardFile
from tock_vision.arrays import Bools, Singles
from tock_vision.holes.asymmetry import Asymmetry
from tock_vision.holes.own_empties import OwnEmpties
from tock_vision.holes.patches import PATCH_PX
from tock_vision.holes.readings import Chances

SIDE = np.arange(PATCH_PX) - (PATCH_PX - 1) / 2
Y, X = np.meshgrid(SIDE, SIDE, indexing="ij")
FAR = np.hypot(X, Y)
DOUBTFUL = "P0-C4"


def drawn(levels: Singles) -> Singles:
    """One patch with these levels in all colours."""
    return np.repeat(levels[None, :, :, None], 3, axis=3).astype(np.float32)


def bowl(painted: float = 1.0) -> Singles:
    """A dark bowl lit from one side, in a field of paint or in bare wood."""
    lit = np.clip(0.5 + 0.03 * X, 0.1, 1.0) * painted
    return drawn(np.where(FAR < 5, lit * 0.5, np.where(FAR < 12, painted, 1.0)))


def marble_with_ribbon() -> Singles:
    """A dark marble with a pale ribbon across."""
    return drawn(np.where(FAR < 6, np.where(np.abs(Y + 0.02 * X**2) < 1.8, 1.2, 0.15), 1.0))


@pytest.fixture
def everywhere(board: BoardFile) -> Bools:
    return np.ones(len(board.holes), dtype=bool)


def seen(board: BoardFile, doubtful: Singles) -> OwnEmpties:
    """Plain bowls on the track, painted ones in camps and homes, and one hole that looks otherwise."""
    rng = np.random.default_rng(5)
    patches = []
    for hole in board.holes:
        patch = bowl(0.4 if hole.seat is not None else 1.0) if hole.id != DOUBTFUL else doubtful
        patches.append(patch + rng.normal(0, 0.01, patch.shape).astype(np.float32))
    out = OwnEmpties(board)
    out.look(np.concatenate(patches), np.arange(len(board.holes)))
    return out


def unsure(board: BoardFile, share_empty: float) -> tuple[Chances, int]:
    """Clear empty holes everywhere, but for one of which hardly anything is known."""
    chance = chances_of(board, {})
    number = next(number for number, hole in enumerate(board.holes) if hole.id == DOUBTFUL)
    chance.empty[:], chance.pawn[:] = 0.99, 0.005
    chance.empty[number], chance.pawn[number] = share_empty, 0.99 - share_empty
    return chance, number


def test_a_marble_with_a_ribbon_is_more_uneven_all_around_than_a_bowl_lit_from_a_side(
    board: BoardFile,
) -> None:
    measured = Asymmetry(board)
    assert measured.of(marble_with_ribbon())[0] > 3 * measured.of(bowl())[0]


def test_a_camp_that_is_like_the_clear_empty_ones_of_its_seat_is_likelier_empty(
    board: BoardFile, everywhere: Bools
) -> None:
    chance, number = unsure(board, 0.5)
    assert seen(board, bowl(0.4)).weighed(chance, everywhere).empty[number] > 0.6


def test_a_marble_with_a_ribbon_in_a_painted_camp_is_no_clear_empty_hole(
    board: BoardFile, everywhere: Bools
) -> None:
    chance, number = unsure(board, 0.9)
    weighed = seen(board, marble_with_ribbon()).weighed(chance, everywhere)
    assert weighed.empty[number] < 0.3
    assert weighed.empty + weighed.pawn == pytest.approx(chance.empty + chance.pawn)


def test_nothing_is_compared_where_no_hole_is_clearly_empty(board: BoardFile, everywhere: Bools) -> None:
    chance, _ = unsure(board, 0.5)
    chance.empty[:], chance.pawn[:] = 0.5, 0.45
    weighed = seen(board, marble_with_ribbon()).weighed(chance, everywhere)
    assert weighed.empty == pytest.approx(chance.empty)


def test_on_a_board_that_may_lie_ready_a_painted_hole_unlike_the_others_is_no_pawn_for_that(
    board: BoardFile, everywhere: Bools
) -> None:
    chance, number = unsure(board, 0.5)
    own = seen(board, drawn(0.4 + 0.5 * np.exp(-((FAR / 6) ** 2))))
    assert own.weighed(chance, everywhere).pawn[number] == pytest.approx(chance.pawn[number], abs=1e-3)
    for other in range(number + 1, number + 5):
        chance.empty[other], chance.pawn[other] = 0.005, 0.99
    assert own.weighed(chance, everywhere).pawn[number] > chance.pawn[number]
    other_game = own.weighed(chance, everywhere, is_tock=False)
    assert other_game.pawn[number] == pytest.approx(chance.pawn[number], abs=1e-3)
