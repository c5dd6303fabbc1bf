"""Events for a hall's screens, written once for all: first the whole round, then the tables that changed."""

from threading import Lock
from time import monotonic

from tock_companion.club.desk import Desk
from tock_companion.club.views import HallView, TablesView, hall_view, standings_view
from tock_web.streams import event_text

STANDINGS_PAUSE_S = 1.0
MAX_ROWS_PER_S = 100
"""Eight hundred phones reading eight hundred lines a second would overload the Wi-Fi."""
NOTHING = -1
"""The revision of a screen that was just opened."""


class HallEvents:
    """The events of all screens; called by the threads of their streams."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._lock = Lock()
        self._view: HallView | None = None
        self._whole_since = 0
        """Since this revision only tables have changed."""
        self._changed: dict[int, int] = {}
        """The revision of each table's last change."""
        self._texts: dict[int, str] = {}
        """The events that lead from each revision to the present one."""
        self._standings_lock = Lock()
        self._shown: object = None
        self._standings = event_text("standings", standings_view(None))
        self._standings_due_s = 0.0

    def hall(self, seen: int) -> tuple[int, str]:
        """The present revision, and the event that brings a screen at `seen` there."""
        with self._lock:
            view = self._looked()
            since = seen if seen >= self._whole_since else NOTHING
            if since not in self._texts:
                self._texts[since] = (
                    event_text("hall", view)
                    if since == NOTHING
                    else event_text("tables", self._since(view, since))
                )
            return view["revision"], self._texts[since]

    def standings(self) -> str:
        """The event with the standings; while one thread computes them, the others get the previous ones."""
        if monotonic() >= self._standings_due_s and self._standings_lock.acquire(blocking=False):
            try:
                self._rank()
            finally:
                self._standings_lock.release()
        return self._standings

    def _looked(self) -> HallView:
        before = self._view
        if before is not None and before["revision"] == self.desk.state.revision:
            return before
        view = hall_view(self.desk)
        if before is None or _head(before) != _head(view):
            self._whole_since = view["revision"]
            self._changed.clear()
        else:
            for old, new in zip(before["games"], view["games"], strict=True):
                if old != new:
                    self._changed[new["table"]] = view["revision"]
        self._view = view
        self._texts.clear()
        return view

    def _since(self, view: HallView, revision: int) -> TablesView:
        games = [game for game in view["games"] if self._changed.get(game["table"], NOTHING) > revision]
        return {"revision": view["revision"], "left_s": view["left_s"], "games": games}

    def _rank(self) -> None:
        now = self.desk.state.tournament
        key = None if now is None else (now.results, now.entrants, len(now.rounds))
        if now is None or key == self._shown:
            return
        self._standings = event_text("standings", standings_view(now))
        self._shown = key
        self._standings_due_s = monotonic() + max(STANDINGS_PAUSE_S, len(now.entrants) / MAX_ROWS_PER_S)


def _head(view: HallView) -> dict[str, object]:
    """The round, sent whole when it changes."""
    shown: dict[str, object] = {
        name: value for name, value in view.items() if name not in ("revision", "left_s")
    }
    return {**shown, "games": [game["table"] for game in view["games"]]}
