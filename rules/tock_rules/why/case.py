"""One illegal move under examination: the rules about it are looked up once, and blamed in one way."""

from collections.abc import Sequence

from tock_rules.actions import NO_CARD, CardAction, code_of
from tock_rules.board import Board
from tock_rules.card_actions import ROWS
from tock_rules.cards import Card
from tock_rules.geometry import CAMP
from tock_rules.holes import CAMP_PLACE
from tock_rules.mechanics import Mechanics
from tock_rules.parts import Part
from tock_rules.seats import Seat
from tock_rules.violations import Param, Violation

CARD_THINGS = {
    1: "ace",
    4: "four",
    5: "five",
    7: "seven",
    8: "eight",
    9: "nine",
    10: "ten",
    11: "jack",
    12: "queen",
    13: "king",
    14: "joker",
}
"""The name of a card in the statements of the presets, by rank; cards that a file has no statements for are `other`."""


class Case:
    """An illegal move: where it was made, by whom, with which card, and how its mistake is phrased."""

    def __init__(
        self, engine: Mechanics, board: Board, to_move: Seat, arrived: int, card: Card | None
    ) -> None:
        """Look up the card's actions here; `arrived` is the set of cells reached in this turn.

        Without a card it is a hand that was thrown.
        """
        self.engine = engine
        self.board = board
        self.to_move = to_move
        self.arrived = arrived
        self.card = card
        self.rules = engine.rules
        self.shape = engine.shape
        self.action = CardAction(engine.rules, NO_CARD if card is None else code_of(card))
        thing = "other" if card is None else CARD_THINGS.get(int(card.rank), "other")
        self.card_thing = thing if thing in self.rules.statements else "other"
        self.counting = (f"count_{self.card_thing}", "value", self.card_thing)
        """The statements that a wrong count breaks; gladius counts some cards by a statement of their own."""
        self.value = self.action.value

    def value_for(self, walked: int | None) -> int:
        """Of the walks that the card knows the one that this was meant to be."""
        if walked is None:
            return self.value
        return min(self.action.values, key=lambda value: ((value > 0) != (walked > 0), abs(value - walked)))

    def control(self, board: Board) -> tuple[Seat, ...]:
        """Seats whose pawns the seat to move plays on that board."""
        return tuple(map(Seat, self.engine.control(board.state, self.to_move)))

    def pushes(self, board: Board, part: Part) -> bool:
        """Whether the card moves this pawn as one of another seat."""
        return bool(self.action.push) and part.seat not in self.control(board)

    @property
    def backwards(self) -> str:
        """The code of a way back with a card that knows none; the four is named where no other card goes back."""
        others = (self.rules.row(name) for name in ROWS if name != "4")
        only_four = (
            all(step.steps > 0 for row in others for step in row.steps) and not self.rules.row("9").both_ways
        )
        return "move/backwards" if only_four else "move/card_backwards"

    def blame(self, code: str, things: Sequence[str], part: Part, *holes: int, **params: Param) -> Violation:
        """The violation of that code: things whose statements are broken, the part, further holes and numbers."""
        shape = self.shape
        cells = [*holes, part.to_cell, part.from_cell]
        names = tuple(dict.fromkeys(shape.hole_id(cell) for cell in cells if cell >= 0))
        base: dict[str, Param] = {"pawn": part.seat.name}
        base["from"] = CAMP_PLACE if part.from_cell == CAMP else shape.hole_id(part.from_cell)
        base["to"] = CAMP_PLACE if part.to_cell == CAMP else shape.hole_id(part.to_cell)
        if self.value:
            base["value"] = abs(self.value)
        refs = self.rules.refs(*things) or self.rules.refs("value")
        return Violation(code, refs, self.to_move, self.card, names, {**base, **params})

    def not_mine(self, part: Part) -> Violation:
        """The violation of moving a pawn that the seat does not play."""
        mate = part.seat in self.engine.mates[self.to_move]
        code = "move/partners_pawn" if mate else "move/not_your_pawn"
        return self.blame(code, ("mates", "whose") if mate else ("whose", "turn"), part)


def protected_things(board: Board, cell: int, verb: str) -> tuple[str, ...]:
    """Things that protect the pawn on a start hole: a fresh one first as a pawn just out (open point A-05)."""
    suffix = "" if verb == "taken" else f"_{verb}"
    general = f"protected_{verb}"
    return (f"protected_fresh{suffix}", general) if board.is_fresh(cell) else (general,)
