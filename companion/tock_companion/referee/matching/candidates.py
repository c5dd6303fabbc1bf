"""All legal moves, and the table expected after each."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from tock_companion.referee.tracking.belief import Expectation
from tock_rules import Board, Card, Hole, Move, Position, pack
from tock_rules.engine import Engine, code_of


def one_of_each_kind(position: Position, *, merged: bool = True) -> tuple[Card, ...]:
    """One card of each kind that a pack holds, in the order of the pack.

    `merged` takes cards for one kind that the ruleset of the position treats alike, such as a one-eyed jack and
    another; without it the cards are those that any ruleset tells apart.
    """
    return _one_of_each_kind(position.engine, merged)


@lru_cache(maxsize=16)
def _one_of_each_kind(engine: Engine, merged: bool) -> tuple[Card, ...]:
    kinds: dict[int, Card] = {}
    for card in pack(1, engine.rules.jokers):
        code = code_of(card)
        kinds.setdefault(engine.kind_of(code) if merged else code, card)
    return tuple(kinds.values())


def same_kind(position: Position, cards: Iterable[Card]) -> list[Card]:
    """All cards of a pack that the ruleset treats like one of these."""
    kinds = {_kind(position, card) for card in cards}
    return [card for card in pack(1, position.ruleset.jokers) if _kind(position, card) in kinds]


def _kind(position: Position, card: Card) -> int:
    return position.engine.kind_of(code_of(card))


def legal_moves(position: Position, cards: Iterable[Card]) -> tuple[Move, ...]:
    """Every legal move of these cards, card by card."""
    return tuple(move for card in cards for move in position.legal_moves(card))


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """One legal move and the table after it."""

    move: Move
    expected: Expectation
    changed: frozenset[Hole]
    """The holes outside the camps that would look different."""

    @property
    def targets(self) -> frozenset[Hole]:
        """The holes in which the move puts a pawn down."""
        shape = self.move.before.shape
        ends = {shape.hole_id(part.to_cell) for part in self.move.parts}
        return (self.changed | ends) & self.expected.holes.keys()

    @property
    def concerned(self) -> frozenset[Hole]:
        """The holes that change on the way, also that of a captured own pawn, which looks the same afterwards."""
        return self.changed | self.targets


@dataclass(frozen=True)
class Options:
    """The accepted position and the cards that may be played: the laid one, or one of each kind while none is laid."""

    position: Position
    cards: tuple[Card, ...]
    card_known: bool
    only: Move | None = None
    """The move that a far-away player has chosen; None for any."""

    @cached_property
    def before(self) -> Expectation:
        """The table expected while no pawn has been moved."""
        return Expectation.of(self.position.board, self.position.seats)

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """All legal moves of the cards, listed on first use, as a table at rest needs none."""
        moves = legal_moves(self.position, self.cards)
        return moves if self.only is None else tuple(move for move in moves if move.text == self.only.text)

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """The legal moves that change the table visibly; no other can be recognised."""
        seen: dict[Board, tuple[Expectation, frozenset[Hole]]] = {}
        candidates: list[Candidate] = []
        for move in self.moves:
            # Different cards and orders of the parts lead to the same board: its appearance is worked out once.
            if move.result not in seen:
                expected = Expectation.of(move.result, self.position.seats)
                seen[move.result] = (expected, self.before.changes(expected))
            expected, changed = seen[move.result]
            if changed:
                candidates.append(Candidate(move, expected, changed))
        return tuple(candidates)
