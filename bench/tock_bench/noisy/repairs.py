"""Whether repair plans are as short as can be: against a search that knows nothing of how the plans are made.

A scramble lifts up to five pawns of a random board and drops them anywhere: into each other's holes, other holes, their
camp, beside the board. The search walks over all ways to move one pawn at a time.
"""

from heapq import heappop, heappush
from itertools import count
from random import Random

from tock_companion.referee.diagnosis.repair import RepairStep, plan
from tock_rules import Board, BoardShape, Hole, Seat, Setup

SHAPE = BoardShape(4)
SEED = 11
MAX_PAWNS_MOVED = 5
Standing = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""The seat in each relevant hole (-1: none), and the numbers of each seat's pawns in camp and beside the board."""


def optimal_share(scrambles: int) -> float:
    """Share of random scrambles whose plan is allowed, reaches its goal and is as short as possible."""
    rng = Random(SEED)
    return sum(_is_optimal(*scramble(rng)) for _ in range(scrambles)) / scrambles


def scramble(rng: Random) -> tuple[Setup, Board]:
    """A random board as it should be, and as it stands after pawns were dropped."""
    track = [Hole.track(cell) for cell in rng.sample(range(SHAPE.track_length), 12)]
    pawns = {seat.name: ["camp"] * 4 for seat in SHAPE.seats}
    for hole in track[:8]:
        name = rng.choice([name for name, places in pawns.items() if "camp" in places])
        pawns[name][pawns[name].index("camp")] = hole
    goal = Board.from_pawns(SHAPE, pawns)
    holes, camps = dict(goal.occupied()), {seat: goal.camp_count(seat) for seat in SHAPE.seats}
    moved = rng.sample(sorted(holes), rng.randint(1, MAX_PAWNS_MOVED))
    lifted = [holes.pop(hole) for hole in moved]
    free = [*moved, *track[8:]]
    for pawn in lifted:
        where = rng.random()
        if where < 0.1:
            camps[pawn] += 1
        elif where > 0.2:
            holes[free.pop(rng.randrange(min(len(free), len(moved) + 1)))] = pawn
    return Setup(SHAPE, holes, camps), goal


def _is_optimal(setup: Setup, goal: Board) -> bool:
    steps = plan(setup, goal)
    return _carries_out(setup, goal, steps) and len(steps) == fewest_moves(setup, goal)


def _carries_out(setup: Setup, goal: Board, steps: tuple[RepairStep, ...]) -> bool:
    """Whether a plan reaches its goal and never puts a pawn onto another."""
    holes, camps = dict(setup.holes), dict(setup.camps)
    for step in steps:
        if step.from_hole == "camp":
            camps[step.seat] -= 1
        elif step.from_hole != "off" and holes.pop(step.from_hole, None) is not step.seat:
            return False
        if step.to_hole == "camp":
            camps[step.seat] += 1
        elif step.to_hole != "off":
            if step.to_hole in holes:
                return False
            holes[step.to_hole] = step.seat
    return Setup(SHAPE, holes, camps).looks_like(goal)


def fewest_moves(setup: Setup, goal: Board) -> int:
    """Length of the shortest plan, found by search (A*: a movement brings at most one pawn to its place)."""
    wanted = goal.occupied()
    wrong = [h for h in sorted({*setup.holes, *wanted}) if setup.holes.get(h) is not wanted.get(h)]
    # Besides the wrong holes one pawn that stands right and one empty hole may be used, if that were of any help.
    right = [h for h in sorted(wanted) if h not in wrong][:1]
    other = [h for h in map(Hole.track, range(3)) if h not in setup.holes and h not in wanted][:1]
    matter = [*wrong, *right, *other]
    start: Standing = (
        tuple(_number(setup.holes.get(hole)) for hole in matter),
        tuple(setup.camps.get(seat, 0) for seat in SHAPE.seats),
        tuple(4 - setup.count(seat) for seat in SHAPE.seats),
    )
    end: Standing = (
        tuple(_number(wanted.get(hole)) for hole in matter),
        tuple(goal.camp_count(seat) for seat in SHAPE.seats),
        (0,) * len(SHAPE.seats),
    )
    order = count()
    queue = [(_to_arrive(start, end), next(order), 0, start)]
    best = {start: 0}
    while queue:
        _, _, moves, here = heappop(queue)
        if here == end:
            return moves
        if moves > best[here]:
            continue
        for following in _moves(here):
            if moves + 1 < best.get(following, 1_000_000):
                best[following] = moves + 1
                heappush(queue, (moves + 1 + _to_arrive(following, end), next(order), moves + 1, following))
    raise AssertionError("every board can be reached from every other")


def _to_arrive(here: Standing, end: Standing) -> int:
    holes = sum(want >= 0 and have != want for have, want in zip(here[0], end[0], strict=True))
    camps = sum(max(0, want - have) for have, want in zip(here[1], end[1], strict=True))
    return holes + camps


def _moves(here: Standing) -> list[Standing]:
    """Every board that one movement of a pawn leads to."""
    holes, camps, beside = here
    found: list[Standing] = []
    empty = [index for index, seat in enumerate(holes) if seat < 0]
    for source, seat in enumerate(holes):
        if seat >= 0:
            lifted = _with(holes, source, -1)
            found += [(_with(lifted, target, seat), camps, beside) for target in empty]
            found.append((lifted, _with(camps, seat, camps[seat] + 1), beside))
    for seat, number in enumerate(camps):
        if number:
            left = _with(camps, seat, number - 1)
            found += [(_with(holes, target, seat), left, beside) for target in empty]
    for seat, number in enumerate(beside):
        if number:
            left = _with(beside, seat, number - 1)
            found += [(_with(holes, target, seat), camps, left) for target in empty]
            found.append((holes, _with(camps, seat, camps[seat] + 1), left))
    return found


def _with(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return (*values[:index], value, *values[index + 1 :])


def _number(seat: Seat | None) -> int:
    return -1 if seat is None else int(seat)
