"""Repair plans reach their goal, never put a pawn onto another, and are as short as can be."""

import random
from collections import deque

from tests.support.random_tables import random_pawns
from tock_companion.referee.diagnosis.repair import plan
from tock_rules import Board, BoardShape, Seat, Setup

SHAPE = BoardShape(4)


def replay(setup: Setup, goal: Board) -> int:
    """Carry the plan out, assert that it is allowed and reaches the goal, and return its length."""
    holes, camps = dict(setup.holes), dict(setup.camps)
    steps = plan(setup, goal)
    for step in steps:
        if step.from_hole == "camp":
            camps[step.seat] -= 1
        elif step.from_hole != "off":
            assert holes.pop(step.from_hole) is step.seat
        if step.to_hole == "camp":
            camps[step.seat] += 1
        elif step.to_hole != "off":
            assert step.to_hole not in holes
            holes[step.to_hole] = step.seat
    assert Setup(SHAPE, holes, camps).looks_like(goal)
    return len(steps)


def random_board(rng: random.Random) -> Board:
    pawns = random_pawns(rng, 4, [0, 1, 2, 3], centre=False)
    return Board.from_pawns(SHAPE, {f"P{seat}": places for seat, places in pawns.items()})


def test_any_board_can_be_mended_into_any_other() -> None:
    rng = random.Random(3)
    movements = [replay(Setup.of_board(random_board(rng)), random_board(rng)) for _ in range(300)]
    # No pawn is touched more than twice: out of the way, then to its place.
    assert 0 < max(movements) <= 2 * 16


def test_two_pawns_that_changed_places_need_three_movements() -> None:
    before = Board.from_pawns(SHAPE, {"P0": ["camp"] * 3 + ["T20"], "P1": ["camp"] * 3 + ["T30"]})
    after = Board.from_pawns(SHAPE, {"P0": ["camp"] * 3 + ["T30"], "P1": ["camp"] * 3 + ["T20"]})
    assert replay(Setup.of_board(after), before) == 3


def shortest(start: tuple[int, ...], goal: tuple[int, ...]) -> int:
    """Search breadth first on a toy board: holes hold seats 1 to 3 or 0; a pawn may also be beside the holes."""
    queue, known = deque([(start, 0)]), {start}
    while queue:
        here, steps = queue.popleft()
        if here == goal:
            return steps
        following = []
        for source, seat in enumerate(here):
            if seat:
                following += [
                    tuple(seat if i == hole else 0 if i == source else s for i, s in enumerate(here))
                    for hole, other in enumerate(here)
                    if not other
                ]
                following.append(tuple(0 if i == source else s for i, s in enumerate(here)))
        for seat in (1, 2, 3):
            if here.count(seat) < start.count(seat):
                following += [
                    tuple(seat if i == hole else s for i, s in enumerate(here))
                    for hole, s0 in enumerate(here)
                    if not s0
                ]
        for board in following:
            if board not in known:
                known.add(board)
                queue.append((board, steps + 1))
    raise AssertionError("not reachable")


def test_plan_is_as_short_as_a_full_search_finds() -> None:
    rng = random.Random(11)
    for _ in range(60):
        start = tuple(rng.choice([0, 0, 1, 1, 2, 3]) for _ in range(5))
        goal = tuple(rng.sample(start, len(start)))

        def board(seats: tuple[int, ...]) -> Board:
            pawns = {
                f"P{seat}": [f"T{hole + 40}" for hole, s in enumerate(seats) if s == seat + 1]
                for seat in range(3)
            }
            return Board.from_pawns(SHAPE, {seat: ["camp"] * (4 - len(p)) + p for seat, p in pawns.items()})

        assert shortest(start, goal) == replay(Setup.of_board(board(start)), board(goal)), (start, goal)


def test_missing_pawn_is_put_back_from_beside_the_board() -> None:
    goal = Board.from_pawns(SHAPE, {"P0": ["camp"] * 3 + ["T20"]})
    steps = plan(Setup(SHAPE, {}, {Seat.P0: 3}), goal)
    assert [step.to_json() for step in steps] == [{"seat": "P0", "from": "off", "to": "T20"}]
