"""Works out from lifts and puts, without colours, which pawn is in the air and which was put down where.

A switch feels that a hole was emptied or filled, never whose pawn it was. A lifted pawn is known by the hole it left.
With pawns of two seats in the air the next put may be either: every way in which it may have gone is kept as a
hypothesis with a cost, the plainest cheapest, and the rules choose among them later (`fit`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tock_companion.observation import Edge, HoleState
from tock_companion.referee.tracking.belief import Expectation
from tock_rules import Hole, Seat

BOUNCE_MS = 40
"""A contact that opens and closes again within this time has bounced; no hand is that quick."""
NOT_RETURNED_COST = 1.0
"""Log odds against a pawn going into a hole whose own pawn is in the air as well."""
STRANGER_COST = 5.0
"""Log odds against a pawn in another seat's camp or home, and against another pawn than believed in a hole."""
MAX_HYPOTHESES = 48
MAX_EDGES_KEPT = 200


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One way in which the pawns may have gone; seat None if unknown."""

    placed: Mapping[Hole, Seat | None] = field(default_factory=dict)
    """The seat of the pawn put into each hole."""
    air: tuple[tuple[Seat | None, Hole], ...] = ()
    """Pawns in the air, each with the hole it left, in the order lifted."""
    cost: float = 0.0

    def key(self) -> tuple[object, ...]:
        """A key that equal hypotheses share, at any cost."""
        return frozenset(self.placed.items()), self.air


@dataclass(frozen=True, slots=True)
class HypothesisTracker:
    """All hypotheses since the position was last certain, the cheapest first."""

    base: Expectation
    """The position that was certain."""
    hypotheses: tuple[Hypothesis, ...] = (Hypothesis(),)
    emptied: frozenset[Hole] = frozenset()
    """Holes of the base from which the pawn was lifted and into which none has come since."""
    lifted_together: frozenset[frozenset[Hole]] = frozenset()
    """Pairs of holes whose own pawns were in the air at the same time."""
    edges: tuple[Edge, ...] = ()
    """Edges, oldest first, without bounces."""
    before_last_edge: "HypothesisTracker | None" = None
    """The tracker before the last edge, in case that was a bounce."""

    @classmethod
    def elsewhere(cls, base: Expectation, stands: Expectation) -> "HypothesisTracker":
        """Begin with the certainty that the pawns of `base` stand for now as in another position."""
        changed = base.changes(stands)
        placed = {hole: stands.holes[hole] for hole in changed if hole in stands.holes}
        return cls(
            base, (Hypothesis(placed),), frozenset(hole for hole in changed if hole not in stands.holes)
        )

    def bounces(self, edge: Edge, within_ms: int = BOUNCE_MS) -> bool:
        """Whether an edge only takes back the one before, too soon for a hand."""
        last = self.edges[-1] if self.edges else None
        if last is None or self.before_last_edge is None or last.hole != edge.hole:
            return False
        return last.state is not edge.state and edge.t_ms - last.t_ms <= within_ms

    def update(self, edge: Edge, bounce_ms: int = BOUNCE_MS) -> "HypothesisTracker":
        """Take in one more lift or put; a bounce undoes the edge before it."""
        if self.before_last_edge is not None and self.bounces(edge, bounce_ms):
            return self.before_last_edge
        if self.edges and (self.edges[-1].hole, self.edges[-1].state) == (edge.hole, edge.state):
            return self
        if edge.state is HoleState.EMPTY:
            tracker = self._lifted(edge.hole)
        elif self._stands(edge.hole):
            # Its own pawn was there unfelt: it has been moved a little, or lifted for the one that comes.
            tracker = self._lifted(edge.hole)._put(edge.hole)
        else:
            tracker = self._put(edge.hole)
        edges = (*self.edges[-MAX_EDGES_KEPT:], edge)
        return replace(tracker, edges=edges, before_last_edge=replace(self, before_last_edge=None))

    def seat_in(self, hole: Hole) -> Seat | None:
        """The seat of the pawn in an occupied hole by the cheapest hypothesis, None if unknown."""
        placed = self.hypotheses[0].placed
        return placed[hole] if hole in placed else self._owner(hole)

    def filled(self) -> list[Hole]:
        """The holes outside the camps into which pawns were put, by the cheapest hypothesis."""
        return [hole for hole in self.hypotheses[0].placed if not hole.in_camp]

    def unexplained(self, hole: Hole) -> bool:
        """Whether no pawn is known that could be in a filled hole: a lift was missed, or a switch sticks."""
        cheapest = self.hypotheses[0]
        return self.seat_in(hole) is None and not (cheapest.air and hole in cheapest.placed)

    def cost(self, board: Expectation) -> float:
        """The cost of believing that the pawns put down, and those never lifted, are the ones of `board`."""
        base = self.base
        exchanged = [hole for hole in base.changes(board) if hole in base.holes and hole in board.holes]
        never_lifted = [hole for hole in exchanged if hole not in self.emptied]
        cheapest = self.hypotheses[0].cost
        # Relative to the cheapest: unlikely ways of the pawns count against no board in particular.
        return min(
            hypothesis.cost
            - cheapest
            + STRANGER_COST
            * (_strangers(hypothesis, board) + sum(hole not in hypothesis.placed for hole in never_lifted))
            for hypothesis in self.hypotheses
        )

    def in_air_from(self, hole: Hole) -> frozenset[Seat | None]:
        """The seats whose pawn may be in the air that was last lifted from a hole."""
        return frozenset(seat for one in self.hypotheses for seat, origin in one.air if origin == hole)

    def exchanged(self, holes: frozenset[Hole]) -> bool:
        """Whether these two holes' own pawns were in the air together."""
        return holes in self.lifted_together

    def _owner(self, hole: Hole) -> Seat | None:
        """The seat whose pawn belongs in a hole: its own in a camp, elsewhere that of the base."""
        return hole.seat if hole.in_camp else self.base.holes.get(hole)

    def _own_pawn_in(self, hole: Hole) -> bool:
        """Whether a pawn of the base's seat is there, by the cheapest hypothesis."""
        owner = self.base.holes.get(hole)
        return owner is not None and self.hypotheses[0].placed.get(hole, owner) is owner

    def _stands(self, hole: Hole) -> bool:
        """Whether the pawn of the base is believed to be there still, no edge having moved it."""
        return (
            hole in self.base.holes
            and hole not in self.emptied
            and not any(hole in hypothesis.placed for hypothesis in self.hypotheses)
        )

    def _lifted(self, hole: Hole) -> "HypothesisTracker":
        # A second lift from an emptied hole was of a pawn whose arrival no switch reported.
        own = self._owner(hole) if hole not in self.emptied else None
        hypotheses = []
        for hypothesis in self.hypotheses:
            placed = dict(hypothesis.placed)
            seat = placed.pop(hole) if hole in placed else own
            hypotheses.append(Hypothesis(placed, (*hypothesis.air, (seat, hole)), hypothesis.cost))
        if not self._own_pawn_in(hole):
            return replace(self, hypotheses=_cheapest(hypotheses))
        return replace(
            self,
            hypotheses=_cheapest(hypotheses),
            emptied=self.emptied | {hole},
            lifted_together=self.lifted_together | {frozenset({hole, other}) for other in self.emptied},
        )

    def _put(self, hole: Hole) -> "HypothesisTracker":
        owner = self._owner(hole)
        hypotheses = [after for hypothesis in self.hypotheses for after in _puts(hypothesis, hole, owner)]
        return replace(self, hypotheses=_cheapest(hypotheses), emptied=self.emptied - {hole})


def _puts(hypothesis: Hypothesis, hole: Hole, owner: Seat | None) -> list[Hypothesis]:
    """The ways in which one of the pawns in the air may have come into this hole.

    A pawn of unknown seat is taken for the `owner`'s, come back to where it was missing.
    """
    air = hypothesis.air
    # A put without a lift: a lift was missed, and the likeliest pawn is the one that belongs here.
    if not air:
        return [Hypothesis({**hypothesis.placed, hole: owner}, (), hypothesis.cost)]
    came_from_here = {seat for seat, origin in air if origin == hole}
    row_of = hole.seat
    found: list[Hypothesis] = []
    for seat in dict.fromkeys(seat for seat, _ in air):
        # Pawns of one seat are alike: the one that left this hole comes back, else the one lifted last comes down.
        index = max(
            (i for i, (flying, _) in enumerate(air) if flying is seat), key=lambda i: (air[i][1] == hole, i)
        )
        cost = hypothesis.cost + (NOT_RETURNED_COST if came_from_here and seat not in came_from_here else 0.0)
        if row_of is not None and seat is not None and seat is not row_of:
            cost += STRANGER_COST
        placed = {**hypothesis.placed, hole: owner if seat is None else seat}
        found.append(Hypothesis(placed, air[:index] + air[index + 1 :], cost))
    return found


def _cheapest(hypotheses: list[Hypothesis]) -> tuple[Hypothesis, ...]:
    """The cheapest hypotheses, each once, the cheapest first."""
    kept: dict[tuple[object, ...], Hypothesis] = {}
    for hypothesis in sorted(hypotheses, key=lambda one: one.cost):
        kept.setdefault(hypothesis.key(), hypothesis)
    return tuple(kept.values())[:MAX_HYPOTHESES]


def _strangers(hypothesis: Hypothesis, board: Expectation) -> int:
    """Number of pawns put where `board` has the pawn of another seat, camps aside."""
    return sum(
        seat is not None and board.holes.get(hole) not in (seat, None)
        for hole, seat in hypothesis.placed.items()
        if not hole.in_camp
    )
