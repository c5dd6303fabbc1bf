"""A whole game on the reed board: the firmware feels every pawn, every move is recorded as it was played."""

import random
from collections.abc import Iterable

import pytest

from tests.support.tables import dry_table
from tock_companion.boardfile import generate
from tock_companion.boardfile.wiring import inputs_of
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Role, parse_request
from tock_companion.events.facts import Fact, MoveAccepted, Repaired, ViolationFound
from tock_companion.observation import SourceMessage
from tock_companion.sources.reed.emulator import Emulator
from tock_companion.sources.reed.ports import SerialLine
from tock_companion.sources.reed.source import ReedSource
from tock_rules import CAMP, Board, BoardShape, Card, Hole, Kind, Move, Seat, camp_holes_of, pack

pytestmark = pytest.mark.whole
BOARD = generate(4, 440)
SEATS = (Seat.P0, Seat.P2)
PACK = pack()
STEP_MS = 25
HAND_MS = 150
PATIENCE_MS = 8000
MAX_TURNS = 150
WRONG_TURN = 12


class LockstepLine(SerialLine):
    """A port that is read only as far as the board has sent by now."""

    pending = 0

    def read(self) -> bytes:
        data = b""
        while len(data) < self.pending:
            data += super().read()
        self.pending -= len(data)
        return data


class ReedGame:
    """Pawns on a reed board, moved by hand; time passes only when the hand wants."""

    def __init__(self, board: Emulator, seed: int) -> None:
        self.rng = random.Random(seed)
        self.board = board
        self.line = LockstepLine(board.port)
        self.source = ReedSource(BOARD, {"port": board.port})
        self.source.connect(self.hear)
        self.source.take_up(self.line, 0)
        self.core = dry_table(BOARD, GameSetup(seats=SEATS))
        self.inputs = inputs_of(4)
        self.standing = {hole: seat for seat in SEATS for hole in camp_holes_of(seat)}
        self.facts: list[Fact] = []
        self.t_ms = self.sent = 0
        for hole in self.standing:
            board.switch(self.inputs[hole], True)

    def hear(self, message: SourceMessage) -> None:
        self.facts += [event.fact for event in self.core.take(message)]

    def pass_ms(self, ms: int) -> None:
        for _ in range(0, ms, STEP_MS):
            self.t_ms += STEP_MS
            before, self.sent = self.sent, self.board.run_ms(STEP_MS)
            self.line.pending += self.sent - before
            self.source.exchange(self.line, lambda: self.t_ms)
            if self.core.deadline_ms is not None and self.t_ms > self.core.deadline_ms:
                self.facts += [event.fact for event in self.core.tick(self.t_ms)]

    def until(self, kinds: type[Fact] | tuple[type[Fact], ...]) -> Fact:
        """Let time pass until something of these kinds is recorded."""
        for _ in range(0, PATIENCE_MS, STEP_MS):
            found = [fact for fact in self.facts if isinstance(fact, kinds)]
            if found:
                return found[0]
            self.pass_ms(STEP_MS)
        raise AssertionError(f"never recorded; {self.facts}, {self.standing}")

    # ------------------------------------------------------------------ hands

    def lift(self, hole: Hole) -> Seat:
        self.board.switch(self.inputs[hole], False)
        self.pass_ms(HAND_MS)
        return self.standing.pop(hole)

    def put(self, seat: Seat, hole: Hole) -> None:
        self.board.tell("bounce", self.inputs[hole], 1, 5, 150)
        self.standing[hole] = seat
        self.pass_ms(HAND_MS)

    def home_of(self, seat: Seat) -> Hole:
        return next(hole for hole in camp_holes_of(seat) if hole not in self.standing)

    def make(self, move: Move) -> None:
        """Move the pawns as a person does: the taken pawn is picked up first and put into its camp last."""
        shape = move.before.shape
        for part in move.parts:
            if part.from_cell == CAMP:
                source = next(hole for hole in camp_holes_of(part.seat) if hole in self.standing)
            else:
                source = shape.hole_id(part.from_cell)
            target = shape.hole_id(part.to_cell)
            if target == source:
                continue
            taken = self.lift(target) if target in self.standing else None
            self.put(self.lift(source), target)
            if taken is not None:
                self.put(taken, source if part.kind is Kind.SWAP else self.home_of(taken))
        self.tidy(move.result.to_pawns())

    def tidy(self, result: dict[str, list[str]]) -> None:
        """Return the captured pawns to their camps."""
        for name, places in result.items():
            seat = Seat[name]
            right = {Hole.at_place(seat, place) for place in places}
            for hole in [hole for hole, owner in self.standing.items() if owner is seat]:
                if hole not in right and not Hole.parse(hole).in_camp:
                    self.lift(hole)
                    self.put(seat, self.home_of(seat))

    # ------------------------------------------------------------------ turns

    def hand(self) -> list[tuple[Card, Move]]:
        """The moves of five random cards that change the board."""
        position = self.core.position
        cards = self.rng.sample(PACK, 5)
        return [
            (card, move)
            for card in cards
            for move in position.legal_moves(card)
            if not move.result.looks_like(position.board)
        ]

    def ask(self, kind: str, seat: Seat, **data: object) -> bool:
        reply, events = self.core.ask(parse_request(kind, data, Role.SEAT, seat), self.t_ms)
        self.facts += [event.fact for event in events]
        return reply.ok

    def turn(self, wrong_first: bool) -> Move | None:
        """Play one turn; None when five cards held no move."""
        mover = self.core.position.to_move
        choices = self.hand()
        if not choices:
            dead = next(card for card in PACK if not self.core.position.legal_moves(card))
            assert self.ask("discard", mover, card=str(dead))
            return None
        card, move = max(choices, key=lambda choice: (worth(mover, choice[1]), self.rng.random()))
        self.facts.clear()
        assert self.ask("play_card", mover, card=str(card))
        if wrong_first:
            self.warn(mover)
        self.make(move)
        accepted = self.until(MoveAccepted)
        assert isinstance(accepted, MoveAccepted)
        assert Board.from_pawns(move.before.shape, accepted.result).looks_like(move.result), move.text
        assert wrong_first or not [fact for fact in self.facts if isinstance(fact, ViolationFound)], move.text
        if self.core.position.to_move is mover and self.core.game.moved and self.core.game.ended is None:
            self.ask("end_turn", mover)
        return move

    def warn(self, mover: Seat) -> None:
        """Put a pawn where no move leads, hear of it, and put it back."""
        source = next(hole for hole, seat in self.standing.items() if seat is mover)
        began_ms = self.t_ms
        free = next(hole for hole in map(Hole.track, (40, 41)) if hole not in self.standing)
        self.put(self.lift(source), free)
        violation = self.until(ViolationFound)
        assert isinstance(violation, ViolationFound)
        assert self.t_ms - began_ms < 2 * HAND_MS + 1500
        self.put(self.lift(free), source)
        self.until(Repaired)
        self.facts.clear()


def worth(mover: Seat, move: Move) -> int:
    """Value of a move to somebody who wants to get home, and now and then swaps or takes."""
    before, after = move.before.to_pawns(), move.result.to_pawns()
    home = sum(place[0] == "H" for place in after[mover.name]) - sum(
        place[0] == "H" for place in before[mover.name]
    )
    taken = sum(
        after[name].count("camp") - before[name].count("camp") for name in after if name != mover.name
    )
    out = before[mover.name].count("camp") - after[mover.name].count("camp")
    swapped = any(part.kind is Kind.SWAP for part in move.parts)
    return 8 * home + 3 * taken + 4 * out + swapped + progress(mover, after[mover.name])


def progress(seat: Seat, places: Iterable[str]) -> int:
    """Quarters of the way that the pawns on the track have gone."""
    shape = BoardShape(4)
    return sum(shape.progress(seat, int(place.strip("T*"))) // 18 for place in places if place[0] == "T")


def test_a_whole_game_is_recorded_move_by_move_and_one_wrong_move_is_warned() -> None:
    kinds: set[Kind] = set()
    taken = played = 0
    with Emulator(4, lockstep=True) as board:
        game = ReedGame(board, 4)
        try:
            game.pass_ms(1000)
            while game.core.game.ended is None and played < MAX_TURNS:
                move = game.turn(wrong_first=played == WRONG_TURN)
                played += 1
                if move is not None:
                    kinds |= {part.kind for part in move.parts}
                    before, after = move.before.to_pawns(), move.result.to_pawns()
                    taken += any(after[name].count("camp") > before[name].count("camp") for name in after)
            assert game.core.game.ended is not None
            assert game.source.link.counts.doubts == 0
        finally:
            game.line.close()
    assert Kind.SWAP in kinds
    assert taken > 0
