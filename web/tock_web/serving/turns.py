"""Decides whose request is answered next: clients take turns, so that a flood delays only its sender."""

from asyncio import Future, get_running_loop
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

AT_ONCE = 12
"""Requests answered at the same time, each on a thread."""
AT_ONCE_PER_CLIENT = 2
STRANGERS_AT_ONCE = 2
"""With eight seats, a host and these, there is a thread for every known device.

Threads share one interpreter: each busy one more delays the players' own requests. With six strangers and three for
each client, a move took twice as long to show while twenty clients attacked.
"""


class Turn:
    """One request's turn, or its wait for one."""

    def __init__(self, client: str, group: "_Round") -> None:
        self.client, self.group = client, group
        self.granted: Future[bool] = get_running_loop().create_future()

    def give_up(self) -> None:
        """End the wait: the client has gone."""
        if not self.granted.done():
            self.granted.set_result(False)


class _Round:
    """Clients waiting for their turn, each with its requests, and the number of those being answered."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._waiting: OrderedDict[str, deque[Turn]] = OrderedDict()
        self.served: Counter[str] = Counter()

    def append(self, turn: Turn) -> None:
        self._waiting.setdefault(turn.client, deque()).append(turn)

    def begin(self) -> Turn | None:
        """Take the next turn, whose client is last in the next round; None when all who wait have their share."""
        if self.served.total() >= self._at_once:
            return None
        for client in list(self._waiting):
            if self.served[client] >= AT_ONCE_PER_CLIENT:
                continue
            turns = self._waiting.pop(client)
            while turns and turns[0].granted.done():
                turns.popleft()
            if not turns:
                continue
            turn = turns.popleft()
            if turns:
                self._waiting[client] = turns
            self.served[client] += 1
            return turn
        return None

    def end(self, client: str) -> None:
        self.served[client] -= 1
        if not self.served[client]:
            del self.served[client]


class Turns:
    """Known devices and strangers take turns, and so do the clients within each of the two groups.

    A stranger's client is its address. Strangers cannot take all threads, however many addresses they use. Used on
    the server's loop alone.
    """

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once, self._served = at_once, 0
        self._known, self._strangers = _Round(at_once), _Round(min(STRANGERS_AT_ONCE, at_once))
        self._order = (self._known, self._strangers)

    def ask(self, address: str, device: str | None) -> Turn:
        """Queue a request."""
        turn = Turn(address, self._strangers) if device is None else Turn(device, self._known)
        turn.group.append(turn)
        self._go_on()
        return turn

    @asynccontextmanager
    async def held(self, turn: Turn) -> AsyncIterator[bool]:
        """Wait for the turn and hold it; False where the client has gone in the meantime."""
        granted = await turn.granted
        try:
            yield granted
        finally:
            if granted:
                turn.group.end(turn.client)
                self._served -= 1
                self._go_on()

    def _go_on(self) -> None:
        while self._served < self._at_once:
            for group in self._order:
                turn = group.begin()
                if turn is not None:
                    break
            else:
                return
            if turn.group is self._order[0]:
                self._order = (self._order[1], self._order[0])
            self._served += 1
            turn.granted.set_result(True)
