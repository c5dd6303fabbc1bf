"""A hint: a seat's legal moves, best first, each with its winning chance and the reasons for it."""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from tock_companion.hints.knowledge import Knowledge
from tock_companion.hints.reasons import Reason, ReasonContext, reasons_of
from tock_companion.hints.search import FULL, Choice, Effort, Search
from tock_rules import Card, Move
from tock_rules.engine import CARDS, DISCARD, GIVE, LAY_DOWN, PLAY, STOP, THROW_HAND

BUDGET_MS = 180
"""Time for looking ahead; within it 95 of 100 hints arrive in 250 ms."""


Doing = Literal["play", "discard", "lay_down", "throw_hand", "keep_second", "give"]
_DOINGS: Mapping[int, Doing] = {
    PLAY: "play",
    DISCARD: "discard",
    LAY_DOWN: "lay_down",
    THROW_HAND: "throw_hand",
    STOP: "keep_second",
    GIVE: "give",
}


@dataclass(frozen=True)
class Hint:
    """One action that the seat could take."""

    choice: Choice
    card: Card | None
    """None where no single card is played: keeping the second move, laying the hand down or throwing it."""
    move: Move | None
    """None unless a pawn moves."""
    context: ReasonContext = field(repr=False, compare=False)
    """The position and choices from which its reasons come."""

    @cached_property
    def reasons(self) -> tuple[Reason, ...]:
        """One to three reasons, the strongest first, worked out on first use."""
        return reasons_of(self.context, self.choice, self.card, self.move)

    @property
    def doing(self) -> Doing:
        """The kind of action: play, discard, lay_down, throw_hand, keep_second or give."""
        return _DOINGS[self.choice.action[0]]

    @property
    def value(self) -> float:
        """Estimated chance that the seat's side wins, 0 to 1."""
        return self.choice.value


@dataclass(frozen=True)
class Advice:
    """Everything a seat could do, best first."""

    hints: tuple[Hint, ...]

    @property
    def moves(self) -> tuple[Hint, ...]:
        """The hints that move a pawn with a card, best first."""
        return tuple(hint for hint in self.hints if hint.move is not None and hint.card is not None)

    @property
    def best(self) -> Hint:
        """The action to take."""
        return self.hints[0]


class Adviser:
    """Advises one seat at one moment: `at_once` answers immediately, `further` looks ahead first."""

    def __init__(self, knowledge: Knowledge, seed: int = 0, laid: Card | None = None) -> None:
        """Prepare the search; the same knowledge and seed give the same advice.

        `laid` is the card from the hand that already lies on the table and must be played.
        """
        self.knowledge = knowledge
        self.search = Search(knowledge, seed, laid)

    def at_once(self) -> Advice:
        """Advise by the estimate alone."""
        return self._advice(self.search.first())

    def further(
        self,
        effort: Effort = FULL,
        budget_ms: float | None = BUDGET_MS,
        clock: Callable[[], float] = time.monotonic,
    ) -> Advice:
        """Advise after looking ahead, for no longer than the budget if there is one."""
        end = math.inf if budget_ms is None else clock() + budget_ms / 1000
        return self._advice(self.search.refine(effort, lambda: clock() > end))

    def _advice(self, choices: list[Choice]) -> Advice:
        position = self.knowledge.position
        context = ReasonContext(self.knowledge, choices)
        hints = []
        for choice in choices:
            kind, number, flat = choice.action
            card = CARDS[number] if number >= 0 else None
            move = None
            if kind == THROW_HAND:
                move = position.throw_move(self.knowledge.hand)
            elif kind == PLAY and card is not None:
                move = position.move_of((card,), flat)
            hints.append(Hint(choice, card, move, context))
        return Advice(tuple(hints))
