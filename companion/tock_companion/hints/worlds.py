"""Games that might be going on, as far as one seat knows: hidden hands and stock drawn at random."""

import random

from tock_companion.hints.knowledge import Knowledge
from tock_companion.rules import Card, Seat
from tock_companion.rules.engine import CARD_CODES, CARD_NUMBERS, CardAction, CardGame, State


class Snapshot:
    """Everything that changes in a game, so that one game object can be set back again and again."""

    __slots__ = (
        "arrived",
        "dealer",
        "hand_number",
        "hands",
        "played",
        "seed",
        "starters",
        "state",
        "stock",
        "stored",
        "to_move",
        "used",
    )

    def __init__(
        self,
        state: State,
        to_move: int,
        hands: list[list[int]],
        stock: list[int],
        used: list[int],
        stored: list[int],
        starters: list[bool],
        place: tuple[int, int, int, int],
        seed: int,
    ) -> None:
        """Take the parts as they are; `place` is dealer, hand number, cards played and cells reached."""
        self.state = state
        self.to_move = to_move
        self.hands = hands
        self.stock = stock
        self.used = used
        self.stored = stored
        self.starters = starters
        self.dealer, self.hand_number, self.played, self.arrived = place
        self.seed = seed

    @classmethod
    def of(cls, game: CardGame, seed: int) -> "Snapshot":
        """Return the present state of a game."""
        return cls(
            game.state,
            game.to_move,
            [hand.copy() for hand in game.hands],
            game.stock.copy(),
            game.used.copy(),
            game.stored.copy(),
            game.had_starter.copy(),
            (game.dealer, game.hand_number, game.played, game.arrived),
            seed,
        )


class Worlds:
    """Draws possible games of one seat's knowledge; the same seed gives the same games."""

    def __init__(self, knowledge: Knowledge, seed: int) -> None:
        """Prepare the unseen cards; draw nothing yet."""
        self.knowledge = knowledge
        self.rng = random.Random(seed)
        self.shuffling = random.Random(seed)
        position = knowledge.position
        self.game = CardGame(position.engine, self._dealer(), self.shuffling.shuffle)
        self.unseen = [CARD_NUMBERS[card] for card in knowledge.unseen()]
        self.used = [CARD_NUMBERS[card] for card in knowledge.discards]
        self.hand = [CARD_NUMBERS[card] for card in knowledge.hand]
        counts = [knowledge.count(seat) for seat in position.seats if seat is not knowledge.seat]
        self.step = max([1, knowledge.missing, *counts])
        self.turned = len(self.unseen)
        rules = position.ruleset
        self.starts = [bool(CardAction(rules, code).start) for code in CARD_CODES]
        wanted = position.hand_dealt or len(knowledge.hand)
        rounds = knowledge.plan.rounds
        self.hand_number = rounds.index(wanted) if wanted in rounds else 0

    def _dealer(self) -> int:
        """Return a dealer for the game; who really dealt matters little and is not always known."""
        seats = self.knowledge.position.seats
        return int(seats[seats.index(self.knowledge.seat) - 1])

    def draw(self, missing: bool = True) -> Snapshot:
        """Return the next possible game; without `missing` the own hand has only its known cards."""
        knowledge, position = self.knowledge, self.knowledge.position
        cards = self._next_cards()
        hands: list[list[int]] = [[] for _ in range(position.shape.zones)]
        for seat in position.seats:
            if seat is knowledge.seat:
                hands[seat] = self.hand.copy()
                if missing:
                    hands[seat] += [cards.pop() for _ in range(min(knowledge.missing, len(cards)))]
            else:
                count = min(knowledge.count(seat), len(cards))
                hands[seat] = cards[len(cards) - count :]
                del cards[len(cards) - count :]
        return Snapshot(
            position.board.state,
            int(knowledge.seat),
            hands,
            cards,
            self.used.copy(),
            list(position.stored_moves),
            [self._had_starter(Seat(seat), hand) for seat, hand in enumerate(hands)],
            (self.game.dealer, self.hand_number, position.cards_played, position.arrived),
            self.rng.getrandbits(32),
        )

    def _next_cards(self) -> list[int]:
        """Return the unseen cards in a random order.

        Some games in a row share one order, turned on by a hand each time: every seat then holds every card equally
        often, which luck would make slow.
        """
        if self.turned + self.step > len(self.unseen):
            self.rng.shuffle(self.unseen)
            self.turned = 0
        cards = self.unseen[self.turned :] + self.unseen[: self.turned]
        self.turned += self.step
        return cards

    def _had_starter(self, seat: Seat, hand: list[int]) -> bool:
        known = seat in self.knowledge.position.dealt_starter
        return known or any(self.starts[card] for card in hand)

    def enter(self, world: Snapshot) -> CardGame:
        """Set the one game object to that world and return it."""
        return set_back(self.game, world, self.shuffling)


def set_back(game: CardGame, world: Snapshot, shuffling: random.Random) -> CardGame:
    """Set a game to a snapshot and return it; later shuffles then come out the same each time."""
    game.state = world.state
    game.to_move = world.to_move
    game.hands = [hand.copy() for hand in world.hands]
    game.stock = world.stock.copy()
    game.used = world.used.copy()
    game.stored = world.stored.copy()
    game.had_starter = world.starters.copy()
    game.dealer = world.dealer
    game.hand_number = world.hand_number
    game.played = world.played
    game.arrived = world.arrived
    game.giving = []
    game.waiting_to_give = []
    shuffling.seed(world.seed)
    return game


def codes_of(hand: tuple[Card, ...]) -> list[int]:
    """Return the engine's codes of a hand."""
    return [CARD_CODES[CARD_NUMBERS[card]] for card in hand]
