"""The fast policy: scores every action by the evaluation, without making any move."""

from tock_companion.hints.estimate import Estimate, MoveScorer
from tock_companion.rules.engine import CARD_CODES, IS_JOKER, LAY_DOWN, PLAY, STOP, Action, CardGame

LAYING_DOWN_LOG_ODDS = -0.2
"""Cost of laying the whole hand down, on top of what the cards were worth."""


class Scores:
    """Scores the actions of the seat to move from its hand and the board."""

    def __init__(self, estimate: Estimate, game: CardGame) -> None:
        """Note the board before any action."""
        self.game = game
        self.seat = game.to_move
        self.moves = MoveScorer(estimate, game.state.pawns, self.seat)
        self.weights = self.moves.weights
        self.second_moves = game.rulebook.second_moves

    def score(self, action: Action) -> float:
        """Approximate by how much the action raises the log odds that the side wins."""
        kind, card, move = action
        weights = self.weights
        if kind == STOP:
            return 0.0
        if kind == LAY_DOWN:
            return LAYING_DOWN_LOG_ODDS
        gain = self.moves.score(move) if move else 0.0
        if card >= 0:
            gain -= weights.kept[CARD_CODES[card]]
        if kind == PLAY:
            if self.game.played:
                gain -= weights.stored
            if self.second_moves and IS_JOKER[card]:
                gain += weights.stored
        return gain


def choose(estimate: Estimate, game: CardGame) -> Action:
    """Choose the best action by its score, the first among equals."""
    actions = game.actions()
    if len(actions) == 1:
        return actions[0]
    scores = Scores(estimate, game)
    best = actions[0]
    highest = scores.score(best)
    for action in actions[1:]:
        score = scores.score(action)
        if score > highest:
            best, highest = action, score
    return best
