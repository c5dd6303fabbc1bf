"""One step of the table: from a state and a message to the next state and the events that led there.

Pure: no clock, no disk, no threads. The caller of `step` stores the events, then takes the new state for the present
one; when the disk refuses, nothing has happened, because nothing was done.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

from tock_companion.core.bodies import DecideNow, PlayCard
from tock_companion.core.draft import Draft, Step
from tock_companion.core.following import (
    WAIT_FOR_COPY,
    CopyReport,
    HomeFacts,
    hands_of_gift,
    is_gift,
    looked_at,
    own_facts,
    with_report,
)
from tock_companion.core.guiding import guidance
from tock_companion.core.handlers import answer, refusal_of
from tock_companion.core.playing import lay_card
from tock_companion.core.requests import Request, refused
from tock_companion.core.roster import Roster
from tock_companion.core.ruling import Ruling, set_up_warning
from tock_companion.core.state import CoreState, Lookahead, SourceStatus
from tock_companion.events.facts import Event, Fact, GameEnded, GameStarted, ModeSet
from tock_companion.events.game import Mode, begin
from tock_companion.events.hand import Cards
from tock_companion.events.hands import Hands
from tock_companion.observation import (
    CardSighting,
    Observation,
    SourceCondition,
    SourceMessage,
    SourceReport,
)
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
from tock_companion.referee.tracking.estimate import estimated_setup
from tock_rules import Card, Move, Seat, judge_move

AT_ONCE = Timing(**{wait.name: 0 for wait in fields(Timing)})
"""After a player has said that the turn is over."""


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed: the referee looks again although nothing new was seen."""


Input = SourceMessage | Tick | CopyReport | HomeFacts
"""Input without a waiting caller."""
Message = Input | Request


def step(state: CoreState, message: Message, t_ms: int) -> Step:
    """Take in one message at a time of the table's clock; an observation counts at the time it names."""
    draft, late_ms = Draft(state), max(t_ms, state.watch.t_ms)
    match message:
        case Request(body=DecideNow()):
            return _decided_now(draft, message, late_ms)
        case Request():
            return _answered(draft, message, t_ms)
        case SourceReport(source=source, condition=condition):
            if condition is not SourceCondition.OK:
                unseen = Observation(message.t_ms, source, {})
                draft.state = replace(state, fusion=state.fusion.update(unseen))
            draft.hear(source, SourceStatus(condition, message.code, message.detail), message.t_ms)
        case Observation(source=source):
            draft.state = replace(state, fusion=state.fusion.update(message))
            status = state.sources.get(source)
            if status is None or status.condition is not SourceCondition.OK:
                draft.hear(source, SourceStatus(SourceCondition.OK), message.t_ms)
            _rule(draft, message.t_ms)
        case CardSighting(seat=seat, card=card, by=by):
            _close_turn_for(draft, seat, message.t_ms)
            if not state.must_give:
                draft.record(lay_card(draft.state.game, card, seat, by), message.t_ms)
            _rule(draft, max(message.t_ms, draft.state.watch.t_ms))
        case CopyReport():
            draft.state = replace(state, copies=with_report(state.copies, message))
            _rule(draft, late_ms)
        case HomeFacts():
            following, facts = own_facts(state, message)
            draft.state = replace(state, following=following)
            place = len(following.numbers) - len(facts)
            _copy(draft, facts, [message.cards.get(place + i) for i in range(len(facts))], t_ms)
            _rule(draft, max(t_ms, draft.state.watch.t_ms))
        case Tick():
            _rule(draft, t_ms)
    return draft.done()


def _copy(draft: Draft, facts: Sequence[Fact], cards: Sequence[Card | None], t_ms: int) -> None:
    """Record facts of the home table; behind a gift are the cards of people here."""
    together: list[Fact] = []
    for fact, card in zip(facts, cards, strict=True):
        if is_gift(fact):
            draft.record(together, t_ms)
            draft.record([fact], t_ms, hands_of_gift(draft.state, fact, card))
            together = []
        else:
            together.append(fact)
    draft.record(together, t_ms)


def _rule(draft: Draft, t_ms: int, timing: Timing | None = None) -> None:
    """Let the referee look until it has nothing more to say."""
    draft.state = replace(draft.state, deadline_ms=None)
    if draft.state.following is not None:
        draft.state = looked_at(draft.state, t_ms, timing)
        return
    while not draft.state.game.paused and draft.state.game.ended is None:
        state = draft.state
        if state.must_give and state.game.warning is None and state.game.question is None:
            return
        decision = decide(state.options, state.watch, t_ms, timing or state.timing)
        if isinstance(decision, Waiting):
            draft.state = replace(state, deadline_ms=decision.until_ms)
            return
        if isinstance(decision, Rejected | Missing | Unfinished):
            decision = _recovered(draft, decision)
            state = draft.state
        if isinstance(decision, Unfinished) and timing is AT_ONCE:
            decision = decision.called_finished(state.options.moves)
        if isinstance(decision, Accepted) and state.copies.waits:
            # The move stays on the board, and counts once the last one was made elsewhere too.
            draft.state = replace(state, guidance=WAIT_FOR_COPY)
            return
        found = guidance(decision, state.position) if state.game.mode is not Mode.RECORDER else None
        draft.state = replace(state, guidance=found)
        facts = Ruling(state.game).facts(decision, state.options.only)
        if not facts:
            return
        draft.record(facts, t_ms, seen_ms=decision.still_since_ms if isinstance(decision, Accepted) else None)


def _recovered(draft: Draft, decision: Rejected | Missing | Unfinished) -> Decision:
    """The turn that was missed before the one now on the board, if two turns explain it; else the same decision."""
    state = draft.state
    in_the_air = isinstance(decision, Unfinished) and bool(decision.short)
    if state.game.restores or in_the_air:
        # A pawn that the laid card may have lifted was probably not captured in an unreported turn.
        return decision
    key = (state.position, state.game.card, frozenset(decision.seen.holes.items()))
    known = state.lookahead
    if known is None or known.key != key:
        known = Lookahead(key, first_of_two(state.options, state.watch))
        draft.state = replace(state, lookahead=known)
    return known.found or decision


def _answered(draft: Draft, request: Request, t_ms: int) -> Step:
    """Answer a request; a refusal leaves everything as it was."""
    before, body = draft.state, request.body
    if isinstance(body, PlayCard):
        _close_turn_for(draft, request.seat, t_ms)
    answered = answer(draft.state, request)
    if not answered.reply.ok:
        return Step(before, reply=answered.reply)
    if answered.ballot is not None:
        draft.state = replace(draft.state, ballot=answered.ballot)
    if answered.awaited is not None:
        left = {seat: name for seat, name in before.left.items() if seat is not answered.awaited}
        draft.state = replace(draft.state, left=left)
    draft.record(answered.facts, t_ms, answered.hands)
    if answered.announced is not None:
        draft.state = replace(draft.state, planned=answered.announced).with_candidates()
    if isinstance(body, PlayCard):
        laid = draft.state.game.card
        move = judge_move(draft.state.position, laid, body.move) if laid and body.move else None
        draft.state = replace(draft.state, planned=move if isinstance(move, Move) else None)
    return replace(
        draft.done(),
        reply=answered.reply,
        recorded=(answered.recorded_as or request) if draft.events else None,
        needs_ruling=bool(draft.events) and answered.concerns_board,
    )


def _decided_now(draft: Draft, request: Request, t_ms: int) -> Step:
    """Decide without waiting any longer: a player says that the turn is over."""
    refusal = refusal_of(draft.state, request)
    if refusal is not None:
        return Step(draft.state, reply=refusal)
    if draft.state.game.card is not None:
        _assume(draft, t_ms)
    if not draft.events:
        _rule(draft, t_ms, AT_ONCE)
    if not draft.events:
        return replace(draft.done(), reply=refused("nothing_seen"))
    return replace(draft.done(), recorded=request)


def _close_turn_for(draft: Draft, seat: Seat | None, t_ms: int) -> None:
    """Close a turn when the next seat lays a card: its move is on the board, only its card is unknown."""
    if draft.state.game.question is not None and seat is draft.state.position.end_turn().to_move:
        _assume(draft, t_ms)


def _assume(draft: Draft, t_ms: int) -> None:
    """Take the one move that may be on the board for made, because a player says that the turn is over."""
    state = draft.state
    decision = decide(state.options, state.watch, max(t_ms, state.watch.t_ms), AT_ONCE)
    if isinstance(decision, Ambiguous) and len({move.result for _, move in decision.choices}) == 1:
        draft.record(Ruling(state.game).assume(decision), t_ms)


def begin_game(
    roster: Roster,
    fact: GameStarted,
    t_ms: int,
    *,
    timing: Timing | None = None,
    before: CoreState | None = None,
) -> Step:
    """Begin a game, on the table and in the mode of the one before if there was one; its log starts at 1."""
    event = Event(1, t_ms, fact)
    game, hands = begin(event), Hands.of_game(fact)
    state = before.with_game(game, hands) if before else CoreState.of(roster, game, hands, timing)
    draft = Draft(state, [event])
    if before is not None and before.game.mode is not game.mode:
        draft.record([ModeSet(before.game.mode.value, "host")], t_ms)
    return draft.done()


def resume_game(before: CoreState, found: CoreState, events: Sequence[Event], t_ms: int) -> Step:
    """Go on with the game of a log, on the table of another; misplaced pawns are put right first."""
    draft = Draft(before.with_game(found.game, found.hands), events)
    state = draft.state
    if state.sources:
        # Otherwise a board from before the last move would take that move back.
        draft.record([set_up_warning(state.position, estimated_setup(state.watch, state.position))], t_ms)
    return draft.done()


def go_on(
    state: CoreState,
    events: Sequence[Event],
    facts: Sequence[Fact],
    t_ms: int,
    hands: Mapping[Seat, Cards] | None = None,
) -> Step:
    """Go on with a game of which `events` are not stored yet: record how the sources are doing, then the facts."""
    draft = Draft(state, events)
    for source, status in state.sources.items():
        draft.hear(source, status, t_ms)
    draft.record(facts, t_ms, hands)
    return draft.done()


def end_game(state: CoreState, why: str, t_ms: int) -> Step:
    """End the game because the table gives it up; nothing when it has ended already."""
    draft = Draft(state)
    if state.game.ended is None:
        draft.record([GameEnded(None, why)], t_ms)
    return draft.done()
