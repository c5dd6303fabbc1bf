"""The fast policy: scores every action by the evaluation, without making any move.

A score is a difference in log odds that the seat's own side wins, so positive is good for the seat and scores add up.
Near an even game 0.04 is one percentage point, because the logistic function has the slope 1/4 there:

>>> from tock_companion.hints.estimate import squash
>>> [round(100 * squash(log_odds), 1) for log_odds in (-0.4, 0.0, 0.04, 0.4)]
[40.1, 50.0, 51.0, 59.9]

With the weights of `gladius` in teams, a seven that takes P0's first pawn home, from T66 to H3, scores -0.06:

    where the pawn stands   me_home3 - me_way3 - me_near4-8   0.3157 - 0.1724 - 0.0061  =   0.1372
    one pawn is home        me_one_home                        while four are worth 0.7116 -0.1307
    the card is gone        - keeps_seven                                                   -0.0659

>>> from tock_companion.hints.weights import load
>>> from tock_rules import BoardShape, load_preset
>>> from tock_rules.actions import STEP
>>> from tock_rules.engine import engine_for
>>> table = engine_for(BoardShape(4), load_preset("gladius"), (0, 1, 2, 3), ((0, 2), (1, 3)))
>>> estimate = Estimate(table, load("gladius", "teams"))
>>> pawns = [66, *[-1] * 15]
>>> move = MoveScorer(estimate, pawns, 0).score((STEP, 0, 66, table.shape.home(0, 3), -1, 0))
>>> round(move, 4), round(move - estimate.by_seat[0].kept[7], 4)
(0.0065, -0.0594)
"""

from tock_companion.hints.estimate import Estimate, MoveScorer
from tock_rules.engine import CARD_CODES, IS_JOKER, LAY_DOWN, PLAY, STOP, Action, CardGame

LAYING_DOWN_LOG_ODDS = -0.2
"""Price of laying the whole hand down, about five percentage points of an even game; set by hand, not learned."""


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
        # A card has a value while it is held, which playing it gives up.
        if card >= 0:
            gain -= weights.kept[CARD_CODES[card]]
        if kind == PLAY:
            # A second card in a turn uses up a stored move; a joker stores one.
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
