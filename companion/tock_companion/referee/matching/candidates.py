"""Everything that may legally happen next, with what it would look like."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from tock_companion.referee.tracking.belief import Expectation
from tock_companion.rules.board import Board
from tock_companion.rules.cards import Card, pack
from tock_companion.rules.engine import code_of
from tock_companion.rules.moves import Move
from tock_companion.rules.position import Position
from tock_companion.rules.ruleset import Ruleset


def one_of_each_kind(ruleset: Ruleset) -> tuple[Card, ...]:
    """Return one card of each kind that the ruleset may treat differently."""
    return tuple({code_of(card): card for card in pack(1, ruleset.jokers)}.values())


def same_kind(ruleset: Ruleset, cards: Iterable[Card]) -> list[Card]:
    """Return all cards of a pack that count as one of these."""
    codes = {code_of(card) for card in cards}
    return [card for card in pack(1, ruleset.jokers) if code_of(card) in codes]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One legal move and the table after it; `changed` are the holes outside the camps that would look different."""

    card: Card
    move: Move
    look: Expectation
    changed: frozenset[str]


@dataclass(frozen=True)
class Options:
    """The accepted position and the cards that may be played: the laid one, or every card while none is laid."""

    position: Position
    cards: tuple[Card, ...]
    card_known: bool

    @cached_property
    def before(self) -> Expectation:
        """What the table looks like as long as nothing has been moved."""
        return Expectation.of(self.position.board, self.position.seats)

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """All legal moves of the cards, but for those that leave the table looking the same.

        Listed when first asked for: as long as nothing has been moved nobody needs them.
        """
        looks: dict[Board, tuple[Expectation, frozenset[str]]] = {}
        candidates: list[Candidate] = []
        for card in self.cards:
            for move in self.position.legal_moves(card):
                if move.result not in looks:
                    look = Expectation.of(move.result, self.position.seats)
                    looks[move.result] = (look, self.before.changes(look))
                look, changed = looks[move.result]
                if changed:
                    candidates.append(Candidate(card, move, look, changed))
        return tuple(candidates)
