"""A whole game to step through: everybody's public view, hand by hand, with the board after each step."""

from collections.abc import Iterable, Sequence

from tock_companion.events.facts import CardPlayed, CardsDealt, Correction, Event, MoveAccepted
from tock_companion.events.facts import MoveTakenBack as TakenBack
from tock_companion.events.game import Game, apply, begin
from tock_companion.language import Text
from tock_companion.views.moves import move_arrows, played_label
from tock_companion.views.names import Names
from tock_companion.views.parts import Arrow
from tock_companion.views.phrases import phrase
from tock_companion.views.schema import Action, ReplayStep, ReplaySteps
from tock_rules import Card, Position, Seat


def replay_view(events: Iterable[Event], names: Names) -> ReplaySteps:
    """The steps that still count, oldest first; the first is the start."""
    log = tuple(events)
    game, hand = begin(log[0]), 0
    steps = [_step_of(log[0], game, hand, _step(None, None, phrase("step-start")))]
    for event in log[1:]:
        game = apply(game, event)
        fact = event.fact
        if isinstance(fact, CardsDealt) and len(fact.counts) == len(game.started.seats):
            hand += 1
        elif isinstance(fact, TakenBack):
            steps = [step for step in steps if step["seq"] < fact.undoes]
        else:
            action = _action(game, fact, names)
            if action is not None:
                steps.append(_step_of(event, game, hand, action))
    return {"ruleset": game.started.ruleset, "seats": game.started.seats, "steps": steps}


def _step_of(event: Event, game: Game, hand: int, action: Action) -> ReplayStep:
    return {
        "seq": event.seq,
        "t_ms": event.t_ms,
        "hand": hand,
        **action,
        "holes": holes(game.position),
    }


def _action(game: Game, fact: object, names: Names) -> Action | None:
    """The player and the action; None for events that are not a step of the game."""
    match fact:
        case MoveAccepted(seat=seat):
            played = game.moves[-1]
            label = played_label(played, names)
            return _step(seat, str(played.card), label, move_arrows(played.move), played.move.text)
        case CardPlayed(seat=seat, card=card, use="discard"):
            return _step(
                seat,
                card,
                phrase("step-discard", seat=names.seat(Seat[seat]), card=names.card(Card.parse(card))),
            )
        case Correction(by=by, result=result) if result is not None:
            who = names.seat(Seat[by]) if by in Seat.__members__ else phrase("host")
            return _step(None, None, phrase("step-correction", who=who))
    return None


def _step(
    seat: str | None,
    card: str | None,
    label: Text,
    arrows: Sequence[Arrow] = (),
    text: str | None = None,
) -> Action:
    return {"seat": seat, "card": card, "text": text, "label": label, "arrows": arrows}


def holes(position: Position) -> dict[str, str]:
    """The place of every pawn, by board-file hole; pawns in camp fill its holes from the first."""
    standing = {str(hole): seat.name for hole, seat in position.board.occupied().items()}
    for seat in position.seats:
        camp = position.shape.camp_holes(seat)[: position.board.camp_count(seat)]
        standing.update((str(hole), seat.name) for hole in camp)
    return standing
