"""Owners of the cards that the table knows: cards stay with the person who named them, not with the seat."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from tock_companion.events.hands import Hands, Secrets
from tock_companion.storage import Withheld
from tock_rules import Seat

COMPUTER = "computer"
"""Owner of the cards that a computer drew; it cannot say yes."""
Custody = tuple[Withheld, ...]
"""Cards withheld in the running game, for each seat in the order in which the cards were named."""


@dataclass(frozen=True, slots=True)
class HandMark:
    """Identifies the hand that a seat holds now, without its cards."""

    game: int
    seq: int
    """Number of the event that named or dealt it."""
    cards: int
    """Number of its cards that are known."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """The running game as far as seats depend on it."""

    number: int
    seats: tuple[Seat, ...]
    hands: Hands

    def mark_of(self, seat: Seat) -> HandMark | None:
        hand = self.hands.of(seat)
        return HandMark(self.number, hand.entered_at, len(hand.cards)) if hand is not None else None


@dataclass(frozen=True, slots=True)
class Holder:
    """The holder of a seat: a person's device, or a computer."""

    owner: str
    """As in `Withheld`."""
    name: str = ""


NOBODY = Holder("")


@dataclass(frozen=True, slots=True)
class CardsRequest:
    """A request to show the cards that a seat's former player named."""

    number: int
    seat: Seat
    name: str
    """The present player."""


def covering(custody: Custody, seat: Seat, mark: HandMark | None) -> Withheld | None:
    """The record that withholds a seat's present hand; None when its present holder named its cards."""
    if mark is None:
        return None
    return next(
        (kept for kept in custody if (kept.game, kept.seat) == (mark.game, seat) and kept.seq >= mark.seq),
        None,
    )


def after_leaving(custody: Custody, seat: Seat, mark: HandMark | None, holder: Holder) -> Custody:
    """The cards withheld once a seat's holder has gone: those withheld before, and those that this one named."""
    if mark is None:
        return custody
    here = tuple(kept for kept in custody if kept.game == mark.game)
    if covering(here, seat, mark) is not None:
        return here
    return (*here, Withheld(mark.game, seat, mark.seq, holder.owner, holder.name, mark.cards))


def after_sitting(custody: Custody, seat: Seat, mark: HandMark | None, holder: Holder) -> Custody:
    """The cards withheld once a player has sat down: no longer their own, and other owners are asked again."""
    found = covering(custody, seat, mark)
    if found is None:
        return custody
    if found.owner and found.owner == holder.owner:
        return without(custody, found)
    return tuple(replace(kept, refused=False) if kept is found else kept for kept in custody)


def without(custody: Custody, shown: Withheld) -> Custody:
    """The cards withheld once their owner has shown something."""
    return tuple(kept for kept in custody if kept is not shown)


def last_withheld(custody: Custody, game: int) -> Mapping[Seat, int]:
    """Up to which event of a game the cards of each seat are withheld."""
    until: dict[Seat, int] = {}
    for kept in custody:
        if kept.game == game:
            until[kept.seat] = max(until.get(kept.seat, 0), kept.seq)
    return until


def visible(secrets: Secrets, custody: Custody, game: int) -> Secrets:
    """The cards of a game that those who hold the seats now may see."""
    until = last_withheld(custody, game)
    return {(seq, seat): cards for (seq, seat), cards in secrets.items() if seq > until.get(seat, 0)}


def forgetting(hands: Hands, newly: Iterable[Withheld]) -> Hands:
    """The hands without the cards withheld from now on."""
    for kept in newly:
        hands = hands.forgotten(kept.seat, kept.seq)
    return hands
