"""The holders of seats as a value: every change makes a new one and leaves the old one as it was."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from tock_companion.hints.computer_players import COMPUTERS
from tock_companion.storage import SeatHolder, Store, Withheld
from tock_companion.table.seats.chairs import Places
from tock_companion.table.seats.hand_owners import (
    COMPUTER,
    NOBODY,
    CardsRequest,
    Custody,
    Holder,
    PlayedGame,
    after_leaving,
    after_sitting,
    covering,
    without,
)
from tock_rules import Seat

COMPUTERS_KEPT = "computers"


@dataclass(frozen=True, slots=True)
class Seating:
    """People and computers on their seats, and whose cards they may not see."""

    holders: Mapping[Seat, SeatHolder] = field(default_factory=dict)
    computers: Mapping[Seat, str] = field(default_factory=dict)
    """The seats that a computer plays for, with its strength."""
    custody: Custody = ()
    sittings: Mapping[Seat, int] = field(default_factory=dict)
    """The number of each holder's sitting: higher for a later one."""
    sat: int = 0
    """Number of people who have sat down so far."""

    @classmethod
    def kept_in(cls, store: Store) -> "Seating":
        """Take up who sat where; who sits there already counts as seated in the order of the seats."""
        holders = {holder.seat: holder for holder in store.holders()}
        sittings = {seat: number for number, seat in enumerate(holders, start=1)}
        computers = _computers_of(store.choices.get(COMPUTERS_KEPT))
        return cls(holders, computers, store.withheld(), sittings, len(sittings))

    @property
    def computers_kept(self) -> dict[str, str]:
        """The form in which the store keeps computers."""
        return {seat.name: strength for seat, strength in self.computers.items()}

    def names(self) -> dict[Seat, str]:
        return {seat: holder.name for seat, holder in self.holders.items()}

    def sitting(self) -> list[Seat]:
        """The seats that people hold, longest sitting first."""
        return sorted(self.holders, key=lambda seat: self.sittings[seat])

    def holder_of(self, seat: Seat) -> Holder:
        """The owner of a seat's cards, if its present holder named them."""
        holder = self.holders.get(seat)
        if holder is not None:
            return Holder(holder.device_hash, holder.name)
        return Holder(COMPUTER) if seat in self.computers else NOBODY

    def with_holder(self, holder: SeatHolder) -> "Seating":
        """The same people, one of them known by another secret from now on."""
        return replace(self, holders={**self.holders, holder.seat: holder})

    def sat_down(self, holder: SeatHolder, game: PlayedGame, left: Seat | None = None) -> "Seating":
        """A player takes a free seat over, from a computer too, but not the cards; the seat that they left is free."""
        seat, mark = holder.seat, game.mark_of(holder.seat)
        custody = after_leaving(self.custody, seat, mark, self.holder_of(seat))
        custody = after_sitting(custody, seat, mark, Holder(holder.device_hash, holder.name))
        if left is not None:
            custody = after_leaving(custody, left, game.mark_of(left), self.holder_of(left))
        others = {other: known for other, known in self.holders.items() if other is not left}
        computers = {other: strength for other, strength in self.computers.items() if other is not seat}
        number = self.sat + 1
        return Seating({**others, seat: holder}, computers, custody, {**self.sittings, seat: number}, number)

    def stood_up(self, seat: Seat, game: PlayedGame) -> "Seating":
        """A seat is free, and the cards that its holder named stay theirs."""
        custody = after_leaving(self.custody, seat, game.mark_of(seat), self.holder_of(seat))
        others = {other: holder for other, holder in self.holders.items() if other is not seat}
        return replace(self, holders=others, custody=custody)

    def reseated(self, places: Places, chairs: Collection[Seat]) -> "Seating":
        """People and computers change places; seats that are left out stay as they are.

        Without a chair nobody has a seat, and a computer gives way to a person.
        """
        moved = {seat: places.get(seat, seat) for seat in {*self.holders, *self.computers}}
        kept = {seat: chair for seat, chair in moved.items() if chair is not None and chair in chairs}
        holders = {
            kept[seat]: replace(holder, seat=kept[seat])
            for seat, holder in self.holders.items()
            if seat in kept
        }
        computers = {
            kept[seat]: strength
            for seat, strength in self.computers.items()
            if seat in kept and kept[seat] not in holders
        }
        sittings = {kept[seat]: self.sittings[seat] for seat in self.holders if seat in kept}
        return replace(self, holders=holders, computers=computers, sittings=sittings)

    def with_computer(self, seat: Seat, strength: str | None, game: PlayedGame) -> "Seating":
        """A computer plays for a free seat, or none does with None."""
        computers = {other: known for other, known in self.computers.items() if other is not seat}
        mark = game.mark_of(seat)
        if strength is None:
            custody = after_leaving(self.custody, seat, mark, self.holder_of(seat))
            return replace(self, computers=computers, custody=custody)
        custody = self.custody
        if seat not in self.computers:
            left = after_leaving(custody, seat, mark, NOBODY)
            custody = after_sitting(left, seat, mark, Holder(COMPUTER))
        return replace(self, computers={**computers, seat: strength}, custody=custody)

    def withheld(self, game: PlayedGame) -> dict[Seat, Withheld]:
        """The seats whose present hand is withheld from their holder, where the table knows cards of it."""
        found = {seat: covering(self.custody, seat, game.mark_of(seat)) for seat in game.seats}
        return {seat: kept for seat, kept in found.items() if kept is not None and kept.cards}

    def cards_requests(self, game: PlayedGame, owner: str) -> tuple[CardsRequest, ...]:
        """The player at this owner's former seat, if the request for its cards is still open."""
        return tuple(
            CardsRequest(self.sittings[seat], seat, self.holders[seat].name)
            for seat, kept in self.withheld(game).items()
            if owner and kept.owner == owner and seat in self.holders and not kept.refused
        )

    def answered(self, kept: Withheld, yes: bool) -> "Seating":
        """The owner of withheld cards has shown them to the present player, or has said no."""
        if yes:
            return replace(self, custody=without(self.custody, kept))
        refused = replace(kept, refused=True)
        return replace(self, custody=tuple(refused if other is kept else other for other in self.custody))


def _computers_of(kept: object) -> dict[Seat, str]:
    """The computers that were kept; what this version does not know is left out."""
    return {
        Seat[name]: strength
        for name, strength in (kept.items() if isinstance(kept, dict) else ())
        if name in Seat.__members__ and strength in COMPUTERS
    }
