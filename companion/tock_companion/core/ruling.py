"""Turns decisions of the referee into facts that are recorded."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tock_companion.events.facts import (
    CardPlayed,
    Fact,
    GameEnded,
    MoveAccepted,
    MoveTakenBack,
    PawnMissing,
    PawnStep,
    QuestionAnswered,
    QuestionAsked,
    QuestionTopic,
    Repaired,
    TurnEnded,
    ViolationFound,
)
from tock_companion.events.game import (
    ABOUT_CARDS,
    NEW_GAME,
    PLAY_ON,
    SET_UP,
    TAKE_BACK,
    Game,
    Mode,
    TakenBack,
)
from tock_companion.referee.decision import (
    Accepted,
    Ambiguous,
    Decision,
    Missing,
    Rejected,
    Unchanged,
    Unfinished,
)
from tock_companion.referee.diagnosis.explain import Explanation, explain
from tock_companion.referee.diagnosis.repair import plan
from tock_companion.referee.matching.candidates import same_kind
from tock_companion.referee.tracking.belief import Expectation
from tock_rules import Card, Move, Position, Setup, camp_holes_of

ANOTHER_MOVE = "far/another_move"
"""Code of the warning that the board shows another move than the far player has chosen."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """Rules on one decision in one game."""

    game: Game

    @property
    def position(self) -> Position:
        return self.game.position

    def facts(self, decision: Decision, chosen: Move | None = None) -> list[Fact]:
        """Find the facts to record; none while the referee waits or has already reported them.

        A board that shows another move than the `chosen` one breaks no rule, and its warning says so.
        """
        match decision:
            case Unchanged():
                return self.settled()
            case Accepted(card=card, move=move):
                evidence = {
                    "by": "board",
                    "confidence": round(decision.confidence, 4),
                    "still_since_ms": decision.still_since_ms,
                }
                return self.accept(card, move, evidence)
            case Ambiguous() if self.game.mode is Mode.RECORDER:
                return self.assume(decision)
            case Rejected() | Unfinished() if self._moved_back(decision.seen):
                return [MoveTakenBack("board", self.game.turns[-1].seq)]
            case Rejected() | Missing() if self.game.mode is Mode.RECORDER:
                return []
            case Ambiguous():
                return self._ask(decision)
            case Rejected():
                found = self._reject(decision)
                return found if chosen is None else self._of_chosen(found, chosen)
            case Missing():
                return self._miss(decision)
            case Unfinished():
                return self._go_on(decision)
        return []

    def accept(self, card: Card, move: Move, evidence: dict[str, object], by: str = "board") -> list[Fact]:
        """Record a move that counts: answers to questions, the move itself, and the end of the turn or the game."""
        seat = self.position.to_move
        facts = self.settled(move, by)
        facts.append(MoveAccepted(seat.name, str(card), move.text, move.result.to_pawns(), evidence))
        played = self.position.play(move)
        outcome = played.outcome()
        if outcome is not None:
            facts.append(GameEnded([winner.name for winner in outcome.winners]))
        elif not played.may_play_more:
            facts.append(TurnEnded(seat.name, played.end_turn().to_move.name))
        return facts

    def settled(self, move: Move | None = None, by: str = "board") -> list[Fact]:
        """Close open warnings and questions: by a move, else because the board is right again."""
        facts: list[Fact] = []
        warning, question = self.game.warning, self.game.question
        if warning is not None and (move is not None or not _about_cards(warning)):
            facts.append(Repaired(warning.seat, move.text if move is not None else None))
        if question is not None:
            choice = move.text if move is not None and move.text in question.choices else None
            facts.append(QuestionAnswered(question.seat, choice, by))
        return facts

    def assume(self, decision: Ambiguous) -> list[Fact]:
        """Record the likeliest explanation as assumed."""
        card, move = decision.choices[0]
        laid: list[Fact] = []
        if self.game.card is None:
            laid.append(CardPlayed(self.position.to_move.name, str(card), "assumed"))
        return [*laid, *self.accept(card, move, {"by": "board", "assumed": True})]

    def _ask(self, decision: Ambiguous) -> list[Fact]:
        seat = self.position.to_move
        if self.game.card is None:
            about: QuestionTopic = "card"
            kinds = same_kind(self.position, (card for card, _ in decision.choices))
            choices = [str(card) for card in kinds]
        else:
            about, choices = "move", [move.text for _, move in decision.choices]
        question = QuestionAsked(seat.name, about, choices)
        if question == self.game.question:
            return []
        return [*self.settled(), question]

    def _go_on(self, decision: Unfinished) -> list[Fact]:
        """Close a warning that the move under way has overtaken, once the pawn that it was about has come down."""
        warning = self.game.warning
        if self._warned_of(decision.seen) or (isinstance(warning, ViolationFound) and decision.short):
            return []
        return self.settled()

    def _warned_of(self, seen: Setup) -> bool:
        """Whether the open warning is about this very board."""
        warning = self.game.warning
        same = isinstance(warning, ViolationFound) and warning.seen == seen_differences(self.position, seen)
        return same and self.game.warned_card == self.game.card

    def _reject(self, decision: Rejected) -> list[Fact]:
        warning = self.game.warning
        if self._warned_of(decision.seen):
            return []
        if isinstance(warning, ViolationFound) and warning.code == SET_UP:
            return [set_up_warning(self.position, decision.seen)]
        if isinstance(warning, ViolationFound) and warning.code == TAKE_BACK:
            return [take_back_warning(self.game.taken_back, self.position, decision.seen)]
        if self._tidied_up(decision.seen) and not self.game.playing_on:
            return self._ask_for_new_game()
        found = explain(self.position, self.game.card, decision.seen, decision.moves)
        if found.violation is None:
            return []
        violation = found.violation
        seat = violation.seat if violation.seat is not None else self.position.to_move
        params = dict(violation.params)
        if violation.card is not None:
            params["card"] = str(violation.card)
        return [
            ViolationFound(
                seat=seat.name,
                code=violation.code,
                breaks=list(violation.breaks),
                seen=seen_differences(self.position, decision.seen),
                nearest=[move.text for move in found.nearest],
                repair=[step.to_json() for step in found.repair],
                finish=self._finish(found, decision.seen),
                params=params,
            )
        ]

    def _of_chosen(self, facts: list[Fact], chosen: Move) -> list[Fact]:
        params = {"turn": self.position.to_move.name, "card": str(chosen.card), "move": chosen.text}
        return [
            replace(fact, code=ANOTHER_MOVE, breaks=[], params=params)
            if isinstance(fact, ViolationFound)
            else fact
            for fact in facts
        ]

    def _moved_back(self, seen: Setup) -> bool:
        """Whether the pawns were put back to where they stood before the last turn, which takes it back."""
        if not self.game.turns or self.game.card is not None or self.game.restores:
            return False
        before = self.game.turns[-1].before
        binding = self.game.mode is Mode.STRICT and before.ruleset.laid_card_binding
        return (
            not binding and not before.board.looks_like(self.position.board) and seen.looks_like(before.board)
        )

    def _tidied_up(self, seen: Setup) -> bool:
        """Whether all pawns were put back into their camps: perhaps a new game, perhaps just order."""
        return not seen.holes and not seen.problems()

    def _ask_for_new_game(self) -> list[Fact]:
        seat = self.position.to_move.name
        question = QuestionAsked(seat, NEW_GAME, [NEW_GAME, PLAY_ON])
        return [] if question == self.game.question else [*self.settled(), question]

    def _finish(self, found: Explanation, seen: Setup) -> list[PawnStep] | None:
        """The steps that go on to the nearest legal move instead of back."""
        if not found.nearest:
            return None
        return [step.to_json() for step in plan(seen, found.nearest[0].result)]

    def _miss(self, decision: Missing) -> list[Fact]:
        expected = Expectation.of(self.position.board, self.position.seats)
        seat = decision.seats[0]
        last_seen = [
            hole
            for hole, owner in expected.holes.items()
            if owner is seat and decision.seen.holes.get(hole) is not seat
        ]
        if decision.seen.camps[seat] < expected.camps[seat]:
            last_seen.append(camp_holes_of(seat)[0])
        fact = PawnMissing(seat.name, [str(hole) for hole in last_seen])
        return [] if fact == self.game.warning else [fact]


def take_back_warning(taken: TakenBack | None, position: Position, seen: Setup) -> ViolationFound:
    """Ask to put the pawns back as they stood before the turn that was taken back; None where a player moved on."""
    params: dict[str, str | int] = {}
    if taken is not None:
        params = {"by": "own" if taken.by == taken.seat.name else "other", "seat": taken.seat.name}
        if taken.card is not None:
            params["card"] = str(taken.card)
    return _restoring(TAKE_BACK, position, seen, params)


def set_up_warning(position: Position, seen: Setup, reason: str = "set-up") -> ViolationFound:
    """Ask to set the pawns up for a game that comes onto the table, for `reason`."""
    return _restoring(SET_UP, position, seen, {} if reason == "set-up" else {"reason": reason})


def _restoring(code: str, position: Position, seen: Setup, params: Mapping[str, str | int]) -> ViolationFound:
    return ViolationFound(
        seat=position.to_move.name,
        code=code,
        breaks=[],
        seen=seen_differences(position, seen),
        nearest=[],
        repair=[step.to_json() for step in plan(seen, position.board)],
        params=params,
    )


def seen_differences(position: Position, seen: Setup) -> dict[str, str]:
    """Find the holes where the table differs from the position: a seat, or `empty`; camps by count."""
    expected = Expectation.of(position.board, position.seats)
    differences = {
        str(hole): seen.holes[hole].name if hole in seen.holes else "empty"
        for hole in sorted(seen.holes.keys() | expected.holes.keys())
        if seen.holes.get(hole) is not expected.holes.get(hole)
    }
    for seat, count in expected.camps.items():
        if seen.camps[seat] != count:
            differences[f"{seat.name}-camp"] = str(seen.camps[seat])
    return differences


def _about_cards(warning: ViolationFound | PawnMissing) -> bool:
    return isinstance(warning, ViolationFound) and warning.code.startswith(ABOUT_CARDS)
