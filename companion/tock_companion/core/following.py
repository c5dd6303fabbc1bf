"""One game on two boards: the home table records it, the other follows, and each says what its board shows.

Both logs hold the same facts of play, each numbered in its own log: those about sources and hands stay in their log.
A card that a mate gets goes to the boards of giver and receiver alone, beside the fact that it was given.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeGuard

from tock_companion.boardfile import BoardFile, to_json
from tock_companion.core import bodies
from tock_companion.core.guiding import Guidance, guidance
from tock_companion.core.requests import Reply, refused
from tock_companion.core.state import Copies, Copying, CoreState, Following, Made
from tock_companion.errors import BadInputError
from tock_companion.events.facts import (
    CardPlayed,
    CardsDealt,
    Correction,
    Event,
    Fact,
    GameEnded,
    GameStarted,
    MoveAccepted,
    MoveTakenBack,
    Paused,
    Resumed,
    TurnEnded,
)
from tock_companion.events.hand import Cards
from tock_companion.events.hands import Secrets
from tock_companion.events.terms import board_term
from tock_companion.referee.decision import (
    Accepted,
    Ambiguous,
    Decision,
    Missing,
    Rejected,
    Unchanged,
    Unfinished,
    Waiting,
)
from tock_companion.referee.diagnosis.repair import plan
from tock_companion.referee.matching.settle import Timing, decide
from tock_rules import Card, Seat, Setup, load_preset, shape_for

SHARED = (
    CardsDealt, CardPlayed, MoveAccepted, Correction, TurnEnded, MoveTakenBack, Paused, Resumed, GameEnded,
)  # fmt: skip
KEPT_AS = "following"
FORWARDED = bodies.AboutPlay
"""What people at a table that follows ask of the home table; hands and seats are its own affair."""
COPY, MADE, LAY_CARD = (Guidance(f"elsewhere/{code}") for code in ("copy", "made", "card"))
WAIT_FOR_COPY = Guidance("elsewhere/wait")


@dataclass(frozen=True, slots=True)
class CopyReport:
    """Word of a board elsewhere; `at` is the event of the home log up to which it was followed there."""

    board: str
    copying: Copying
    at: int = 0


@dataclass(frozen=True, slots=True)
class HomeFacts:
    """Facts of the home table, the first of them the `first` one of the game (from 0)."""

    first: int
    facts: tuple[Fact, ...]
    cards: Mapping[int, Card] = field(default_factory=dict, repr=False)
    """The cards that people here give or get, by the place of the fact in the game."""


def with_report(copies: Copies, report: CopyReport) -> Copies:
    """Progress of each board, after word of one of them; showing an older position is not showing this one."""
    if report.copying is Copying.SHOWN and report.at < copies.changed_at:
        return copies
    boards = {**copies.boards, report.board: report.copying}
    if report.copying is Copying.GONE:
        del boards[report.board]
    return replace(copies, boards=boards)


def standing_reports(copies: Copies) -> list[CopyReport]:
    """The reports after which it stands with each board as it does now."""
    return [CopyReport(board, copying, copies.changed_at) for board, copying in copies.boards.items()]


def is_shared(fact: Fact) -> bool:
    """Whether both tables record it: a hand that one seat names stays at its own table."""
    is_own_hand = isinstance(fact, CardsDealt) and len(fact.counts) == 1 and not is_gift(fact)
    return isinstance(fact, SHARED) and not is_own_hand


def is_gift(fact: Fact) -> TypeGuard[CardsDealt]:
    """Whether a seat gives its mate a card, or takes it back."""
    return isinstance(fact, CardsDealt) and fact.gift is not None


def home_facts(events: Iterable[Event]) -> list[tuple[int, Fact]]:
    """The facts that another table follows, with their numbers at home.

    A turn taken back is named by its place among the facts instead: each log has numbers of its own.
    """
    found: list[tuple[int, Fact]] = []
    for event in events:
        fact = event.fact
        if not is_shared(fact):
            continue
        if isinstance(fact, MoveTakenBack):
            place = next(place for place, (seq, _) in enumerate(found, 1) if seq == fact.undoes)
            fact = replace(fact, undoes=place)
        found.append((event.seq, fact))
    return found


def numbers_of(events: Iterable[Event]) -> tuple[int, ...]:
    """The numbers of the facts from home in the log of a table that follows."""
    return tuple(event.seq for event in events if is_shared(event.fact))


def gifts_of(events: Iterable[Event], secrets: Secrets) -> dict[int, tuple[Seat, Seat, Card]]:
    """Giver, receiver and card of every known gift, by the number of its event."""
    givers = {
        event.seq: Seat.parse(next(iter(event.fact.counts)))
        for event in events
        if is_gift(event.fact) and event.fact.gift == "named"
    }
    return {
        seq: (givers[seq], mate, cards[0])
        for (seq, mate), cards in secrets.items()
        if seq in givers and mate is not givers[seq]
    }


def hands_of_gift(state: CoreState, fact: CardsDealt, card: Card | None) -> dict[Seat, Cards]:
    """The known hand of a seat here that gives its mate a card or takes it back, and the card for the mate."""
    ((name, count),) = fact.counts.items()
    giver, exchange = Seat.parse(name), state.hands.exchange
    hand, own = state.hands.of(giver), exchange.gift_of(giver)
    found: dict[Seat, Cards] = {}
    if hand is not None and fact.gift == "named" and card is not None:
        hand = hand.without(card)
    elif hand is not None and fact.gift == "withdrawn" and own is not None and own.named:
        hand = hand.with_card(own.card)
    if hand is not None and hand.cards and hand.count == count - (fact.gift == "named"):
        found[giver] = hand.cards
    if card is not None and fact.gift == "named" and giver in exchange.mates:
        found[exchange.mates[giver]] = (card,)
    return found


def own_facts(state: CoreState, news: HomeFacts) -> tuple[Following, list[Fact]]:
    """The facts as the own log numbers them; raises BadInputError where some are missing before them."""
    following = state.following
    if following is None:
        raise BadInputError("this table follows no other")
    if news.first > len(following.numbers):
        raise BadInputError(f"fact {news.first} of the home table follows fact {len(following.numbers)}")
    numbers, facts = list(following.numbers), list[Fact]()
    for fact in news.facts[len(numbers) - news.first :]:
        own = fact
        if isinstance(fact, MoveTakenBack):
            if fact.undoes > len(numbers):
                raise BadInputError(f"fact {fact.undoes} of the home table cannot be taken back")
            own = replace(fact, undoes=numbers[fact.undoes - 1])
        facts.append(own)
        numbers.append(state.game.seq + len(facts))
    return replace(following, numbers=tuple(numbers)), facts


def changed(following: Following | None) -> Following | None:
    """After a fact that moved pawns: this board has not shown it yet."""
    return None if following is None else replace(following, shows=False, made=None)


def followed_by(state: CoreState, events: Sequence[Event], seats: frozenset[Seat]) -> CoreState:
    """The table as one that follows another, whose people sit on `seats`; `events` is its own log."""
    following = Following(seats, numbers_of(events))
    return replace(state, following=following, lobby=None).with_candidates()


def kept_following(number: int, seats: Iterable[Seat]) -> object:
    """Value that a table keeps, so that it follows the same game from the first moment after a restart."""
    return {"number": number, "seats": sorted(seat.name for seat in seats)}


def following_seats(kept: object, number: int) -> frozenset[Seat] | None:
    """The seats of the people here in a game that was followed; None for an own game."""
    match kept:
        case {"number": int(found), "seats": list(seats)} if found == number:
            return frozenset(Seat[name] for name in seats if name in Seat.__members__)
    return None


def alone(state: CoreState) -> CoreState:
    """The table as one that follows no other any more."""
    return replace(state, following=None, guidance=None).with_candidates()


def copied(home: GameStarted, board_file: BoardFile) -> GameStarted | Reply:
    """The beginning of a game of the home table as it is played on another board; a refusal where that cannot be."""
    rules = load_preset(home.ruleset).with_options(home.options)
    there, here = shape_for(rules, home.zones), board_file.shape
    if there.size != here.size:
        return refused("other_zones", here=board_term(here), there=board_term(there))
    if rules.centre and "C" not in board_file.by_id:
        return refused("no_centre")
    return replace(home, board=board_file.name, board_file=to_json(board_file))


def looked_at(state: CoreState, t_ms: int, timing: Timing | None = None) -> CoreState:
    """Look at a board that follows: it shows the position, or a move of its own people, or has to be put right."""
    following = state.following
    if following is None or state.game.paused or state.game.ended is not None:
        return state
    decision = decide(state.options, state.watch, t_ms, timing or state.timing)
    if isinstance(decision, Waiting):
        return replace(state, deadline_ms=decision.until_ms)
    if isinstance(decision, Unchanged) and not following.shows:
        # From now on its own people may move.
        shown = replace(following, shows=True, made=None)
        return replace(state, following=shown, guidance=None).with_candidates()
    made = Made(decision.card, decision.move) if isinstance(decision, Accepted) else None
    return replace(state, following=replace(following, made=made), guidance=_guidance(state, decision))


def _guidance(state: CoreState, decision: Decision) -> Guidance | None:
    following = state.following
    assert following is not None
    match decision:
        case Unchanged():
            return None
        case Accepted():
            return MADE
        case Ambiguous():
            return LAY_CARD
        case Rejected(seen=seen) | Missing(seen=seen) | Unfinished(seen=seen) if not following.shows:
            return _copy(state, seen)
        case Rejected(seen=seen):
            return _copy(state, seen)
    return guidance(decision, state.position)


def _copy(state: CoreState, seen: Setup) -> Guidance:
    """Ask for the move that home has made; for single steps where the board stands otherwise than before it."""
    game, goal = state.game, state.position.board
    steps = tuple(step.to_json() for step in plan(seen, goal))
    if game.moves and game.turns and seen.looks_like(game.turns[-1].before.board):
        last = game.moves[-1]
        return replace(COPY, move=(last.seat, last.move), steps=steps)
    return replace(COPY, steps=steps)
