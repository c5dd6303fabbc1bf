"""Plays a whole game of four at random and prints its record and its last board: `python random_game.py [SEED]`."""

import random
import sys

from tock_rules import Card, Entry, GameRecord, Position, Seat, deal_plan, turn_options

rng = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
start = position = Position.start("mjc", players=4)
deck = deal_plan(position.ruleset, len(position.seats)).deck
hands: dict[Seat, list[Card]] = {seat: [] for seat in position.seats}
stock: list[Card] = []
entries: list[Entry] = []
while position.outcome() is None:
    hand = hands[position.to_move]
    while len(hand) < position.ruleset.hand_size:
        if not stock:
            stock = [card for card in deck if not any(card in held for held in hands.values())]
            rng.shuffle(stock)
        hand.append(stock.pop())
    options = turn_options(position, hand)
    if options.playable:
        move = rng.choice(position.legal_moves(hand))
        entries.append(Entry.of(move))
        position = position.play(move)
        hand.remove(move.card)
    elif options.discard_allowed:
        away = tuple(hand[: options.discard_count])
        del hand[: options.discard_count]
        entries.append(Entry(position.to_move, "discards" if len(away) == 1 else "lays down", away))
    if not options.playable or not position.may_play_more:
        position = position.end_turn()
print(GameRecord.of(start, entries))
print(position)
