"""The step of a table while it is worked out: facts are numbered and folded into the next state."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tock_companion.core.correcting import take_back
from tock_companion.core.following import changed
from tock_companion.core.lessons import PRACTICE, fits
from tock_companion.core.lobby import BEGINS
from tock_companion.core.requests import Reply, Request
from tock_companion.core.state import CoreState, SourceStatus
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
from tock_companion.events.game import apply
from tock_companion.events.hand import Cards
from tock_companion.events.hands import Secrets
from tock_companion.observation import SourceCondition
from tock_rules import Seat


@dataclass(frozen=True, slots=True)
class Step:
    """The consequences of a message, before they are published."""

    state: CoreState
    events: tuple[Event, ...] = ()
    reply: Reply = field(default_factory=lambda: Reply(True))
    secrets: Secrets = field(default_factory=dict, repr=False)
    """The cards behind `cards_dealt` events, for the private part of the store."""
    recorded: Request | None = None
    """The request to put into a recording: it leads to the same events and tells no hand."""
    needs_ruling: bool = False
    """The referee has to judge the board in the light of these events, in a `Tick` of its own: people hear first."""


class Draft:
    """A step being worked out; one that fails has changed nothing, because only `done` hands it out."""

    def __init__(self, state: CoreState, events: Sequence[Event] = ()) -> None:
        self.state = state
        self.events = list(events)
        self.secrets: dict[tuple[int, Seat], Cards] = {}

    def done(self) -> Step:
        """The step as far as it has come."""
        return Step(self.state, tuple(self.events), secrets=self.secrets)

    def hear(self, source: str, status: SourceStatus, t_ms: int) -> None:
        """Note how a source is doing, and record it when the log says otherwise."""
        self.state = replace(self.state, sources={**self.state.sources, source: status})
        lost = source in self.state.game.lost_sources
        if status.condition is SourceCondition.OK:
            self.record([SourceBack(source)] if lost else [], t_ms)
        elif not lost:
            self.record([SourceLost(source, status.code)], t_ms)

    def record(
        self,
        facts: Sequence[Fact],
        t_ms: int,
        hands: Mapping[Seat, Cards] | None = None,
        seen_ms: int | None = None,
    ) -> None:
        """Number the facts and fold them in; time never runs backwards in a log. `hands` are cards that seats named.

        `seen_ms` is since when the board has shown these facts: later edges belong to the next turn.
        """
        before = self.state
        if before.practice is not None:
            # A lesson is one turn long.
            facts = [fact for fact in facts if not isinstance(fact, TurnEnded)]
        if not facts:
            return
        game, known_hands = before.game, before.hands
        for fact in facts:
            event = Event(game.seq + 1, max(t_ms, game.t_ms), fact)
            secrets = {(event.seq, seat): cards for seat, cards in (hands or {}).items()}
            game, known_hands = apply(game, event), known_hands.apply(event, secrets)
            self.secrets.update(secrets)
            self.events.append(event)
        state = replace(before, game=game, hands=known_hands)
        has_moved = game.position.board != before.position.board
        if has_moved:
            state = replace(state, copies=state.copies.changed(game.seq), following=changed(state.following))
        if game.position != before.position:
            state = replace(state, guidance=None)
        if any(isinstance(fact, BEGINS) for fact in facts):
            state = replace(state, lobby=None)
        state = state.with_candidates()
        if has_moved:
            # Tracking begins again: as the board was seen, as people have said, or still to be set up.
            board, fusion = state.options.before, state.fusion
            if state.following is None and seen_ms is not None:
                fusion = fusion.learn(board).rebase(board, seen_ms)
            elif state.following is None and any(
                isinstance(fact, MoveAccepted | Correction) for fact in facts
            ):
                fusion = fusion.overrule(board).rebase(board, t_ms)
            elif state.following is None and any(
                isinstance(fact, MoveTakenBack) and fact.by != "board" for fact in facts
            ):
                fusion = fusion.take_back(board)
            else:
                fusion = fusion.rebase(board, t_ms)
            state = replace(state, fusion=fusion)
        self.state = state
        if state.practice is not None and any(isinstance(fact, MoveAccepted) for fact in facts):
            # The move ends the lesson; another legal one than it shows is taken back.
            is_shown = fits(game.moves[-1].move, state.practice.shown)
            taken_back = () if is_shown else take_back(self.state, game.turns[-1], PRACTICE).facts
            self.record(taken_back or [GameEnded(None, PRACTICE)], t_ms)
