"""A step of the table being worked out: what is seen and asked becomes facts, and facts the next state.

Pure, as `step.py` is. Until the step is taken, nobody sees the draft, so one that fails has changed nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

from tock_companion.core.bodies import PlayCard
from tock_companion.core.correcting import take_back
from tock_companion.core.far_choice import in_its_words, options_now
from tock_companion.core.following import (
    WAIT_FOR_COPY,
    CopyReport,
    HomeFacts,
    changed,
    looked_at,
    own_facts,
    with_report,
)
from tock_companion.core.guiding import guidance
from tock_companion.core.handlers import answer, refusal_of
from tock_companion.core.lessons import PRACTICE, fits
from tock_companion.core.lobby import ends_lobby
from tock_companion.core.playing import lay_card
from tock_companion.core.requests import Reply, Request, refused
from tock_companion.core.ruling import Ruling
from tock_companion.core.state import (
    CoreState,
    Lookahead,
    Practice,
    SourceStatus,
    expectation_of,
)
from tock_companion.events.facts import (
    Correction,
    Event,
    Fact,
    GameEnded,
    MoveAccepted,
    MoveTakenBack,
    SourceBack,
    SourceLost,
    TurnEnded,
)
from tock_companion.events.game import Mode, apply
from tock_companion.events.hands import Cards, Secrets
from tock_companion.observation import CardSighting, Observation, SourceCondition, SourceReport
from tock_companion.referee.decision import (
    Accepted,
    Ambiguous,
    Decision,
    Missing,
    Rejected,
    Unfinished,
    Waiting,
)
from tock_companion.referee.matching.settle import Timing, decide
from tock_companion.referee.matching.two_turns import first_of_two
from tock_rules import Move, Seat, judge_move

AT_ONCE = Timing(**{wait.name: 0 for wait in fields(Timing)})
"""For somebody who says that the turn is over."""


@dataclass(frozen=True, slots=True)
class Step:
    """The consequences of a message, before anybody has received them."""

    state: CoreState
    events: tuple[Event, ...] = ()
    reply: Reply = field(default_factory=lambda: Reply(True))
    secrets: Secrets = field(default_factory=dict, repr=False)
    """The cards behind `cards_dealt` events, for the private part of the store."""
    recorded: Request | None = None
    """The request that a recording holds: it leads to the same events and tells no hand."""
    needs_ruling: bool = False
    """The referee has to judge the board in the light of these events, in a `Tick` of its own: people hear first."""


class Draft:
    """A step being worked out: it changes as facts are found, and nothing outside sees it before it is whole."""

    def __init__(self, state: CoreState, events: Sequence[Event] = ()) -> None:
        self.state = state
        self.events = list(events)
        self.secrets: dict[tuple[int, Seat], Cards] = {}

    def done(self) -> Step:
        """The step as far as it has come."""
        return Step(self.state, tuple(self.events), secrets=self.secrets)

    def observe(self, observation: Observation) -> None:
        """Take in how a source sees the board."""
        self._set(fusion=self.state.fusion.update(observation))
        status = self.state.sources.get(observation.source)
        if status is None or status.condition is not SourceCondition.OK:
            self.hear(observation.source, SourceStatus(SourceCondition.OK), observation.t_ms)
        self.rule(observation.t_ms)

    def report(self, report: SourceReport) -> None:
        """Take in how a source is doing."""
        if report.condition is not SourceCondition.OK:
            self._set(fusion=self.state.fusion.update(Observation(report.t_ms, report.source, {})))
        self.hear(report.source, SourceStatus(report.condition, report.code, report.detail), report.t_ms)

    def sight_card(self, sighting: CardSighting) -> None:
        """Take in a card that a source saw being laid."""
        self._close_turn_for(sighting.seat, sighting.t_ms)
        state = self.state
        self.record(lay_card(state.game, sighting.card, sighting.seat, sighting.by), sighting.t_ms)
        self.rule(max(sighting.t_ms, self.state.watch.t_ms))

    def answer(self, request: Request, t_ms: int) -> Step:
        """Answer a request; a refusal leaves everything as it was."""
        before = self.state
        if isinstance(request.body, PlayCard):
            self._close_turn_for(request.seat, t_ms)
        answered = answer(self.state, request)
        if not answered.reply.ok:
            return Step(before, reply=answered.reply)
        if answered.ballot is not None:
            self._set(ballot=answered.ballot)
        if answered.awaited is not None:
            self._set(left={one: name for one, name in before.left.items() if one is not answered.awaited})
        self.record(answered.facts, t_ms, answered.hands)
        if answered.announced is not None:
            self._set(planned=answered.announced)
            self._set(options=options_now(self.state))
        if isinstance(request.body, PlayCard):
            self._set(planned=_announced(self.state, request.body))
        recorded = answered.recorded_as if answered.recorded_as is not None else request
        return replace(
            self.done(),
            reply=answered.reply,
            recorded=recorded if self.events else None,
            needs_ruling=bool(self.events) and answered.concerns_board,
        )

    def decide_now(self, request: Request, t_ms: int) -> Step:
        """Decide without waiting any longer: somebody says that the turn is over."""
        refusal = refusal_of(self.state, request)
        if refusal is not None:
            return Step(self.state, reply=refusal)
        if self.state.game.card is not None:
            self._assume(t_ms)
        if not self.events:
            self.rule(max(t_ms, self.state.watch.t_ms), AT_ONCE)
        if not self.events:
            return replace(self.done(), reply=refused("nothing_seen"))
        return replace(self.done(), recorded=request)

    def hear_copy(self, report: CopyReport, t_ms: int) -> None:
        """Take in how far people elsewhere are with copying this board."""
        self._set(copies=with_report(self.state.copies, report))
        self.rule(max(t_ms, self.state.watch.t_ms))

    def copy(self, news: HomeFacts, t_ms: int) -> None:
        """Record what the home table has recorded."""
        following, facts = own_facts(self.state, news)
        self._set(following=following)
        self.record(facts, t_ms)
        self.rule(max(t_ms, self.state.watch.t_ms))

    def rule(self, t_ms: int, timing: Timing | None = None) -> None:
        """Let the referee look until it has nothing more to say."""
        self._set(deadline_ms=None)
        if self.state.following is not None:
            self.state = looked_at(self.state, t_ms, timing)
            return
        while not self.state.game.paused and self.state.game.ended is None:
            decision = decide(self.state.options, self.state.watch, t_ms, timing or self.state.timing)
            if isinstance(decision, Waiting):
                self._set(deadline_ms=decision.until_ms)
                break
            if isinstance(decision, Rejected | Missing | Unfinished):
                decision = self._recovered(decision) or decision
            if isinstance(decision, Unfinished) and timing is AT_ONCE:
                decision = decision.called_finished(self.state.options.moves)
            if isinstance(decision, Accepted) and self.state.copies.waits:
                # The move stays on the board, and counts once the last one was made elsewhere too.
                self._set(guidance=WAIT_FOR_COPY)
                break
            self._guide(decision)
            seen_ms = decision.still_since_ms if isinstance(decision, Accepted) else None
            facts = in_its_words(Ruling(self.state.game).facts(decision), self.state)
            if not facts:
                break
            self.record(facts, t_ms, seen_ms=seen_ms)

    def _guide(self, decision: Decision) -> None:
        """Show the guidance for what is left to do, or none; a recorder shows none at all."""
        state = self.state
        found = guidance(decision, state.position) if state.game.mode is not Mode.RECORDER else None
        if found != state.guidance:
            self._set(guidance=found)

    def record(
        self,
        facts: Sequence[Fact],
        t_ms: int,
        hands: Mapping[Seat, Cards] | None = None,
        seen_ms: int | None = None,
    ) -> None:
        """Number the facts and fold them in; time never runs backwards in a log. `hands` are cards that seats named.

        `seen_ms` is since when the board has shown what is recorded: what was felt later belongs to the next turn.
        """
        if self.state.practice is not None:
            # A lesson is one turn long.
            facts = [fact for fact in facts if not isinstance(fact, TurnEnded)]
        if not facts:
            return
        game, known_hands, before = self.state.game, self.state.hands, self.state.position
        for fact in facts:
            event = Event(game.seq + 1, max(t_ms, game.t_ms), fact)
            secrets = {(event.seq, seat): cards for seat, cards in (hands or {}).items()}
            game, known_hands = apply(game, event), known_hands.apply(event, secrets)
            self.secrets.update(secrets)
            self.events.append(event)
        if game.position.board != before.board:
            self._set(copies=self.state.copies.changed(game.seq), following=changed(self.state.following))
        self._set(game=game, hands=known_hands)
        self._set(options=options_now(self.state))
        if game.position != before:
            self._set(guidance=None)
        if self.state.lobby is not None and any(ends_lobby(fact) for fact in facts):
            self._set(lobby=None)
        if game.position.board != before.board:
            self._rebase(facts, t_ms, seen_ms)
        if self.state.practice is not None and any(isinstance(fact, MoveAccepted) for fact in facts):
            self._judge_lesson(self.state.practice, t_ms)

    def _judge_lesson(self, practice: Practice, t_ms: int) -> None:
        """End the lesson with its move; another legal one is taken back."""
        game = self.state.game
        if fits(game.moves[-1].move, practice.shown):
            self.record([GameEnded(None, PRACTICE)], t_ms)
        else:
            self.record(take_back(self.state, game.turns[-1], PRACTICE).facts, t_ms)

    def _rebase(self, facts: Sequence[Fact], t_ms: int, seen_ms: int | None) -> None:
        """Let tracking start from the new position: as it was seen, as people have said, or still to be set up."""
        board, fusion = expectation_of(self.state.position), self.state.fusion
        if self.state.following is not None:
            fusion = fusion.rebase(board, t_ms)
        elif seen_ms is not None:
            fusion = fusion.learn(board).rebase(board, seen_ms)
        elif any(isinstance(fact, MoveAccepted | Correction) for fact in facts):
            fusion = fusion.overrule(board).rebase(board, t_ms)
        elif any(isinstance(fact, MoveTakenBack) and fact.by != "board" for fact in facts):
            fusion = fusion.take_back(board)
        else:
            fusion = fusion.rebase(board, t_ms)
        self._set(fusion=fusion)

    def hear(self, source: str, status: SourceStatus, t_ms: int) -> None:
        """Note how a source is doing, and record it when the log says otherwise."""
        self._set(sources={**self.state.sources, source: status})
        lost = source in self.state.game.lost_sources
        if status.condition is SourceCondition.OK:
            self.record([SourceBack(source)] if lost else [], t_ms)
        elif not lost:
            self.record([SourceLost(source, status.code)], t_ms)

    def _close_turn_for(self, seat: Seat | None, t_ms: int) -> None:
        """Close a turn when the next seat lays a card: its move is on the board, only its card is unknown."""
        if self.state.game.question is not None and seat is self.state.position.end_turn().to_move:
            self._assume(t_ms)

    def _assume(self, t_ms: int) -> None:
        """Take the one move that may be on the board for made, because somebody says that the turn is over."""
        state = self.state
        decision = decide(state.options, state.watch, max(t_ms, state.watch.t_ms), AT_ONCE)
        if isinstance(decision, Ambiguous) and len({move.result for _, move in decision.choices}) == 1:
            self.record(Ruling(state.game).assume(decision), t_ms)

    def _recovered(self, decision: Rejected | Missing | Unfinished) -> Decision | None:
        """The turn that was missed before the one now on the board, if two turns explain it."""
        state = self.state
        in_the_air = isinstance(decision, Unfinished) and bool(decision.short)
        if state.game.restores or in_the_air:
            # A pawn that the laid card may have lifted was probably not captured in a turn that nobody reported.
            return None
        key = (state.position, state.game.card, frozenset(decision.seen.holes.items()))
        if state.lookahead is None or state.lookahead.key != key:
            self._set(lookahead=Lookahead(key, first_of_two(state.options, state.watch)))
        return self.state.lookahead.found if self.state.lookahead is not None else None

    def _set(self, **changes: object) -> None:
        self.state = replace(self.state, **changes)  # type: ignore[arg-type]


def _announced(state: CoreState, body: PlayCard) -> Move | None:
    """The move that was announced with a card."""
    if state.game.card is None or body.move is None:
        return None
    move = judge_move(state.position, state.game.card, body.move)
    return move if isinstance(move, Move) else None
