"""Looks ahead: plays the promising actions out in determinizations, and compares the outcomes.

Hidden cards are sampled afresh for every determinization; all actions share the same ones (common random numbers), so
that luck does not decide between them. Weak actions are dropped early. The answer can be asked for at any time.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from tock_companion.hints.determinizations import Determinizer, Snapshot
from tock_companion.hints.estimate import Estimate, estimate_for, squash
from tock_companion.hints.knowledge import Knowledge
from tock_companion.hints.move_ordering import choose
from tock_companion.hints.plan import planned_scores
from tock_rules import Card, Position
from tock_rules.engine import CARD_CODES, PART, TO, Action, CardGame, FlatMove, code_of


@dataclass(frozen=True)
class Effort:
    """Limits of a search."""

    samples: int
    """Determinizations to sample; 0 asks only for the evaluation."""
    width: int = 8
    """Actions that are played out, the best by the evaluation."""
    rounds: int = 1
    """Rounds of the table before the position is evaluated."""
    prior: float = 16.0
    """Samples that the evaluation of an action counts for."""


FULL = Effort(64)
"""Samples of a hint, if time allows."""
ENDGAME_FACTOR = 8
"""Factor by which the search goes deeper once some side has only one pawn left to bring home."""
BATCH_SAMPLES = 4
DROP_STANDARD_ERRORS = 2.5
"""Standard errors behind the best at which an action is dropped."""
LEAD_STANDARD_ERRORS = 1.5
"""Standard errors by which an action must lead the first answer to replace it."""


@dataclass(frozen=True)
class Choice:
    """An action and the findings of the search."""

    action: Action
    value: float
    """Estimated chance that the seat's side wins, 0 to 1."""
    error: float
    """Standard error of the value; 0 for the evaluation alone, whose error is unknown."""
    samples: int
    """Determinizations it was played out in."""


class Search:
    """The search for the seat's best action: `first` answers at once, `refine` looks ahead."""

    def __init__(self, knowledge: Knowledge, seed: int = 0, laid: Card | None = None) -> None:
        """Prepare the samples; search nothing yet. `laid` is the card of the hand that must be played."""
        self.seat = int(knowledge.seat)
        self.estimate: Estimate = estimate_for(knowledge.position.engine)
        self.determinizer = Determinizer(knowledge, seed)
        game = self.determinizer.enter(self.determinizer.sample(missing=False))
        actions = game.actions()
        if laid is not None:
            code = code_of(laid)
            actions = [action for action in actions if action[1] >= 0 and CARD_CODES[action[1]] == code]
        self.actions: list[Action] = distinct(actions)
        self.priors = priors(self.estimate, game, self.actions)
        self.sums: list[list[float]] = [[] for _ in self.actions]
        self.ends_soon = ends_soon(knowledge.position)
        self.offset = 0.0
        """Mean surplus of the playouts' ends over the evaluation, common to all actions."""

    def first(self) -> list[Choice]:
        """Rank the actions by the evaluation alone, best first; an empty hand has none."""
        return self._ranked(Effort(0))

    def refine(self, effort: Effort = FULL, out_of_time: Callable[[], bool] | None = None) -> list[Choice]:
        """Play out samples up to the effort or until `out_of_time`, and rank the actions, best first."""
        order = sorted(range(len(self.actions)), key=lambda index: -self.priors[index])
        # An action that was dropped has fewer playouts than those it would be compared with; it stays dropped.
        most = max(map(len, self.sums), default=0)
        live = [index for index in order if len(self.sums[index]) == most][: effort.width]
        turns = effort.rounds * len(self.determinizer.game.seats) * (ENDGAME_FACTOR if self.ends_soon else 1)
        drawn = 0
        while drawn < effort.samples and len(live) > 1:
            for _ in range(BATCH_SAMPLES):
                sample = self.determinizer.sample()
                drawn += 1
                for index in live:
                    self.sums[index].append(self.play_out(sample, self.actions[index], turns))
                if out_of_time is not None and out_of_time():
                    return self._ranked(effort)
            live = self._contenders(live, effort)
        return self._ranked(effort)

    def play_out(self, sample: Snapshot, action: Action, turns: int) -> float:
        """Estimate the chance to win after the action and `turns` more turns of this sample."""
        game = self.determinizer.enter(sample)
        game.do(action)
        estimate, seat = self.estimate, self.seat
        mover = seat
        left = turns
        winners = game.winners()
        while not winners:
            if game.to_move != mover:
                mover = game.to_move
                left -= 1
                if left <= 0:
                    codes = [CARD_CODES[card] for card in game.hands[seat]]
                    return estimate.chance(game.state, seat, mover, codes, game.stored)
            before = game.state
            game.do(choose(estimate, game))
            if game.state is not before:
                winners = game.winners()
        return 1.0 if seat in winners else 0.0

    def _contenders(self, live: list[int], effort: Effort) -> list[int]:
        """Keep the actions that may still turn out best."""
        ends = [sum(self.sums[index]) / len(self.sums[index]) - self.priors[index] for index in live]
        self.offset = sum(ends) / len(ends)
        best = max(live, key=lambda index: self._value(index, effort))
        kept: list[int] = []
        for index in live:
            if index == best:
                kept.append(index)
                continue
            ahead, error = self.lead(best, index)
            # The constant keeps actions that are equal in every sample, whose standard error is 0.
            if ahead <= DROP_STANDARD_ERRORS * error + 0.002:
                kept.append(index)
        return kept

    def lead(self, one: int, other: int) -> tuple[float, float]:
        """Compare two actions over the same samples: mean lead, and its standard error."""
        gaps = [a - b for a, b in zip(self.sums[one], self.sums[other], strict=True)]
        mean = sum(gaps) / len(gaps)
        spread = math.sqrt(sum((gap - mean) ** 2 for gap in gaps) / max(1, len(gaps) - 1))
        return mean, spread / math.sqrt(len(gaps))

    def _value(self, index: int, effort: Effort) -> float:
        """Average the playouts, shrunk a little towards the evaluation."""
        # Few playouts are noisy: the evaluation, shifted by how far it was off for all actions, counts as `prior` more.
        found = self.sums[index]
        return ((self.priors[index] + self.offset) * effort.prior + sum(found)) / (effort.prior + len(found))

    def _ranked(self, effort: Effort) -> list[Choice]:
        order: list[tuple[int, float, int]] = []
        choices: list[Choice] = []
        for index, action in enumerate(self.actions):
            found = self.sums[index]
            value = self._value(index, effort) if found else self.priors[index]
            error = 0.0
            if len(found) > 1:
                mean = sum(found) / len(found)
                error = math.sqrt(sum((x - mean) ** 2 for x in found) / (len(found) - 1) / len(found))
            order.append((-len(found), -value, index))
            choices.append(Choice(action, value, error, len(found)))
        # An action dropped early was worse than the others in the same games, whatever its own average.
        order.sort()
        ranked = [index for _, _, index in order]
        if ranked:
            self._keep_first(ranked)
        return [choices[index] for index in ranked]

    def _keep_first(self, ranked: list[int]) -> None:
        """Put the first answer back in front unless playouts show something clearly better: luck must not decide."""
        best = ranked[0]
        first = max(range(len(self.priors)), key=self.priors.__getitem__)
        if first == best or not self.sums[first] or len(self.sums[first]) < len(self.sums[best]):
            return
        ahead, error = self.lead(best, first)
        if ahead <= LEAD_STANDARD_ERRORS * error:
            ranked.remove(first)
            ranked.insert(0, first)


def ends_soon(position: Position) -> bool:
    """Whether some side has one pawn left to bring home: then being first decides, and games are short."""
    centre = position.shape.centre
    for seat in position.seats:
        cells = [cell for mate in position.team_of(seat) for cell in position.board.cells_of(mate)]
        if sum(cell <= centre for cell in cells) <= 1:
            return True
    return False


def distinct(actions: list[Action]) -> list[Action]:
    """Drop actions that differ only in the suit of an equivalent card."""
    known: dict[tuple[int, int, tuple[int, ...]], Action] = {}
    for kind, card, move in actions:
        known.setdefault((kind, CARD_CODES[card] if card >= 0 else -1, move), (kind, card, move))
    return list(known.values())


def priors(estimate: Estimate, game: CardGame, actions: list[Action]) -> list[float]:
    """Evaluate every action: the chance to win now plus the gain of the action; 1 where it wins."""
    seat = game.to_move
    codes = [CARD_CODES[card] for card in game.hands[seat]]
    now = estimate.logit(game.state, seat, seat, codes, game.stored)
    scores = planned_scores(estimate, game, actions)
    return [
        1.0 if wins(game, action[2]) else squash(now + score)
        for action, score in zip(actions, scores, strict=True)
    ]


def wins(game: CardGame, move: FlatMove) -> bool:
    """Whether the move wins the game; only one that brings a pawn home can."""
    centre, engine, seat = game.engine.centre, game.engine, game.to_move
    if not any(target > centre for target in move[TO::PART]):
        return False
    state = engine.apply(game.state, move)
    return all(engine.finished(state, mate) for mate in (seat, *engine.mates[seat]))
