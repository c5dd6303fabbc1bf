"""The other side: a table with a board of its own that follows the home table's game.

It goes on showing the game while the line is cut, and says by itself how far it is once the line is back.
"""

import logging
import secrets
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from threading import Lock
from time import monotonic

from pydantic import ValidationError

from tock_companion.background import Follower
from tock_companion.core.bodies import MovePawns, PlayCard
from tock_companion.core.following import HomeFacts
from tock_companion.core.requests import Reply, Request, Role, refused, request_data
from tock_companion.core.state import Made
from tock_companion.errors import BadInputError, escaped
from tock_companion.events.facts import GameStarted
from tock_companion.far.board_messages import (
    SIGN_S,
    Document,
    News,
    fact_from_json,
    game_code,
    started_from_json,
)
from tock_companion.table.runtime.live import Table
from tock_companion.views.schema import View
from tock_companion.views.state import FarHome, Sign, SignGiven
from tock_rules import Seat

LOG = logging.getLogger(__name__)
PATIENCE_S = 2.0
ANSWER_S = 6.0
AT_HOME = "far-home"
"""The address and device of people at the other home who ask for a seat."""


class BoardAway:
    """This table, as one that follows the game of another."""

    def __init__(
        self,
        table: Table,
        tell: Callable[[Document], bool],
        home: Callable[[], FarHome] = lambda: FarHome("here"),
    ) -> None:
        """Prepare; `tell` sends a document home, and returns False while there is no line.

        `home` is how things stand with it.
        """
        self._table, self._tell, self._home = table, tell, home
        self._sign: SignGiven | None = None
        self._sign_until_s = 0.0
        self._standing: tuple[FarHome | None, SignGiven | None] = None, None
        self._game = ""
        """The code of the game that is followed."""
        self._seats: frozenset[Seat] = frozenset()
        """The seats of people here, as home knows them."""
        self._others: dict[Seat, str] = {}
        """The people at the home table."""
        self._prepares = False
        """Whether they have not begun the game yet."""
        self._shown = -1
        self._proposed: Made | None = None
        self._asked: dict[str, Future[Reply]] = {}
        self._has_complained = False
        """Whether the log has a line about messages that cannot be read."""
        self._lock = Lock()
        self.refusal: Reply | None = None
        """Why the home table's game cannot be followed here."""
        self._follower: Follower[View] = Follower(
            "far-home",
            "where this board follows another home: says what it shows",
            lambda: table.subscribe(Role.WATCH),
            lambda _view: self._look(),
            PATIENCE_S,
        )

    def start(self) -> None:
        self._table.forward = self.forward
        self._follower.start()

    def stop(self) -> None:
        """Follow no longer; the copy of the game stays."""
        self._follower.stop()
        self._table.forward = None
        self._table.show_home(None)

    def line_is_up(self) -> None:
        """Report the facts that this table has, so that home sends the rest."""
        self._shown, self._proposed = -1, None
        following = self._table.following
        known = 0 if following is None else len(following.numbers)
        self._tell({"have": {"game": self._game if following is not None else "", "facts": known}})

    def sign(self, seat: Seat, sign: Sign) -> bool:
        """Give a sign of a player here to both homes; False while there is no line."""
        return self._tell({"sign": {"seat": seat.name, "sign": sign}})

    def later(self) -> None:
        self._tell({"later": True})

    def hear(self, document: Document) -> None:
        """Take in a message of home; ignore anything else, and ask for missing facts."""
        try:
            news = News.model_validate(dict(document))
            facts = tuple(fact_from_json(one) for one in news.facts)
            cards = {int(place): card for place, card in news.cards.items()}
            started = started_from_json(news.started) if news.started is not None else None
        except (ValidationError, BadInputError) as error:
            if not self._has_complained:
                LOG.warning(
                    "the other home sends a message that cannot be read (%.200s)", escaped(str(error))
                )
            self._has_complained = True
            return
        if news.answer is not None:
            waiting = self._asked.get(news.answer.id)
            if waiting is not None:
                with suppress(Exception):
                    waiting.set_result(news.answer.reply())
        if news.sign is not None:
            given = news.sign
            self._sign = SignGiven(given.number, given.seat, given.sign, given.name)
            self._sign_until_s = monotonic() + SIGN_S
            self._show_home()
        if news.names is not None:
            self._prepares = news.lobby
            self._meet(news.names, frozenset(news.seats))
        if started is not None:
            self._follow(started)
        following = self._table.following
        if following is None or news.game != self._game or started is not None:
            return
        if news.first > len(following.numbers):
            self.line_is_up()
        elif facts:
            with suppress(TimeoutError):
                self._table.hear(HomeFacts(news.first, facts, cards))

    def forward(self, request: Request) -> Reply:
        """Send a request of a player here to home."""
        if request.role is not Role.SEAT or request.seat is None:
            return refused("home_decides")
        body = request.body
        if isinstance(body, MovePawns) and self._table.game.card is not None:
            # People at home make the move that was tapped here.
            body = PlayCard(self._table.game.card, body.text)
        return self._ask(request.seat, body.KIND, request_data(body)) or refused("home_away")

    def _ask(self, seat: Seat, kind: str, data: Document) -> Reply | None:
        """Ask home for a seat here; None where no answer comes."""
        ask_id, answer = secrets.token_hex(8), Future[Reply]()
        with self._lock:
            self._asked = {**self._asked, ask_id: answer}
        try:
            asked = {"id": ask_id, "seat": seat.name, "kind": kind, "data": data}
            return answer.result(ANSWER_S) if self._tell({"ask": asked}) else None
        except TimeoutError:
            return None
        finally:
            with self._lock:
                self._asked = {one: waiting for one, waiting in self._asked.items() if one != ask_id}

    def _meet(self, names: dict[Seat, str], seats: frozenset[Seat]) -> None:
        """Take in who sits where: a person here is asked for a seat that is another's at home."""
        others = {seat: name for seat, name in names.items() if seat not in seats}
        for seat in self._table.people.names().keys() & others.keys():
            if self._others.get(seat) != others[seat]:
                self._table.people.ask(
                    others[seat], seat,
                    device=f"{AT_HOME} {seat.name}", address=AT_HOME, sits_elsewhere=True,
                )  # fmt: skip
        if others != self._others:
            self._others = others
            self._table.expect(others)
        if seats != self._seats:
            self._seats = seats
            if self._table.following is not None:
                self._table.follow(self._table.game.started, seats)

    def _follow(self, started: GameStarted) -> None:
        reply = self._table.follow(started, self._seats)
        self.refusal = None if reply.ok else reply
        self._game = game_code(started) if reply.ok else ""

    def _show_home(self) -> None:
        home = self._home()
        if home.state == "here" and self._prepares:
            home = FarHome("prepares")
        standing = home, self._sign if monotonic() < self._sign_until_s else None
        if standing != self._standing:
            self._standing = standing
            self._table.show_home(*standing)

    def _look(self) -> float:
        self._show_home()
        self._tell_who_sits()
        following = self._table.following
        if following is None:
            return 0.0
        is_caught_up = following.shows or following.made is not None
        if is_caught_up and self._shown != len(following.numbers):
            shown = len(following.numbers)
            if self._tell({"shows": shown}):
                self._shown = shown
        made = following.made
        if made is None:
            self._proposed = None
        elif made != self._proposed:
            data: Document = {"card": str(made.card), "move": made.move.text}
            reply = self._ask(self._table.position.to_move, PlayCard.KIND, data)
            self._proposed = made if reply is not None else None
        return 0.0

    def _tell_who_sits(self) -> None:
        here = self._table.people.names()
        for seat in here.keys() - self._seats - self._others.keys():
            self._tell({"sit": {"seat": seat.name, "name": here[seat]}})
        for seat in self._seats - here.keys():
            self._tell({"stand": seat.name})
