"""Moves made at a person's pace: sevens counted hole by hole, and captures with the taken pawn laid aside first."""

from collections.abc import Iterator
from random import Random

from tock_bench.noisy.person import Shot, Standing, standing_on
from tock_bench.noisy.slow_moves import DELIBERATE, PAUSES_MS, Calm, random_move
from tock_bench.noisy.table import NoisyTable
from tock_companion.observation import LoosePawn
from tock_rules import (
    Hole,
    HoleKind,
    Kind,
    Move,
    Part,
    Rank,
    Seat,
    camp_holes_of,
    distance,
    load_preset,
    path,
    preset_names,
)

WAYS = ("counted", "aside")
MAX_REST_MS = 2_500
"""Longest rest of a pawn in each hole that is counted, besides one rest of three to ten seconds."""
SPAN_MM = 400


def play_by_hand(way: str, kind: str, seed: int, wanted: int) -> Calm:
    """Make moves by hand before one kind of source, in turn of all rulesets and pauses."""
    rng, calm = Random(seed), Calm()
    for number in range(wanted):
        rules = load_preset(preset_names()[number % len(preset_names())])
        move = random_move(rng, rules, _is_counted if way == "counted" else _is_plain_capture)
        table = NoisyTable.at(move.position, DELIBERATE, rng.randrange(1_000_000), kind)
        pause_ms = PAUSES_MS[number // 5 % 3]
        film = counted(move, pause_ms, rng) if way == "counted" else laid_aside(move, pause_ms, rng)
        calm.add(move, *table.play_film(move, list(film)))
    return calm


def counted(move: Move, pause_ms: int, rng: Random) -> Iterator[Shot]:
    """Yield a seven whose pawns rest in every free hole on their way, in one of them for long."""
    now = standing_on(move.position.board)
    ways = [(part, _way(move, part)) for part in move.parts]
    rests = sum(len(way) for _, way in ways)
    # The last rest is the whole move: before it, somebody looks up from the board.
    long_rest, rest = rng.randrange(rests - 1), 0
    for part, way in ways:
        at = move.before.shape.hole_id(part.from_cell)
        for hole in way:
            if hole not in now:
                del now[at]
                yield Shot(dict(now), frozenset({at, hole}), rng.randint(150, 500))
                now[hole], at = part.seat, hole
            yield Shot(
                dict(now), frozenset(), pause_ms if rest == long_rest else rng.randint(300, MAX_REST_MS)
            )
            rest += 1
    yield Shot(dict(now), frozenset(), 0)


def laid_aside(move: Move, pause_ms: int, rng: Random) -> Iterator[Shot]:
    """Yield a capture: the taken pawn is laid on the board, the other one goes, and long after that it goes to camp."""
    shape, (part,) = move.before.shape, move.parts
    now = standing_on(move.position.board)
    source, target = shape.hole_id(part.from_cell), shape.hole_id(part.to_cell)
    taken = now.pop(target)
    yield Shot(dict(now), frozenset({target}), rng.randint(200, 900))
    lies = (_somewhere(taken, now, target, rng),)
    before_ms, after_ms = rng.choice([(pause_ms, 800), (800, pause_ms), (pause_ms, pause_ms)])
    yield Shot(dict(now), frozenset(), before_ms, lies)
    del now[source]
    yield Shot(dict(now), frozenset({source, target}), rng.randint(200, 900), lies)
    now[target] = part.seat
    yield Shot(dict(now), frozenset(), after_ms, lies)
    now[_free_camp(taken, now)] = taken
    yield Shot(dict(now), frozenset(), 0)


def _way(move: Move, part: Part) -> list[Hole]:
    shape, steps = move.before.shape, distance(move.before.shape, part)
    assert steps is not None
    return [shape.hole_id(cell) for cell in path(shape, part.seat, part.from_cell, steps, part.to_cell)]


def _somewhere(seat: Seat, now: Standing, target: Hole, rng: Random) -> LoosePawn:
    """Beside a hole, between two, or off the track, as a camera reports it."""
    nearest = rng.choice([target, *now])
    between = (
        Hole.track((nearest.number + 1) % 72)
        if nearest.kind is HoleKind.TRACK and rng.random() < 0.3
        else None
    )
    return LoosePawn(rng.uniform(0, SPAN_MM), rng.uniform(0, SPAN_MM), seat, 0.97, nearest, between)


def _free_camp(seat: Seat, now: Standing) -> Hole:
    return next(hole for hole in camp_holes_of(seat) if hole not in now)


def _is_counted(move: Move) -> bool:
    """Whether a move is a seven of plain walks that takes no pawn."""
    plain = all(part.kind is Kind.STEP and part.from_cell >= 0 for part in move.parts)
    return move.card.rank is Rank.SEVEN and plain and not move.captures


def _is_plain_capture(move: Move) -> bool:
    """Whether one pawn walks onto the only pawn that is taken, another seat's."""
    if len(move.parts) != 1 or len(move.captures) != 1:
        return False
    (part,), ((taken, hole),) = move.parts, move.captures
    onto = part.kind is Kind.STEP and hole == move.before.shape.hole_id(part.to_cell)
    return onto and part.from_cell >= 0 and taken is not part.seat
