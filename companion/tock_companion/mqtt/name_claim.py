"""Which of two machines speaks for a table's name on a broker: the one that was there first.

Two tables made from one memory card have one name. A machine asks before it speaks; one that speaks already answers,
and the other one waits until no answer comes. Of two that ask at once the one with the smaller number goes first.
"""

import secrets
from collections.abc import Callable

ANSWER_S = 2.0
"""Without an answer for this long nobody else speaks for the name."""
ASK_AGAIN_S = 10.0
KNOWN_FOR_S = 30.0
"""The notice of another machine disappears this long after its last message."""
ASKS, SPEAKS = "asks", "speaks"


class NameClaim:
    """Decides from the messages on one topic, and from nothing else, whether this machine may speak."""

    def __init__(self, say: Callable[[str], None], number: str = "") -> None:
        """`say` publishes on the topic that all machines of the name receive."""
        self.number = number or secrets.token_hex(8)
        self._say = say
        self.speaks = False
        self._asked_s: float | None = None
        self._answered = False
        self._received_s: float | None = None

    def came_up(self, now_s: float) -> None:
        """Begin again after each connection: another machine may have taken the name meanwhile."""
        self.speaks = False
        self._ask(now_s)

    def hear(self, message: str, now_s: float) -> None:
        """Take in a message of any machine, also of this one."""
        verb, _, number = message.partition(" ")
        if number == self.number or verb not in (ASKS, SPEAKS):
            return
        self._received_s = now_s
        if self.speaks and (verb == ASKS or self.number < number):
            self._say(f"{SPEAKS} {self.number}")
        elif verb == SPEAKS or number < self.number:
            self.speaks, self._answered = False, True

    def look(self, now_s: float) -> bool:
        """Whether this machine has just become the one that speaks; ask again from time to time."""
        if self.speaks or self._asked_s is None:
            return False
        waited_s = now_s - self._asked_s
        if not self._answered and waited_s >= ANSWER_S:
            self.speaks = True
            # A machine that asked while this one waited has had no answer.
            self._say(f"{SPEAKS} {self.number}")
            return True
        if waited_s >= ASK_AGAIN_S:
            self._ask(now_s)
        return False

    def is_doubled(self, now_s: float) -> bool:
        """Whether another machine of the same name has given a sign of life lately."""
        return self._received_s is not None and now_s - self._received_s < KNOWN_FOR_S

    def _ask(self, now_s: float) -> None:
        self._asked_s, self._answered = now_s, False
        self._say(f"{ASKS} {self.number}")
