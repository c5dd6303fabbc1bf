"""People at their seats: a secret token holds a seat until its holder leaves it, or gives it away on request."""

import hmac
import secrets
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

from tock_companion.core.bodies import AnswerSeat, FreeSeat, SetComputer
from tock_companion.core.fields import NAME_LENGTH
from tock_companion.core.requests import Reply, Request, Role, Ticket, bad_request, refused
from tock_companion.errors import BadInputError, TockError
from tock_companion.events.terms import Term
from tock_companion.language import DEFAULT, folded
from tock_companion.names import distinct_name
from tock_companion.storage import SeatHolder, Store, Withheld
from tock_companion.table.seats.chairs import Places, places_on
from tock_companion.table.seats.disk import Disk
from tock_companion.table.seats.hand_owners import CardsRequest, PlayedGame
from tock_companion.table.seats.host_seat import HostSeat
from tock_companion.table.seats.identity import Renewals, digest, hash_of, person_name
from tock_companion.table.seats.seat_requests import SeatAsked, SeatOutcome, SeatRequest, SeatRequests
from tock_companion.table.seats.seating import COMPUTERS_KEPT, Seating
from tock_rules import Seat


@dataclass(frozen=True, slots=True)
class Reservation:
    """A free seat kept for a person who is expected from elsewhere."""

    name: str | Term
    device: str
    """The secret of their device."""


@dataclass(frozen=True, slots=True)
class Joined:
    """The outcome of sitting down: the ticket when it was granted."""

    reply: Reply
    ticket: Ticket | None = None


class People:
    """The holders of the seats; kept in the store, so that a restart changes nothing.

    Any thread may read; only the table's thread may call what changes something, and shows the change before anybody
    gets a ticket: views then hide already what its owner may not see.
    """

    def __init__(
        self,
        store: Store,
        game: Callable[[], PlayedGame],
        disk: Disk,
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take up who sat where; `game` gives the game that is running now."""
        self._store, self._game, self._disk, self._clock_s = store, game, disk, clock_s
        # Replaced and never changed, so that any thread may read it.
        self.seating = Seating.kept_in(store)
        self.version = 0
        """Grows with every change that people are shown."""
        self.host_seat = HostSeat(store.choices, self.sitting(), disk)
        self.reserved: Callable[[Seat], Reservation | None] = lambda _seat: None
        """Asked before a free seat is given away."""
        self.silent_s: Callable[[str], float] = lambda _device_hash: 0.0
        """For how long a device has not been heard."""
        self._requests = SeatRequests(clock_s)
        self._renewals = Renewals(clock_s)

    def forget(self, name: str) -> None:
        """Drop the name of a former player whose cards are hidden."""
        custody = tuple(
            replace(kept, name="") if folded(kept.name) == folded(name) else kept
            for kept in self.seating.custody
        )
        self.seating = replace(self.seating, custody=custody)

    def names(self) -> dict[Seat, str]:
        return self.seating.names()

    def sitting(self) -> list[Seat]:
        """The seats that people hold, longest sitting first."""
        return self.seating.sitting()

    def computers(self) -> dict[Seat, str]:
        return dict(self.seating.computers)

    def holder(self, token: str, device: str = "") -> Seat | None:
        """The seat that this token holds, on the device that it was given to; with none, the seat of the device."""
        if not token and device:
            found = hash_of(device)
            holders = self.seating.holders.values()
            return next((one.seat for one in holders if hmac.compare_digest(one.device_hash, found)), None)
        token_hash, device_hash = digest(token), digest(device)
        for seat, holder in self.seating.holders.items():
            is_newest = hmac.compare_digest(holder.token_hash, token_hash)
            if is_newest or hmac.compare_digest(self._renewals.former(seat), token_hash):
                if holder.device_hash and not hmac.compare_digest(holder.device_hash, device_hash):
                    return None
                if is_newest:
                    self._renewals.arrived(seat)
                return seat
        return None

    def seat_due(self, token: str, device: str = "") -> Seat | None:
        """The seat of this token where the token is old enough for a new one."""
        seat = self.holder(token, device)
        return seat if seat is not None and self._renewals.is_due(seat) else None

    def renew(self, token: str, device: str = "") -> Ticket | None:
        """Give the seat of an old token a new one; the old one counts until the new one is used."""
        seat = self.seat_due(token, device)
        if seat is None:
            return None
        holder, renewed = self.seating.holders[seat], secrets.token_hex(16)
        kept = replace(holder, token_hash=digest(renewed))
        try:
            self._disk.keep(lambda: self._store.save_holder(kept))
        except TockError:
            # The one they have counts on.
            return None
        self._renewals.note(seat, digest(token))
        self.seating = self.seating.with_holder(kept)
        return Ticket(seat, kept.name, renewed)

    def again(self, seat: Seat, device: str) -> Ticket | None:
        """Give the device that holds a seat a new secret for it, where it has lost its own; None for any other."""
        holder, device_hash = self.seating.holders.get(seat), hash_of(device)
        if holder is None or not device_hash or not hmac.compare_digest(holder.device_hash, device_hash):
            return None
        token = secrets.token_hex(16)
        kept = replace(holder, token_hash=digest(token))
        self._disk.keep(lambda: self._store.save_holder(kept))
        self._renewals.note(seat)
        self.seating = self.seating.with_holder(kept)
        return Ticket(seat, kept.name, token)

    def _change(self, seating: Seating, write: Callable[[], None]) -> Reply:
        """Seat people so once it is on the disk; one that refuses leaves everything as it was."""
        try:
            self._disk.keep(write)
        except TockError as error:
            return refused("disk", reason=str(error))
        self.seating = seating
        self.version += 1
        return Reply(True)

    # Sitting down and standing up.

    def join(
        self,
        name: str,
        seat: Seat,
        lang: str = DEFAULT,
        device: str = "",
        leaves: str | None = None,
        *,
        anyway: bool = False,
    ) -> Joined:
        """Give a free seat to a person; refused when it is taken, promised, or, unless `anyway`, reserved for another.

        The seat of the token that they leave for it becomes free in the same step.
        """
        left = None if leaves is None else self.holder(leaves, device)
        checked = self._checked(name, seat, left)
        if isinstance(checked, Reply):
            return Joined(checked)
        device_hash, promised = hash_of(device), self._requests.promised(seat)
        if promised is not None and promised.device_hash == device_hash != "":
            self._requests.drop(promised)
        refusal = self._why_taken(seat) or (None if anyway else self._why_reserved(seat, device_hash))
        if refusal is not None:
            return Joined(refusal)
        return self._seat(checked, seat, lang, device_hash, left)

    def _why_taken(self, seat: Seat) -> Reply | None:
        promised = self._requests.promised(seat)
        if seat not in self.seating.holders and promised is None:
            return None
        taken_by = self.names().get(seat) or (promised.name if promised is not None else seat.name)
        return refused("seat_taken", name=taken_by)

    def _why_reserved(self, seat: Seat, device_hash: str) -> Reply | None:
        reservation = self.reserved(seat)
        if reservation is None or hash_of(reservation.device) == device_hash:
            return None
        return refused("seat_invited", name=reservation.name)

    def _seat(self, name: str, seat: Seat, lang: str, device_hash: str, left: Seat | None) -> Joined:
        token, held = secrets.token_hex(16), self.seating.holders.get(seat)
        holder = SeatHolder(seat, name, lang, digest(token), device_hash)
        new = self.seating.sat_down(holder, self._game(), left)
        chosen = {COMPUTERS_KEPT: new.computers_kept}
        reply = self._change(new, lambda: self._store.save_holder(holder, chosen, new.custody, left))
        if not reply.ok:
            return Joined(reply)
        self._renewals.note(seat)
        if held is not None and left is not seat:
            self.host_seat.take_over(held)
        if left is not None:
            self.host_seat.move({left: seat})
        return Joined(reply, Ticket(seat, name, token))

    def leave(self, token: str, device: str = "") -> Reply:
        seat = self.holder(token, device)
        return self._free(seat) if seat is not None else Reply(True)

    def _free(self, seat: Seat) -> Reply:
        new = self.seating.stood_up(seat, self._game())
        return self._change(new, lambda: self._store.free_seat(seat, new.custody))

    def places_on(self, chairs: Collection[Seat], known: Mapping[Seat, str] | None = None) -> Places:
        """The chair that each person would get among these, by their present ones."""
        names = self.names()
        return places_on(chairs, {seat: names[seat] for seat in self.sitting()}, known)

    def settle(self, places: Places | None = None) -> Reply:
        """Give everybody a chair of the present game."""
        places = self.places_on(self._game().seats) if places is None else places
        moves = any(seat is not places.get(seat) for seat in self.seating.holders)
        return self.reseat(places) if moves else Reply(True)

    def reseat(self, places: Places) -> Reply:
        """Have people and computers change places, all at once; seats that are left out stay as they are."""
        new = self.seating.reseated(places, self._game().seats)
        chosen = {COMPUTERS_KEPT: new.computers_kept}
        reply = self._change(new, lambda: self._store.save_holders(new.holders.values(), chosen))
        if reply.ok:
            for seat in new.holders:
                self._renewals.note(seat)
            self.host_seat.move(places)
            self._requests.follow(places)
        return reply

    # Asking for a taken seat.

    def requests(self) -> tuple[SeatRequest, ...]:
        return tuple(asked for asked in self._requests.open() if asked.granted is None)

    def next_expiry_s(self) -> float | None:
        """In how many seconds the next request for a seat has waited long enough; None while there is none."""
        return self._requests.next_expiry_s()

    def ask(
        self,
        name: str,
        seat: Seat,
        lang: str = DEFAULT,
        device: str = "",
        address: str = "",
        *,
        sits_elsewhere: bool = False,
    ) -> SeatAsked:
        """Ask the holder and the host for a taken seat; one device at a time at an address may ask for a seat.

        A person who sits at another table does not sit down here after a yes: the seat is free at once.
        """
        checked = self._checked(name, seat)
        if isinstance(checked, Reply):
            return SeatAsked(checked)
        secret = secrets.token_hex(16)
        asked = SeatRequest(
            seat, checked, lang, digest(secret), hash_of(device), address,
            self.seating.sittings.get(seat), sits_elsewhere,
        )  # fmt: skip
        refusal = self._requests.ask(asked, is_held=seat in self.seating.holders)
        if refusal is not None:
            return SeatAsked(refusal)
        self.version += 1
        return SeatAsked(Reply(True), secret)

    def hear(self, secret: str, device: str = "", leaves: str | None = None) -> SeatOutcome:
        """Tell the device that asked for a taken seat what became of it; after a yes they sit down.

        The seat of the token that they leave for it becomes free in the same step.
        """
        asked = self._requests.of_secret(digest(secret))
        if asked is None or asked.device_hash not in ("", hash_of(device)):
            return SeatOutcome()
        is_granted = self._is_granted(asked)
        if is_granted is None:
            return SeatOutcome(waiting=True)
        ticket = None
        if is_granted:
            left = None if leaves is None else self.holder(leaves, device)
            name = self.distinct_name(asked.name, asked.seat, left)
            ticket = self._seat(name, asked.seat, asked.lang, asked.device_hash, left).ticket
            if ticket is None:
                # The disk refused: the seat stays promised, and the next question may find it mended.
                return SeatOutcome(waiting=True)
        self._requests.drop(asked)
        self.version += 1
        return SeatOutcome(ticket)

    def _is_granted(self, asked: SeatRequest) -> bool | None:
        """The answer to a request; nobody has to give one where the phone of the holder has fallen silent."""
        holder = self.seating.holders.get(asked.seat)
        if asked.granted is False or asked.seat not in self._game().seats:
            return False
        if holder is not None and self.seating.sittings[asked.seat] != asked.sitting:
            # Another person has sat down there since.
            return False
        if asked.granted or self._why_reserved(asked.seat, asked.device_hash) is not None:
            return asked.granted
        is_left = holder is None or asked.may_take(
            holder.name, self.silent_s(holder.device_hash), self._clock_s()
        )
        return is_left or None

    # What holders and the host ask of the table.

    def answer(self, request: Request) -> Reply:
        """Answer a holder's or the host's request about seats; the table of handlers has checked their rights."""
        match request.body:
            case SetComputer(seat=seat, strength=strength):
                return self._set_computer(seat, strength)
            case FreeSeat(seat=seat):
                return self._free(seat)
            case AnswerSeat(number=number, yes=yes):
                return self._answer_seat(request, number, yes)
        raise TypeError(f"'{request.kind}' is not about seats")

    def _answer_seat(self, request: Request, number: int, yes: bool) -> Reply:
        asked = next((asked for asked in self.requests() if asked.number == number), None)
        if asked is None:
            return refused("no_question")
        if request.role is not Role.HOST and request.seat is not asked.seat:
            return refused("not_allowed")
        if yes and asked.sits_elsewhere:
            # Nobody fetches this yes, and takes the seat over.
            freed = self._free(asked.seat)
            if not freed.ok:
                return freed
        self._requests.answer(asked, yes)
        self.version += 1
        return Reply(True)

    def _set_computer(self, seat: Seat, strength: str | None) -> Reply:
        refusal = self._why_taken(seat)
        if refusal is not None:
            return refusal
        old, new = self.seating, self.seating.with_computer(seat, strength, self._game())

        def write() -> None:
            if new.custody != old.custody:
                self._store.save_withheld(new.custody)
            self._store.choices.keep(COMPUTERS_KEPT, new.computers_kept)

        return self._change(new, write)

    # Cards of a former player.

    def withheld(self) -> Mapping[Seat, Withheld]:
        return self.seating.withheld(self._game())

    def cards_requests(self, device: str) -> tuple[CardsRequest, ...]:
        return self.seating.cards_requests(self._game(), hash_of(device))

    def show_cards(self, device: str, number: int, yes: bool) -> Reply:
        """Show the cards that this device named to the present player, or say no."""
        asked = next((asked for asked in self.cards_requests(device) if asked.number == number), None)
        if asked is None:
            return refused("no_question")
        new = self.seating.answered(self.withheld()[asked.seat], yes)
        return self._change(new, lambda: self._store.save_withheld(new.custody))

    def distinct_name(self, name: str, *seats: Seat | None) -> str:
        """The name, with a number where it looks like that of a person elsewhere than at these seats."""
        others = [other for seat, other in self.names().items() if seat not in seats]
        return distinct_name(name, others, NAME_LENGTH)

    def _checked(self, name: str, seat: Seat, left: Seat | None = None) -> str | Reply:
        """The name in its one form and unlike those of others, or why it or the seat cannot be."""
        try:
            name = self.distinct_name(person_name(name), seat, left)
        except BadInputError as error:
            return bad_request(error)
        return name if seat in self._game().seats else refused("bad_request", reason=seat.name)
