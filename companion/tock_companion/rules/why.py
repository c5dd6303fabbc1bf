"""Why a move is not legal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tock_companion.rules.cards import Card
from tock_companion.rules.moves import Part
from tock_companion.rules.violations import Violation

if TYPE_CHECKING:
    from tock_companion.rules.position import Position


def why_not(position: "Position", card: Card, parts: Sequence[Part]) -> Violation:
    """Return what is wrong with a move that is not legal."""
    holes = tuple(position.shape.hole_id(part.to_cell) for part in parts if part.to_cell >= 0)
    return Violation("move/not_of_this_card", position.ruleset.refs("value"), position.to_move, card, holes)
