"""Looks ahead: plays every promising action out in games that might be going on, and compares the endings.

The hidden cards are drawn anew for every game; the same games serve all actions (common random numbers), so that luck
does not decide between them. Weak actions leave early. The answer can be asked for at any time.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from tock_companion.hints.estimate import Estimate, estimate_for, squash
from tock_companion.hints.knowledge import Knowledge
from tock_companion.hints.plan import planned_scores
from tock_companion.hints.policy import choose
from tock_companion.hints.worlds import Snapshot, Worlds
from tock_companion.rules import Card, Position
from tock_companion.rules.engine import CARD_CODES, PART, Action, CardGame, FlatMove, code_of


@dataclass(frozen=True)
class Effort:
    """How hard to look."""

    worlds: int
    """Games that are drawn; 0 asks only for the estimate."""
    width: int = 8
    """Actions that are looked at in these games, the best by the estimate."""
    rounds: int = 1
    """How often every seat still moves before the position is judged."""
    prior: float = 16.0
    """Games that the estimate of an action counts for."""


FULL = Effort(64)
"""What a hint is looked at with where time allows."""
ENDGAME = 8
"""So many times further is looked when some side has only one pawn left to bring home."""
BATCH = 4
DROPPED = 2.5
"""Standard errors behind the best at which an action leaves."""
BETTER = 1.5
"""Standard errors by which an action must be ahead of the first answer to take its place."""


@dataclass(frozen=True)
class Choice:
    """An action with what was found out about it."""

    action: Action
    value: float
    """Estimated chance that the side of the seat wins, 0 to 1."""
    error: float
    """Standard error of the value; of the estimate alone it is not known and 0."""
    worlds: int
    """Games it was played out in."""


class Search:
    """One question: what should the seat do? `first` answers at once, `refine` looks further."""

    def __init__(self, knowledge: Knowledge, seed: int = 0, laid: Card | None = None) -> None:
        """Prepare the games; look at nothing yet. `laid` is the one card of the hand that is to be played."""
        self.seat = int(knowledge.seat)
        self.estimate: Estimate = estimate_for(knowledge.position.engine)
        self.worlds = Worlds(knowledge, seed)
        game = self.worlds.enter(self.worlds.draw(missing=False))
        actions = game.actions()
        if laid is not None:
            code = code_of(laid)
            actions = [action for action in actions if action[1] >= 0 and CARD_CODES[action[1]] == code]
        self.actions: list[Action] = distinct(actions)
        self.priors = priors(self.estimate, game, self.actions)
        self.sums: list[list[float]] = [[] for _ in self.actions]
        self.ends_soon = ends_soon(knowledge.position)
        self.offset = 0.0
        """How much better the games end than the estimate said, for all actions alike."""

    def first(self) -> list[Choice]:
        """Return the actions by the estimate of the position after each, best first."""
        return self._ranked(Effort(0))

    def refine(self, effort: Effort = FULL, out_of_time: Callable[[], bool] | None = None) -> list[Choice]:
        """Play out games up to the effort, or until `out_of_time` says so, and return the actions, best first."""
        order = sorted(range(len(self.actions)), key=lambda index: -self.priors[index])
        live = order[: effort.width]
        turns = effort.rounds * len(self.worlds.game.seats) * (ENDGAME if self.ends_soon else 1)
        drawn = 0
        while drawn < effort.worlds and len(live) > 1:
            for _ in range(BATCH):
                world = self.worlds.draw()
                drawn += 1
                for index in live:
                    self.sums[index].append(self.play_out(world, self.actions[index], turns))
                if out_of_time is not None and out_of_time():
                    return self._ranked(effort)
            live = self._still_open(live, effort)
        return self._ranked(effort)

    def play_out(self, world: Snapshot, action: Action, turns: int) -> float:
        """Return the chance to win after the action and some turns in this world."""
        game = self.worlds.enter(world)
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

    def _still_open(self, live: list[int], effort: Effort) -> list[int]:
        """Return the actions that may still turn out best."""
        ends = [sum(self.sums[index]) / len(self.sums[index]) - self.priors[index] for index in live]
        self.offset = sum(ends) / len(ends)
        best = max(live, key=lambda index: self._value(index, effort))
        kept: list[int] = []
        for index in live:
            if index == best:
                kept.append(index)
                continue
            ahead, error = self.ahead(best, index)
            if ahead <= DROPPED * error + 0.002:
                kept.append(index)
        return kept

    def ahead(self, one: int, other: int) -> tuple[float, float]:
        """Return by how much an action did better than another in the same games, and the standard error."""
        gaps = [a - b for a, b in zip(self.sums[one], self.sums[other], strict=True)]
        mean = sum(gaps) / len(gaps)
        spread = math.sqrt(sum((gap - mean) ** 2 for gap in gaps) / max(1, len(gaps) - 1))
        return mean, spread / math.sqrt(len(gaps))

    def _value(self, index: int, effort: Effort) -> float:
        """Return the mean of the games played out, drawn a little towards the estimate."""
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
        # An action that left early was worse than those it was compared with, whatever its own games say.
        order.sort()
        ranked = [index for _, _, index in order]
        self._keep_first(ranked)
        return [choices[index] for index in ranked]

    def _keep_first(self, ranked: list[int]) -> None:
        """Put the first answer back in front where the games show nothing clearly better: luck must not decide."""
        best = ranked[0]
        first = max(range(len(self.priors)), key=self.priors.__getitem__)
        if first == best or not self.sums[first] or len(self.sums[first]) < len(self.sums[best]):
            return
        ahead, error = self.ahead(best, first)
        if ahead <= BETTER * error:
            ranked.remove(first)
            ranked.insert(0, first)


def ends_soon(position: Position) -> bool:
    """Whether some side has one pawn to bring home: then who is first decides, and games are short."""
    centre = position.shape.centre
    for seat in position.seats:
        cells = [cell for mate in position.team_of(seat) for cell in position.board.cells_of(mate)]
        if sum(cell <= centre for cell in cells) <= 1:
            return True
    return False


def distinct(actions: list[Action]) -> list[Action]:
    """Return the actions without those that differ only in the suit of a card that does the same."""
    known: dict[tuple[int, int, tuple[int, ...]], Action] = {}
    for kind, card, move in actions:
        known.setdefault((kind, CARD_CODES[card] if card >= 0 else -1, move), (kind, card, move))
    return list(known.values())


def priors(estimate: Estimate, game: CardGame, actions: list[Action]) -> list[float]:
    """Return the first estimate of every action: the chance to win now, and what the action adds; 1 where it wins."""
    seat = game.to_move
    codes = [CARD_CODES[card] for card in game.hands[seat]]
    now = estimate.logit(game.state, seat, seat, codes, game.stored)
    scores = planned_scores(estimate, game, actions)
    return [
        1.0 if wins(game, action[2]) else squash(now + score)
        for action, score in zip(actions, scores, strict=True)
    ]


def wins(game: CardGame, move: FlatMove) -> bool:
    """Whether the move ends the game: only one that brings a pawn home can."""
    centre, engine, seat = game.engine.centre, game.engine, game.to_move
    if not any(target > centre for target in move[3::PART]):
        return False
    state = engine.apply(game.state, move)
    return all(engine.finished(state, mate) for mate in (seat, *engine.mates[seat]))
