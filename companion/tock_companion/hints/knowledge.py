"""What one seat may know of a game: everything on the table, its own hand, and of other hands only how many cards."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tock_companion.errors import BadInputError
from tock_companion.rules import Card, DealPlan, Position, Seat, deal_plan
from tock_companion.rules.engine import CARDS, CardGame, position_of


@dataclass(frozen=True)
class Knowledge:
    """All that a hint may rest on. It is made from what the seat sees, never kept in step with a game."""

    position: Position
    """The seat to move is the seat that asks."""
    hand: tuple[Card, ...]
    counts: Mapping[Seat, int] = field(default_factory=dict)
    """How many cards other seats hold; a seat left out holds what it would have been dealt."""
    discards: tuple[Card, ...] = ()
    """Cards that everybody has seen leave the game since they were last shuffled."""
    missing: int = 0
    """Cards that the seat holds besides, but that nobody has told the table."""

    def __post_init__(self) -> None:
        """Refuse cards that the pack does not have."""
        spare = Counter(self.plan.deck)
        spare.subtract(self.hand)
        spare.subtract(self.discards)
        for card, left in spare.items():
            if left < 0:
                raise BadInputError(f"{card} is in the hand and the discards more often than in the pack")

    @property
    def seat(self) -> Seat:
        """The seat that asks."""
        return self.position.to_move

    @property
    def plan(self) -> DealPlan:
        """How the cards of this table are dealt."""
        return deal_plan(self.position.ruleset, len(self.position.seats))

    def count(self, seat: Seat) -> int:
        """Return how many cards another seat holds, as far as is known."""
        if seat in self.counts:
            return self.counts[seat]
        return self.plan.rounds[0] if self.position.ruleset.draw_after_card else len(self.hand)

    def unseen(self) -> list[Card]:
        """Return the cards that the seat has not seen, in the order of the pack."""
        left = Counter(self.plan.deck)
        left.subtract(self.hand)
        left.subtract(self.discards)
        return [card for card in left for _ in range(left[card])]

    @classmethod
    def of_game(cls, game: CardGame) -> "Knowledge":
        """Return what the seat to move knows of a simulated game."""
        position = position_of(game)
        counts = {other: len(game.hands[other]) for other in position.seats if other is not position.to_move}
        return cls(position, _cards(game.hands[position.to_move]), counts, _cards(game.used))


def _cards(numbers: Sequence[int]) -> tuple[Card, ...]:
    return tuple(CARDS[number] for number in numbers)
