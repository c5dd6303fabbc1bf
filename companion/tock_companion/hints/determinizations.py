"""Determinizations: full games consistent with what one seat knows, hidden hands and stock drawn at random."""

import random

from tock_companion.hints.knowledge import Knowledge
from tock_rules import Seat
from tock_rules.engine import CARD_CODES, CARD_NUMBERS, CardAction, CardGame, State


class Snapshot:
    """Everything in a game that changes, so that one game object can be reset again and again."""

    __slots__ = (
        "arrived",
        "dealer",
        "hand_number",
        "hands",
        "owes",
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
        owes: list[bool],
        place: tuple[int, int, int, int],
        seed: int,
    ) -> None:
        """Keep the parts without copying; `place` is dealer, hand number, cards played and cells reached."""
        self.state = state
        self.to_move = to_move
        self.hands = hands
        self.stock = stock
        self.used = used
        self.stored = stored
        self.starters = starters
        self.owes = owes
        self.dealer, self.hand_number, self.played, self.arrived = place
        self.seed = seed

    @classmethod
    def of(cls, game: CardGame, seed: int) -> "Snapshot":
        """Copy the present state of a game."""
        return cls(
            game.state,
            game.to_move,
            [hand.copy() for hand in game.hands],
            game.stock.copy(),
            game.used.copy(),
            game.stored.copy(),
            game.had_starter.copy(),
            game.owes_discard.copy(),
            (game.dealer, game.hand_number, game.played, game.arrived),
            seed,
        )


class Determinizer:
    """Samples games that fit one seat's knowledge; the same seed gives the same games."""

    def __init__(self, knowledge: Knowledge, seed: int) -> None:
        """Prepare the unseen cards; sample nothing yet."""
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
        """Choose a dealer; the real one matters little and is not always known."""
        seats = self.knowledge.position.seats
        return int(seats[seats.index(self.knowledge.seat) - 1])

    def sample(self, missing: bool = True) -> Snapshot:
        """Sample the next game; without `missing` the seat's own hand holds only its known cards."""
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
            [seat in position.owes_discard for seat in range(position.shape.zones)],
            (self.game.dealer, self.hand_number, position.cards_played, position.arrived),
            self.rng.getrandbits(32),
        )

    def _next_cards(self) -> list[int]:
        """Shuffle the unseen cards.

        Consecutive samples share one shuffle, rotated by a hand each time: every seat then holds every card equally
        often, which independent shuffles approach only slowly.
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

    def enter(self, snapshot: Snapshot) -> CardGame:
        """Reset the one game object to a sample and return it."""
        return set_back(self.game, snapshot, self.shuffling)


def set_back(game: CardGame, snapshot: Snapshot, shuffling: random.Random) -> CardGame:
    """Reset a game to a snapshot and return it; shuffles from there on come out the same each time."""
    game.state = snapshot.state
    game.to_move = snapshot.to_move
    game.hands = [hand.copy() for hand in snapshot.hands]
    game.stock = snapshot.stock.copy()
    game.used = snapshot.used.copy()
    game.stored = snapshot.stored.copy()
    game.had_starter = snapshot.starters.copy()
    game.owes_discard = snapshot.owes.copy()
    game.dealer = snapshot.dealer
    game.hand_number = snapshot.hand_number
    game.played = snapshot.played
    game.arrived = snapshot.arrived
    game.giving = []
    game.waiting_to_give = []
    shuffling.seed(snapshot.seed)
    return game
