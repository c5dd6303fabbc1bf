"""The table without threads, clock or disk: the same messages and requests always give the same events."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tock_companion.events.facts import (
    Correction,
    Event,
    Fact,
    GameEnded,
    GameStarted,
    ModeSet,
    MoveAccepted,
    MoveTakenBack,
    SourceBack,
    SourceLost,
)
from tock_companion.events.game import Game, after
from tock_companion.events.hands import Cards, Hands
from tock_companion.observation import (
    CardSighting,
    Observation,
    SourceCondition,
    SourceMessage,
    SourceReport,
)
from tock_companion.referee.decision import Accepted, Ambiguous, Decision, Missing, Rejected, Timing, Waiting
from tock_companion.referee.diagnosis.disputes import disputes
from tock_companion.referee.matching.candidates import Options, one_of_each_kind
from tock_companion.referee.matching.settle import decide
from tock_companion.referee.matching.two_turns import first_of_two
from tock_companion.referee.tracking.belief import Expectation
from tock_companion.referee.tracking.estimate import estimated_setup
from tock_companion.referee.tracking.fusion import SensorFusion
from tock_companion.referee.tracking.watch import Watch
from tock_companion.rules import Board, Card, Move, Position, Seat, judge_move
from tock_companion.table.asking import Asking
from tock_companion.table.hands import HAND_REQUESTS, Telling
from tock_companion.table.laying import lay_card
from tock_companion.table.requests import Reply, Request, Role, refused
from tock_companion.table.ruling import TAKE_BACK, Ruling
from tock_companion.views.names import Names
from tock_companion.views.phrases import known, phrase
from tock_companion.views.state import HealthNote

FRAME_LAG_MS, FELT_LAG_MS = 300, 20
"""How long after a deadline the table looks again by itself: frames already under way come first, touches are there."""
DECIDE_NOW = "decide_now"
"""The request of the turn button."""
AT_ONCE = Timing(0, 0, 0, 0, 0, 0, 0, 0)


Saved = tuple[Game, Hands, SensorFusion]


@dataclass(frozen=True, slots=True)
class Heard:
    """The last report of a source."""

    condition: SourceCondition
    code: str = ""
    detail: str = ""


class TableCore:
    """One running game and what is seen of it. Not thread-safe: `Table` is its only caller."""

    def __init__(self, names: Names, game: Game | None = None, timing: Timing | None = None) -> None:
        """Take over a game as it was; None to wait for `start`."""
        self.names = names
        self.game = game if game is not None else Game()
        self.hands = Hands()
        self.secrets: dict[tuple[int, Seat], Cards] = {}
        """The cards behind recorded events that are not stored yet."""
        self.senses = SensorFusion(Expectation({}, {}))
        self.timing = timing if timing is not None else Timing()
        self.heard: dict[str, Heard] = {}
        self.deadline_ms: int | None = None
        self.planned: Move | None = None
        """What a computer has announced to do with the card it laid."""
        self._options: tuple[Position, Card | None, bool, Options] | None = None
        self._ahead: tuple[object, Decision | None] | None = None
        if self.game.position is not None:
            self.take_up(self.game, self.hands)

    @property
    def watch(self) -> Watch:
        """What is seen and felt of the board, all sources together."""
        return self.senses.fused

    @property
    def position(self) -> Position:
        """The accepted position."""
        assert self.game.position is not None, "a game must be started first"
        return self.game.position

    @property
    def sees(self) -> bool:
        """Whether any source sees the board now."""
        return any(heard.condition is SourceCondition.OK for heard in self.heard.values())

    def disputes(self) -> tuple[HealthNote, ...]:
        """Return where sources have contradicted each other for a while."""
        return tuple(
            HealthNote(
                dispute.code,
                phrase(f"health/{dispute.code}", hole=self.names.place(dispute.hole) if dispute.hole else ""),
                dispute.hole,
            )
            for dispute in disputes(self.senses)
        )

    @property
    def sees_colors(self) -> bool:
        """Whether a source that sees colours sees the board now."""
        ok = [name for name, heard in self.heard.items() if heard.condition is SourceCondition.OK]
        return not self.senses.switch_sources.issuperset(ok)

    @property
    def lag_ms(self) -> int:
        """How long after a deadline to look again without news."""
        return FELT_LAG_MS if self.sees and not self.sees_colors else FRAME_LAG_MS

    def start(self, fact: GameStarted, t_ms: int) -> list[Event]:
        """Begin a game; its log starts at 1."""
        mode = self.game.mode
        self.game, self.hands = Game(), Hands()
        chosen = [] if mode is self.game.mode else [ModeSet(mode.value, "host")]
        events = self._record([fact, *chosen], t_ms)
        self.senses = self.senses.rebase(self._look(), t_ms)
        return events

    def take_up(self, game: Game, hands: Hands) -> None:
        """Go on with a game as its log has it."""
        self.game, self.hands = game, hands
        self.senses = self.senses.rebase(self._look(), self.senses.fused.t_ms)

    def saved(self) -> Saved:
        """Return what a step may change, to be put back when the disk refuses it."""
        return self.game, self.hands, self.senses

    def restore(self, saved: Saved) -> None:
        """Put back what was saved: the step did not happen."""
        self.game, self.hands, self.senses = saved

    def end_game(self, fact: GameEnded, t_ms: int) -> list[Event]:
        """End the game because the table gives it up."""
        return self._record([fact], t_ms)

    def look_afresh(self) -> None:
        """Forget what has been seen, so that what follows depends on what comes from now on alone."""
        self.senses = SensorFusion(self._look())

    def seen_board(self) -> Board:
        """Return the board as it is seen; raises BadInputError when it is not a possible one."""
        return estimated_setup(self.watch, self.position).board()

    def take(self, message: SourceMessage) -> list[Event]:
        """Take in what a source says."""
        if isinstance(message, Observation):
            return self._observe(message)
        if isinstance(message, CardSighting):
            closed = self._closed_by(message.seat, message.t_ms)
            facts = lay_card(self.game, self.names, message.card, message.seat, message.by)
            return closed + self._record(facts, message.t_ms) + self._rule(max(message.t_ms, self.watch.t_ms))
        return self._report(message)

    def ask(self, request: Request, t_ms: int) -> tuple[Reply, list[Event]]:
        """Answer a request, and look at the board again in the light of what was recorded."""
        reply, events = self.answer(request, t_ms)
        return reply, events + self.rule_after(request, events, t_ms)

    def rule_after(self, request: Request, events: Sequence[Event], t_ms: int) -> list[Event]:
        """Look at the board in the light of what an answer recorded: a step of its own, so that people hear first."""
        if not events or request.kind in HAND_REQUESTS or request.kind == DECIDE_NOW:
            return []
        return self._rule(max(t_ms, self.watch.t_ms))

    def answer(self, request: Request, t_ms: int) -> tuple[Reply, list[Event]]:
        """Answer a request; facts that follow are recorded."""
        if request.kind == DECIDE_NOW:
            return self._decide_now(request, t_ms)
        telling = Telling(self.game, self.position, self.hands)
        # Drawing looks at every hand that was told: a person could find out what others hold.
        if request.kind == "hand_draw" and request.seat not in self.names.computers:
            return refused("not_allowed"), []
        if request.kind in HAND_REQUESTS:
            reply, facts, cards = telling.answer(request)
            return reply, self._record(facts, t_ms, cards)
        passed = telling.passed(request) if request.seat in self.names.computers else []
        if passed:
            return Reply(True), self._record(passed, t_ms)
        refusal = telling.refusal(request)
        if refusal is not None:
            return refusal, []
        closed = self._closed_by(request.seat, t_ms) if request.kind == "play_card" else []
        asking = Asking(self.game, self.position, self.names, self.watch, self.sees, self.sees_colors)
        reply, facts = asking.answer(request)
        events = closed + self._record(facts, t_ms)
        if reply.ok and request.kind == "play_card":
            self.planned = self._planned(request)
        return reply, events

    def _planned(self, request: Request) -> Move | None:
        """Return the move that was announced with a card."""
        card, text = self.game.card, request.data.get("move")
        move = judge_move(self.position, card, text) if card is not None and isinstance(text, str) else None
        return move if isinstance(move, Move) else None

    def _closed_by(self, seat: Seat | None, t_ms: int) -> list[Event]:
        """Close a turn when the next seat lays a card: its move is on the board, only its card was not told."""
        question = self.game.question
        if question is None or seat is not self.position.end_turn().to_move:
            return []
        return self._assumed(t_ms)

    def _assumed(self, t_ms: int) -> list[Event]:
        """Take the one move that may be on the board for made, because somebody says that the turn is over."""
        decision = decide(self._current_options(), self.watch, max(t_ms, self.watch.t_ms), AT_ONCE)
        if not isinstance(decision, Ambiguous) or len({move.result for _, move in decision.choices}) != 1:
            return []
        return self._record(Ruling(self.game, self.position, self.names).assume(decision), t_ms)

    def _decide_now(self, request: Request, t_ms: int) -> tuple[Reply, list[Event]]:
        """Decide without waiting any longer: somebody says that the turn is over."""
        if request.role not in (Role.SEAT, Role.HOST):
            return refused("not_allowed"), []
        events = self._assumed(t_ms) if self.game.card is not None else []
        events = events or self._rule(max(t_ms, self.watch.t_ms), AT_ONCE)
        return (Reply(True) if events else refused("nothing_seen")), events

    def tick(self, t_ms: int) -> list[Event]:
        """Look again when a deadline has passed without news."""
        return self._rule(t_ms)

    def _observe(self, observation: Observation) -> list[Event]:
        self.senses = self.senses.update(observation)
        heard = self.heard.get(observation.source)
        events: list[Event] = []
        if heard is None or heard.condition is not SourceCondition.OK:
            self.heard[observation.source] = Heard(SourceCondition.OK)
            if observation.source in self.game.lost_sources:
                events = self._record([SourceBack(observation.source)], observation.t_ms)
        return events + self._rule(observation.t_ms)

    def _report(self, report: SourceReport) -> list[Event]:
        self.heard[report.source] = Heard(report.condition, report.code, report.detail)
        if report.condition is SourceCondition.OK:
            if report.source not in self.game.lost_sources:
                return []
            return self._record([SourceBack(report.source)], report.t_ms)
        self.senses = self.senses.update(Observation(report.t_ms, report.source, {}))
        if report.source in self.game.lost_sources:
            return []
        message = phrase(report.code if known(report.code) else "source-trouble")
        return self._record([SourceLost(report.source, report.code, message)], report.t_ms)

    def _rule(self, t_ms: int, timing: Timing | None = None) -> list[Event]:
        """Let the referee look, until it has nothing more to say."""
        events: list[Event] = []
        self.deadline_ms = None
        while not self.game.paused and self.game.ended is None:
            decision = decide(self._current_options(), self.watch, t_ms, timing or self.timing)
            if isinstance(decision, Waiting):
                self.deadline_ms = decision.until_ms
                break
            if isinstance(decision, Rejected | Missing):
                decision = self._recovered(decision) or decision
            facts = Ruling(self.game, self.position, self.names).facts(decision)
            seen_ms = decision.still_since_ms if isinstance(decision, Accepted) else None
            ruled = self._record(facts, t_ms, seen_ms=seen_ms)
            if not ruled:
                break
            events += ruled
        return events

    def _recovered(self, decision: Rejected | Missing) -> Decision | None:
        """Return the turn that was missed before the one now on the board, if two turns explain it."""
        if self._restores:
            return None
        seen = (self.position, self.game.card, frozenset(decision.seen.holes.items()))
        if self._ahead is None or self._ahead[0] != seen:
            self._ahead = (seen, first_of_two(self._current_options(), self.watch))
        return self._ahead[1]

    def _look(self) -> Expectation:
        return Expectation.of(self.position.board, self.position.seats)

    @property
    def _restores(self) -> bool:
        """Whether a move that was taken back is still on the board."""
        return getattr(self.game.warning, "code", "") == TAKE_BACK

    def _current_options(self) -> Options:
        """The candidates of now; none while a move that was taken back is still on the board."""
        restore = self._restores
        cached = self._options
        if cached is None or cached[:3] != (self.position, self.game.card, restore):
            card = self.game.card
            cards = () if restore else (card,) if card is not None else one_of_each_kind(self.position)
            options = Options(self.position, cards, card_known=card is not None)
            cached = self._options = (self.position, card, restore, options)
        return cached[3]

    def _record(
        self,
        facts: Sequence[Fact],
        t_ms: int,
        cards: Mapping[Seat, Cards] | None = None,
        seen_ms: int | None = None,
    ) -> list[Event]:
        """Number the facts and fold them; time never runs backwards in a log. `cards` are the hands that were told.

        `seen_ms` is since when the board has shown what is recorded: what was felt later belongs to the next turn.
        """
        events = []
        before = self.game.position
        for fact in facts:
            event = Event(self.game.seq + 1, max(t_ms, self.game.t_ms), fact)
            told = {(event.seq, seat): hand for seat, hand in (cards or {}).items()}
            self.game, self.hands = after(self.game, event), self.hands.after(event, told)
            self.secrets.update(told)
            events.append(event)
        if before is not None and self.position.board != before.board:
            self._has_changed(facts, t_ms, seen_ms)
        return events

    def _has_changed(self, facts: Sequence[Fact], t_ms: int, seen_ms: int | None) -> None:
        """Let the senses start from the new position: as it was seen, as people have said, or still to be set up."""
        look = self._look()
        if seen_ms is not None:
            self.senses = self.senses.learn(look).rebase(look, seen_ms)
        elif any(isinstance(fact, MoveAccepted | Correction) for fact in facts):
            self.senses = self.senses.overrule(look).rebase(look, t_ms)
        elif any(isinstance(fact, MoveTakenBack) and fact.by != "board" for fact in facts):
            self.senses = self.senses.take_back(look)
        else:
            self.senses = self.senses.rebase(look, t_ms)
