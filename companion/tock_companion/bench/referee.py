"""How the referee does at a noisy table: turns right without help, asked, warned, silently wrong, and how fast."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from tock_companion.bench.noise import Noise
from tock_companion.bench.person import IN_HAND, Person, Shot, standing_on
from tock_companion.bench.sensing import FRAME_MS, Sensing
from tock_companion.boardfile import generate
from tock_companion.events.facts import Event, GameStarted, MoveAccepted, Pawns
from tock_companion.referee.options import card_kinds
from tock_companion.rules.board import Board
from tock_companion.rules.cards import Card
from tock_companion.rules.geometry import BoardShape, Seat
from tock_companion.rules.moves import Move
from tock_companion.table.core import TableCore
from tock_companion.table.requests import Request, Role
from tock_companion.table.setup import GameSetup, game_started
from tock_companion.views.names import Names

CAMERA_LAG_MS, REED_LAG_MS = 300, 20
"""How long after a deadline the table looks again by itself, with a camera and without."""
PATIENCE_MS = 6000
"""How long the people wait for the table before they would help it by hand."""
ZONES = 4
SIDE_MM = 440.0


@dataclass(slots=True)
class Tally:
    """What became of the turns of one run; delays from the last physical change, in milliseconds."""

    turns: int = 0
    right: int = 0
    silently_wrong: int = 0
    asked: int = 0
    warned: int = 0
    false_alarms: int = 0
    """Warnings given during turns that ended right by themselves."""
    decision_ms: list[int] = field(default_factory=list)
    explanation_ms: list[int] = field(default_factory=list)
    silent: int = 0
    """Wrong boards that got no warning."""
    wrong_boards: int = 0
    spoiled: set[int] = field(default_factory=set)
    """Numbers of the games in which somebody had to help."""
    failures: Counter[str] = field(default_factory=Counter)


class NoisyTable:
    """One table where random legal moves are made before a noisy camera, noisy reeds, or both."""

    def __init__(self, ruleset: str, noise: Noise, seed: int, kind: str = "camera") -> None:
        self._chance = Random(seed)
        self._board_file = generate(ZONES, SIDE_MM)
        self._ruleset = ruleset
        self._t_ms = 0
        self.core = TableCore(Names(BoardShape(ZONES), self._board_file.colors, {}))
        self._start(None, None)
        shape = self.core.position.shape
        self._sensing = Sensing(kind, shape, noise, self._chance)
        self._lag_ms = REED_LAG_MS if kind == "reed" else CAMERA_LAG_MS
        self._person = Person(shape, noise, self._chance)
        self._cards = card_kinds(self.core.position.ruleset)
        self._standing = standing_on(self.core.position.board)

    def _start(self, position: Pawns | None, first: Seat | None) -> None:
        setup = GameSetup(ruleset=self._ruleset, position=position, first=first)
        self.core.start(game_started(setup, self._board_file), self._t_ms)

    @property
    def now_ms(self) -> int:
        """The time at this table."""
        return self._t_ms

    def started_anew(self) -> GameStarted:
        """Return the beginning of a game from the position of now."""
        position = self.core.position
        setup = GameSetup(ruleset=self._ruleset, position=position.board.to_pawns(), first=position.to_move)
        return game_started(setup, self._board_file)

    def play(self, tally: Tally) -> None:
        """Play one turn and add what became of it to the tally."""
        choice = self._choose()
        if choice is None:
            return
        card, move = choice
        mover = self.core.position.to_move
        self._sensing.new_turn(self._standing, self.core.position.seats)
        self.core.ask(Request("play_card", Role.SEAT, mover, {"card": str(card)}), self._t_ms)
        events: list[Event] = []
        done_ms = self._t_ms
        for shot in self._person.make(move, self._standing):
            if shot.standing != self._standing or self._sensing.camera is not None:
                # A camera sees the hand go; a reed board feels the last pawn put down.
                done_ms = self._t_ms
            events += self._show(shot)
        following = self.core.position.end_turn().to_move if not events else self.core.position.to_move
        for shot in self._person.next_player(self._standing, following):
            events += self._show(shot)
        events += self._wait(events)
        self._judge(tally, move, events, done_ms)
        self._next_turn(move, mover)

    def play_wrong(self, tally: Tally) -> None:
        """Put a pawn into a wrong hole, see how long the warning takes, and put it back."""
        if not self.core.position.board.occupied():
            return
        choice = self._choose()
        if choice is None:
            return
        card, _ = choice
        position = self.core.position
        self.core.ask(Request("play_card", Role.SEAT, position.to_move, {"card": str(card)}), self._t_ms)
        before = dict(self._standing)
        pawn, hole = self._chance.choice(sorted(position.board.occupied())), self._empty_hole()
        looks = [legal.result.occupied() for legal in position.legal_moves(card)]
        lifted = {place: seat for place, seat in before.items() if place != pawn}
        wrong = {**lifted, hole: before[pawn]}
        if any(_outside(wrong) == look for look in looks):
            return
        self._sensing.new_turn(wrong, position.seats)
        self._show(Shot(lifted, frozenset(), 300))
        since_ms = self._t_ms
        events = self._show(Shot(wrong, frozenset(), PATIENCE_MS), until="violation")
        tally.wrong_boards += 1
        if events:
            tally.explanation_ms.append(events[0].t_ms - since_ms)
        else:
            tally.silent += 1
        self._show(Shot(before, frozenset(), 1000))
        self._start(position.board.to_pawns(), position.to_move)

    def _empty_hole(self) -> str:
        track = range(self.core.position.shape.track_length)
        return self._chance.choice([f"T{cell}" for cell in track if f"T{cell}" not in self._standing])

    def _choose(self) -> tuple[Card, Move] | None:
        """Pick a card with a move that can be seen; the turn passes when the drawn card has none."""
        position = self.core.position
        card = self._chance.choice(self._cards)
        moves = [move for move in position.legal_moves(card) if not move.result.looks_like(position.board)]
        if moves:
            return card, self._chance.choice(moves)
        self.core.ask(Request("discard", Role.SEAT, position.to_move, {"card": str(card)}), self._t_ms)
        return None

    def _show(self, shot: Shot, until: str = "") -> list[Event]:
        """Let the table see a shot, at its own pace; return what it recorded, up to a kind of event."""
        self._standing = {hole: seat for hole, seat in shot.standing.items() if hole != IN_HAND}
        begin_ms, end_ms = self._t_ms, self._t_ms + shot.for_ms
        self._t_ms = end_ms
        seats = self.core.position.seats
        events: list[Event] = []
        for observation in self._sensing.watch(self._standing, shot.hidden, (begin_ms, end_ms), seats):
            self._t_ms = max(end_ms, observation.t_ms)
            events += self._tick_until(observation.t_ms)
            events += self.core.take(observation)
            if until and any(until == event.fact.KIND for event in events):
                return [event for event in events if until == event.fact.KIND]
        return [*events, *self._tick_until(end_ms)] if not until else []

    def _tick_until(self, t_ms: int) -> list[Event]:
        """Look again at every deadline that passes before a moment, as the running table does."""
        events: list[Event] = []
        while self.core.deadline_ms is not None and self.core.deadline_ms + self._lag_ms < t_ms:
            deadline_ms = self.core.deadline_ms
            events += self.core.tick(deadline_ms + self._lag_ms)
            if self.core.deadline_ms == deadline_ms:
                break
        return events

    def _wait(self, events: list[Event]) -> list[Event]:
        """Leave the table alone until it has decided, or patience ends."""
        more: list[Event] = []
        end_ms = self._t_ms + PATIENCE_MS
        while self._t_ms < end_ms and not any(_decides(event) for event in (*events, *more)):
            more += self._show(Shot(self._standing, frozenset(), FRAME_MS))
        return more

    def _judge(self, tally: Tally, move: Move, events: list[Event], done_ms: int) -> None:
        tally.turns += 1
        accepted = [event for event in events if isinstance(event.fact, MoveAccepted)]
        asked = any(event.fact.KIND == "question" for event in events)
        alarms = sum(event.fact.KIND in ("violation", "pawn_missing") for event in events)
        if accepted and not _same(accepted[0], move):
            tally.silently_wrong += 1
            tally.failures[f"{move.text} with {move.card} taken for another"] += 1
        elif accepted and not asked:
            tally.right += 1
            tally.false_alarms += alarms
            tally.decision_ms.append(max(0, accepted[0].t_ms - done_ms))
        elif asked:
            tally.asked += 1
        else:
            tally.warned += 1
            kinds = [getattr(event.fact, "code", event.fact.KIND) for event in events]
            tally.failures[f"{move.text}: {kinds}"] += 1

    def _next_turn(self, move: Move, mover: Seat) -> None:
        """Put the referee back in step where it went wrong, and end a turn that a joker keeps open."""
        core = self.core
        if core.game.ended is not None:
            self._start(None, None)
            self._standing = standing_on(core.position.board)
        elif not core.position.board.looks_like(move.result) or core.game.card is not None:
            self._tidy_up(move.result)
            self._start(move.result.to_pawns(), core.position.end_turn().to_move)
        elif core.position.to_move is mover and core.game.moved:
            core.ask(Request("end_turn", Role.SEAT, mover), self._t_ms)

    def _tidy_up(self, board: Board) -> None:
        """Set the pawns up as a board says where they stand otherwise."""
        wanted = standing_on(board)
        if _outside(self._standing) != board.occupied() or not _in_own_camps(self._standing):
            self._show(Shot(wanted, frozenset(), 1000))


def _outside(standing: Mapping[str, Seat]) -> dict[str, Seat]:
    return {hole: seat for hole, seat in standing.items() if "-C" not in hole}


def _in_own_camps(standing: Mapping[str, Seat]) -> bool:
    return all(hole.startswith(seat.name) for hole, seat in standing.items() if "-C" in hole)


def _decides(event: Event) -> bool:
    return event.fact.KIND in ("move_accepted", "question")


def _same(event: Event, move: Move) -> bool:
    fact = event.fact
    assert isinstance(fact, MoveAccepted)
    return Board.from_pawns(move.before.shape, fact.result).looks_like(move.result)
