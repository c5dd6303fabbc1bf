"""Planning with the whole hand where no cards are drawn, so that the cards held now have to last."""

from tock_companion.hints.estimate import Estimate, MoveScorer
from tock_companion.hints.move_ordering import Scores
from tock_rules.engine import (
    CARD_CODES,
    LAY_DOWN,
    THROW_HAND,
    Action,
    CardGame,
    Engine,
    FlatMove,
    State,
)

DISCOUNT = 0.5
"""Discount per turn of delay: the others move in between."""
PLANNED_ACTIONS = 8
"""Number of actions that are planned through, the best by their own score."""


def planned_scores(estimate: Estimate, game: CardGame, actions: list[Action]) -> list[float]:
    """Score every action together with the best use of the remaining cards.

    The best action keeps its own score; the others are shifted relative to it.
    """
    scores = Scores(estimate, game)
    plain = [scores.score(action) for action in actions]
    if game.draws or len(actions) == 1:
        return plain
    order = sorted(range(len(actions)), key=lambda index: -plain[index])[:PLANNED_ACTIONS]
    later = {index: _after(estimate, game, actions[index]) for index in order}
    least = min(later.values())
    totals = [score + later.get(index, least) for index, score in enumerate(plain)]
    best = max(range(len(actions)), key=totals.__getitem__)
    return [total - totals[best] + plain[best] for total in totals]


def choose_planned(estimate: Estimate, game: CardGame) -> Action:
    """Choose the best action by its planned score, the first among equals."""
    actions = game.actions()
    scores = planned_scores(estimate, game, actions)
    return actions[max(range(len(actions)), key=scores.__getitem__)]


def _after(estimate: Estimate, game: CardGame, action: Action) -> float:
    kind, card, move = action
    hand = [] if kind in (LAY_DOWN, THROW_HAND) else list(game.hands[game.to_move])
    if card in hand:
        # One of them: with two packs a hand may hold the same card twice.
        hand.remove(card)
    state = game.engine.apply(game.state, move) if move else game.state
    return rest_of_hand(estimate, game.engine, state, game.to_move, [CARD_CODES[held] for held in hand])


def rest_of_hand(estimate: Estimate, engine: Engine, state: State, seat: int, hand: list[int]) -> float:
    """Add up what playing the cards greedily one by one gains while the others do not move."""
    kept = estimate.by_seat[seat].kept
    worth, total = DISCOUNT, 0.0
    while hand:
        scorer = MoveScorer(estimate, state.pawns, seat)
        best: tuple[float, int, FlatMove] | None = None
        for code in set(hand):
            for move in engine.moves(state, seat, code, 0):
                score = scorer.score(move) - kept[code]
                if best is None or score > best[0]:
                    best = (score, code, move)
        if best is None:
            return total
        total += worth * best[0]
        worth *= DISCOUNT
        hand.remove(best[1])
        state = engine.apply(state, best[2])
    return total
