"""A position as text: `mjc 4 P0 P0+P2/P1+P3 P0:T20,H1 P1: P2:T36* P3: stored=P0:1 played=1 arrived=T20`.

After the ruleset come zones, seat to move, teams (`-` for none) and, seat by seat, the pawns outside the camp. The
rest is left out while it is empty: second moves in store, cards played and holes reached in this turn,
seats that were dealt a starter, and how many cards each seat was dealt.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from tock_rules.board import Board
from tock_rules.drawing import draw_board
from tock_rules.errors import BadInputError, quoted
from tock_rules.geometry import BoardShape
from tock_rules.ruleset import Ruleset, shape_for
from tock_rules.seating import Team, check_teams, parse_teams, teams_text
from tock_rules.seats import Seat
from tock_rules.svg import board_svg
from tock_rules.values import Value

MAX_DIGITS = 3
"""No game has 1,000 cards or second moves."""
LATER_WORDS = ("stored", "played", "arrived", "starter", "dealt", "owes", "empty")


@dataclass(frozen=True, repr=False)
class PositionFields(Value):
    """Everything that a position is made of, and its text; `Position` adds the rules."""

    ruleset: Ruleset
    board: Board
    teams: tuple[Team, ...]
    """Empty when everybody plays alone."""
    to_move: Seat
    stored_moves: tuple[int, ...]
    """Second moves that each zone's seat has kept from its jokers (R000-45)."""
    cards_played: int = 0
    """Cards that the seat has played in this turn."""
    arrived: int = 0
    """Set of the cells that pawns reached in this turn: they may not leave by a dotted line yet (R000-36)."""
    dealt_starter: frozenset[Seat] = frozenset()
    """Seats that were dealt a starter in this hand: they may not throw their cards away (R002-30)."""
    hand_dealt: int = 0
    """Cards that each seat was dealt in this hand; 0 when that is not known."""
    owes_discard: frozenset[Seat] = frozenset()
    """Seats whose next turn is to put a card away, because of a card played before."""
    without_cards: frozenset[Seat] = frozenset()
    """Seats that are known to hold no card: none can be made to lose one."""

    @classmethod
    def of(
        cls, ruleset: Ruleset, board: Board, to_move: Seat, teams: Iterable[Iterable[Seat]] | None = None
    ) -> Self:
        """The position at the start of a turn; raise `BadInputError` when seats and teams do not fit the board."""
        if to_move not in board.seats:
            raise BadInputError(f"{to_move.name} is to move but does not play")
        sides = check_teams(teams or (), board.seats)
        return cls(ruleset, board, sides, to_move, (0,) * board.shape.zones)

    @classmethod
    def parse(cls, text: object) -> Self:
        """The position of its line or of its drawing; raises BadInputError."""
        if not isinstance(text, str):
            raise BadInputError(f"a position is a text, not {quoted(text)}")
        line, _, drawing = text.strip().partition("\n")
        words = line.split()
        if len(words) < 5 or not words[1].isdecimal() or len(words[1]) > 1:
            raise BadInputError(
                f"no position: {quoted(text)}; write ruleset, zones, seat to move, teams and the pawns"
            )
        rules = Ruleset.parse(words[0])
        shape = shape_for(rules, int(words[1]))
        pawns = [word for word in words[4:] if "=" not in word]
        board = Board.parse(shape, " ".join(pawns))
        start = cls.of(rules, board, Seat.parse(words[2]), parse_teams(words[3]))
        later = _later_words(words[4 + len(pawns) :])
        found = cls(
            rules,
            board,
            start.teams,
            start.to_move,
            _stored(later.get("stored", ""), shape),
            _count(later.get("played", "0")),
            _cells(later.get("arrived", ""), shape),
            _seats(later.get("starter", ""), board),
            _count(later.get("dealt", "0")),
            _seats(later.get("owes", ""), board),
            _seats(later.get("empty", ""), board),
        )
        if drawing and drawing.strip("\n").split() != draw_board(board).split():
            raise BadInputError(f"no position: the drawing does not show {quoted(line)}")
        return found

    @property
    def text(self) -> str:
        """The position as one line."""
        shape = self.board.shape
        words = [
            str(self.ruleset),
            str(shape.zones),
            self.to_move.name,
            teams_text(self.teams),
            str(self.board),
        ]
        later = (
            [f"{Seat(seat).name}:{count}" for seat, count in enumerate(self.stored_moves) if count],
            [str(self.cards_played)] if self.cards_played else [],
            [str(shape.hole_id(cell)) for cell in range(shape.cell_count) if self.arrived >> cell & 1],
            [seat.name for seat in sorted(self.dealt_starter)],
            [str(self.hand_dealt)] if self.hand_dealt else [],
            [seat.name for seat in sorted(self.owes_discard)],
            [seat.name for seat in sorted(self.without_cards)],
        )
        words += [
            f"{name}={','.join(values)}" for name, values in zip(LATER_WORDS, later, strict=True) if values
        ]
        return " ".join(words)

    def __str__(self) -> str:
        """The line with the board drawn below; `parse` reads it back."""
        return f"{self.text}\n\n{draw_board(self.board)}"

    def _repr_svg_(self) -> str:
        """The board as notebooks show it."""
        return board_svg(self.board)

    def __repr__(self) -> str:
        """One line that pastes back."""
        return f"{type(self).__name__}.parse({self.text!r})"


def _later_words(words: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or name not in LATER_WORDS or name in found:
            raise BadInputError(
                f"no position: {quoted(word)}; after the pawns come {'=, '.join(LATER_WORDS)}="
            )
        found[name] = value
    return found


def _stored(text: str, shape: BoardShape) -> tuple[int, ...]:
    counts = [0] * shape.zones
    for entry in filter(None, text.split(",")):
        name, _, count = entry.partition(":")
        seat = Seat.parse(name)
        if seat >= shape.zones or counts[seat]:
            raise BadInputError(f"no position: stored={quoted(text)}; write stored=P0:1, each seat once")
        counts[seat] = _count(count)
    return tuple(counts)


def _seats(text: str, board: Board) -> frozenset[Seat]:
    seats = frozenset(Seat.parse(name) for name in filter(None, text.split(",")))
    for seat in sorted(seats.difference(board.seats)):
        raise BadInputError(f"no position: {quoted(text)} are seats, but {seat.name} does not play")
    return seats


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS):
        raise BadInputError(f"no position: {quoted(text)} is no number of cards or moves; write stored=P0:1")
    return int(text)


def _cells(text: str, shape: BoardShape) -> int:
    cells = 0
    for name in filter(None, text.split(",")):
        named = [cell for hole, cell in shape.cells_by_hole.items() if hole == name]
        if not named:
            raise BadInputError(
                f"no position: arrived={quoted(text)}; {quoted(name)} is no hole of this board"
            )
        cells |= 1 << named[0]
    return cells
