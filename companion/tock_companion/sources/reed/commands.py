"""Commands on their way to the board: sent one after the other, each until it is acknowledged or given up."""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tock_companion.sources.reed import protocol
from tock_companion.sources.reed.protocol import Message

Command = Callable[[int], Message]
"""Makes the message of a command from its token."""


@dataclass(slots=True)
class _Pending:
    command: Command
    token: int
    tries: int = 0
    sent_ms: int = 0


class CommandQueue:
    """The commands of one link, oldest first; the board acknowledges each by its token."""

    def __init__(self) -> None:
        self._pending: deque[_Pending] = deque()
        self._token = 0
        self.given_up = 0
        """The number of commands never acknowledged."""

    def __len__(self) -> int:
        """The number of commands neither acknowledged nor given up."""
        return len(self._pending)

    def clear(self) -> None:
        """Forget them all: the port was reopened."""
        self._pending.clear()
        self._token = 0

    def add(self, command: Command) -> None:
        """Send a command as soon as those before it are through."""
        self._token = (self._token + 1) % 256
        self._pending.append(_Pending(command, self._token))

    def acknowledge(self, token: int) -> None:
        """Take in the board's answer to a command."""
        self._pending = deque(waiting for waiting in self._pending if waiting.token != token)

    def due(self, t_ms: int) -> Iterator[Message]:
        """Yield the messages due at a time: the oldest command, unless it was sent just before."""
        if not self._pending:
            return
        oldest = self._pending[0]
        if oldest.tries and t_ms - oldest.sent_ms < protocol.COMMAND_RETRY_MS:
            return
        if oldest.tries == protocol.COMMAND_TRIES:
            self._pending.popleft()
            self.given_up += 1
            return
        oldest.tries += 1
        oldest.sent_ms = t_ms
        yield oldest.command(oldest.token)
