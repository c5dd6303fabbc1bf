"""What the outside may see of a running table: one published state that never changes, and who waits for the next."""

from threading import RLock

from tock_companion.errors import BadInputError
from tock_companion.rules import Seat
from tock_companion.table.audience import Audience, Subscription
from tock_companion.table.core import TableCore
from tock_companion.table.look import camp_holes, differences
from tock_companion.table.requests import Role
from tock_companion.table.voting import Votes
from tock_companion.views.history import Chronicle
from tock_companion.views.roles import host_view, seat_view, table_view, watch_view
from tock_companion.views.schema import PublicView, View
from tock_companion.views.state import HealthNote, SourceState, TableState
from tock_companion.views.table import public_view


class Window:
    """Written by the table's thread, read by all others."""

    def __init__(self, core: TableCore, board_name: str, votes: Votes) -> None:
        self._board_name = board_name
        self._votes = votes
        self.troubles: tuple[HealthNote, ...] = ()
        """What is wrong with the disk or the clock."""
        self._audience = Audience()
        self._making = RLock()
        """All streams ask for their view at the same moment: one makes what they share, the others wait for it."""
        self._views: dict[tuple[Role, Seat | None], tuple[TableState, View]] = {}
        self._public: tuple[TableState, PublicView] | None = None
        self._chronicle = Chronicle()
        self.wishes: tuple[tuple[int, Seat, str], ...] = ()
        """Who asks for which taken seat: number of the wish, seat, name."""
        self.photos_kept = False
        """Whether the host records photos of hands."""
        self.state = self._snapshot(core, 1)
        self._told = 1

    def view(self, role: Role, seat: Seat | None) -> View:
        """Return what a role may see now; raises BadInputError for the view of a seat that does not play.

        Everybody of a role gets the same object, made once: nobody may change it.
        """
        return self._of(self.state, role, seat)

    def _of(self, state: TableState, role: Role, seat: Seat | None = None) -> View:
        with self._making:
            made = self._views.get((role, seat))
            if made is None or made[0] is not state:
                made = self._views[role, seat] = (state, self._made(state, role, seat))
            return made[1]

    def _made(self, state: TableState, role: Role, seat: Seat | None) -> View:
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
        """Open a stream of a role's views."""
        return self._audience.add(lambda: self.view(role, seat))

    def publish(self, core: TableCore, *, certain: bool) -> None:
        """Show the table as it is now and tell everybody; unless `certain`, only when it looks different."""
        old = self.state
        new = self._snapshot(core, old.revision + 1)
        if certain or _shown(new) != _shown(old):
            if certain:
                self._told = new.revision
            self.state = new
            self._audience.wake()

    def outdated(self, revision: int) -> bool:
        """Whether something has been recorded since the view of that revision."""
        return revision < self._told

    def close(self) -> None:
        """End all streams."""
        self._audience.close()

    def _snapshot(self, core: TableCore, revision: int) -> TableState:
        camps = camp_holes(core.watch, core.position)
        return TableState(
            revision=revision,
            game=core.game,
            position=core.position,
            hands=core.hands,
            names=core.names,
            board_name=self._board_name,
            camps=camps,
            seen=differences(core.watch, core.position, camps),
            sources=tuple(
                SourceState(name, heard.condition, heard.code) for name, heard in core.heard.items()
            ),
            sees=core.sees,
            sees_colors=core.sees_colors,
            wishes=self.wishes,
            photos_kept=self.photos_kept,
            proposal=self._votes.current(core.game),
            health=(*self.troubles, *core.disputes()),
            planned=core.planned,
            held_seats=frozenset(seat.name for seat in core.names.players),
        )


def _shown(state: TableState) -> tuple[object, ...]:
    """Return what may change without anything being recorded."""
    return state.seen, state.camps, state.sources, state.health, state.planned, state.photos_kept
