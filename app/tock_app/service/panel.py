"""The table as the panel and the buttons under the board need it."""

from collections.abc import Callable, Iterable, Mapping

from tock_companion.background import Stream
from tock_companion.core.requests import Role, parse_request
from tock_companion.panel.panel import Panel
from tock_companion.panel.wiring import panel_wiring
from tock_companion.sources.base import BoardPanelSource
from tock_companion.table.runtime.live import Table
from tock_companion.views.schema import PublicView, SeatView
from tock_rules import Hole, Seat

HOST_KINDS = frozenset({"pause", "resume"})


class PanelInterface:
    """The panel's access to its table."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def subscribe(self) -> Stream[PublicView]:
        """Open a stream of the public view."""
        return self._table.subscribe(Role.TABLE)

    def seat_view(self, seat: Seat) -> SeatView:
        """The view of a seat, with its legal moves."""
        return self._table.view(Role.SEAT, seat)

    def ask(self, kind: str, seat: Seat) -> bool:
        """Make a request for a seat; requests reserved for a host are made as the host."""
        role = Role.HOST if kind in HOST_KINDS else Role.SEAT
        return self._table.request(parse_request(kind, {}, role, seat if role is Role.SEAT else None)).ok


def panel_of(
    table: Table, settings: Mapping[str, object], forget_pin: Callable[[], object] = lambda: None
) -> Panel | None:
    """The configured panel, None without one; connects the reed board's own buttons to the table.

    `forget_pin` takes the host's PIN away.
    """
    interface = PanelInterface(table)
    light_holes: Callable[[Iterable[Hole]], None] | None = None
    for source in table.sources:
        if isinstance(source, BoardPanelSource):
            source.on_button = lambda seat: interface.ask("decide_now", seat)
            light_holes = source.light
    if not settings and light_holes is None:
        return None
    return Panel(panel_wiring(settings), interface, light_holes, forget_pin)
