"""Who sits where: a seat is held by a secret token until its holder leaves it, or gives it to whoever asks for it."""

import hashlib
import hmac
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache

from pydantic import TypeAdapter, ValidationError

from tock_companion.errors import BadInputError, TockError
from tock_companion.hints.players import COMPUTERS
from tock_companion.rules import Seat
from tock_companion.schema import first_mistake
from tock_companion.storage import SeatHolder, Store
from tock_companion.table.bodies import AnswerSeat, FreeSeat, SetComputer
from tock_companion.table.fields import PersonName
from tock_companion.table.requests import Reply, Request, Role, Ticket, bad_request, refused

COMPUTERS_KEPT = "computers"
SEAT_REQUEST_OPEN_S = 180.0
"""How long somebody who asks for a taken seat waits for an answer."""


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """Somebody asks for a seat that is taken: a new phone of the same person, or somebody who takes over."""

    number: int
    seat: Seat
    name: str
    lang: str
    secret_hash: str
    since_s: float
    granted: bool | None = None
    """None while nobody has answered."""


@dataclass(frozen=True, slots=True)
class Joined:
    """What became of sitting down: the ticket when it was granted."""

    reply: Reply
    ticket: Ticket | None = None


@dataclass(frozen=True, slots=True)
class SeatAsked:
    """What became of asking for a taken seat: the secret with which to hear the answer."""

    reply: Reply
    secret: str = ""


@dataclass(frozen=True, slots=True)
class SeatHeard:
    """What became of a request for a taken seat: a ticket after a yes; neither after a no, or when time is up."""

    ticket: Ticket | None = None
    waiting: bool = False
    """Nobody has answered yet."""


class People:
    """The holders of the seats; kept in the store, so that a restart changes nothing. Any thread may call this."""

    def __init__(
        self,
        store: Store,
        seats: Callable[[], tuple[Seat, ...]],
        changed: Callable[[], None] = lambda: None,
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take up who sat where; `seats` gives the seats that play, `changed` is called after every change."""
        self._store, self._seats, self._changed, self._clock_s = store, seats, changed, clock_s
        self._lock = threading.RLock()
        self._requests: list[SeatRequest] = []
        self._asked = 0
        self._computers = _computers(store.choices.get(COMPUTERS_KEPT))
        # Replaced and never changed, so that any thread may read it without the lock.
        self._holders = {holder.seat: holder for holder in store.holders()}

    def names(self) -> dict[Seat, str]:
        """The names of all holders."""
        return {seat: holder.name for seat, holder in self._holders.items()}

    def computers(self) -> dict[Seat, str]:
        """The seats that a computer plays for, with its strength."""
        return dict(self._computers)

    def holder(self, token: str) -> Seat | None:
        """The seat that this token holds."""
        digest = _digest(token)
        for seat, holder in self._holders.items():
            if hmac.compare_digest(holder.token_hash, digest):
                return seat
        return None

    def join(self, name: str, seat: Seat, lang: str = "fr") -> Joined:
        """Give a free seat to a person; refused when somebody sits there or has just been promised the seat."""
        try:
            name = _person_name(name)
        except BadInputError as error:
            return Joined(bad_request(error))
        if seat not in self._seats():
            return Joined(refused("bad_request", reason=seat.name))
        with self._lock:
            promised = next((asked for asked in self._open() if asked.seat is seat and asked.granted), None)
            if seat in self._holders or promised is not None:
                taken_by = self.names().get(seat) or (promised.name if promised is not None else seat.name)
                return Joined(refused("seat_taken", name=taken_by))
            return self._seat(name, seat, lang)

    def _seat(self, name: str, seat: Seat, lang: str) -> Joined:
        token = secrets.token_hex(16)
        holder = SeatHolder(seat, name, lang, _digest(token))
        # Whoever sits down takes over from the computer.
        computers = {other: strength for other, strength in self._computers.items() if other is not seat}
        try:
            self._store.save_holder(holder, {COMPUTERS_KEPT: _named(computers)})
        except TockError as error:
            return Joined(refused("disk", reason=str(error)))
        self._holders, self._computers = {**self._holders, seat: holder}, computers
        self._changed()
        return Joined(Reply(True), Ticket(seat, name, token))

    def leave(self, token: str) -> Reply:
        """Free the seat that this token holds."""
        seat = self.holder(token)
        return self._free(seat) if seat is not None else Reply(True)

    def requests(self) -> tuple[SeatRequest, ...]:
        """The requests for taken seats that nobody has answered yet."""
        with self._lock:
            return tuple(asked for asked in self._open() if asked.granted is None)

    def next_expiry_s(self) -> float | None:
        """In how many seconds the next request for a seat has waited long enough; None while there is none."""
        with self._lock:
            since_s = [asked.since_s for asked in self._requests]
        return max(0.0, min(since_s) + SEAT_REQUEST_OPEN_S - self._clock_s()) if since_s else None

    def ask(self, name: str, seat: Seat, lang: str = "fr") -> SeatAsked:
        """Ask the holder and the host for a taken seat."""
        try:
            name = _person_name(name)
        except BadInputError as error:
            return SeatAsked(bad_request(error))
        if seat not in self._seats():
            return SeatAsked(refused("bad_request", reason=seat.name))
        secret = secrets.token_hex(16)
        with self._lock:
            if seat not in self._holders:
                return SeatAsked(refused("seat_free"))
            # One request a seat: the newest counts, so that nobody can bury a holder in questions.
            self._requests = [asked for asked in self._open() if asked.seat is not seat]
            self._asked += 1
            self._requests.append(
                SeatRequest(self._asked, seat, name, lang, _digest(secret), self._clock_s())
            )
        self._changed()
        return SeatAsked(Reply(True), secret)

    def hear(self, secret: str) -> SeatHeard:
        """Tell whoever asked for a taken seat what became of it; after a yes they sit down."""
        digest = _digest(secret)
        with self._lock:
            asked = next(
                (asked for asked in self._open() if hmac.compare_digest(asked.secret_hash, digest)), None
            )
            if asked is not None and asked.granted is None:
                return SeatHeard(waiting=True)
            if asked is None or not asked.granted:
                self._forget(asked)
                return SeatHeard()
            joined = self._seat(asked.name, asked.seat, asked.lang)
            if joined.ticket is None:
                # The disk refused: the seat stays promised, and the next question may find it mended.
                return SeatHeard(waiting=True)
            self._forget(asked)
            return SeatHeard(joined.ticket)

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
        with self._lock:
            asked = next((asked for asked in self.requests() if asked.number == number), None)
            if asked is None:
                return refused("no_question")
            if request.role is not Role.HOST and request.seat is not asked.seat:
                return refused("not_allowed")
            freed = self._free(asked.seat) if yes else Reply(True)
            if freed.ok:
                answered = replace(asked, granted=yes)
                self._requests = [answered if other is asked else other for other in self._requests]
                self._changed()
            return freed

    def _set_computer(self, seat: Seat, strength: str | None) -> Reply:
        with self._lock:
            if seat in self._holders:
                return refused("seat_taken", name=self._holders[seat].name)
            others = {other: known for other, known in self._computers.items() if other is not seat}
            try:
                self._keep_computers(others if strength is None else {**others, seat: strength})
            except TockError as error:
                return refused("disk", reason=str(error))
        self._changed()
        return Reply(True)

    def _free(self, seat: Seat) -> Reply:
        with self._lock:
            try:
                self._store.free_seat(seat)
            except TockError as error:
                return refused("disk", reason=str(error))
            self._holders = {other: held for other, held in self._holders.items() if other is not seat}
        self._changed()
        return Reply(True)

    def _keep_computers(self, computers: dict[Seat, str]) -> None:
        self._store.choices.keep(COMPUTERS_KEPT, _named(computers))
        self._computers = computers

    def _open(self) -> list[SeatRequest]:
        """The requests whose time is not up, answered ones too."""
        now_s = self._clock_s()
        self._requests = [asked for asked in self._requests if now_s - asked.since_s < SEAT_REQUEST_OPEN_S]
        return self._requests

    def _forget(self, asked: SeatRequest | None) -> None:
        if asked is not None:
            self._requests = [other for other in self._requests if other is not asked]
            self._changed()


def _named(computers: Mapping[Seat, str]) -> dict[str, str]:
    return {seat.name: strength for seat, strength in computers.items()}


def _computers(kept: object) -> dict[Seat, str]:
    """The computers that were kept; what this version does not know is left out."""
    if not isinstance(kept, dict):
        return {}
    return {
        Seat[name]: strength
        for name, strength in kept.items()
        if name in Seat.__members__ and strength in COMPUTERS
    }


@cache
def _name_reader() -> TypeAdapter[str]:
    return TypeAdapter(PersonName)


def _person_name(name: str) -> str:
    try:
        return _name_reader().validate_python(name)
    except ValidationError as error:
        raise BadInputError(first_mistake(error, "name")) from None


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()
