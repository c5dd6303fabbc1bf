"""Who is in the air and who was put down where, worked out from lifts and puts by a source that sees no colours.

A lifted pawn is known by the hole it left. With two pawns of different seats in the air a put may be either: every way
in which it may have gone is kept as a hypothesis, the plainer the cheaper, and the rules choose among the hypotheses.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tock_companion.observation import Edge, HoleState
from tock_companion.referee.tracking.belief import Expectation
from tock_companion.rules import Seat

BOUNCE_MS = 40
"""A contact that opens and closes again within so little has bounced; no hand is so quick."""
NOT_BACK = 1.0
"""Cost of a pawn put down where another one came from that is in the air too."""
STRANGER = 5.0
"""Cost of a pawn in a camp or home of another seat, and of a hole whose pawn is another than believed."""
MAX_HYPOTHESES = 48
MAX_EDGES = 200


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One way in which the pawns may have gone; seat None where nobody knows."""

    placed: Mapping[str, Seat | None] = field(default_factory=dict)
    air: tuple[tuple[Seat | None, str], ...] = ()
    """Pawns in the air, each with the hole it left, in the order lifted."""
    cost: float = 0.0

    def key(self) -> tuple[object, ...]:
        """Return what makes two hypotheses the same."""
        return frozenset(self.placed.items()), self.air


@dataclass(frozen=True, slots=True)
class HypothesisTracker:
    """All hypotheses since the position was last certain."""

    base: Expectation
    hypotheses: tuple[Hypothesis, ...] = (Hypothesis(),)
    emptied: frozenset[str] = frozenset()
    """Holes of the base from which the pawn was lifted and into which none has come since."""
    lifted_together: frozenset[frozenset[str]] = frozenset()
    """Pairs of holes whose own pawns were in the air at the same time."""
    edges: tuple[Edge, ...] = ()
    before_last_edge: "HypothesisTracker | None" = None

    @classmethod
    def elsewhere(cls, base: Expectation, stands: Expectation) -> "HypothesisTracker":
        """Return the one hypothesis that the pawns of `base` stand for now as in another position."""
        changed = base.changes(stands)
        placed = {hole: stands.holes[hole] for hole in changed if hole in stands.holes}
        return cls(
            base, (Hypothesis(placed),), frozenset(hole for hole in changed if hole not in stands.holes)
        )

    def bounces(self, edge: Edge, within_ms: int = BOUNCE_MS) -> bool:
        """Whether an edge only takes back the one before, so soon that it was no hand."""
        last = self.edges[-1] if self.edges else None
        if last is None or self.before_last_edge is None or last.hole != edge.hole:
            return False
        return last.state is not edge.state and edge.t_ms - last.t_ms <= within_ms

    def update(self, edge: Edge, bounce_ms: int = BOUNCE_MS) -> "HypothesisTracker":
        """Return the hypotheses after one more lift or put; a bounce takes the edge before back."""
        if self.before_last_edge is not None and self.bounces(edge, bounce_ms):
            return self.before_last_edge
        if self.edges and (self.edges[-1].hole, self.edges[-1].state) == (edge.hole, edge.state):
            return self
        if edge.state is HoleState.EMPTY:
            hypotheses = self._lifted(edge.hole)
        elif self._stands(edge.hole):
            # Its own pawn was there unfelt: it has been moved a little, or lifted for the one that comes.
            hypotheses = self._lifted(edge.hole)._put(edge.hole)
        else:
            hypotheses = self._put(edge.hole)
        earlier = replace(self, before_last_edge=None)
        edges = (*self.edges[-MAX_EDGES:], edge)
        return replace(hypotheses, edges=edges, before_last_edge=earlier)

    def who(self, hole: str) -> Seat | None:
        """Return whose pawn stands in an occupied hole by the cheapest hypothesis, None when nobody knows."""
        placed = self.hypotheses[0].placed
        return placed[hole] if hole in placed else self._owner(hole)

    def placed(self) -> list[str]:
        """Return the holes outside the camps into which pawns were put, by the cheapest hypothesis."""
        return [hole for hole in self.hypotheses[0].placed if "-C" not in hole]

    def unexplained(self, hole: str) -> bool:
        """Whether a hole was filled while no pawn was in the air: a lift was missed, or a switch sticks."""
        hypothesis = self.hypotheses[0]
        return not hypothesis.air and hypothesis.placed.get(hole, self.base) is None

    def cost(self, look: Expectation) -> float:
        """Return the cost of believing that pawns put down, and pawns never lifted, are those of `look`."""
        cheapest = self.hypotheses[0].cost
        other = [hole for hole in self.base.changes(look) if hole in self.base.holes and hole in look.holes]
        stayed = [hole for hole in other if hole not in self.emptied]
        return min(
            hypothesis.cost
            - cheapest
            + STRANGER
            * (_strangers(hypothesis, look) + sum(hole not in hypothesis.placed for hole in stayed))
            for hypothesis in self.hypotheses
        )

    def in_air_from(self, hole: str) -> frozenset[Seat | None]:
        """Return whose pawn may be in the air that was last lifted from a hole."""
        return frozenset(
            seat for hypothesis in self.hypotheses for seat, origin in hypothesis.air if origin == hole
        )

    def exchanged(self, holes: frozenset[str]) -> bool:
        """Whether these two holes' own pawns were in the air together."""
        return holes in self.lifted_together

    def _owner(self, hole: str) -> Seat | None:
        return Seat[hole[:2]] if "-C" in hole else self.base.holes.get(hole)

    def _own_pawn_in(self, hole: str) -> bool:
        """Whether a pawn of the base's seat is there, by the cheapest hypothesis."""
        owner = self.base.holes.get(hole)
        return owner is not None and self.hypotheses[0].placed.get(hole, owner) is owner

    def _stands(self, hole: str) -> bool:
        """Whether the pawn of the base is believed to be there still: nothing was felt of it until now."""
        return (
            hole in self.base.holes
            and hole not in self.emptied
            and not any(hole in hypothesis.placed for hypothesis in self.hypotheses)
        )

    def _lifted(self, hole: str) -> "HypothesisTracker":
        own = self._owner(hole) if hole not in self.emptied else None
        hypotheses = []
        for hypothesis in self.hypotheses:
            placed = dict(hypothesis.placed)
            seat = placed.pop(hole) if hole in placed else own
            hypotheses.append(Hypothesis(placed, (*hypothesis.air, (seat, hole)), hypothesis.cost))
        if not self._own_pawn_in(hole):
            return replace(self, hypotheses=_fewest(hypotheses))
        pairs = {frozenset({hole, other}) for other in self.emptied}
        return replace(
            self,
            hypotheses=_fewest(hypotheses),
            emptied=self.emptied | {hole},
            lifted_together=self.lifted_together | pairs,
        )

    def _put(self, hole: str) -> "HypothesisTracker":
        hypotheses: list[Hypothesis] = []
        for hypothesis in self.hypotheses:
            hypotheses.extend(_puts(hypothesis, hole, self._owner(hole)))
        return replace(self, hypotheses=_fewest(hypotheses), emptied=self.emptied - {hole})


def _puts(hypothesis: Hypothesis, hole: str, owner: Seat | None) -> list[Hypothesis]:
    """Return the ways in which one of the pawns in the air may have come into this hole.

    A pawn of which nobody knows whose it is, is the `owner` of the hole: what is missing there has come back.
    """
    if not hypothesis.air:
        return [Hypothesis({**hypothesis.placed, hole: owner}, (), hypothesis.cost)]
    own = {seat for seat, origin in hypothesis.air if origin == hole}
    home = Seat[hole[:2]] if "-" in hole else None
    found: list[Hypothesis] = []
    for seat in dict.fromkeys(seat for seat, _ in hypothesis.air):
        index = max(
            (i for i, (flying, _) in enumerate(hypothesis.air) if flying is seat),
            key=lambda i: (hypothesis.air[i][1] == hole, i),
        )
        cost = hypothesis.cost + (NOT_BACK if own and seat not in own else 0.0)
        if home is not None and seat is not None and seat is not home:
            cost += STRANGER
        air = hypothesis.air[:index] + hypothesis.air[index + 1 :]
        found.append(Hypothesis({**hypothesis.placed, hole: owner if seat is None else seat}, air, cost))
    return found


def _fewest(hypotheses: list[Hypothesis]) -> tuple[Hypothesis, ...]:
    """Return the cheapest hypotheses, each once, the cheapest first."""
    kept: dict[tuple[object, ...], Hypothesis] = {}
    for hypothesis in sorted(hypotheses, key=lambda hypothesis: hypothesis.cost):
        kept.setdefault(hypothesis.key(), hypothesis)
    return tuple(kept.values())[:MAX_HYPOTHESES]


def _strangers(hypothesis: Hypothesis, look: Expectation) -> int:
    return sum(
        seat is not None and look.holes.get(hole) not in (seat, None)
        for hole, seat in hypothesis.placed.items()
        if "-C" not in hole
    )
