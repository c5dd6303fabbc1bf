"""Decides when to speak: compares the watched table with every legal next position, and decides or waits a little.

A move happened when the table shows the position after some legal move. There is no signal for "done": a hand lets go
of a pawn at every hole it counts, and takes it up again. So each board must stand still for a while before it counts,
and for longer the likelier it is that something else still follows (`Timing`).

Four questions are asked in this order; each can only be answered once those before it are:

1. Does the table show the old position? Then nothing has happened, however long it takes.
2. Does it show the result of a legal move? Then all that matters is whether the move is complete and unique.
3. Did it show one, before another player reached out? A lift by a player who is not to move belongs to the next turn.
4. Is a pawn missing? Then it is in a hand, or beside its hole. Does all that has changed belong to a legal
   move? Then something is left to do. Only when all are there, still, and part of no move is the board wrong.

P0 plays a six from T20 and captures P1's pawn on T26, counting aloud (`tests/referee/test_settle.py` plays it):

      ms   what happens                   track shows  decision and the question that gives it
       0                                  P0 T20 P1 T26  Unchanged                                     1
    1000   P0's pawn is lifted                   P1 T26  Waiting until 2800: a pawn is missing         4
    1600   it taps T23                    P0 T23 P1 T26  Waiting until 2800: it is on its way to T26  4
    1800   it is lifted again                    P1 T26  Waiting until 3600                            4
    2600   it stands, P1's is in the hand P0 T26         Waiting until 4400: P1's is missing           4
    3400   P1's pawn is in its camp       P0 T26         Accepted: T20 and T26 are still since 2600    2

Costs are natural-log odds, as in `fit`. With these waits no turn of 30,000 was silently wrong
(docs/measurements/referee.md).
"""

from dataclasses import dataclass
from math import inf

from tock_companion.observation import HoleState, LoosePawn
from tock_companion.referee.decision import (
    Accepted,
    Ambiguous,
    Decision,
    Hidden,
    Missing,
    Rejected,
    Unchanged,
    Unfinished,
    Waiting,
    sooner,
)
from tock_companion.referee.matching.candidates import Candidate, Options
from tock_companion.referee.matching.fit import (
    DECISIVE_LOG_ODDS,
    Fit,
    posterior,
    seen_empty,
    undetected_moves,
)
from tock_companion.referee.matching.progress import (
    captured_first,
    in_order_played,
    may_be_half,
    under_way,
)
from tock_companion.referee.matching.standing import (
    believing_empty_holes,
    seen_under_way,
    without_strayed_pawns,
)
from tock_companion.referee.tracking.belief import TOLERATED_LOG_ODDS, Expectation
from tock_companion.referee.tracking.estimate import estimated_setup, seats_short_of_pawns
from tock_companion.referee.tracking.watch import HAND_COVERS_HOLES, Watch
from tock_rules import Hole, Move, Seat, Setup

LAID_CARD_LOG_ODDS = 2.3
"""Prior in favour of some move once a card is laid and the table is still: ten to one that it was played."""
EXCHANGE_LOG_ODDS = 8.0
"""Against two pawns having gone back to their own holes when the laid card exchanges just these two."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Times for which the table must be still before the referee speaks, in milliseconds of observation time."""

    settle_ms: int = 250
    """A legal move that cannot go on any further."""
    extend_ms: int = 1200
    """A legal move while no card is laid: another card may take its pawn further."""
    ask_ms: int = 1200
    """A board that two legal moves explain about as well: further frames may tell."""
    reject_ms: int = 900
    """A board that no legal move explains."""
    partial_ms: int = 2500
    """A legal move that may be half of another one: a captured pawn may have gone home first, or its pawn jump on."""
    taken_first_ms: int = 2800
    """A pawn that the laid card takes, laid aside before the capturing one is touched: it may be a mistake as well."""
    unfinished_ms: int = 1200
    """A board on the way to a legal move, before players are shown the steps that are left."""
    missing_ms: int = 1800
    """A pawn that no source sees; until then it counts as in a hand."""
    undetected_ms: int = 3000
    """A pawn that no switch feels, before players are asked whether it stands where a legal move takes it."""
    hidden_ms: int = 2500
    """One or two holes out of sight on which everything depends: a pawn on their rim, a card, a glass."""
    covered_ms: int = 8000
    """More holes than that: a hand, which people know to be there."""
    weak_ms: int = 1500
    """A hole seen to be empty only weakly, before a pawn is believed to stand there: one frame may be doubtful."""
    loose_ms: int = 500
    """A pawn seen beside the holes, before it is announced: hands carry pawns past there."""


@dataclass(frozen=True, slots=True)
class _Ranked:
    candidate: Candidate
    cost: float


def decide(options: Options, watch: Watch, now_ms: int, timing: Timing) -> Decision:
    """Interpret the table at `now_ms`, by the clock of the observations."""
    if not watch.holes or watch.blind:
        return Waiting()
    fit = Fit(watch, options.position.shape, options.before)
    return _Moment(options, watch, fit, now_ms, timing).decide()


@dataclass(frozen=True, slots=True)
class _Moment:
    """Everything a decision rests on."""

    options: Options
    watch: Watch
    fit: Fit
    now_ms: int
    timing: Timing

    def decide(self) -> Decision:
        """Ask the four questions above, in their order."""
        base_cost = self._base_cost()
        if base_cost == 0:
            # By far the most frequent case: no pawn has moved, and the candidates are not even listed.
            hidden_by_ms = self.now_ms - self.timing.missing_ms
            strayed = (
                without_strayed_pawns(self.options, self.watch, hidden_by_ms) if self.watch.loose else None
            )
            if strayed is None:
                return Unchanged()
            return self._settle_wrong(strayed, under_way(self.options, strayed))
        ranked = self._ranked()
        best_cost = ranked[0].cost if ranked else inf
        if base_cost < TOLERATED_LOG_ODDS and base_cost <= best_cost:
            weakly_seen = believing_empty_holes(self.options, self.watch)
            hidden = self._out_of_its_hole(weakly_seen)
            if hidden is not None:
                # Its hole seems empty, if only weakly, and the pawn may stand in a hole out of sight.
                return hidden
            if self._loose_pawns(seats_short_of_pawns(weakly_seen, self.options.position)):
                # The pawn is seen beside its hole, so the doubt about the hole is settled.
                return self._settle_wrong(weakly_seen, under_way(self.options, weakly_seen))
            if best_cost - base_cost < DECISIVE_LOG_ODDS:
                # The holes that differ are occluded, or the costs are too close: wait for further frames.
                return self._out_of_sight(self._occluded(ranked[0].candidate))
            return Unchanged()
        if best_cost < TOLERATED_LOG_ODDS:
            return self._settle_move(ranked, base_cost)
        wrong = self._settle_wrong(*seen_under_way(self.options, self.watch))
        # The board may be wrong only because the next player has lifted a pawn already.
        before_lifts = self.watch.without_lifts_by_others(self.options.position.played_seats())
        if before_lifts is self.watch:
            return wrong
        earlier = decide(self.options, before_lifts, self.now_ms, self.timing)
        if isinstance(earlier, Accepted):
            return wrong if self._lifts_a_part_of(earlier, before_lifts) else earlier
        return sooner(wrong, earlier)

    def _lifts_a_part_of(self, accepted: Accepted, before_lifts: Watch) -> bool:
        """Whether a lift taken for the next player's is one of the move: of a pawn that it pushes, swaps or takes."""
        shape, standing = self.options.position.shape, self.options.before.holes
        touched = {
            shape.hole_id(cell)
            for part in accepted.move.parts
            for cell in (part.from_cell, part.to_cell)
            if cell >= 0
        }
        return any(
            tracked.occluded
            and not self.watch.hole(hole).occluded
            and standing.get(hole) in self.watch.lifted_from(hole)
            for hole, tracked in before_lifts.holes.items()
            if hole in touched and hole in standing
        )

    def _base_cost(self) -> float:
        """The cost of believing that no pawn has moved."""
        return self.fit.base_cost + (EXCHANGE_LOG_ODDS if self._exchanged_unseen() else 0.0)

    def _exchanged_unseen(self) -> bool:
        """Whether two pawns that the laid card exchanges were in the air together, and no source sees their colours.

        After a swap the switches read as before it: the only evidence is that both pawns were lifted at once.
        """
        tracker, watch = self.watch.tracker, self.watch
        if tracker is None or not self.options.card_known:
            return False
        return any(
            tracker.exchanged(candidate.changed)
            and all(watch.hole(hole).belief.state is HoleState.PAWN for hole in candidate.changed)
            and all(watch.hole(hole).belief.seat is None for hole in candidate.changed)
            for candidate in self.options.candidates
        )

    def _ranked(self) -> list[_Ranked]:
        return sorted(
            (
                _Ranked(candidate, self.fit.cost(candidate.expected))
                for candidate in self.options.candidates
                if self._is_possible(candidate)
            ),
            key=lambda item: item.cost,
        )

    def _is_possible(self, candidate: Candidate) -> bool:
        """Whether the occluded holes of a candidate may have changed along with its visible ones.

        Occluded holes cost nothing, so without this a card left on two holes would make every move between them fit.
        """
        occluded = self._occluded(candidate)
        if not occluded:
            return True
        seen_ms = [self.watch.hole(hole).since_ms for hole in candidate.changed if hole not in occluded]
        return not seen_ms or self.watch.occluded_since(min(seen_ms)).issuperset(occluded)

    def _settle_move(self, ranked: list[_Ranked], base_cost: float) -> Decision:
        """Accept the best candidate once it is visible, still, complete and unique; ask when it stays ambiguous."""
        best = ranked[0]
        candidate = best.candidate
        unseen = self._not_yet_seen(candidate)
        if unseen is not None:
            return unseen
        unsure = base_cost - best.cost < DECISIVE_LOG_ODDS
        still_since_ms = begun_ms = self.watch.still_since_ms(candidate.concerned)
        if unsure:
            # The old position explains the board nearly as well: its holes must have been visible for all that time.
            begun_ms = max(begun_ms, self.watch.visible_since_ms(candidate.concerned))
        until_ms = begun_ms + self._patience_ms(candidate, unsure=unsure)
        if self.now_ms < until_ms:
            return Waiting(tuple(sorted(candidate.concerned)), until_ms)
        # A pawn of the move may be where it was last seen; a hole left empty since is the next player's affair.
        if (going_on := self._going_on(candidate.expected)) is not None:
            return going_on
        rivals = [item for item in ranked if item.cost - best.cost < DECISIVE_LOG_ODDS]
        apart = self._tell_apart(candidate, rivals, begun_ms)
        if apart is not None:
            return apart
        if unsure and self.options.card_known:
            unsure = base_cost - best.cost < DECISIVE_LOG_ODDS - LAID_CARD_LOG_ODDS
        results = {item.candidate.move.result for item in rivals}
        if unsure or not self.options.card_known or len(results) > 1:
            return Ambiguous(tuple((item.candidate.move.card, item.candidate.move) for item in rivals))
        # The rivals all lead to the same board: they are one explanation, not several.
        others = [item.cost for item in ranked if item not in rivals]
        move = in_order_played(self.options.position, candidate.move, self.watch)
        return Accepted(candidate.move.card, move, posterior(best.cost, [*others, base_cost]), still_since_ms)

    def _not_yet_seen(self, candidate: Candidate) -> Decision | None:
        """The reason to wait while a hand hides the candidate's holes, or the pawns in them are seen too weakly."""
        occluded = self._occluded(candidate)
        if occluded:
            return self._out_of_sight(occluded)
        shape, expected = self.options.position.shape, candidate.expected
        fading = [*seen_empty(self.watch, candidate.targets), *self.fit.camps_fading(expected)]
        # A pawn that counts on may rest, for a moment weakly seen, in a hole that the candidate leaves empty.
        fading += self.watch.contradicting(shape.cells_by_hole, expected.holes)
        if not fading:
            return None
        setup, moves = seen_under_way(self.options, self.watch)
        if self._loose_pawns(seats_short_of_pawns(setup, self.options.position)):
            # The pawn that a doubtful hole may hold lies visibly elsewhere.
            return self._settle_wrong(setup, moves)
        until_ms = max(self._weak_since_ms(hole) for hole in fading) + self.timing.weak_ms
        return Waiting(tuple(fading), until_ms) if self.now_ms < until_ms else None

    def _patience_ms(self, candidate: Candidate, *, unsure: bool) -> int:
        """Time for which the board must stand still before the candidate counts."""
        if unsure or may_be_half(candidate, self.options):
            return self.timing.partial_ms
        return self.timing.settle_ms if self.options.card_known else self.timing.extend_ms

    def _tell_apart(self, best: Candidate, rivals: list[_Ranked], begun_ms: int) -> Decision | None:
        """Wait for the holes in which rivals look different, or for frames to add up; None when that is over."""
        differing = {
            hole
            for item in rivals
            if item.candidate.expected != best.expected
            for hole in item.candidate.expected.changes(best.expected)
        }
        unseen = tuple(sorted(hole for hole in differing if self.watch.hole(hole).occluded))
        if unseen:
            return self._out_of_sight(unseen)
        until_ms = begun_ms + self.timing.ask_ms
        return Waiting(tuple(sorted(differing)), until_ms) if differing and self.now_ms < until_ms else None

    def _settle_wrong(self, setup: Setup, moves: tuple[Move, ...]) -> Decision:
        """Find the mistake, or the rest of `moves`, once no hand can still be at work."""
        position, timing, fit, watch = self.options.position, self.timing, self.fit, self.watch
        short = seats_short_of_pawns(setup, position)
        loose = self._loose_pawns(short)
        gone_ms = self._gone_ms(short)
        hidden = self._out_of_its_hole(setup) or self._one_too_many(setup)
        if hidden is not None:
            return hidden
        differing = fit.differing
        if short:
            patience_ms = timing.missing_ms
        elif moves:
            patience_ms = timing.partial_ms if watch.under_hand else timing.unfinished_ms
        elif captured_first(self.options, setup):
            patience_ms = timing.covered_ms if watch.under_hand else timing.taken_first_ms
        else:
            patience_ms = timing.reject_ms
        # One bad frame makes a pawn seem to be back in its hole, so there too it must be still for as long.
        still_since_ms = max(gone_ms, self.watch.still_since_ms({*differing, *self.options.before.holes}))
        still_for_ms = self.now_ms - still_since_ms
        if still_for_ms < patience_ms:
            return Waiting(differing, still_since_ms + patience_ms)
        if short and still_for_ms >= timing.undetected_ms:
            undetected = undetected_moves(self.options, fit, watch)
            if undetected:
                return Ambiguous(tuple((candidate.move.card, candidate.move) for candidate in undetected))
        if moves:
            return Unfinished(moves, setup, differing, short, loose)
        if (going_on := self._going_on()) is not None:
            return going_on
        if short:
            return Missing(short, setup, loose, () if loose else watch.unseen_since(gone_ms))
        return Rejected(setup, differing, self.options.moves)

    def _going_on(self, *boards: Expectation) -> Waiting | None:
        """Wait for holes that went out of sight after a change that none of `boards` explains: it may be going on."""
        explanations = (self.options.before, *boards)
        changed = tuple(
            hole
            for hole, tracked in self.watch.holes.items()
            if tracked.occluded
            and not hole.in_camp
            and all(tracked.belief.contradicts(board.holes.get(hole)) for board in explanations)
            and not (boards and tracked.belief.state is HoleState.EMPTY)
        )
        decision = self._out_of_sight(changed) if changed else None
        return decision if isinstance(decision, Waiting) else None

    def _out_of_its_hole(self, setup: Setup) -> Waiting | Hidden | None:
        """Wait for a missing pawn that may stand in a hole that went out of sight about when it was lifted."""
        short = seats_short_of_pawns(setup, self.options.position)
        if len(short) <= len(self._loose_pawns(short)):
            return None
        gone_ms = self._gone_ms(short)
        hiding_places = self.watch.occluded_since(gone_ms)
        return self._out_of_sight(tuple(sorted(hiding_places)), short, gone_ms) if hiding_places else None

    def _one_too_many(self, setup: Setup) -> Waiting | Hidden | None:
        """Wait where a seat seems to have a pawn too many: one of its holes out of sight may have been left."""
        doubtful = tuple(
            hole
            for hole, seat in sorted(setup.holes.items())
            if setup.count(seat) > setup.shape.pawns_per_seat and self.watch.hole(hole).occluded
        )
        return self._out_of_sight(doubtful) if doubtful else None

    def _loose_pawns(self, seats: tuple[Seat, ...]) -> tuple[LoosePawn, ...]:
        """The pawns of these seats that have been lying beside the holes for a while."""
        return self.watch.loose_pawns(seats, self.timing.loose_ms)

    def _gone_ms(self, short: tuple[Seat, ...]) -> int:
        """Time at which the last of the missing pawns left its hole."""
        return max((self.watch.last_left_ms(seat) for seat in short), default=0)

    def _out_of_sight(
        self, holes: tuple[Hole, ...], seats: tuple[Seat, ...] = (), since_ms: int = 0
    ) -> Waiting | Hidden:
        """Wait until these holes can be seen; call them hidden after longer than a hand takes."""
        if not holes:
            return Waiting()
        hidden_ms = [self.watch.hole(hole).occluded_since_ms for hole in holes]
        # Holes that went out of sight along with them are under the same pawn, card or hand.
        around = tuple(sorted(self.watch.occluded_since(min(hidden_ms)).union(holes)))
        few = len(around) < HAND_COVERS_HOLES
        patience_ms = self.timing.hidden_ms if few else self.timing.covered_ms
        begun_ms = max(since_ms, *hidden_ms)
        if self.now_ms - begun_ms < patience_ms:
            return Waiting(holes, begun_ms + patience_ms)
        if not seats:
            setup = estimated_setup(self.watch, self.options.position)
            seats = seats_short_of_pawns(setup, self.options.position)
        return Hidden(around, seats)

    def _occluded(self, candidate: Candidate) -> tuple[Hole, ...]:
        return tuple(sorted(hole for hole in candidate.concerned if self.watch.hole(hole).occluded))

    def _weak_since_ms(self, hole: Hole) -> int:
        """Since when a hole has been out of sight or too weakly seen to be believed; now if it still is."""
        tracked = self.watch.hole(hole)
        if tracked.occluded:
            return tracked.occluded_since_ms
        return self.now_ms if tracked.weak_since_ms is None else tracked.weak_since_ms
