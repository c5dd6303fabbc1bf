"""The knowledge of one seat: the table, its own hand, and only the number of cards in the other hands."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tock_companion.errors import BadInputError
from tock_rules import Card, DealPlan, Position, Seat, deal_plan
from tock_rules.engine import CARDS, CardGame, position_of


@dataclass(frozen=True)
class Knowledge:
    """Everything a hint may rest on, built from the seat's view and never updated along with a game."""

    position: Position
    """The seat to move is the seat that asks."""
    hand: tuple[Card, ...]
    counts: Mapping[Seat, int] = field(default_factory=dict)
    """Number of cards of other seats; a seat that is left out holds a full deal."""
    discards: tuple[Card, ...] = ()
    """Cards that everybody has seen leave the game since the last shuffle."""
    missing: int = 0
    """Number of cards that the seat holds but that were not entered."""

    def __post_init__(self) -> None:
        """Refuse more copies of a card than the pack has."""
        remaining = Counter(self.plan.deck)
        remaining.subtract(self.hand)
        remaining.subtract(self.discards)
        for card, left in remaining.items():
            if left < 0:
                raise BadInputError(f"{card} is in the hand and the discards more often than in the pack")

    @property
    def seat(self) -> Seat:
        """The seat that asks."""
        return self.position.to_move

    @property
    def plan(self) -> DealPlan:
        """The deal plan of this table."""
        return deal_plan(self.position.ruleset, len(self.position.seats))

    def count(self, seat: Seat) -> int:
        """Tell how many cards another seat holds, as far as is known."""
        if seat in self.counts:
            return self.counts[seat]
        return self.plan.rounds[0] if self.position.ruleset.draw_after_card else len(self.hand)

    def unseen(self) -> list[Card]:
        """List the cards that the seat has not seen, in pack order."""
        left = Counter(self.plan.deck)
        left.subtract(self.hand)
        left.subtract(self.discards)
        return [card for card in left for _ in range(left[card])]

    @classmethod
    def of_game(cls, game: CardGame) -> "Knowledge":
        """Reduce a simulated game to the knowledge of the seat to move."""
        position = position_of(game)
        counts = {other: len(game.hands[other]) for other in position.seats if other is not position.to_move}
        return cls(position, _cards(game.hands[position.to_move]), counts, _cards(game.used))


def _cards(numbers: Sequence[int]) -> tuple[Card, ...]:
    return tuple(CARDS[number] for number in numbers)
