"""Who sits where: a seat is held by a secret token until its holder leaves it, or gives it to whoever asks for it."""

import hmac
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tock_companion.errors import BadInputError, TockError
from tock_companion.rules import Seat
from tock_companion.storage import SeatHolder, Store, Withheld
from tock_companion.table.core.bodies import AnswerSeat, FreeSeat, SetComputer
from tock_companion.table.core.requests import Reply, Request, Role, Ticket, bad_request, refused
from tock_companion.table.seats.computer_seats import COMPUTERS_KEPT, from_kept, to_keep
from tock_companion.table.seats.custody import (
    COMPUTER,
    NOBODY,
    CardsRequest,
    Custody,
    HandMark,
    Holder,
    after_leaving,
    after_sitting,
    covering,
    without,
)
from tock_companion.table.seats.identity import digest, hash_of, person_name
from tock_companion.table.seats.renewals import Renewals
from tock_companion.table.seats.seat_requests import MAX_ASKING_FOR_A_SEAT, SeatRequest, SeatRequests
from tock_companion.table.seats.sitting import Joined, SeatAsked, SeatHeard


def at_once(work: Callable[[], Any]) -> Any:
    """Do something without waiting for a turn: there is no other thread."""
    return work()


class People:
    """The holders of the seats; kept in the store, so that a restart changes nothing.

    Any thread may call this. All changes are made by the table's thread, one after the other: nobody gets a ticket
    before the views hide what its owner may not see.
    """

    def __init__(
        self,
        store: Store,
        seats: Callable[[], tuple[Seat, ...]],
        changed: Callable[[], None] = lambda: None,
        clock_s: Callable[[], float] = time.monotonic,
        *,
        in_turn: Callable[[Callable[[], Any]], Any] = at_once,
        mark_of: Callable[[Seat], HandMark | None] = lambda _seat: None,
        keep: Callable[[Callable[[], None]], None] = at_once,
        moved: Callable[[Seat, Seat], None] = lambda _before, _now: None,
    ) -> None:
        """Take up who sat where; `seats` gives the seats that play, `changed` is called after every change.

        `in_turn` has something done by the table's thread; `mark_of` says which hand a seat holds, None for no hand;
        `keep` has something written to the disk; `moved` is called when somebody has left a seat for another.
        """
        self._moved = moved
        self._store, self._seats, self._changed = store, seats, changed
        self._in_turn, self._mark_of, self._keep = in_turn, mark_of, keep
        # Everything below is replaced and never changed, so that any thread may read it.
        self._requests = SeatRequests(clock_s)
        self._renewals = Renewals(clock_s)
        self._computers = from_kept(store.choices.get(COMPUTERS_KEPT))
        self._holders = {holder.seat: holder for holder in store.holders()}
        self._custody: Custody = store.withheld()
        self._sittings = {seat: number for number, seat in enumerate(self._holders, start=1)}
        self._sat = len(self._sittings)

    def names(self) -> dict[Seat, str]:
        """The names of all holders."""
        return {seat: holder.name for seat, holder in self._holders.items()}

    def sitting(self) -> list[Seat]:
        """The seats that people hold, of whoever has sat for the longest time first."""
        return sorted(self._holders, key=lambda seat: self._sittings[seat])

    def computers(self) -> dict[Seat, str]:
        """The seats that a computer plays for, with its strength."""
        return dict(self._computers)

    def holder(self, token: str, device: str = "") -> Seat | None:
        """The seat that this token holds, on the device that it was given to."""
        token_hash, device_hash = digest(token), digest(device)
        for seat, holder in self._holders.items():
            is_newest = hmac.compare_digest(holder.token_hash, token_hash)
            if is_newest or hmac.compare_digest(self._renewals.former(seat), token_hash):
                if holder.device_hash and not hmac.compare_digest(holder.device_hash, device_hash):
                    return None
                if is_newest:
                    self._renewals.arrived(seat)
                return seat
        return None

    def renew(self, token: str, device: str = "") -> Ticket | None:
        """Give the seat of an old token a new one; the old one counts until the new one is used."""
        if self._due(token, device) is None:
            return None
        ticket: Ticket | None = self._in_turn(lambda: self._renew(token, device))
        return ticket

    def _due(self, token: str, device: str) -> Seat | None:
        seat = self.holder(token, device)
        return seat if seat is not None and self._renewals.is_due(seat) else None

    def _renew(self, token: str, device: str) -> Ticket | None:
        seat = self._due(token, device)
        if seat is None:
            return None
        holder, renewed = self._holders[seat], secrets.token_hex(16)
        kept = replace(holder, token_hash=digest(renewed))
        try:
            self._keep(lambda: self._store.save_holder(kept))
        except TockError:
            # The one they have counts on.
            return None
        self._renewals.note(seat, digest(token))
        self._holders = {**self._holders, seat: kept}
        return Ticket(seat, kept.name, renewed)

    # Sitting down and standing up.

    def join(
        self, name: str, seat: Seat, lang: str = "fr", device: str = "", leaves: str | None = None
    ) -> Joined:
        """Give a free seat to a person; refused when somebody sits there or has just been promised the seat.

        The seat of the token that they leave for it becomes free in the same step.
        """
        checked = self._checked(name, seat)
        if isinstance(checked, Reply):
            return Joined(checked)
        joined: Joined = self._in_turn(lambda: self._join(checked, seat, lang, device, leaves))
        return joined

    def _join(self, name: str, seat: Seat, lang: str, device: str, leaves: str | None) -> Joined:
        device_hash = hash_of(device)
        promised = self._requests.promised(seat)
        if promised is not None and promised.device_hash == device_hash != "":
            self._requests.drop(promised)
            promised = None
        if seat in self._holders or promised is not None:
            taken_by = self.names().get(seat) or (promised.name if promised is not None else seat.name)
            return Joined(refused("seat_taken", name=taken_by))
        return self._seat(name, seat, lang, device_hash, self.holder(leaves, device) if leaves else None)

    def _seat(self, name: str, seat: Seat, lang: str, device_hash: str, left: Seat | None) -> Joined:
        token = secrets.token_hex(16)
        holder = SeatHolder(seat, name, lang, digest(token), device_hash)
        # Whoever sits down takes over from the computer, but not its cards.
        computers = {other: strength for other, strength in self._computers.items() if other is not seat}
        mark = self._mark_of(seat)
        taken = after_leaving(self._custody, seat, mark, self._holder_of(seat))
        custody = after_sitting(taken, seat, mark, Holder(device_hash, name))
        if left is not None:
            custody = after_leaving(custody, left, self._mark_of(left), self._holder_of(left))
        try:
            chosen = {COMPUTERS_KEPT: to_keep(computers)}
            self._keep(lambda: self._store.save_holder(holder, chosen, custody, left))
        except TockError as error:
            return Joined(refused("disk", reason=str(error)))
        self._renewals.note(seat)
        self._sat += 1
        self._sittings = {**self._sittings, seat: self._sat}
        others = {other: known for other, known in self._holders.items() if other is not left}
        self._holders, self._custody = {**others, seat: holder}, custody
        self._computers = computers
        if left is not None:
            self._moved(left, seat)
        self._changed()
        return Joined(Reply(True), Ticket(seat, name, token))

    def leave(self, token: str, device: str = "") -> Reply:
        """Free the seat that this token holds."""

        def work() -> Reply:
            seat = self.holder(token, device)
            return self._free(seat) if seat is not None else Reply(True)

        reply: Reply = self._in_turn(work)
        return reply

    def _free(self, seat: Seat) -> Reply:
        custody = after_leaving(self._custody, seat, self._mark_of(seat), self._holder_of(seat))
        try:
            self._keep(lambda: self._store.free_seat(seat, custody))
        except TockError as error:
            return refused("disk", reason=str(error))
        self._holders = {other: holder for other, holder in self._holders.items() if other is not seat}
        self._custody = custody
        self._changed()
        return Reply(True)

    def _holder_of(self, seat: Seat) -> Holder:
        holder = self._holders.get(seat)
        if holder is not None:
            return Holder(holder.device_hash, holder.name)
        return Holder(COMPUTER) if seat in self._computers else NOBODY

    def reseat(self, places: Mapping[Seat, Seat]) -> Reply:
        """Have people and computers change places, all at once; seats that are left out stay as they are."""
        holders = {places.get(seat, seat): holder for seat, holder in self._holders.items()}
        moved = {seat: replace(holder, seat=seat) for seat, holder in holders.items()}
        computers = {places.get(seat, seat): strength for seat, strength in self._computers.items()}
        try:
            self._keep(lambda: self._store.save_holders(moved.values(), {COMPUTERS_KEPT: to_keep(computers)}))
        except TockError as error:
            return refused("disk", reason=str(error))
        for seat in moved:
            self._renewals.note(seat)
        self._sittings = {places.get(seat, seat): number for seat, number in self._sittings.items()}
        self._holders, self._computers = moved, computers
        self._changed()
        return Reply(True)

    # Asking for a taken seat.

    def requests(self) -> tuple[SeatRequest, ...]:
        """The requests for taken seats that nobody has answered yet."""
        return tuple(asked for asked in self._requests.open() if asked.granted is None)

    def next_expiry_s(self) -> float | None:
        """In how many seconds the next request for a seat has waited long enough; None while there is none."""
        return self._requests.next_expiry_s()

    def ask(self, name: str, seat: Seat, lang: str = "fr", device: str = "", address: str = "") -> SeatAsked:
        """Ask the holder and the host for a taken seat; one device at a time at an address may ask for a seat."""
        checked = self._checked(name, seat)
        if isinstance(checked, Reply):
            return SeatAsked(checked)
        asked: SeatAsked = self._in_turn(
            lambda: self._ask(SeatRequest(seat, checked, lang, "", hash_of(device), address))
        )
        return asked

    def _ask(self, asked: SeatRequest) -> SeatAsked:
        promised, waiting = self._requests.promised(asked.seat), self._requests.waiting(asked.seat)
        known = [promised] if promised is not None else waiting
        before = next((one for one in known if one.device_hash == asked.device_hash != ""), None)
        if before is None:
            refusal = self._may_not_ask(asked, promised, waiting)
            if refusal is not None:
                return SeatAsked(refusal)
        secret = secrets.token_hex(16)
        self._requests.take(before, replace(asked, secret_hash=digest(secret)))
        self._changed()
        return SeatAsked(Reply(True), secret)

    def _may_not_ask(
        self, asked: SeatRequest, promised: SeatRequest | None, waiting: Sequence[SeatRequest]
    ) -> Reply | None:
        if promised is not None:
            # Whoever came later would take the yes that was meant for the first.
            return refused("seat_asked", name=promised.name)
        if asked.seat not in self._holders:
            return refused("seat_free")
        near = next((one for one in waiting if one.address == asked.address), None)
        if near is not None or len(waiting) >= MAX_ASKING_FOR_A_SEAT:
            return refused("seat_asked", name=(near or waiting[0]).name)
        pause_s = self._requests.pause_s(asked.seat, asked.address)
        return refused("seat_asked_often", seconds=str(pause_s)) if pause_s else None

    def hear(self, secret: str, device: str = "", leaves: str | None = None) -> SeatHeard:
        """Tell the device that asked for a taken seat what became of it; after a yes they sit down.

        The seat of the token that they leave for it becomes free in the same step.
        """
        heard: SeatHeard = self._in_turn(lambda: self._hear(digest(secret), device, leaves))
        return heard

    def _hear(self, digest: str, device: str, leaves: str | None) -> SeatHeard:
        device_hash, left = hash_of(device), self.holder(leaves, device) if leaves else None
        asked = self._requests.of_secret(digest)
        if asked is None or asked.device_hash not in ("", device_hash):
            return SeatHeard()
        if asked.granted is None:
            return SeatHeard(waiting=True)
        if not asked.granted:
            self._forget(asked)
            return SeatHeard()
        joined = self._seat(asked.name, asked.seat, asked.lang, asked.device_hash, left)
        if joined.ticket is None:
            # The disk refused: the seat stays promised, and the next question may find it mended.
            return SeatHeard(waiting=True)
        self._forget(asked)
        return SeatHeard(joined.ticket)

    # What holders and the host ask of the table.

    def answer(self, request: Request) -> Reply:
        """Answer what a holder or the host asks about seats; the table of handlers has said who may."""
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
        freed = self._free(asked.seat) if yes else Reply(True)
        if freed.ok:
            self._requests.answer(asked, yes)
            self._changed()
        return freed

    def _set_computer(self, seat: Seat, strength: str | None) -> Reply:
        promised = self._requests.promised(seat)
        if seat in self._holders or promised is not None:
            taken_by = self.names().get(seat) or (promised.name if promised is not None else seat.name)
            return refused("seat_taken", name=taken_by)
        others = {other: known for other, known in self._computers.items() if other is not seat}
        mark = self._mark_of(seat)
        if strength is None:
            custody = after_leaving(self._custody, seat, mark, self._holder_of(seat))
        elif seat in self._computers:
            custody = self._custody
        else:
            left = after_leaving(self._custody, seat, mark, NOBODY)
            custody = after_sitting(left, seat, mark, Holder(COMPUTER))
        try:
            if custody != self._custody:
                self._keep(lambda: self._store.save_withheld(custody))
            self._keep_computers(others if strength is None else {**others, seat: strength})
        except TockError as error:
            return refused("disk", reason=str(error))
        self._custody = custody
        self._changed()
        return Reply(True)

    # Cards of somebody who sits there no longer.

    @property
    def custody(self) -> Custody:
        """Which cards are withheld from those who hold the seats now."""
        return self._custody

    def withheld(self) -> Mapping[Seat, Withheld]:
        """The seats whose present hand is withheld from their holder, where the table knows cards of it."""
        found = {seat: covering(self._custody, seat, self._mark_of(seat)) for seat in self._seats()}
        return {seat: kept for seat, kept in found.items() if kept is not None and kept.cards}

    def cards_requests(self, device: str) -> tuple[CardsRequest, ...]:
        """Who sits where this device told cards, and has got neither a yes nor a no."""
        owner, holders = hash_of(device), self._holders
        return tuple(
            CardsRequest(self._sittings[seat], seat, holders[seat].name)
            for seat, kept in self.withheld().items()
            if owner and kept.owner == owner and seat in holders and not kept.refused
        )

    def show_cards(self, device: str, number: int, yes: bool) -> Reply:
        """Show the cards that this device told to whoever sits there now, or say no."""
        reply: Reply = self._in_turn(lambda: self._show_cards(device, number, yes))
        return reply

    def _show_cards(self, device: str, number: int, yes: bool) -> Reply:
        asked = next((asked for asked in self.cards_requests(device) if asked.number == number), None)
        if asked is None:
            return refused("no_question")
        kept = self.withheld()[asked.seat]
        answered = tuple(replace(other, refused=True) if other is kept else other for other in self._custody)
        custody = without(self._custody, kept) if yes else answered
        try:
            self._keep(lambda: self._store.save_withheld(custody))
        except TockError as error:
            return refused("disk", reason=str(error))
        self._custody = custody
        self._changed()
        return Reply(True)

    def _checked(self, name: str, seat: Seat) -> str | Reply:
        """The name in its one form, or why it or the seat cannot be."""
        try:
            name = person_name(name)
        except BadInputError as error:
            return bad_request(error)
        return name if seat in self._seats() else refused("bad_request", reason=seat.name)

    def _keep_computers(self, computers: dict[Seat, str]) -> None:
        self._keep(lambda: self._store.choices.keep(COMPUTERS_KEPT, to_keep(computers)))
        self._computers = computers

    def _forget(self, asked: SeatRequest) -> None:
        self._requests.drop(asked)
        self._changed()
