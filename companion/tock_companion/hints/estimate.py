"""The estimated chance that a seat's side wins, from what stands on the board and what the seat holds."""

import math
from functools import lru_cache

from tock_companion.hints.learned import weights_for
from tock_companion.hints.places import PLACES, shares_of
from tock_companion.hints.terms import FIRST_STATE_TERM, ROLES, TERMS, Table, kind_of
from tock_companion.rules import deal_plan
from tock_companion.rules.engine import PART, SWAP, Engine, FlatMove, State

_DANGER = {role: TERMS.index(f"{role}_danger") for role in ROLES}
_SEAT_HOME = {role: TERMS.index(f"{role}_blocked") - 4 for role in ROLES}
_KEEPS = TERMS.index("keeps_ace")
_STORED = TERMS.index("stored_me")


class View:
    """The weights as one seat sees the table: a number for every pawn in every cell."""

    __slots__ = ("danger", "homes", "kept", "places", "stored")

    def __init__(self, table: Table, weights: list[float], seat: int) -> None:
        """Sum the weights of the places of every cell."""
        shape = table.engine.shape
        self.places: list[list[float]] = []
        """For every seat's pawn the worth of a cell, at index cell + 1."""
        self.danger: list[tuple[float, float]] = []
        """For every seat's pawn what a sure hit costs: always, and times the share of the lap."""
        self.homes: list[list[float]] = []
        """For every seat what it is worth to have so many pawns home."""
        for other in range(shape.zones):
            role = table.role(seat, other)
            first = role * len(PLACES)
            self.places.append(
                [
                    sum(weights[first + index] * share for index, share in shares_of(shape, other, cell))
                    for cell in range(-1, shape.cell_count)
                ]
            )
            at = _DANGER[ROLES[role]]
            self.danger.append((weights[at], weights[at + 1]))
            at = _SEAT_HOME[ROLES[role]]
            self.homes.append([0.0, *weights[at : at + 4]])
        self.kept: list[float] = [weights[_KEEPS + kind_of(code)] for code in range(18)]
        self.stored = weights[_STORED]


class Estimate:
    """Judges positions of one table with the weights of its family of rulesets."""

    def __init__(self, engine: Engine, weights: list[float]) -> None:
        """Prepare the views of all seats."""
        self.table = Table(engine, deal_plan(engine.rules, len(engine.seats)))
        self.weights = weights
        self.state_weights = weights[FIRST_STATE_TERM:]
        self.views: dict[int, View] = {seat: View(self.table, weights, seat) for seat in self.table.seats}

    def logit(self, state: State, seat: int, to_move: int, hand: list[int], stored: list[int]) -> float:
        """Return the log odds that the seat's side wins; `hand` are card codes."""
        pawns = state.pawns
        total = 0.0
        places = self.views[seat].places
        for other in self.table.seats:
            worth = places[other]
            first = 4 * other
            total += (
                worth[pawns[first] + 1]
                + worth[pawns[first + 1] + 1]
                + worth[pawns[first + 2] + 1]
                + worth[pawns[first + 3] + 1]
            )
        terms = self.table.state_terms(pawns, seat, to_move, hand, stored)
        for weight, term in zip(self.state_weights, terms, strict=True):
            if term:
                total += weight * term
        return total

    def chance(self, state: State, seat: int, to_move: int, hand: list[int], stored: list[int]) -> float:
        """Return the chance that the seat's side wins, 0 to 1."""
        return squash(self.logit(state, seat, to_move, hand, stored))

    def terms(self, state: State, seat: int, to_move: int, hand: list[int], stored: list[int]) -> list[float]:
        """Return every term of the position, as `TERMS` names them: what the weights are learned from."""
        shape = self.table.engine.shape
        out = [0.0] * FIRST_STATE_TERM
        for other in self.table.seats:
            first = self.table.role(seat, other) * len(PLACES)
            for cell in state.pawns[4 * other : 4 * other + 4]:
                for index, share in shares_of(shape, other, cell):
                    out[first + index] += share
        return out + self.table.state_terms(state.pawns, seat, to_move, hand, stored)


def squash(logit: float) -> float:
    """Return the chance of log odds."""
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))


class MoveScorer:
    """Scores moves of one turn by what they change, without making them: quick and nearly the estimate."""

    def __init__(self, estimate: Estimate, pawns: list[int], seat: int) -> None:
        """Note who stands where before the move."""
        table = estimate.table
        self.table = table
        self.seat = seat
        self.view = estimate.views[seat]
        sets = table.track_sets(pawns)
        self.enemies = table.enemies_of(sets, seat)
        self.owner: dict[int, int] = {}
        for other in table.seats:
            for cell in pawns[4 * other : 4 * other + 4]:
                if cell >= 0:
                    self.owner[cell] = other
        self.pawns = pawns

    def score(self, move: FlatMove) -> float:
        """Return by how much the move raises the log odds, roughly."""
        if len(move) == PART:
            return self._part(move, 0)
        return sum(self._part(move, at) for at in range(0, len(move), PART))

    def _part(self, move: FlatMove, at: int) -> float:
        kind, seat, src, dst, via, taken = move[at : at + PART]
        places = self.view.places
        own = places[seat]
        gain = own[dst + 1] - own[src + 1]
        if kind == SWAP:
            other = places[via]
            gain += other[src + 1] - other[dst + 1]
            return gain + self._danger(seat, src, dst)
        hit = self.owner.get(dst, -1)
        if hit >= 0 and src != dst:
            lost = places[hit]
            gain += lost[0] - lost[dst + 1]
        while taken:
            low = taken & -taken
            taken ^= low
            cell = low.bit_length() - 1
            hit = self.owner.get(cell, -1)
            if hit >= 0 and cell != dst:
                lost = places[hit]
                gain += lost[0] - lost[cell + 1]
        centre = self.table.centre
        if dst > centre >= src:
            at_home = sum(1 for cell in self.pawns[4 * seat : 4 * seat + 4] if cell > centre)
            worth = self.view.homes[seat]
            return gain + worth[min(at_home + 1, 4)] - worth[at_home] - self._at(seat, src)
        if seat in self.table.sides[self.seat]:
            gain += self._danger(seat, src, dst)
        return gain

    def _danger(self, seat: int, src: int, dst: int) -> float:
        return self._at(seat, dst) - self._at(seat, src)

    def _at(self, seat: int, cell: int) -> float:
        """Return what the danger on a cell costs a pawn of the own side."""
        table = self.table
        if not 0 <= cell < table.length or cell == table.starts[seat]:
            return 0.0
        chance = table.danger.chance(self.enemies, table.length, cell)
        if not chance:
            return 0.0
        always, far = self.view.danger[seat]
        return chance * (always + far * table.gone[seat][cell + 1])


@lru_cache(maxsize=32)
def estimate_for(engine: Engine) -> Estimate:
    """Return the estimate of a table, made once."""
    return Estimate(engine, weights_for(engine.rules, len(engine.seats), any(engine.mates)))
