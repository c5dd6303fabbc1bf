"""Deals cards: packs, hands, the stock."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from tock_rules.cards import RANKS, SUITS, Card, Rank, pack
from tock_rules.errors import BadInputError
from tock_rules.game import DealerMoves
from tock_rules.ruleset import Ruleset
from tock_rules.seating import check_players

S = TypeVar("S", bound=int)


class Deal(NamedTuple):
    """One hand of a game: by whom it was dealt, which of that dealer's it is, who begins it."""

    dealer: int
    number: int
    """0 for the first hand of a pack."""
    first: int


@dataclass(frozen=True)
class DealPlan:
    """The cards of one dealer."""

    deck: tuple[Card, ...]
    """Every card of the game, in a fixed order."""
    rounds: tuple[int, ...]
    """Cards that each player gets, hand after hand."""
    left_over: int
    """Cards that stay undealt."""
    stock: int | None
    """Cards to draw from after the first hands; None where nothing is drawn."""
    dealer_moves: DealerMoves = "pack"
    """When the deal passes to the left (R002-11, R003-04, open point A-13)."""
    lead_moves: bool = False
    """Each hand is begun by the player after the one who began the last, whoever deals."""
    lead_restarts: bool = False
    """But the first hand of a pack by the dealer's neighbour."""
    pack_goes_on: bool = False
    """After the last of the hands the first follows from the same pack, as long as it has the cards."""

    def first_hand(self, seats: Sequence[int], dealer: int, number: int = 0) -> Deal:
        """A dealer's hand of that number; the player on the left begins (R002-09, R000-08)."""
        if dealer not in seats:
            raise BadInputError(f"P{dealer} cannot deal: it does not play")
        turns = number + 1 if self.lead_moves else 1
        return Deal(dealer, number, seats[(seats.index(dealer) + turns) % len(seats)])

    def next_hand(self, seats: Sequence[int], last: Deal, *, pack_over: bool = False) -> Deal:
        """The hand after another one; with `pack_over` there are too few cards left for one from the same pack."""
        ends = (pack_over and not self.pack_goes_on) or last.number + 1 >= len(self.rounds)
        moves = self.dealer_moves == "hand" or (self.dealer_moves == "pack" and ends)
        dealer = _after(seats, last.dealer) if moves else last.dealer
        is_on = self.lead_moves and not (ends and self.lead_restarts)
        first = _after(seats, last.first if is_on else dealer)
        return Deal(dealer, 0 if ends else last.number + 1, first)

    def shuffles(self, players: int, number: int, left: int) -> bool:
        """Whether the cards are gathered before the hand of that number; `left` are still undealt."""
        return left < players * self.rounds[number] if self.pack_goes_on else number == 0

    @property
    def sevens(self) -> int:
        """Number of sevens among the cards."""
        return sum(card.rank is Rank.SEVEN for card in self.deck)


def gift_receiver(team: Sequence[S], giver: S) -> S:
    """The member of a team that gets the card which another one gives away before a hand: the next one to the left."""
    if giver not in team:
        raise BadInputError(f"{giver!r} is not of the team {tuple(team)}")
    return _after(sorted(team), giver)


def _after(seats: Sequence[S], seat: S) -> S:
    return seats[(seats.index(seat) + 1) % len(seats)]


def deal_plan(rules: Ruleset, players: int) -> DealPlan:
    """The plan of deals for that many players; raise `BadInputError` when they cannot play."""
    check_players(rules, players)
    deck = _deck(rules, players)
    moves = (rules.dealer_moves, rules.lead != "left_of_dealer", rules.lead == "moves_on_in_pack")
    if rules.dealing == "keep_hand":
        stock = len(deck) - players * rules.hand_size
        if stock < 0:
            raise BadInputError(
                f"{len(deck)} cards are too few for {players} players with {rules.hand_size} each"
            )
        return DealPlan(deck, (rules.hand_size,), 0, stock, *moves)
    rounds = _table(rules, players) if rules.dealing == "table" else _descending(rules, len(deck), players)
    left_over = len(deck) - players * sum(rounds)
    if rules.pack_goes_on:
        left_over = len(deck) % (players * max(rounds)) if left_over < 0 else left_over
    if left_over < 0 or len(deck) < players * max(rounds):
        raise BadInputError(f"{len(deck)} cards are too few for hands of {'-'.join(map(str, rounds))}")
    return DealPlan(deck, tuple(rounds), left_over, None, *moves, pack_goes_on=rules.pack_goes_on)


def _deck(rules: Ruleset, players: int) -> tuple[Card, ...]:
    if rules.suits_per_player:
        suits = rules.suits_per_player * players
        return tuple(Card(rank, SUITS[number % len(SUITS)]) for number in range(suits) for rank in RANKS)
    packs = rules.packs + (1 if rules.second_pack_from and players >= rules.second_pack_from else 0)
    packs = max([packs, *(count for least, count in rules.packs_from.items() if players >= int(least))])
    jokers = rules.jokers_per_pack if rules.jokers else 0
    return pack(packs, jokers, players if rules.extra_sevens else 0)


def _table(rules: Ruleset, players: int) -> tuple[int, ...]:
    rounds = rules.hands.get(str(players)) or rules.hands.get("all")
    if not rounds:
        raise BadInputError(f"{rules.name}: no hands for {players} players")
    return rounds


def _descending(rules: Ruleset, cards: int, players: int) -> tuple[int, ...]:
    """5, 4, 3 and so on until the pack is dealt (R003-03); the last hand deals the rest equally (open point A-12)."""
    cycle = (rules.hand_size, 4, 4) if rules.deal_5_4_4 else tuple(range(rules.hand_size, 0, -1))
    rounds: list[int] = []
    while cards >= players:
        wanted = cycle[len(rounds) % len(cycle)]
        given = min(wanted, cards // players)
        rounds.append(given)
        cards -= given * players
    return tuple(rounds)
