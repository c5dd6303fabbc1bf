"""A whole game to step through: what anybody at the table saw, hand by hand, with the board after each step."""

from collections.abc import Iterable, Sequence

from tock_companion.events.facts import CardPlayed, CardsDealt, Correction, Event, GameStarted, MoveAccepted
from tock_companion.events.facts import MoveTakenBack as TakenBack
from tock_companion.events.game import Game, after
from tock_companion.language import Text
from tock_companion.rules import Card, Position, Seat, camp_holes_of
from tock_companion.views.moves import card_name, move_arrows, played_label
from tock_companion.views.names import Names
from tock_companion.views.phrases import phrase
from tock_companion.views.schema import Action, Arrow, ReplayStep, ReplaySteps


def replay_view(events: Iterable[Event], names: Names) -> ReplaySteps:
    """The steps that still count, oldest first; the first is the start."""
    game, hand = Game(), 0
    steps: list[ReplayStep] = []
    for event in events:
        before, game = game, after(game, event)
        fact = event.fact
        if isinstance(fact, CardsDealt) and len(fact.counts) == len(
            before.started.seats if before.started else ()
        ):
            hand += 1
        elif isinstance(fact, TakenBack):
            steps = [step for step in steps if step["seq"] < fact.undoes]
        else:
            action = _action(game, fact, names)
            if action is not None and game.position is not None:
                after_it = holes(game.position)
                steps.append(
                    {"seq": event.seq, "t_ms": event.t_ms, "hand": hand, **action, "holes": after_it}
                )
    started = game.started
    return {
        "ruleset": started.ruleset if started is not None else None,
        "seats": started.seats if started is not None else [],
        "steps": steps,
    }


def _action(game: Game, fact: object, names: Names) -> Action | None:
    """Who did what; None for events that are no step of the game."""
    match fact:
        case GameStarted():
            return _step(None, None, phrase("step-start"))
        case MoveAccepted(seat=seat):
            played = game.moves[-1]
            label = played_label(played, names)
            return _step(seat, str(played.card), label, move_arrows(played.move), played.move.text)
        case CardPlayed(seat=seat, card=card, use="discard"):
            return _step(
                seat,
                card,
                phrase("step-discard", seat=names.seat(Seat[seat]), card=card_name(Card.parse(card))),
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
    """Where every pawn stands, by board-file hole; pawns in camp fill its holes from the first."""
    standing = {hole: seat.name for hole, seat in position.board.occupied().items()}
    for seat in position.seats:
        standing.update(dict.fromkeys(camp_holes_of(seat)[: position.board.camp_count(seat)], seat.name))
    return standing
