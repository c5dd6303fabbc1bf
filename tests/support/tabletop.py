"""Random positions on which pawns are moved by hand, for boards with a known mistake."""

import random
from dataclasses import dataclass

from tests.support.random_tables import random_table
from tock_rules import CAMP, Board, BoardShape, Card, Position, Ruleset, Seat, Setup

NUMBERS = ("2H", "3S", "6D", "8C", "9H", "10S", "QD")
VALUES = dict(zip((*NUMBERS, "AS", "4H", "5H", "JC"), (2, 3, 6, 8, 9, 10, 12, 1, 4, 5, 11), strict=True))


@dataclass(frozen=True)
class WrongBoard:
    """A wrong board, and the subject whose first statement is broken."""

    position: Position
    card: Card
    seen: Setup
    thing: str

    @property
    def truth(self) -> str:
        """The broken statement."""
        return self.position.ruleset.refs(*self.thing.split())[0]


class Tabletop:
    """A random position, and moves of pawns by hand."""

    def __init__(self, rng: random.Random, rules: Ruleset) -> None:
        """Draw a position on four or six zones that nobody has won."""
        self.rng = rng
        while True:
            self.position = random_table(rng, rules, zones=rng.choice([4, 4, 6])).position(rules)
            if self.position.outcome() is None:
                break
        self.board: Board = self.position.board
        self.shape: BoardShape = self.board.shape
        self.me = self.position.to_move
        self.pawns = {seat: list(self.board.cells_of(seat)) for seat in self.board.seats}

    def walkers(self, seat: Seat) -> list[int]:
        """Track cells of a seat's pawns, in random order."""
        cells = [cell for cell in self.pawns[seat] if 0 <= cell < self.shape.track_length]
        self.rng.shuffle(cells)
        return cells

    def owner(self, cell: int) -> Seat | None:
        """The owner of the pawn there."""
        return self.board.owners.get(cell)

    def opponents(self) -> list[Seat]:
        """The opponents of the seat to move."""
        return [Seat(seat) for seat in self.position.engine.opponents[self.me]]

    def to_entrance(self, seat: Seat, cell: int) -> int:
        """Steps to the last hole before the seat's home."""
        return self.shape.track_length - 2 - self.shape.progress(seat, cell)

    def is_home_free(self, seat: Seat, level: int) -> bool:
        """Whether a seat's home holes up to a level are free."""
        return all(self.owner(self.shape.home(seat, each)) is None for each in range(1, level + 1))

    def ahead(self, cell: int, steps: int) -> int:
        """The track cell `steps` further on."""
        return (cell + steps) % self.shape.track_length

    def protected(self, cell: int) -> bool:
        """Whether the pawn there is protected."""
        return bool(self.position.engine.protected_cells(self.board.state) >> cell & 1)

    def clear(self, cell: int, steps: int) -> bool:
        """Whether the next `steps` cells are free, the landing cell included."""
        sign = 1 if steps > 0 else -1
        return all(self.owner(self.ahead(cell, sign * i)) is None for i in range(1, abs(steps) + 1))

    def short_of_home(self, seat: Seat, cell: int, steps: int) -> bool:
        """Whether the pawn stops before its entrance, so that its home does not matter."""
        return self.shape.progress(seat, cell) + steps < self.shape.track_length - 3

    def wrong_board(self, card: str, thing: str, *moves: tuple[Seat, int, int]) -> WrongBoard | None:
        """The board after movements (seat, from, to); a pawn on the target goes to camp."""
        places = {seat: list(cells) for seat, cells in self.pawns.items()}
        for seat, source, target in moves:
            if target != CAMP:
                for cells in places.values():
                    if target in cells:
                        cells[cells.index(target)] = CAMP
            places[seat][places[seat].index(source)] = target
        outside = [(cell, seat) for seat, cells in places.items() for cell in cells if cell != CAMP]
        holes = {self.shape.hole_id(cell): seat for cell, seat in outside}
        camps = {seat: cells.count(CAMP) for seat, cells in places.items()}
        return WrongBoard(self.position, Card.parse(card), Setup(self.shape, holes, camps), thing)
