"""Tactics of a position: who captures whom, what brings a pawn home. Reasons rest on these facts."""

from tock_companion.hints.knowledge import Knowledge
from tock_rules import Card, Rank, Seat
from tock_rules.engine import (
    CARD_CODES,
    CARDS,
    CODES,
    FROM,
    JOKER_CODES,
    MOVER,
    PART,
    TO,
    CardAction,
    Engine,
    State,
)

RANK_OF_CODE = {code: next(card.rank for card, its in zip(CARDS, CARD_CODES, strict=True) if its == code)
                for code in CODES}  # fmt: skip


class Tactics:
    """Answers tactical questions about positions of one table."""

    def __init__(self, knowledge: Knowledge) -> None:
        """Note the table, the seat's side and the opponents."""
        position = knowledge.position
        self.engine: Engine = position.engine
        self.shape = position.shape
        self.seat = position.to_move
        self.side = position.team_of(self.seat)
        self.others = tuple(seat for seat in position.seats if seat not in self.side)
        actions = [CardAction(position.ruleset, code) for code in range(18)]
        self.steps = [7 if action.seven else action.advance for action in actions]
        self.sweeps = [action.sweep for action in actions]
        self.sevens = [action.seven for action in actions]
        self.packed = [code for code in CODES if position.ruleset.jokers or code not in JOKER_CODES]

    def left(self, seat: int, cell: int) -> int:
        """Count the holes from a track cell to the seat's home entrance; negative beyond it."""
        shape = self.shape
        return shape.track_length - shape.entrance_back - shape.progress(seat, cell)

    def on_track(self, cell: int) -> bool:
        """Whether the cell is on the track."""
        return 0 <= cell < self.shape.track_length

    def may_reach(self, code: int, holes: int) -> bool:
        """Whether a card could move a pawn that many holes, or capture in passing at that distance."""
        steps, length = self.steps[code], self.shape.track_length
        if self.sevens[code]:
            return 1 <= holes <= 7 or holes > self.shape.zone_length
        if self.sweeps[code] and 0 < holes <= steps:
            return True
        # A jump from summit to summit may follow a step.
        return steps != 0 and (holes - steps) % length in (
            0,
            self.shape.zone_length,
            length - self.shape.zone_length,
        )

    def hits(self, state: State, seat: int, code: int, cell: int) -> bool:
        """Whether the seat's own pawns can capture the pawn on a cell with this card."""
        for move in self.engine.moves(state, seat, code):
            for at in range(0, len(move), PART):
                kind, _, src, dst, via, taken = move[at : at + PART]
                if kind != 4 and dst == cell and src >= 0:
                    return True
                if taken >> cell & 1 or (
                    kind in (2, 3) and via == cell and self.engine.rules.jump_takes_first
                ):
                    return True
        return False

    def hitters(self, state: State, cell: int) -> dict[Rank, Seat]:
        """List the ranks with which an opponent's own pawns can capture the pawn on a track cell, and whose pawns."""
        found: dict[Rank, Seat] = {}
        length = self.shape.track_length
        for other in self.others:
            pawns = state.pawns[self.engine.of_seat[other]]
            ways = [(cell - its) % length for its in pawns if self.on_track(its)]
            from_centre = self.shape.centre in pawns
            for code in self.packed:
                rank = RANK_OF_CODE[code]
                near = rank not in found and (from_centre or any(self.may_reach(code, way) for way in ways))
                if near and self.hits(state, other, code, cell):
                    found[rank] = other
        return found

    def entering(self, state: State, seat: int, cell: int, codes: list[int]) -> list[int]:
        """List the card codes that alone bring the seat's pawn on a track cell home."""
        centre = self.shape.centre
        return [
            code
            for code in codes
            if any(
                move[MOVER] == seat and move[FROM] == cell and move[TO] > centre and len(move) == PART
                for move in self.engine.moves(state, self.seat, code)
            )
        ]

    def barred(self, state: State, start: int) -> list[Seat]:
        """List the opponents with a pawn within thirteen holes before a start."""
        length = self.shape.track_length
        return [
            other
            for other in self.others
            if any(
                self.on_track(cell) and 0 < (start - cell) % length <= 13
                for cell in state.pawns[self.engine.of_seat[other]]
            )
        ]


def ranks_of(cards: list[Card]) -> list[Rank]:
    """List the ranks of cards, each once, in order."""
    return sorted({card.rank for card in cards})
