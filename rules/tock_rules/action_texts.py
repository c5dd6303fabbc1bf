"""The actions of a game with cards, as values and as text.

The text is a card and its move, `KH P0:camp>T0*`, or `discard 3C`, `hand` (put the whole hand away), `throw` (the hand,
to come out), `give 5H` (to a mate), `end` (the turn).
"""

from dataclasses import dataclass, field

from tock_rules.cardgame import DISCARD, GIVE, LAY_DOWN, PLAY, STOP, THROW_HAND, CardGame
from tock_rules.cardgame import Action as EngineAction
from tock_rules.cards import Card
from tock_rules.errors import BadInputError, quoted
from tock_rules.numbered_cards import CARD_NUMBERS, CARDS
from tock_rules.position import IllegalMoveError, Move, Position
from tock_rules.refusals import refusal, why_not_ended, why_not_put_away

KINDS = {PLAY: "play", DISCARD: "discard", LAY_DOWN: "hand", THROW_HAND: "throw", STOP: "end", GIVE: "give"}
_NUMBERS = {name: kind for kind, name in KINDS.items()}


@dataclass(frozen=True)
class Action:
    """A choice of the seat to move."""

    kind: str
    """`play`, `discard`, `hand`, `throw`, `give` or `end`."""
    cards: tuple[Card, ...]
    """The card, or the hand that goes."""
    move: Move | None
    """The move of a card played or of a hand thrown."""
    inner: EngineAction = field(repr=False, compare=False)
    """The action as the engine has it."""
    position: Position = field(repr=False)
    """The position in which it is done."""

    def __str__(self) -> str:
        """The text that `Game.play` reads."""
        if self.kind == "play":
            return str(self.move)
        return f"{self.kind} {self.cards[0]}" if self.kind in ("discard", "give") else self.kind


def actions_of(cards: CardGame, position: Position) -> tuple[Action, ...]:
    """Everything the seat to move may do in a game whose position this is; nothing after the end."""
    actions = cards.actions()
    others = [action for action in actions if action[0] != PLAY]
    hand = [CARDS[number] for number in cards.hands[cards.to_move]]
    moves = position.legal_moves(hand) if len(others) < len(actions) else ()
    # Moves of the position: pawns of a seat are interchangeable, and it has them in order.
    plays = [(PLAY, CARD_NUMBERS[move.card], move.flat) for move in moves]
    return tuple(action_of(cards, position, inner) for inner in (*plays, *others))


def action_of(cards: CardGame, position: Position, inner: EngineAction) -> Action:
    """The engine's action as a value."""
    kind, number, flat = inner
    numbers = [number] if number >= 0 else [] if kind == STOP else cards.hands[cards.to_move]
    named = tuple(CARDS[one] for one in numbers)
    return Action(KINDS[kind], named, position.move_of(named, flat) if flat else None, inner, position)


def read_action(cards: CardGame, position: Position, text: str) -> EngineAction:
    """The engine's action of a text.

    Raise `IllegalMoveError` with the reason for one that is not allowed now, `BadInputError` for a text of none.
    """
    name, *words = text.split() or [""]
    if name not in _NUMBERS:
        name, words = "play", text.split()
    if not text or (name != "play" and (name in ("discard", "give")) != (len(words) == 1)):
        raise BadInputError(
            f"no action: {quoted(text)}; write KH P0:camp>T0*, discard 3C, hand, throw, give 5H or end"
        )
    card = Card.parse(words[0]) if words else None
    number = CARD_NUMBERS[card] if card is not None else -1
    code = _refused(cards, name, number)
    if code is not None:
        raise IllegalMoveError(text, position, refusal(position.ruleset, code, position.to_move, card))
    if name == "play":
        return (PLAY, number, Move.parse(" ".join(words), position).flat)
    return cards.throw() if name == "throw" else (_NUMBERS[name], number, ())


def _refused(cards: CardGame, name: str, number: int) -> str | None:
    """The code of the reason why such an action is refused; that of a move is found by the position."""
    held, actions = cards.hands[cards.to_move], cards.actions()
    choices = cards.choices([flat for kind, _, flat in actions if kind == PLAY])
    if not actions:
        return "over"
    if number >= 0 and number not in held:
        return "not_held"
    if name == "play":
        return "give_first" if choices.give else None
    if any((kind, card) == (_NUMBERS[name], number) for kind, card, _ in actions):
        return None
    if name in ("throw", "give"):
        return {"throw": "no_exit", "give": "no_gift"}[name]
    if name == "end":
        return why_not_ended(choices, cards.played) or "turn_open"
    count = 1 if name == "discard" else len(held)
    kept = "hand_playable" if name == "discard" else "one_card"
    return why_not_put_away(choices, count, len(held), cards.played) or kept
