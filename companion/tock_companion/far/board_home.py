"""The home table's side of a board elsewhere: sends it the recorded facts, hears its position and its people."""

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import cast

from pydantic import ValidationError

from tock_companion.background import Follower
from tock_companion.core.bodies import FAR_PLAY
from tock_companion.core.following import CopyReport, is_gift
from tock_companion.core.requests import Reply, Role, bad_request, parse_request, refused
from tock_companion.core.state import Copying
from tock_companion.errors import BadInputError, TockError
from tock_companion.far.board_messages import (
    BUNDLE,
    Answered,
    Ask,
    Document,
    Sit,
    Word,
    fact_to_json,
    game_code,
)
from tock_companion.far.calls import ANSWERS_KEPT
from tock_companion.table.runtime.live import Table
from tock_companion.table.runtime.reply_words import reply_words
from tock_companion.views.schema import View
from tock_companion.views.state import Sign, SignGiven
from tock_rules import Seat

PATIENCE_S = 5.0


class BoardAtHome:
    """One board elsewhere, as the home table knows it."""

    def __init__(
        self,
        table: Table,
        board: str,
        device: str,
        tell: Callable[[Document], None],
        give_sign: Callable[[Seat | None, Sign], object] = lambda _seat, _sign: None,
    ) -> None:
        """Prepare; `tell` sends a document to the board, and drops it while there is no line.

        `give_sign` shows a sign of the board's people in both homes.

        `device` is the secret by which the table knows the board's people, whatever happens to either companion.
        """
        self._table, self._board, self._device, self._tell = table, board, device, tell
        self._give_sign = give_sign
        self._tokens: dict[Seat, str] = {}
        self._sent: tuple[str, int] | None = None
        """The game that the board has and the number of its facts; None before its first word."""
        self._names: Document | None = None
        self._numbers: list[int] = []
        self._answers: OrderedDict[str, Answered] = OrderedDict()
        self._turn = Lock()
        """Facts go out in their order, from any thread."""
        self._follower: Follower[View] = Follower(
            "far-board",
            "tells a board elsewhere what was recorded",
            lambda: table.subscribe(Role.WATCH),
            lambda _view: self._tell_news(),
            PATIENCE_S,
        )

    @property
    def seats(self) -> frozenset[Seat]:
        holder, tokens = self._table.people.holder, self._tokens
        return frozenset(
            seat for seat, token in tokens.items() if holder(token, self._device_of(seat)) is seat
        )

    def start(self) -> None:
        """Begin to tell it what happens; its former players sit there again."""
        for seat in self._table.people.names():
            ticket = self._table.people.again(seat, self._device_of(seat))
            if ticket is not None:
                self._tokens[seat] = ticket.token
        self._report(Copying.LATER)
        self._follower.start()

    def stop(self) -> None:
        """The board has left the game, and its people with it."""
        self._follower.stop()
        for seat in self.seats:
            self._table.people.leave(self._tokens[seat], self._device_of(seat))
        self._report(Copying.GONE)

    def suspend(self) -> None:
        """This companion ends; the board is expected again at its next start."""
        self._follower.stop()

    def hear(self, document: Document) -> None:
        """Take in a message of the board elsewhere; ignore one of another form."""
        try:
            word = Word.model_validate(dict(document))
        except ValidationError:
            return
        if word.have is not None:
            with self._turn:
                self._sent, self._names = (word.have.game, word.have.facts), None
            self._report(Copying.BEHIND)
        if word.sit is not None:
            self._sit(word.sit)
        if word.stand is not None and word.stand in self.seats:
            self._table.people.leave(self._tokens.pop(word.stand), self._device_of(word.stand))
        if word.ask is not None:
            self._tell({"answer": self._answer(word.ask).model_dump()})
        if word.shows is not None and word.shows <= len(self._numbers):
            self._report(Copying.SHOWN, self._numbers[word.shows - 1] if word.shows else 0)
        if word.later:
            self._report(Copying.LATER)
        sign = word.sign
        if sign is not None and sign.seat is not None and sign.seat in self.seats:
            self._give_sign(sign.seat, sign.sign)
        self._tell_news()

    def sign(self, given: SignGiven) -> None:
        if self._sent is not None:
            seat = None if given.seat is None else given.seat.name
            shown = {"seat": seat, "sign": given.sign, "number": given.number, "name": given.name}
            self._tell({"sign": shown})

    def line_is_cut(self) -> None:
        """The turn does not wait for a board that cannot be reached."""
        with self._turn:
            self._sent = None
        self._report(Copying.LATER)

    def _sit(self, asked: Sit) -> None:
        if asked.seat in self.seats:
            return
        # Until its secret is noted, the seat would seem taken to the board.
        with self._turn:
            joined = self._table.people.join(asked.name, asked.seat, asked.lang, self._device_of(asked.seat))
            if joined.ticket is not None:
                self._tokens = {**self._tokens, asked.seat: joined.ticket.token}
            else:
                # The names sent again, the board sees that the seat is taken.
                self._names = None

    def _answer(self, ask: Ask) -> Answered:
        known = self._answers.get(ask.id)
        if known is not None:
            return known
        reply = self._judged(ask)
        answer = Answered(
            id=ask.id,
            ok=reply.ok,
            code=reply.code,
            message=cast(dict[str, str] | None, reply_words(reply, self._table.names)),
        )
        self._answers[ask.id] = answer
        while len(self._answers) > ANSWERS_KEPT:
            self._answers.popitem(last=False)
        return answer

    def _judged(self, ask: Ask) -> Reply:
        """The table's reply; only for a seat of the board, and only about the game."""
        if ask.seat not in self.seats:
            return refused("seat_lost")
        try:
            request = parse_request(ask.kind, ask.data, Role.SEAT, ask.seat)
        except BadInputError as error:
            return bad_request(error)
        if request.kind not in FAR_PLAY:
            return refused("not_allowed")
        try:
            return self._table.request(request, lambda: ask.seat in self.seats)
        except (TimeoutError, TockError):
            return refused("home_away")

    def _report(self, copying: Copying, at: int = 0) -> None:
        self._table.hear(CopyReport(self._board, copying, at))

    def _tell_news(self) -> float:
        with self._turn:
            if self._sent is not None:
                self._tell_names()
                self._sent = self._bring_up_to_date(*self._sent)
        return 0.0

    def _bring_up_to_date(self, game: str, known: int) -> tuple[str, int]:
        started, numbered = self._table.facts()
        code = game_code(started)
        self._numbers = [number for number, _ in numbered]
        if game != code or known > len(numbered):
            # Another game, or a copy that knows more than its original: it begins again.
            known = 0
            self._tell({"game": code, "started": fact_to_json(started)})
        gifts = self._gifts() if any(is_gift(fact) for _, fact in numbered[known:]) else {}
        for first in range(known, len(numbered), BUNDLE):
            some = numbered[first : first + BUNDLE]
            facts = [fact_to_json(fact) for _, fact in some]
            cards = {str(first + i): gifts[number] for i, (number, _) in enumerate(some) if number in gifts}
            self._tell({"game": code, "first": first, "facts": facts, **({"cards": cards} if cards else {})})
        return code, len(numbered)

    def _gifts(self) -> dict[int, str]:
        """The cards that people there give or get, by the number of the fact."""
        seats, gifts = self.seats, self._table.gifts().items()
        return {number: str(card) for number, (*both, card) in gifts if seats & set(both)}

    def _tell_names(self) -> None:
        names = {seat.name: name for seat, name in self._table.names.players.items()}
        seats = sorted(seat.name for seat in self.seats)
        people: Document = {"names": names, "seats": seats, "lobby": self._table.is_prepared}
        if people != self._names:
            self._names = people
            self._tell(people)

    def _device_of(self, seat: Seat) -> str:
        return hashlib.sha256(f"{self._device} {seat.name}".encode()).hexdigest()[:32]
