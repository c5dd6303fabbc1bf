"""The quick choice of an action: what the estimate says of each, without making any move."""

from tock_companion.hints.estimate import Estimate, MoveScorer
from tock_companion.rules.engine import CARD_CODES, IS_JOKER, LAY_DOWN, PLAY, STOP, Action, CardGame

LAYING_DOWN = -0.2
"""What it costs to lay the whole hand down, beside what the cards were worth."""


class Scores:
    """Scores the actions of the seat to move, as one who knows its hand and the board."""

    def __init__(self, estimate: Estimate, game: CardGame) -> None:
        """Note the board before the action."""
        self.game = game
        self.seat = game.to_move
        self.moves = MoveScorer(estimate, game.state.pawns, self.seat)
        self.view = self.moves.view
        self.second_moves = game.rules.joker_second_move

    def score(self, action: Action) -> float:
        """Return by how much the action raises the log odds that the side wins, roughly."""
        kind, card, move = action
        view = self.view
        if kind == STOP:
            return 0.0
        if kind == LAY_DOWN:
            return LAYING_DOWN
        gain = self.moves.score(move) if move else 0.0
        if card >= 0:
            gain -= view.kept[CARD_CODES[card]]
        if kind == PLAY:
            if self.game.played:
                gain -= view.stored
            if self.second_moves and IS_JOKER[card]:
                gain += view.stored
        return gain


def choose(estimate: Estimate, game: CardGame) -> Action:
    """Return the best action by its score; the first of equals."""
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
