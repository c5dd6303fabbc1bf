"""Publishes a running table: one state that never changes, and a wait for the next."""

import logging
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self

from tock_companion.boardfile import BoardFile
from tock_companion.core.requests import Role
from tock_companion.core.state import CoreState
from tock_companion.errors import BadInputError, TockError
from tock_companion.views.moves import Chronicle
from tock_companion.views.roles import host_view, seat_view, table_view, watch_view
from tock_companion.views.schema import PublicView, View
from tock_companion.views.snapshot import Surroundings, board_info, same_to_the_eye, snapshot
from tock_companion.views.state import TableState
from tock_companion.views.table import public_view
from tock_rules import Seat

LOG = logging.getLogger(__name__)


class Subscription:
    """A stream of one role's views; a slow reader skips the views between."""

    def __init__(self, view: Callable[[], View], leave: Callable[["Subscription"], None]) -> None:
        self._view = view
        self._leave = leave
        self._news = threading.Event()
        self._news.set()
        self._closed = False
        self.on_news: Callable[[], None] = lambda: None
        """Called, on any thread, with every piece of news and at the end: for a reader that is a task."""

    def get(self, timeout_s: float) -> View | None:
        """Wait for something new and return the view of that moment; None when nothing came or it is closed."""
        if not self._news.wait(timeout_s) or self._closed:
            return None
        self._news.clear()
        return self._view()

    def wake(self) -> None:
        self._news.set()
        self.on_news()

    @property
    def closed(self) -> bool:
        return self._closed

    def close(self) -> None:
        """End the stream; a waiting reader returns at once."""
        self._closed = True
        self.wake()
        self._leave(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Publisher:
    """Written by the table's thread, read by all others; a slow reader never holds up the table."""

    def __init__(
        self, state: CoreState, board_file: BoardFile, view_failed: Callable[[], None] = lambda: None
    ) -> None:
        """Publish a first state; `view_failed` is called, by any thread, when a view cannot be made any more."""
        self._board = board_info(board_file)
        self._view_failed = view_failed
        self._failing: set[tuple[Role, Seat | None]] = set()
        self._lock = threading.Lock()
        self._subscriptions: set[Subscription] = set()
        self._making = threading.RLock()
        """All streams ask for their view at the same moment: one makes the shared part, the others wait for it."""
        self._views: dict[tuple[Role, Seat | None], tuple[TableState, View]] = {}
        self._public: tuple[TableState, PublicView] | None = None
        self._chronicle = Chronicle()
        self._core, self._around = state, Surroundings()
        self.state = snapshot(state, self._around, self._board, 1)
        self._recorded_at = 1
        """The revision with which something was last recorded."""

    def view(self, role: Role, seat: Seat | None) -> View:
        """The present view of a role; raises BadInputError for the view of a seat that does not play.

        Everybody of a role gets the same object, made once: nobody may change it. A view that cannot be made is
        replaced by the last one that could; raises TockError where there is none.
        """
        state, key = self.state, (role, seat)
        with self._making:
            made = self._views.get(key)
            if made is None or made[0] is not state:
                made = self._views[key] = (state, self._made_or_last(state, role, seat, made))
            return made[1]

    def _made_or_last(
        self, state: TableState, role: Role, seat: Seat | None, last: tuple[TableState, View] | None
    ) -> View:
        try:
            view = self.make(state, role, seat)
        except BadInputError:
            raise
        except Exception as error:
            if (role, seat) not in self._failing:
                LOG.exception("the view of %s cannot be made", seat.name if seat is not None else role.value)
                self._failing.add((role, seat))
                self._view_failed()
            if last is None:
                raise TockError("this view cannot be made; the companion's log says why") from error
            return last[1]
        self._failing.discard((role, seat))
        return view

    @property
    def is_failing(self) -> bool:
        """Whether an old view is shown because the present one cannot be made."""
        return bool(self._failing)

    def forget_seats(self) -> None:
        """Drop the last views of all seats: the present players may not see earlier views."""
        with self._making:
            self._views = {key: made for key, made in self._views.items() if key[0] is not Role.SEAT}

    def make(self, state: TableState, role: Role, seat: Seat | None) -> View:
        """Make a view; raises BadInputError for the view of a seat that does not play."""
        match role:
            case Role.SEAT:
                if seat is None or seat not in state.position.seats:
                    raise BadInputError("a seat's view needs a seat that plays")
                return seat_view(self._public_of(state), state, seat)
            case Role.HOST:
                return host_view(self._public_of(state), state)
            case Role.WATCH:
                return watch_view(self._public_of(state))
            case Role.TABLE:
                return table_view(self._public_of(state))

    def _public_of(self, state: TableState) -> PublicView:
        if self._public is None or self._public[0] is not state:
            self._public = (state, public_view(state, self._chronicle))
        return self._public[1]

    def subscribe(self, role: Role, seat: Seat | None) -> Subscription:
        """Open a stream of a role's views; its first view is there at once."""
        subscription = Subscription(lambda: self.view(role, seat), self._drop)
        with self._lock:
            self._subscriptions.add(subscription)
        return subscription

    def publish(self, state: CoreState, around: Surroundings, *, certain: bool) -> None:
        """Show the table as it is now and tell everybody; unless `certain`, only when it looks different."""
        if not certain and around == self._around and same_to_the_eye(state, self._core):
            return
        old, followed = self.state, self._core.following
        new = snapshot(state, around, self._board, old.revision + 1)
        self._core, self._around = state, around
        if not certain and _shown(new) == _shown(old) and state.following == followed:
            return
        if certain:
            self._recorded_at = new.revision
        self.state = new
        for subscription in self._everyone():
            subscription.wake()

    def outdated(self, revision: int | None) -> bool:
        """Whether something has been recorded since the view of that revision, None for any view."""
        return revision is not None and revision < self._recorded_at

    def close(self) -> None:
        for subscription in self._everyone():
            subscription.close()

    def _everyone(self) -> list[Subscription]:
        with self._lock:
            return list(self._subscriptions)

    def _drop(self, subscription: Subscription) -> None:
        with self._lock:
            self._subscriptions.discard(subscription)


def check_views(state: CoreState, board_file: BoardFile) -> None:
    """Make every view of a state once, before it is used; raises what making one raises."""
    trial = Publisher(state, board_file)
    for role in (Role.TABLE, Role.WATCH, Role.HOST):
        trial.make(trial.state, role, None)
    for seat in state.position.seats:
        trial.make(trial.state, Role.SEAT, seat)


def _shown(state: TableState) -> tuple[object, ...]:
    """The parts that may change without an event."""
    seen = (state.seen, state.camps, state.sources, state.health, state.planned, state.guidance)
    people = (
        state.names,
        state.seat_requests,
        state.withheld,
        state.host,
        state.absent,
        state.last,
        state.far,
    )
    return (*seen, *people, state.photos_kept, state.recording, state.proposal, state.lobby)
