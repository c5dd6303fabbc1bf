"""A whole game as the cards fall, on flat integers so that many games can be played out: hands, stock, discards, turns.

The caller shuffles: `shuffle` puts a list of card numbers (`numbered_cards`) into any order it likes.
"""

from collections.abc import Sequence
from typing import TypeVar

from tock_rules.actions import BURN, FROM, KIND, MOVER, PART, THROW, TO, FlatMove
from tock_rules.choices import Choices, TurnState, choices_of, without_moves
from tock_rules.dealing import Deal, gift_receiver
from tock_rules.movegen import Engine
from tock_rules.numbered_cards import CARD_CODES, IS_JOKER, Rng, Shuffle, pack_for
from tock_rules.rulebook import rulebook_for, winners
from tock_rules.state import State

PLAY = 0
DISCARD = 1
LAY_DOWN = 2
THROW_HAND = 3
STOP = 4
GIVE = 5
"""Play a card, put one away, put the whole hand away, throw it to come out, keep the second move, give a card to a
mate.
"""

Action = tuple[int, int, FlatMove]
"""The kind of action, the card number (-1 for none) and the move (empty for none)."""
T = TypeVar("T")


class CardGame:
    """A game in progress; `actions` lists the choices of the seat to move and `do` carries one out."""

    def __init__(self, engine: Engine, dealer: int, shuffle: Shuffle) -> None:
        """Deal the first hands; the seat left of the dealer begins (R002-09, R000-08)."""
        self.engine = engine
        self.rules = engine.rules
        self.seats = engine.seats
        self.shuffle = shuffle
        self.rulebook = rulebook_for(engine.rules)
        self.draws: bool = self.rulebook.draws
        self.second_moves: bool = self.rulebook.second_moves
        self.stuck = without_moves(self.rulebook)
        pack = pack_for(engine.rules, self.seats)
        self.plan, self.deck, self.next_hands = pack.plan, pack.deck, pack.next_hands
        self.starters, self.burns = pack.starters, pack.burns
        self.has_burns, self.has_burn_moves = pack.has_burns, pack.has_burn_moves
        self.state = State.of(
            [-1] * (engine.per_seat * engine.shape.zones), 0, engine.shape.zone_length, engine.per_seat
        )
        self.hands: list[list[int]] = [[] for _ in range(engine.shape.zones)]
        self.stored = [0] * engine.shape.zones
        self.stock: list[int] = []
        self.used: list[int] = []
        self.dealer, self.hand_number, self.lead = self.plan.first_hand(self.seats, dealer)
        """By whom this hand was dealt, which of that dealer's it is, who began it."""
        self.to_move = self.lead
        self.played = 0
        self.arrived = 0
        self.had_starter = [False] * engine.shape.zones
        """The seats dealt a starter with this hand; kept where hands may be thrown."""
        self.owes_discard = [False] * engine.shape.zones
        """The seats whose next turn is to put a card away."""
        self.giving: list[tuple[int, int, int]] = []
        self.waiting_to_give: list[int] = []
        self.gather()
        self._hand_out()

    # -- cards --

    def gather(self) -> None:
        """Collect and shuffle all cards; where the pack goes on, those left undealt come first."""
        first = self.stock if self.plan.pack_goes_on else []
        self.stock = self.used if first else self.deck.copy()
        self.used = []
        self.shuffle(self.stock)
        self.stock += first

    def deal(self) -> None:
        """Deal the next hand; when this dealer has none left, the next one gathers the cards (R002-11, R003-04)."""
        # Cards drawn for jokers come out of later hands, so the stock may run out before the plan does.
        key = Deal(self.dealer, self.hand_number, self.lead), len(self.stock) < len(self.seats)
        hand = self.next_hands.get(key)
        if hand is None:
            hand = self.next_hands[key] = self.plan.next_hand(self.seats, key[0], pack_over=key[1])
        self.dealer, self.hand_number, self.lead = hand
        if self.plan.shuffles(len(self.seats), self.hand_number, len(self.stock)):
            self.gather()
        self._hand_out()

    def _hand_out(self) -> None:
        cards = min(self.plan.rounds[self.hand_number], len(self.stock) // len(self.seats))
        for seat in self.seats:
            # The top of the stock is the end of the list, where taking away costs nothing.
            hand = self.stock[-cards:]
            del self.stock[-cards:]
            self.hands[seat] = hand
            if self.rulebook.throws:
                self.had_starter[seat] = self._has_starter(hand)
        self.to_move = self.lead
        self.played = self.arrived = 0
        if self.rules.card_exchange:
            self.waiting_to_give = [seat for seat in self.seats if self.engine.mates[seat]]
            if self.waiting_to_give:
                self.to_move = self.waiting_to_give[0]

    def _has_starter(self, hand: list[int]) -> bool:
        return any(map(self.starters.__getitem__, hand))

    def draw(self, seat: int, cards: int) -> None:
        """Draw from the stock; an empty stock is renewed from the used cards (R000-13, open point A-11)."""
        for _ in range(cards):
            if not self.stock:
                if self.plan.stock is None or not self.used:
                    return
                # The pile is turned over: the first card used is drawn first.
                self.stock, self.used = self.used[::-1], []
                if self.rules.stock_renewal == "shuffled":
                    self.shuffle(self.stock)
            self.hands[seat].append(self.stock.pop())

    # -- turns --

    def winners(self) -> tuple[int, ...]:
        """The winners; empty while the game goes on."""
        return winners(self.engine, self.state)

    def plays(self) -> list[Action]:
        """Every move of every card of the seat to move; equal cards once."""
        seat, state, arrived, engine = self.to_move, self.state, self.arrived, self.engine
        known: set[int] = set()
        out: list[Action] = []
        burns_nobody = self.has_burn_moves and not self.hands[engine.following[seat]]
        for card in self.hands[seat]:
            code = CARD_CODES[card]
            if code not in known:
                known.add(code)
                moves = engine.moves(state, seat, code, arrived)
                if burns_nobody:
                    moves = [move for move in moves if move[KIND] != BURN]
                out += [(PLAY, card, move) for move in moves]
        return out

    def random_action(self, rng: Rng) -> Action:
        """Choose as a careless player: any move of the first playable card, starting from a random one."""
        seat, played = self.to_move, self.played
        if self.waiting_to_give or self.owes_discard[seat]:
            others = self._others(self.choices(()))
        elif played and rng() >= 0.5 and not self.rulebook.must_play_more(self.stored[seat], played):
            others = self.actions()
        else:
            hand, state, arrived, engine = self.hands[seat], self.state, self.arrived, self.engine
            burns_nobody = self.has_burn_moves and not self.hands[engine.following[seat]]
            cards = len(hand)
            first = int(rng() * cards)
            for place in range(first - cards, first):
                card = hand[place]
                found = engine.moves(state, seat, CARD_CODES[card], arrived)
                if burns_nobody:
                    found = [move for move in found if move[KIND] != BURN]
                if found:
                    return (PLAY, card, _any_of(found, rng))
            # No card has a move, so the other actions need no list of plays.
            stuck = None if played else self.stuck
            others = self._others(stuck or self.choices(()))
        return _any_of(others, rng)

    def play_at_random(self, rng: Rng, most: int) -> int:
        """Play on at random until a side wins; return the number of actions, at most `most`."""
        # The usual turn of `random_action` is here without its call: this is the innermost loop of all playouts.
        engine, hands, moves_of = self.engine, self.hands, self.engine.moves
        first_home, full = engine.first_home, engine.full
        self.state = state = self.state.copy()
        for done in range(1, most + 1):
            seat = self.to_move
            if self.played or self.waiting_to_give or self.has_burns:
                kind, card, move = self.random_action(rng)
            else:
                hand = hands[seat]
                cards = len(hand)
                first = int(rng() * cards)
                for place in range(first - cards, first):
                    card = hand[place]
                    found = moves_of(state, seat, CARD_CODES[card])
                    if found:
                        count = len(found)
                        kind, move = PLAY, found[0] if count == 1 else found[int(rng() * count)]
                        break
                else:
                    kind, card, move = _any_of(self._others(self.stuck or self.choices(())), rng)
            if kind != PLAY:
                self.do((kind, card, move))
                state = self.state
                continue
            self._play(seat, card, move)
            # Only a seat with all pawns home can have won.
            if state.occ[first_home + move[MOVER]] == full and self.winners():
                return done
        return most

    def actions(self) -> list[Action]:
        """Everything the seat to move may do now; nothing after the end of the game."""
        plays = [] if self.waiting_to_give else self.plays()
        choices = self.choices([move for _, _, move in plays])
        return (plays if choices.play else []) + self._others(choices)

    def choices(self, moves: Sequence[FlatMove]) -> Choices:
        """The kinds of action open to the seat to move, whose cards have these moves."""
        seat = self.to_move
        hand = self.hands[seat]
        turn = TurnState(
            seat,
            len(hand),
            self._has_starter(hand),
            self.had_starter[seat],
            self.plan.rounds[self.hand_number],
            self.played,
            self.stored[seat],
            bool(self.waiting_to_give),
            self.owes_discard[seat],
            bool(self.rulebook.never_forced and moves) and self._is_free(hand),
        )
        return choices_of(self.engine, self.rulebook, self.state, turn, moves)

    def _is_free(self, hand: list[int]) -> bool:
        """Whether every card that can be played is one that need not be."""
        seat, engine = self.to_move, self.engine
        codes = dict.fromkeys(CARD_CODES[card] for card in hand)
        playable = [code for code in codes if engine.moves(self.state, seat, code, self.arrived)]
        return self.rulebook.may_keep(playable, len(hand))

    def _others(self, choices: Choices) -> list[Action]:
        """The open actions besides plays; equal cards are put away alike."""
        hand = self.hands[self.to_move]
        if choices.give:
            return [(GIVE, card, ()) for card in hand]
        out = [self.throw()] if choices.throw else []
        if choices.hand:
            out.append((LAY_DOWN, -1, ()))
        elif choices.discard:
            if choices.play and self.rulebook.never_forced:
                kept, codes = self.rulebook.keeps_last, [CARD_CODES[card] for card in hand]
                hand = [card for card in hand if not kept(CARD_CODES[card], codes)]
            out += [(DISCARD, card, ()) for card in dict.fromkeys(hand)]
        elif choices.end:
            out.append((STOP, -1, ()))
        return out

    def throw(self) -> Action:
        """The exit by throwing the hand (R002-30), where it is open."""
        seat = self.to_move
        hole = self.engine.shape.start(seat) + len(self.hands[seat])
        return (THROW_HAND, -1, (THROW, seat, -1, hole, -1, 0))

    def do(self, action: Action) -> None:
        """Do one of `actions`."""
        kind, card, move = action
        seat = self.to_move
        hand = self.hands[seat]
        if kind == PLAY:
            self.state = self.state.copy()
            self._play(seat, card, move)
            return
        if kind == GIVE:
            self._give(seat, card)
            return
        if self.has_burns and any(self.burns[put] for put in ([card] if kind == DISCARD else hand)):
            self._burn(seat)
        if kind == DISCARD:
            hand.remove(card)
            self.used.append(card)
            if self.draws:
                self.draw(seat, 1)
            self.stored[seat] = self.rulebook.stored_after(self.stored[seat], self.played, False)
        elif kind in (LAY_DOWN, THROW_HAND):
            self.used += hand
            hand.clear()
            if kind == THROW_HAND:
                self.state = self.engine.apply(self.state, move)
            elif self.draws:
                self.draw(seat, self.rules.hand_size)
        self.end_turn()

    def _play(self, seat: int, card: int, move: FlatMove) -> None:
        """Play a card, changing the game's own state."""
        hand = self.hands[seat]
        self.engine.change(self.state, move)
        hand.remove(card)
        self.used.append(card)
        if self.has_burns and (self.burns[card] or move[KIND] == BURN):
            self._burn(seat)
        joker = IS_JOKER[card]
        played = self.played
        if played or joker:
            gives = self.rulebook.gives_second_move(joker, move[FROM] < 0)
            self.stored[seat] = self.rulebook.stored_after(self.stored[seat], played, gives)
        if self.draws or (joker and self.second_moves):
            # What `draw` does, without its call: this is the innermost loop of all playouts.
            if self.stock:
                hand.append(self.stock.pop())
            else:
                self.draw(seat, 1)
        if not (self.stored[seat] or played or self.has_burns):
            # What `end_turn` does to a plain turn.
            self.to_move = following = self.engine.following[seat]
            if not self.hands[following]:
                self.to_move = seat
                self.end_turn()
            return
        # A second move that no card is left for is kept for the next hand, where the rules keep it.
        if not self.stored[seat] or not hand:
            self.end_turn()
            return
        self.played = played + 1
        if self.engine.lines:
            # A line may not be taken in the turn in which the pawn came to its summit (`move/line_too_soon`).
            for i in range(TO, len(move), PART):
                self.arrived |= 1 << move[i]

    def _burn(self, seat: int) -> None:
        """Make the next player lose a card and the turn; without cards there is nothing to lose."""
        following = self.engine.following[seat]
        self.owes_discard[following] = bool(self.hands[following])

    def _give(self, seat: int, card: int) -> None:
        """Keep the given card aside until everybody has given, then hand the cards over."""
        self.giving.append((seat, gift_receiver((seat, *self.engine.mates[seat]), seat), card))
        self.waiting_to_give.remove(seat)
        if self.waiting_to_give:
            self.to_move = self.waiting_to_give[0]
            return
        for giver, receiver, given in self.giving:
            self.hands[giver].remove(given)
            self.hands[receiver].append(given)
        self.giving = []
        self.to_move = self.lead

    def end_turn(self) -> None:
        """Pass the turn to the next seat that holds cards; with all hands empty deal again."""
        seat = self.to_move
        if self.stored[seat]:
            self.stored[seat] = self.rulebook.kept(self.stored[seat])
        self.played = self.arrived = 0
        self.owes_discard[seat] = False
        hands, following = self.hands, self.engine.following
        for _ in hands:
            seat = following[seat]
            if hands[seat]:
                self.to_move = seat
                return
        self.deal()


def _any_of(things: Sequence[T], rng: Rng) -> T:
    count = len(things)
    return things[0] if count == 1 else things[int(rng() * count)]
