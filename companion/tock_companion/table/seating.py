"""Who sits where: a seat is held by a secret token until its holder leaves it, or gives it to who asks for it."""

import hashlib
import hmac
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from tock_companion.errors import BadInputError
from tock_companion.hints.players import COMPUTERS
from tock_companion.rules import Seat
from tock_companion.storage import SeatHolder, Store
from tock_companion.table.requests import Reply, Request, Role, Ticket, refused

NAME_LENGTH = 24
COMPUTERS_KEPT = "computers"
SEAT_REQUESTS = frozenset({"answer_seat", "free_seat", "set_computer"})
ASKING_S = 180.0
"""So long a wish for a taken seat stays open."""


@dataclass(slots=True)
class SeatWish:
    """Somebody asks for a seat that is taken: a new phone of the same person, or somebody who takes over."""

    number: int
    seat: Seat
    name: str
    lang: str
    secret_hash: str
    since_s: float
    answer: bool | None = None


class Seating:
    """The holders of the seats; kept in the store, so that a restart changes nothing."""

    def __init__(self, store: Store, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self.choices = store.choices
        self._clock_s = clock_s
        self._lock = threading.RLock()
        self._wishes: list[SeatWish] = []
        self._asked = 0
        self._computers = _computers(store.choices.get(COMPUTERS_KEPT))
        self._holders = {holder.seat: holder for holder in store.holders()}

    def names(self) -> dict[Seat, str]:
        """Return the names of all holders."""
        return {seat: holder.name for seat, holder in self._holders.items()}

    def computers(self) -> dict[Seat, str]:
        """Return the seats that a computer plays for, with its strength."""
        return dict(self._computers)

    def set_computer(self, seat: Seat, strength: str | None) -> bool:
        """Have a computer of that strength play for a seat, None for none; False when somebody holds the seat."""
        with self._lock:
            if seat in self._holders:
                return False
            self._computers.pop(seat, None)
            if strength is not None:
                self._computers[seat] = strength
            self._keep_computers()
            return True

    def _keep_computers(self) -> None:
        self.choices.keep(COMPUTERS_KEPT, {seat.name: strength for seat, strength in self._computers.items()})

    def join(self, name: str, seat: Seat, lang: str) -> Ticket | None:
        """Give a free seat to a person; None when somebody else holds it."""
        with self._lock:
            if seat in self._holders:
                return None
            name = " ".join(name.split())[:NAME_LENGTH]
            token = secrets.token_hex(16)
            holder = SeatHolder(seat, name, lang, _digest(token))
            self._store.save_holder(holder)
            self._holders[seat] = holder
            # Who sits down takes over from the computer.
            if self._computers.pop(seat, None) is not None:
                self._keep_computers()
        return Ticket(seat, name, token)

    def holder(self, token: str) -> Seat | None:
        """Return the seat that this token holds."""
        digest = _digest(token)
        for seat, holder in self._holders.items():
            if hmac.compare_digest(holder.token_hash, digest):
                return seat
        return None

    def wishes(self) -> tuple[SeatWish, ...]:
        """Return the wishes for taken seats that nobody has answered yet."""
        with self._lock:
            now_s = self._clock_s()
            self._wishes = [wish for wish in self._wishes if now_s - wish.since_s < ASKING_S]
            return tuple(wish for wish in self._wishes if wish.answer is None)

    def ask(self, name: str, seat: Seat, lang: str) -> str:
        """Note that somebody asks for a taken seat; return the secret with which to hear the answer."""
        secret = secrets.token_hex(16)
        with self._lock:
            # One wish a seat: the newest counts, so that nobody can bury a holder in questions.
            self._wishes = [wish for wish in self._wishes if wish.seat is not seat]
            self._asked += 1
            cleaned = " ".join(name.split())[:NAME_LENGTH]
            self._wishes.append(SeatWish(self._asked, seat, cleaned, lang, _digest(secret), self._clock_s()))
        return secret

    def answer(self, number: int, yes: bool) -> bool:
        """Say yes or no to a wish; False when it is no longer open."""
        with self._lock:
            wish = next((wish for wish in self.wishes() if wish.number == number), None)
            if wish is None:
                return False
            wish.answer = yes
            if yes:
                self.free(wish.seat)
            return True

    def hear(self, secret: str) -> Ticket | bool | None:
        """Return what became of a wish: a ticket after a yes, None while nobody has answered, False after a no."""
        digest = _digest(secret)
        with self._lock:
            self.wishes()
            wish = next(
                (wish for wish in self._wishes if hmac.compare_digest(wish.secret_hash, digest)), None
            )
            if wish is None or wish.answer is None:
                return None if wish is not None else False
            self._wishes.remove(wish)
            if not wish.answer:
                return False
            return self.join(wish.name, wish.seat, wish.lang) or False

    def free(self, seat: Seat) -> None:
        """Take a seat from whoever holds it."""
        with self._lock:
            self._store.free_seat(seat)
            self._holders.pop(seat, None)


def answer_seat_request(seating: Seating, request: Request) -> Reply:
    """Judge one of `SEAT_REQUESTS`: the answer to who asks for a seat, or what the host does with one."""
    if request.kind == "set_computer":
        return _set_computer(seating, request)
    if request.kind == "free_seat":
        if request.role is not Role.HOST:
            return refused("not_allowed")
        try:
            seating.free(Seat.parse(request.data.get("seat")))
        except BadInputError as error:
            return refused("bad_request", reason=str(error))
        return Reply(True)
    number, yes = request.data.get("number"), request.data.get("yes")
    wish = next((wish for wish in seating.wishes() if wish.number == number), None)
    if wish is None or not isinstance(yes, bool):
        return refused("no_question")
    if request.role is not Role.HOST and request.seat is not wish.seat:
        return refused("not_allowed")
    seating.answer(wish.number, yes)
    return Reply(True)


def _set_computer(seating: Seating, request: Request) -> Reply:
    if request.role is not Role.HOST:
        return refused("not_allowed")
    strength = request.data.get("strength")
    try:
        seat = Seat.parse(request.data.get("seat"))
        if strength is not None and strength not in COMPUTERS:
            raise BadInputError(f"a computer is {', '.join(COMPUTERS)}")
    except BadInputError as error:
        return refused("bad_request", reason=str(error))
    if not seating.set_computer(seat, strength if isinstance(strength, str) else None):
        return refused("seat_taken", name=seating.names()[seat])
    return Reply(True)


def _computers(kept: object) -> dict[Seat, str]:
    """Return the computers that were kept; what this version does not know is left out."""
    if not isinstance(kept, dict):
        return {}
    return {
        Seat[name]: strength
        for name, strength in kept.items()
        if name in Seat.__members__ and strength in COMPUTERS
    }


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
