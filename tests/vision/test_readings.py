"""From chances to readings."""

from collections.abc import Mapping

import numpy as np

from tock_companion.boardfile import BoardFile
from tock_companion.observation import UNSEEN, HoleState
from tock_rules import Hole, Seat
from tock_vision.camera_pose import CameraPose
from tock_vision.holes.calibration import Calibration
from tock_vision.holes.confidence import IN_CAMPS, of_a_board
from tock_vision.holes.context import own_columns
from tock_vision.holes.network import COLORS, STATES
from tock_vision.holes.patches import PATCH_PX
from tock_vision.holes.readings import Chances, chances, readings, with_all_pawns
from tock_vision.registration.results import Registration


def chances_of(board: BoardFile, pawns: Mapping[str, tuple[Seat, float]]) -> Chances:
    """Empty holes everywhere, but pawns of a seat with some chance at the holes named."""
    count = len(board.holes)
    pawn = np.full(count, 0.01)
    seats = np.full((count, 4), 0.01)
    for number, hole in enumerate(board.holes):
        if hole.id in pawns:
            seat, chance = pawns[hole.id]
            pawn[number] = chance
            seats[number, seat] = 0.97
    return Chances(1 - pawn, pawn, np.zeros(count), seats, np.zeros(count))


def test_a_fifth_pawn_of_a_colour_is_believed_only_when_it_is_clear(board: BoardFile) -> None:
    four = {f"T{number}": (Seat.P0, 0.99) for number in range(4)}
    everywhere = np.ones(len(board.holes), dtype=bool)
    doubtful = readings(board, chances_of(board, {**four, "P0-H1": (Seat.P0, 0.8)}), everywhere)
    assert doubtful[Hole.parse("P0-H1")] == UNSEEN
    assert doubtful[Hole.parse("T3")].seat == Seat.P0
    clear = readings(board, chances_of(board, {**four, "P0-H1": (Seat.P0, 0.99)}), everywhere)
    assert clear[Hole.parse("P0-H1")].seat == Seat.P0


def test_a_hole_that_may_be_covered_must_be_seen_more_clearly(board: BoardFile) -> None:
    everywhere = np.ones(len(board.holes), dtype=bool)
    for clear, covered, is_read in (
        (0.93, 0.0, True),
        (0.93, 0.2, False),
        (0.98, 0.2, True),
        (1.0, 0.5, False),
    ):
        chance = chances_of(board, {})
        chance.empty[0], chance.pawn[0], chance.occluded[0] = clear, 0.0, covered
        seen = readings(board, chance, everywhere)[board.holes[0].id]
        assert (seen.state is HoleState.EMPTY) == is_read


def test_a_pawn_over_a_hole_that_may_well_be_covered_stands_beside_it(board: BoardFile) -> None:
    everywhere = np.ones(len(board.holes), dtype=bool)
    for covered, state in ((0.1, HoleState.PAWN), (0.25, HoleState.UNKNOWN)):
        chance = chances_of(board, {str(board.holes[0].id): (Seat.P0, 1.0)})
        chance.occluded[0] = covered
        assert readings(board, chance, everywhere)[board.holes[0].id].state is state


def test_a_doubtful_pawn_gains_when_its_seat_lacks_one_and_loses_when_it_has_all(board: BoardFile) -> None:
    everywhere = np.ones(len(board.holes), dtype=bool)
    others = {f"T{20 * seat + number}": (Seat(seat), 0.99) for seat in (1, 2, 3) for number in range(4)}
    number = next(n for n, hole in enumerate(board.holes) if hole.id == "T9")
    for own, higher in ((3, True), (4, False)):
        placed = {**others, **{f"T{place}": (Seat.P0, 0.99) for place in range(own)}, "T9": (Seat.P0, 0.5)}
        weighed = with_all_pawns(chances_of(board, placed), everywhere).pawn[number]
        assert (weighed > 0.6) == higher
        assert 0.1 < weighed < 0.9


def test_a_missing_pawn_pulls_less_while_a_hand_may_hold_it(board: BoardFile) -> None:
    placed = {"T0": (Seat.P0, 0.99), "T1": (Seat.P0, 0.99), "T2": (Seat.P0, 0.99), "T9": (Seat.P0, 0.2)}
    open_ = chances_of(board, placed)
    covered = chances_of(board, placed)
    hand = slice(30, 40)
    covered.empty[hand], covered.pawn[hand], covered.occluded[hand] = 0.01, 0.0, 0.99
    everywhere = np.ones(len(board.holes), dtype=bool)
    assert with_all_pawns(covered, everywhere).pawn[9] < with_all_pawns(open_, everywhere).pawn[9] - 0.1


def test_painted_holes_that_look_alike_are_no_missing_pawns_and_one_that_differs_is(board: BoardFile) -> None:
    camps = {f"P0-C{number}": (Seat.P0, 0.4) for number in range(1, 5)}
    homes = {f"P{seat}-H{number}": (Seat(seat), 0.4) for seat in range(4) for number in range(1, 5)}
    painted = np.array([hole.seat is not None for hole in board.holes])
    everywhere = np.ones(len(board.holes), dtype=bool)
    alike = with_all_pawns(chances_of(board, {**camps, **homes}), everywhere, painted)
    assert alike.pawn[painted].max() < 0.45
    first = next(n for n, hole in enumerate(board.holes) if hole.id == "P0-C1")
    standing = {**camps, **homes, "P0-C1": (Seat.P0, 0.85)}
    assert with_all_pawns(chances_of(board, standing), everywhere, painted).pawn[first] > 0.88


def test_a_hole_like_itself_when_empty_is_empty_though_no_pawn_was_learned(board: BoardFile) -> None:
    logits = np.zeros((len(board.holes), STATES + len(COLORS)), dtype=np.float32)
    logits[:, 1] = 2.0
    alike = np.full(len(board.holes), 0.6, dtype=np.float32)
    alike[5], alike[6], logits[6, 1] = 0.99, 0.85, 9.0
    look = np.zeros((len(board.holes), PATCH_PX, PATCH_PX, 3), dtype=np.float32)
    registration = Registration(CameraPose(np.zeros(8), (640, 480)), 0.0, 1.0, "stored", "sure")
    empty = chances(logits, board, None, Calibration(registration, look, {}), alike).empty
    assert empty[5] > 0.99
    assert empty[6] < 0.01, "a clear pawn tells how alike a pawn may look"
    assert empty[0] < 0.2
    never_seen = Calibration(registration, look, {}, saw_empty=False)
    assert chances(logits, board, None, never_seen, alike).empty[5] < 0.2


def test_a_hole_in_a_learned_pawns_colour_is_likelier_a_pawn_and_one_in_its_own_when_empty_less(
    board: BoardFile,
) -> None:
    count = len(board.holes)
    logits = np.zeros((count, STATES + len(COLORS)), dtype=np.float32)
    bare = np.zeros((count, 4), dtype=np.float32)
    pawn = np.array([1.0, -0.2, -0.8, -0.5], dtype=np.float32)
    seen = bare.copy()
    seen[5], seen[6] = pawn, (pawn + bare[6]) / 2
    look = np.zeros((count, PATCH_PX, PATCH_PX, 3), dtype=np.float32)
    registration = Registration(CameraPose(np.zeros(8), (640, 480)), 0.0, 1.0, "stored", "sure")
    learned = Calibration(registration, look, {Seat.P1: pawn[None]})
    found = chances(logits, board, seen, learned, None, bare)
    without = chances(logits, board, seen, learned).pawn
    assert found.pawn[5] > 0.8 > without[5]
    assert found.pawn[6] == np.float32(without[6])
    assert found.pawn[7] < 0.1 < without[7]


def test_anothers_pawn_in_a_camp_needs_more_to_be_believed_than_elsewhere(board: BoardFile) -> None:
    chance = chances_of(board, {"P0-C1": (Seat.P1, 0.5), "P1-C1": (Seat.P1, 0.5)})
    painted = np.ones(len(board.holes), dtype=bool)
    _, pawn, seats = of_a_board(chance.empty, chance.pawn, chance.seats, painted, own_columns(board))
    number = {hole.id: n for n, hole in enumerate(board.holes)}
    in_others, in_own = number[Hole.parse("P0-C1")], number[Hole.parse("P1-C1")]
    assert pawn[in_others] < 0.3
    assert pawn[in_own] > 0.45
    assert seats[in_own, Seat.P1] > 0.99
    clear = of_a_board(
        np.array([1e-4]), np.array([0.9999]), chance.seats[[in_others]], painted[:1], np.array([0])
    )
    assert clear[1][0] > 0.99


def test_holes_outside_the_frame_are_unknown(board: BoardFile) -> None:
    inside = np.ones(len(board.holes), dtype=bool)
    inside[0] = False
    found = readings(board, chances_of(board, {}), inside)
    assert found[board.holes[0].id] == UNSEEN
    assert found[board.holes[1].id].state is HoleState.EMPTY


def test_a_pawn_in_a_colour_of_no_seat_has_no_seat(board: BoardFile) -> None:
    chance = chances_of(board, {"T5": (Seat.P1, 0.98)})
    chance.foreign[5] = 0.99
    found = readings(board, chance, np.ones(len(board.holes), dtype=bool))[Hole.parse("T5")]
    assert (found.state, found.seat) == (HoleState.PAWN, None)


def test_a_clear_pawn_of_a_doubtful_colour_is_a_pawn_without_one(board: BoardFile) -> None:
    chance = chances_of(board, {"T5": (Seat.P1, 0.99), "T6": (Seat.P1, 0.9)})
    chance.seats[5:7] = [0.05, 0.5, 0.4, 0.05]
    found = readings(board, chance, np.ones(len(board.holes), dtype=bool))
    assert (found[Hole.parse("T5")].state, found[Hole.parse("T5")].seat) == (HoleState.PAWN, None)
    assert found[Hole.parse("T6")] == UNSEEN


def test_where_a_colour_is_seen_in_many_holes_none_of_them_is_believed(board: BoardFile) -> None:
    painted = {f"T{number}": (Seat.P2, 0.99) for number in range(20, 26)}
    everywhere = np.ones(len(board.holes), dtype=bool)
    found = readings(board, chances_of(board, {**painted, "T3": (Seat.P0, 0.99)}), everywhere)
    assert {hole for hole in painted if found[Hole.parse(hole)] != UNSEEN} == set()
    assert found[Hole.parse("T3")].seat == Seat.P0


def test_a_hole_that_is_rather_hidden_or_unclear_is_unknown(board: BoardFile) -> None:
    chance = chances_of(board, {"T5": (Seat.P1, 0.5)})
    chance.occluded[6] = 0.6
    found = readings(board, chance, np.ones(len(board.holes), dtype=bool))
    assert found[Hole.parse("T5")] == UNSEEN
    assert found[Hole.parse("T6")] == UNSEEN


def test_a_doubtful_pawn_is_believed_less_on_paint_unless_pawns_are_known_to_stand_there(
    board: BoardFile,
) -> None:
    painted = np.array([hole.seat is not None for hole in board.holes])
    everywhere = np.ones(len(board.holes), dtype=bool)
    chance = chances_of(board, {"P0-C1": (Seat.P0, 0.93), "T5": (Seat.P0, 0.999), "T6": (Seat.P0, 0.15)})
    usual = readings(board, chance, everywhere, painted)
    camp, track, other = (Hole.parse(name) for name in ("P0-C1", "T5", "T6"))
    assert usual[camp] == UNSEEN
    assert usual[track].seat is Seat.P0
    assert usual[other].state is HoleState.EMPTY
    assert readings(board, chance, everywhere, painted, lines=IN_CAMPS)[camp].seat is Seat.P0
