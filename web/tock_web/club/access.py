"""Access to a club's desk: the director's by a code, that of a side without sensors by the code on its card."""

import base64
import hashlib
import hmac
from collections import deque
from dataclasses import dataclass, field

from flask import Response, current_app, request

from tock_companion.allowance import Window
from tock_companion.club.desk import Desk
from tock_companion.club.directors import STAYS_S
from tock_companion.tournament.facts import GameKey
from tock_web.limits.pin_attempts import PROVED_ADDRESS, TRIES_OF_ONE, TRIES_OF_ONE_S
from tock_web.rights.cookies import cookie_of, drop_cookie, keep_cookie
from tock_web.serving.gate import OwnRight

DESK = "tock.desk"
"""The access to a desk, among the extensions of its app."""
DIRECTOR_COOKIE = "tock_director"
CODE_LENGTH = 8
MAX_ADDRESSES = 1000
"""The number of phones that enter results in the largest hall."""
TRIES_TOGETHER, PROVED_TRIES, TRIES_TOGETHER_S = 40, 400, 60
"""A hall has more phones than a home, and its codes more digits."""


def desk_attempts() -> Window:
    """Count the attempts at a code."""
    return Window(
        TRIES_OF_ONE, TRIES_TOGETHER, TRIES_TOGETHER_S, TRIES_OF_ONE_S, {PROVED_ADDRESS: PROVED_TRIES}
    )


@dataclass(frozen=True, slots=True)
class Card:
    """The card that one side has at a table: a result entered with it is confirmed with another one."""

    key: GameKey
    side: int
    code: str


@dataclass(slots=True)
class DeskAccess:
    """The secrets of one desk; they are the same after a restart."""

    desk: Desk
    director_attempts: Window = field(default_factory=desk_attempts)
    table_attempts: Window = field(default_factory=desk_attempts)
    """Counted apart, so that wrong table codes never lock the director out."""
    _right: deque[str] = field(default_factory=lambda: deque(maxlen=MAX_ADDRESSES))
    """Addresses that have entered a valid code."""

    @property
    def pin(self) -> str:
        """The director's code; printed where the desk was started."""
        return str(int.from_bytes(self._digest("director")[:8], "big") % 10**8).zfill(8)

    def is_director(self) -> bool:
        """Whether the present request comes from the director's device."""
        return self.desk.directors.knows(cookie_of(request, DIRECTOR_COOKIE))

    def let_in(self, answer: Response) -> None:
        """Give a device the director's rights, with a secret of its own."""
        keep_cookie(answer, DIRECTOR_COOKIE, self.desk.directors.let_in(), STAYS_S)

    def let_out(self, answer: Response) -> None:
        """Withdraw the calling device's rights."""
        self.desk.directors.leave(cookie_of(request, DIRECTOR_COOKIE))
        drop_cookie(answer, DIRECTOR_COOKIE)

    def code_of(self, table: int, side: int) -> str:
        """The secret on the card of one side of a table, valid for the whole tournament."""
        digest = self._digest(f"table {self.desk.state.number} {table} side {side}")
        return base64.b32encode(digest).decode()[:CODE_LENGTH]

    def cards(self) -> list[Card]:
        """The cards of the present round, one for each side of each table."""
        now = self.desk.state.tournament
        present = None if now is None else now.present_round
        games = () if present is None else present.games
        return [
            Card(game.key, side, self.code_of(game.key.table, side))
            for game in games
            for side in range(len(game.sides))
        ]

    def try_code(self, code: str, address: str) -> Card | int | None:
        """The card with a code, None for a wrong one, or the seconds that the address has to wait.

        An address with a valid code does not wait for the wrong codes of others.
        """
        wait_s = self.table_attempts.take(address, self._pool(address))
        if wait_s:
            return wait_s
        given = code.upper()
        card = next((card for card in self.cards() if hmac.compare_digest(card.code, given)), None)
        if card is not None:
            self.table_attempts.forgive(address)
            self._note(address)
        return card

    def try_pin(self, pin: str, address: str) -> int | None:
        """Seconds to wait before the director's code is checked; 0 where it is right, None where it is wrong."""
        wait_s = self.director_attempts.take(address, self._pool(address))
        if not wait_s and not hmac.compare_digest(pin.encode(errors="replace"), self.pin.encode()):
            return None
        if not wait_s:
            self.director_attempts.give_back(address)
            self._note(address)
        return wait_s

    def _pool(self, address: str) -> str:
        return PROVED_ADDRESS if address in self._right else ""

    def _note(self, address: str) -> None:
        if address not in self._right:
            self._right.append(address)

    def _digest(self, what: str) -> bytes:
        return hmac.digest(self.desk.secret.encode(), what.encode(), hashlib.sha256)


def access() -> DeskAccess:
    """The access of the desk that serves the present request."""
    found = current_app.extensions[DESK]
    assert isinstance(found, DeskAccess)
    return found


DIRECTOR = OwnRight(
    "the director", "director", "For the director of a club’s tournament.", lambda: access().is_director()
)
CARD = OwnRight("a side's card", "side's card", "For players with the code on the card of their side.")
"""The handler checks the code."""
