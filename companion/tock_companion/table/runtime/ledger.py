"""The games as the table knows them: those on the disk, and behind them the events that it has not taken yet.

The disk has a thread of its own. The table waits for it, but not for long: a write that is refused, or takes too long,
is kept in memory, in its order, and offered again. Only the table's thread writes; any thread reads.
"""

import logging
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from threading import Lock

from tock_companion.background.turns import worker
from tock_companion.errors import TockError
from tock_companion.events.codec import event_to_line
from tock_companion.events.facts import Event
from tock_companion.storage import GameLog, Store
from tock_companion.storage.store import Batch, Hands

LOG = logging.getLogger(__name__)
PATIENCE_S = 2.0
"""Time that the table waits for the disk before the game goes on without it."""
RETRY_S = 2.0
"""Time that the table waits before it offers the disk refused events again."""
MAX_WAITING = 5000
"""Events that memory holds at most; the longest evenings have half of it."""
CLOSING_S = 1.0
LOOK_S = 1.0
Work = Callable[[], None]


class Ledger:
    """Appends events, on the disk where it takes them; reads games as if it had taken all."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.pictures = store.pictures
        self.on_slow: Work = lambda: None
        """Called now and then while the table waits for the disk."""
        self._waiting: tuple[Batch, ...] = ()
        self._changing = Lock()
        self._disk = worker("disk")
        self._flight: Future[None] | None = None
        self._began_s = self._offered_s = 0.0
        self._was_busy = False
        self.took_s = 0.0
        """Time that the disk took for the last write."""
        self.refusal = ""
        """Why the disk refused what waits; empty while it does not refuse."""

    # Writing.

    def append(self, *batches: Batch) -> None:
        """Keep events and cards behind all that was kept before; raises TockError when too much waits for the disk."""
        new = tuple((game, tuple(events), hands) for game, events, hands in batches)
        for _, events, _ in new:
            for event in events:
                # What no file can hold must not get between what waits.
                event_to_line(event).encode()
        if self.waiting >= MAX_WAITING:
            self.offer()
        if self.waiting >= MAX_WAITING:
            raise TockError(
                self.refusal or f"{self._store.path} is still being written; the disk is too slow"
            )
        with self._changing:
            self._waiting += new
        if not self.refusal or time.monotonic() >= self._offered_s + RETRY_S:
            self.offer()

    def offer(self) -> None:
        """Have the disk take what waits; return when it has, has refused, or takes too long."""
        self._offered_s = time.monotonic()
        if self.busy_s is None and self._waiting:
            self._begin(self._flush)
            self._wait()
        self._was_busy = self.busy_s is not None

    @property
    def due_s(self) -> float | None:
        """In how many seconds the disk is to be asked, or looked at, again; None while all is well."""
        if not self._waiting and not self._was_busy:
            return None
        return max(0.0, self._offered_s + RETRY_S - time.monotonic())

    @property
    def waiting(self) -> int:
        """Number of events that the disk has not taken yet."""
        return sum(len(tuple(events)) for _, events, _ in self._waiting)

    @property
    def busy_s(self) -> float | None:
        """For how long the disk has been writing something; None while it does not."""
        if self._flight is None or self._flight.done():
            return None
        return time.monotonic() - self._began_s

    def do(self, work: Work) -> None:
        """Write something else that must be on the disk before it is shown; raises TockError."""
        if self.busy_s is not None:
            raise TockError(
                f"{self._store.path} is still being written; the disk is very slow, try again soon"
            )
        done = self._begin(work)
        # Not `result(LOOK_S)`: a disk on the network can raise a TimeoutError of its own.
        while not wait((done,), LOOK_S).done:
            self.on_slow()
        try:
            done.result()
        except OSError as error:
            raise TockError(
                f"{self._store.path} cannot be written ({error}); make sure that it can"
            ) from None

    def write_if_idle(self, work: Work) -> None:
        """Write something expendable, unless the disk is busy or has refused something."""
        if self.busy_s is None and not self._waiting:
            self._begin(work)
            self._wait()
            self._was_busy = self.busy_s is not None

    def close(self) -> None:
        """Offer the disk waiting events a last time; it may not hold up the end for long."""
        if self.busy_s is None and self._waiting:
            self._begin(self._flush)
        self._wait(CLOSING_S)
        if self.waiting:
            LOG.error("%d events were never kept: %s", self.waiting, self.refusal or "the disk is too slow")
        self._disk.shutdown(wait=False, cancel_futures=True)

    def _begin(self, work: Work) -> "Future[None]":
        self._began_s = time.monotonic()
        self._flight = self._disk.submit(work)
        return self._flight

    def _wait(self, patience_s: float | None = None) -> None:
        if self._flight is None:
            return
        if not wait((self._flight,), PATIENCE_S if patience_s is None else patience_s).done:
            self.on_slow()
            return
        try:
            self._flight.result()
        except (TockError, OSError) as error:
            LOG.error("%s", error)

    def _flush(self) -> None:
        """On the disk's thread: write all that waits, in one transaction."""
        batches, began_s = self._waiting, time.monotonic()
        try:
            self._store.append_all(self._not_there(batches) if self.refusal else batches)
        except Exception as error:
            self.refusal = str(error)
            raise
        with self._changing:
            self._waiting = self._waiting[len(batches) :]
        self.refusal, self.took_s = "", time.monotonic() - began_s

    def _not_there(self, batches: tuple[Batch, ...]) -> list[Batch]:
        """Leave out events that the disk has although it refused them, as a card that was pulled out may."""
        rest: list[Batch] = []
        for game, events, hands in batches:
            there = self._store.game(game).events
            new = tuple(event for event in events if event not in there[event.seq - 1 : event.seq])
            rest.append((game, new, {key: cards for key, cards in hands.items() if key[0] > len(there)}))
        return rest

    # Reading. Waiting events are read first: those that the disk takes meanwhile are found on it.

    def numbers(self) -> tuple[int, ...]:
        waiting = {game for game, _, _ in self._waiting}
        return tuple(sorted({*self._store.numbers(), *waiting}))

    def newest_number(self) -> int | None:
        return max(self.numbers(), default=None)

    def game(self, number: int) -> GameLog:
        """Read one game with all its events; raises DamagedGameError, or TockError when the disk gives nothing."""
        late = [event for game, events, _ in self._waiting if game == number for event in events]
        there = () if late and late[0].seq == 1 else self._store.game(number).events
        return GameLog(number, (*there, *(event for event in late if event.seq > len(there))))

    def events_after(self, number: int, seq: int) -> tuple[Event, ...]:
        """Read the events of a game behind one; raises DamagedGameError."""
        late = tuple(event for game, events, _ in self._waiting if game == number for event in events)
        there = () if late and late[0].seq <= seq + 1 else self._store.events_after(number, seq)
        last = there[-1].seq if there else seq
        return (*there, *(event for event in late if event.seq > last))

    def hands(self, number: int) -> Hands:
        late = [hands for game, _, hands in self._waiting if game == number]
        kept = dict(self._store.hands(number))
        for hands in late:
            kept |= hands
        return kept
