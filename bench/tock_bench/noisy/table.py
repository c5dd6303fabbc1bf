"""Tries the referee at a noisy table: turns right without help, asked, warned, silently wrong, and delays."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random

from tests.support.tables import dry_table
from tock_bench.noisy.noise import FRAME_MS, HEARTBEAT_MS, Noise, Sensing
from tock_bench.noisy.person import Person, Shot, Standing, standing_on
from tock_bench.noisy.tally import GameTally
from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.core.requests import Role, parse_request
from tock_companion.events.facts import Event, MoveAccepted, ViolationFound
from tock_companion.referee.matching.candidates import one_of_each_kind
from tock_rules import Board, Card, Hole, HoleKind, Kind, Move, Position, Rank, Seat, load_preset, shape_for

CAMERA_LAG_MS, REED_LAG_MS = 300, 20
"""Delay of the table's look after a deadline, with a camera and without."""
PATIENCE_MS = 6000
"""Time for which people wait before they help by hand."""
BETWEEN_MS = 400
"""Time of a pawn in the air, and between two pawns, while a mistake is made."""
OUT_OF_TURN = ("move/not_your_pawn", "move/partners_pawn", "turn/not_your_turn")
"""Codes of warnings that say whose turn it is."""
PACES_MS = (900, 2_500)
"""How long a slow player rests in each hole: from a child to a grandfather."""
COUNTED = (Rank.SIX, Rank.EIGHT, Rank.NINE, Rank.TEN, Rank.QUEEN, Rank.KING)
HESITANT = "hesitant"
SLOW_KINDS: dict[str, Callable[[Move], bool]] = {
    "swap": lambda move: move.parts[0].kind is Kind.SWAP,
    "count": lambda move: move.card.rank in COUNTED,
    "four": lambda move: move.card.rank is Rank.FOUR,
    "eighteen": lambda move: move.card.rank is Rank.JOKER and move.parts[0].kind is Kind.STEP,
    "seven": lambda move: move.card.rank is Rank.SEVEN,
    "capture": lambda move: bool(move.captures),
    HESITANT: lambda move: bool(move.parts),
}
"""Moves that take their time, each with legal stops on its way."""
MAX_POSITIONS = 500
"""Positions that are tried in search of a move of a kind."""
MAX_PLIES = 25
"""Turns between two such positions."""
ZONES = 4
SIDE_MM = 620.0


class NoisyTable:
    """A table where random legal moves are made before a noisy camera, noisy reeds, or both."""

    def __init__(
        self, setup: GameSetup | str, noise: Noise, seed: int, kind: str = "camera", zones: int = ZONES
    ) -> None:
        """Begin the given game, or the usual one of a ruleset; the same seed gives the same evening."""
        self._rng = Random(seed)
        self._noise = noise
        self._setup = GameSetup(ruleset=setup) if isinstance(setup, str) else setup
        self._board_file = generate(shape_for(load_preset(self._setup.ruleset), zones), SIDE_MM)
        self._t_ms = 0
        self.core = dry_table(self._board_file, self._setup)
        shape = self.core.position.shape
        self._sensing = Sensing(kind, shape, noise, self._rng)
        self._lag_ms = REED_LAG_MS if kind == "reed" else CAMERA_LAG_MS
        self.person = Person(shape, noise, self._rng)
        self.cards = one_of_each_kind(self.core.position, merged=False)
        self._standing = standing_on(self.core.position.board)

    def _start(self, setup: GameSetup) -> None:
        self.core.begin_again(game_started(setup, self._board_file), self._t_ms)

    def _start_from(self, board: Board, first: Seat) -> None:
        self._start(replace(self._setup, position=board.to_pawns(), first=first))

    def play(self, tally: GameTally) -> None:
        """Play one turn and count its outcome."""
        choice = self._choose()
        if choice is not None:
            self._play(tally, *choice)

    def play_slowly(self, tally: GameTally, kind: str) -> None:
        """Set up a position in which a move of the kind can be made, and make it at a slow pace."""
        for _ in range(MAX_POSITIONS):
            position = self._wander()
            moves = [
                (card, move)
                for card in self.cards
                for move in position.legal_moves(card)
                if SLOW_KINDS[kind](move) and not move.result.looks_like(position.board)
            ]
            if moves:
                self.show(Shot(standing_on(position.board), frozenset(), BETWEEN_MS))
                self._sensing.press_down()
                self.show(Shot(self._standing, frozenset(), HEARTBEAT_MS))
                self._start_from(position.board, position.to_move)
                pace_ms = self._rng.randint(*PACES_MS)
                self._play(tally, *self._rng.choice(moves), pace_ms, hesitates=kind == HESITANT)
                return

    def _wander(self) -> Position:
        """A position some random turns later, played by the rules alone."""
        position = self.core.position
        for _ in range(self._rng.randint(1, MAX_PLIES)):
            moves = position.legal_moves(self._rng.choice(self.cards))
            following = position.play(self._rng.choice(moves)) if moves else position
            if following.must_play_more or following.outcome() is not None:
                break
            position = following.end_turn()
        return position

    def _play(
        self, tally: GameTally, card: Card, move: Move, pace_ms: int = 0, *, hesitates: bool = False
    ) -> None:
        mover = self.core.position.to_move
        self._sensing.new_turn(self._standing, self.core.position.seats)
        self.lay(card)
        if self._rng.random() < self._noise.out_of_turn:
            self._move_out_of_turn(tally, card)
        events: list[Event] = []
        done_ms = self._t_ms
        film = (
            self.person.make_slowly(move, self._standing, pace_ms, hesitates=hesitates)
            if pace_ms
            else self.person.make(move, self._standing)
        )
        for shot in film:
            if shot.standing != self._standing or self._sensing.camera is not None:
                # A camera sees the hand go; a reed board feels the last pawn.
                done_ms = self._t_ms
            events += self.show(shot)
        following = self.core.position.end_turn().to_move if not events else self.core.position.to_move
        for shot in self.person.next_player(self._standing, following):
            events += self.show(shot)
        events += self._wait(events)
        self._judge(tally, move, events, done_ms)
        self._next_turn(move, mover)

    def play_mistake(self, tally: GameTally, card: Card, film: Sequence[Standing], statement: str) -> None:
        """Lay a card, make a mistake step by step, and check that the warning names the statement of the rules."""
        self.show(Shot(self._standing, frozenset(), BETWEEN_MS))
        self._sensing.new_turn(film[-1], self.core.position.seats)
        self.lay(card)
        for standing in film[:-1]:
            self.show(Shot(standing, frozenset(), BETWEEN_MS))
        since_ms, end_ms = self._t_ms, self._t_ms + PATIENCE_MS
        tally.mistakes += 1
        while self._t_ms < end_ms:
            events = self.show(Shot(film[-1], frozenset(), FRAME_MS), until="violation")
            guidance = self.core.state.guidance
            if events:
                fact = events[0].fact
                assert isinstance(fact, ViolationFound)
                tally.mistake_ms.append(events[0].t_ms - since_ms)
                tally.rule_named += fact.breaks[:1] == [statement]
                return
            if guidance is not None and guidance.breaks:
                # It may be an unfinished move: people read the missing part and the rule.
                tally.mistakes_unfinished += 1
                tally.mistake_ms.append(self._t_ms - since_ms)
                tally.rule_named += guidance.breaks[:1] == (statement,)
                return
        tally.mistakes_silent += 1

    def play_wrong(self, tally: GameTally) -> None:
        """Put a pawn into a wrong hole, time the warning, and put it back."""
        if not self.core.position.board.occupied():
            return
        choice = self._choose()
        if choice is None:
            return
        card, _ = choice
        position = self.core.position
        self.lay(card)
        before = dict(self._standing)
        pawn, hole = self._rng.choice(sorted(position.board.occupied())), self._empty_hole()
        lifted, wrong = _moved(before, pawn, hole)
        if self._looks_legal(wrong, card):
            return
        self._sensing.new_turn(wrong, position.seats)
        self.show(Shot(lifted, frozenset(), 300))
        since_ms = self._t_ms
        events = self.show(Shot(wrong, frozenset(), PATIENCE_MS), until="violation")
        tally.wrong_boards += 1
        if events:
            tally.explanation_ms.append(events[0].t_ms - since_ms)
        elif self.core.state.guidance is not None:
            tally.wrong_boards_unfinished += 1
        else:
            tally.wrong_boards_silent += 1
        self.show(Shot(before, frozenset(), 1000))
        self._start_from(position.board, position.to_move)

    def _move_out_of_turn(self, tally: GameTally, card: Card) -> None:
        """Have an opponent move a pawn, check that the table says whose turn it is, and take it back."""
        position, before = self.core.position, dict(self._standing)
        playing = position.played_seats()
        theirs = sorted(
            h for h, s in position.board.occupied().items() if h.kind is HoleKind.TRACK and s not in playing
        )
        if not theirs:
            return
        pawn = self._rng.choice(theirs)
        hole = Hole.track((pawn.number + self._rng.randint(1, 12)) % position.shape.track_length)
        lifted, wrong = _moved(before, pawn, hole)
        if hole in before or self._looks_legal(wrong, card):
            return
        self.show(Shot(lifted, frozenset(), 400))
        events = self.show(Shot(wrong, frozenset(), PATIENCE_MS), until="violation")
        tally.out_of_turn += 1
        violations = [event.fact for event in events if isinstance(event.fact, ViolationFound)]
        tally.out_of_turn_named += any(fact.code in OUT_OF_TURN for fact in violations)
        self.show(Shot(lifted, frozenset(), 400))
        self.show(Shot(before, frozenset(), 600))

    def _looks_legal(self, standing: Mapping[Hole, Seat], card: Card) -> bool:
        moves = self.core.position.legal_moves(card)
        return any(_outside(standing) == legal.result.occupied() for legal in moves)

    def lay(self, card: Card) -> None:
        """Lay a card for the seat whose turn it is."""
        seat = self.core.position.to_move
        self.core.ask(parse_request("play_card", {"card": str(card)}, Role.SEAT, seat), self._t_ms)

    def _empty_hole(self) -> Hole:
        track = map(Hole.track, range(self.core.position.shape.track_length))
        return self._rng.choice([hole for hole in track if hole not in self._standing])

    def _choose(self) -> tuple[Card, Move] | None:
        """Draw a card and a move that can be seen; the turn passes when the card has none."""
        position = self.core.position
        card = self._rng.choice(self.cards)
        moves = [move for move in position.legal_moves(card) if not move.result.looks_like(position.board)]
        if moves:
            return card, self._rng.choice(moves)
        self.core.ask(parse_request("discard", {"card": str(card)}, Role.SEAT, position.to_move), self._t_ms)
        return None

    def show(self, shot: Shot, until: str = "") -> list[Event]:
        """Show the table a shot; return its events, up to one of a kind."""
        self._standing = dict(shot.standing)
        begin_ms, end_ms = self._t_ms, self._t_ms + shot.for_ms
        self._t_ms = end_ms
        seats = self.core.position.seats
        events: list[Event] = []
        span_ms = (begin_ms, end_ms)
        for observation in self._sensing.watch(self._standing, shot.occluded, span_ms, seats, shot.loose):
            self._t_ms = max(end_ms, observation.t_ms)
            events += self._tick_until(observation.t_ms)
            events += self.core.take(observation)
            if until and any(until == event.fact.KIND for event in events):
                return [event for event in events if until == event.fact.KIND]
        return [*events, *self._tick_until(end_ms)] if not until else []

    def _tick_until(self, t_ms: int) -> list[Event]:
        """Look at every deadline that passes before a moment, as the running table does."""
        events: list[Event] = []
        while self.core.deadline_ms is not None and self.core.deadline_ms + self._lag_ms < t_ms:
            deadline_ms = self.core.deadline_ms
            events += self.core.tick(deadline_ms + self._lag_ms)
            if self.core.deadline_ms == deadline_ms:
                break
        return events

    def _wait(self, events: list[Event]) -> list[Event]:
        """Wait until the table has decided, or patience ends."""
        more: list[Event] = []
        end_ms = self._t_ms + PATIENCE_MS
        while self._t_ms < end_ms and not any(_decides(event) for event in (*events, *more)):
            more += self.show(Shot(self._standing, frozenset(), FRAME_MS))
        return more

    def _judge(self, tally: GameTally, move: Move, events: list[Event], done_ms: int) -> None:
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
        """Correct the referee where it went wrong, and end a turn that a joker keeps open."""
        core = self.core
        self._answer(move)
        if core.game.ended is not None:
            self._start(self._setup)
            self._standing = standing_on(core.position.board)
        elif not core.position.board.looks_like(move.result) or core.game.card is not None:
            self._tidy_up(move.result)
            self._start_from(move.result, core.position.end_turn().to_move)
        elif core.position.to_move is mover and core.game.moved:
            core.ask(parse_request("end_turn", {}, Role.SEAT, mover), self._t_ms)

    def _answer(self, move: Move) -> None:
        """Answer the table's question where the true move is among the choices."""
        question = self.core.game.question
        if question is not None and move.text in question.choices:
            seat = self.core.position.to_move
            self.core.ask(parse_request("answer", {"choice": move.text}, Role.SEAT, seat), self._t_ms)

    def _tidy_up(self, board: Board) -> None:
        """Set up the pawns of a board where they differ, and straighten those that are not felt."""
        wanted = standing_on(board)
        self._sensing.press_down()
        if _outside(self._standing) != board.occupied() or not _in_own_camps(self._standing):
            self.show(Shot(wanted, frozenset(), 1000))


def _moved(standing: Standing, pawn: Hole, hole: Hole) -> tuple[Standing, Standing]:
    """The board with one pawn in the air, and with that pawn in another hole."""
    lifted = {place: seat for place, seat in standing.items() if place != pawn}
    return lifted, {**lifted, hole: standing[pawn]}


def _outside(standing: Mapping[Hole, Seat]) -> dict[Hole, Seat]:
    return {hole: seat for hole, seat in standing.items() if not Hole.parse(hole).in_camp}


def _in_own_camps(standing: Mapping[Hole, Seat]) -> bool:
    camps = ((Hole.parse(hole), seat) for hole, seat in standing.items())
    return all(hole.seat is seat for hole, seat in camps if hole.in_camp)


def _decides(event: Event) -> bool:
    return event.fact.KIND in ("move_accepted", "question")


def _same(event: Event, move: Move) -> bool:
    fact = event.fact
    assert isinstance(fact, MoveAccepted)
    return Board.from_pawns(move.before.shape, fact.result).looks_like(move.result)
