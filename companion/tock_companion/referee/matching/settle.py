"""When to speak: compares the watched table with every legal next position and decides, or waits a little longer.

A move happened when the table shows the position after some legal move. Players tap every hole while they count, so
a stop on the way is normal: the referee waits only while a longer legal move is still possible, or while a pawn is in
the air.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp

from tock_companion.observation import HoleState
from tock_companion.referee.decision import (
    Accepted,
    Ambiguous,
    Decision,
    Missing,
    Rejected,
    Timing,
    Unchanged,
    Waiting,
)
from tock_companion.referee.matching.candidates import Candidate, Options
from tock_companion.referee.matching.fit import Fit, undetected_moves
from tock_companion.referee.tracking.estimate import estimated_setup, seats_short_of_pawns
from tock_companion.referee.tracking.watch import Watch
from tock_companion.rules.geometry import Seat
from tock_companion.rules.moves import Move, Part
from tock_companion.rules.position import Position

TOLERANCE = 3.0
"""Log odds of contradicting readings that a position may carry and still be believed (one reading at 95 %)."""
MARGIN = 4.6
"""Log odds by which the best explanation must beat the next one: 99 to 1."""
EXPECTED = 2.3
"""Log odds in favour of a move once a card lies there and the table has become still: ten to one."""
EXCHANGED = 8.0
"""Log odds against two pawns having gone back to their own holes when the laid card changes just these two."""


@dataclass(frozen=True, slots=True)
class _Ranked:
    candidate: Candidate
    cost: float


def decide(options: Options, watch: Watch, now_ms: int, timing: Timing) -> Decision:
    """Return what the table shows at `now_ms` (the clock of the observations)."""
    if not watch.holes or watch.blind:
        return Waiting()
    fit = Fit(watch, options.position.shape, options.before)
    base_cost = fit.base_cost + (EXCHANGED if _felt_exchange(options, watch) else 0.0)
    if base_cost == 0:
        return Unchanged()
    ranked = sorted(
        (
            _Ranked(candidate, fit.cost(candidate.expected))
            for candidate in options.candidates
            if _possible(candidate, watch)
        ),
        key=lambda item: item.cost,
    )
    best_cost = ranked[0].cost if ranked else float("inf")
    if base_cost < TOLERANCE and base_cost <= best_cost:
        if best_cost - base_cost < MARGIN:
            return Waiting(_hidden(ranked[0].candidate, watch))
        return Unchanged()
    if best_cost < TOLERANCE:
        return _settle_move(options, ranked, base_cost, watch, now_ms, timing)
    wrong = _settle_wrong(options, fit, watch, now_ms, timing)
    before_lifts = watch.without_lifts_by_others(options.position.played_seats())
    if before_lifts is watch:
        return wrong
    earlier = decide(options, before_lifts, now_ms, timing)
    if isinstance(earlier, Accepted):
        return earlier
    return _sooner(wrong, earlier)


def _sooner(wrong: Decision, earlier: Decision) -> Decision:
    """Return what is wrong, or the wait that ends first."""
    if not (isinstance(wrong, Waiting) and isinstance(earlier, Waiting)) or earlier.until_ms is None:
        return wrong
    if wrong.until_ms is None or earlier.until_ms < wrong.until_ms:
        return earlier
    return wrong


def _possible(candidate: Candidate, watch: Watch) -> bool:
    """Whether the hidden holes of a candidate may have changed with its visible ones: not under a forgotten glass."""
    hidden = [hole for hole in candidate.changed if watch.hole(hole).occluded]
    if not hidden:
        return True
    seen_ms = [watch.hole(hole).since_ms for hole in candidate.changed if not watch.hole(hole).occluded]
    return not seen_ms or watch.occluded_since(min(seen_ms)).issuperset(hidden)


def _felt_exchange(options: Options, watch: Watch) -> bool:
    """Whether two pawns that the laid card may change were in the air together, and nobody sees their colours."""
    hypotheses = watch.hypotheses
    if hypotheses is None or not options.card_known:
        return False
    return any(
        hypotheses.exchanged(candidate.changed)
        and all(watch.hole(hole).belief.state is HoleState.PAWN for hole in candidate.changed)
        and all(watch.hole(hole).belief.seat is None for hole in candidate.changed)
        for candidate in options.candidates
    )


def _settle_move(
    options: Options, ranked: list[_Ranked], base_cost: float, watch: Watch, now_ms: int, timing: Timing
) -> Decision:
    best = ranked[0]
    hidden = _hidden(best.candidate, watch)
    if hidden:
        return Waiting(hidden)
    rivals = [item for item in ranked if item.cost - best.cost < MARGIN]
    unsure = base_cost - best.cost < MARGIN
    if unsure or _half_of_another(best.candidate, options):
        patience = timing.partial_ms
    else:
        patience = timing.extend_ms if _may_go_on(best.candidate, options) else timing.settle_ms
    still_since = _still_since(watch, best.candidate.changed)
    begun_ms = max(still_since, _shown_since(watch, best.candidate.changed)) if unsure else still_since
    if now_ms - begun_ms < patience:
        return Waiting(tuple(sorted(best.candidate.changed)), begun_ms + patience)
    unlike = [item for item in rivals if item.candidate.expected != best.candidate.expected]
    if unlike:
        differing = {
            hole for item in unlike for hole in item.candidate.expected.changes(best.candidate.expected)
        }
        unseen = tuple(sorted(hole for hole in differing if watch.hole(hole).occluded))
        if unseen:
            return Waiting(unseen)
        if now_ms - begun_ms < timing.ask_ms:
            return Waiting(tuple(sorted(differing)), begun_ms + timing.ask_ms)
    results = {item.candidate.move.result for item in rivals}
    if unsure and options.card_known:
        unsure = base_cost - best.cost < MARGIN - EXPECTED
    if unsure or not options.card_known or len(results) > 1:
        return Ambiguous(tuple((item.candidate.move.card, item.candidate.move) for item in rivals))
    odds = sum(exp(best.cost - item.cost) for item in ranked if item not in rivals)
    confidence = 1.0 / (1.0 + odds + exp(best.cost - base_cost))
    move = _as_played(options.position, best.candidate.move, watch)
    return Accepted(best.candidate.move.card, move, confidence, still_since)


def _as_played(position: Position, move: Move, watch: Watch) -> Move:
    """Return the parts of a seven in the order in which they were seen, when they are legal in that order too."""
    if len(move.parts) < 2:
        return move
    shape = position.shape

    def seen_ms(part: Part) -> tuple[int, int]:
        holes = (shape.hole_id(part.from_cell), shape.hole_id(part.to_cell))
        left, reached = (watch.hole(hole).since_ms for hole in holes)
        return left, reached

    played = position.find_parts(move.card, sorted(move.parts, key=seen_ms))
    return played if played is not None and played.result == move.result else move


def _settle_wrong(options: Options, fit: Fit, watch: Watch, now_ms: int, timing: Timing) -> Decision:
    setup = estimated_setup(watch, options.position)
    short = seats_short_of_pawns(setup, options.position)
    differing = fit.differing()
    gone_ms = max((_gone_since(watch, seat) for seat in short), default=0)
    places = watch.occluded_since(gone_ms)
    if short and places:
        return Waiting(tuple(sorted(places)))
    still_since = max(gone_ms, _still_since(watch, differing))
    unfinished = _on_the_way(options, differing, watch)
    patience = timing.reject_ms
    if short:
        patience = timing.missing_ms
    elif unfinished:
        patience = timing.partial_ms if watch.under_hand else timing.unfinished_ms
    if now_ms - still_since < patience:
        return Waiting(differing, still_since + patience)
    if not short:
        return Rejected(setup, differing, unfinished, options.moves)
    if now_ms - still_since >= timing.undetected_ms:
        unfelt = undetected_moves(options, fit, watch)
        if unfelt:
            return Ambiguous(tuple((candidate.move.card, candidate.move) for candidate in unfelt))
    return Missing(short, setup)


def _hidden(candidate: Candidate, watch: Watch) -> tuple[str, ...]:
    return tuple(sorted(hole for hole in candidate.changed if watch.hole(hole).occluded))


def _still_since(watch: Watch, holes: Iterable[str]) -> int:
    return max((watch.hole(hole).since_ms for hole in holes), default=0)


def _shown_since(watch: Watch, holes: Iterable[str]) -> int:
    return max((watch.hole(hole).visible_since_ms for hole in holes), default=0)


def _gone_since(watch: Watch, seat: Seat) -> int:
    """Return when a pawn of the seat was last seen to leave a hole; any pawn, where colours are not seen."""
    if watch.hypotheses is not None:
        return watch.last_change_ms
    return max((tracked.since_ms for tracked in watch.holes.values() if tracked.left is seat), default=0)


def _half_of_another(candidate: Candidate, options: Options) -> bool:
    """Whether another legal move touches all that has changed and more: a taken pawn may have gone home first."""
    return any(_goes_through(other, candidate) for other in options.candidates if other is not candidate)


def _goes_through(other: Candidate, candidate: Candidate) -> bool:
    taken = {hole for _, hole in other.move.captures}
    if not candidate.changed <= other.changed | taken or other.expected == candidate.expected:
        return False
    if any(_stands_twice(part, candidate, other.move) for part in other.move.parts):
        return False
    return all(
        candidate.expected.holes.get(hole) is other.expected.holes.get(hole)
        or (hole in taken and hole not in candidate.expected.holes)
        for hole in candidate.changed
    )


def _stands_twice(part: Part, candidate: Candidate, move: Move) -> bool:
    """Whether the pawn of a part would stand on its new hole while its old one is still taken: no hand can do that."""
    if part.from_cell < 0 or part.from_cell in {other.to_cell for other in move.parts}:
        return False
    shape, holes = move.before.shape, candidate.expected.holes
    source, target = shape.hole_id(part.from_cell), shape.hole_id(part.to_cell)
    return target in candidate.changed and holes.get(source) is part.seat and holes.get(target) is part.seat


def _may_go_on(candidate: Candidate, options: Options) -> bool:
    """Whether the same pawn could still go further: to another legal move, or with another card while none is laid."""
    if not options.card_known:
        return True
    first = {(part.seat, part.from_cell, part.to_cell) for part in candidate.move.parts}
    return any(
        other.expected != candidate.expected
        and any((part.seat, part.from_cell, part.via) in first for part in other.move.parts)
        for other in options.candidates
    )


def _on_the_way(options: Options, differing: tuple[str, ...], watch: Watch) -> bool:
    """Whether all that has changed belongs to one legal move of which something is still missing."""
    changed = {hole for hole in differing if "-C" not in hole}
    return any(
        changed <= candidate.changed
        and all(watch.pawn_at(hole) in (candidate.expected.holes.get(hole), None) for hole in changed)
        for candidate in options.candidates
    )
