"""Plays a whole game of four at random and prints its record and its last board: `python random_game.py [SEED]`."""

import random
import sys

from tock_companion.rules import Entry, GameRecord, Position, deal_plan

rng = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
start = position = Position.start("mjc", players=4)
stock = list(deal_plan(position.ruleset, len(position.seats)).deck)
rng.shuffle(stock)
hands = {seat: [stock.pop() for _ in range(position.ruleset.hand_size)] for seat in position.seats}
entries, used = [], []
while position.outcome() is None:
    hand = hands[position.to_move]
    moves = position.legal_moves(hand)
    if not moves and position.cards_played:
        position = position.end_turn()  # The second move of a joker waits for a later turn.
        continue
    if moves:
        move = rng.choice(moves)
        card = move.card
        entries.append(Entry.of(move))
        position = position.play(move)
    else:
        card = rng.choice(hand)
        entries.append(Entry(position.to_move, "discards", (card,)))
    hand.remove(card)
    used.append(card)
    if not stock:
        stock, used = used, []
        rng.shuffle(stock)
    hand.append(stock.pop())
    if not moves or not position.may_play_more:
        position = position.end_turn()
print(GameRecord.of(start, entries))
print(position)
