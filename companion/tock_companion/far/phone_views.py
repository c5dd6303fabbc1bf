"""The views that one phone far away follows: those of the seat that it has now."""

import threading
from collections.abc import Callable

from paho.mqtt.client import MQTTMessageInfo

from tock_companion.background import Follower, Stream
from tock_companion.far.calls import Phone
from tock_companion.far.messages import Down, View
from tock_companion.views.schema import View as TableView
from tock_rules import Seat

PATIENCE_S = 15.0
PASSED_ON_S = 3.0
"""Time that a view waits until the broker has the one before."""


class PhoneViews:
    """Sends a phone each new view of its seat, from `show` to `stop`. One thread shows; any may stop."""

    def __init__(
        self,
        phone: Phone,
        follow: Callable[[Seat | None], Stream[TableView]],
        tell: Callable[[Down], MQTTMessageInfo | None],
    ) -> None:
        """Prepare; `follow` gives the views of a seat, `tell` sends the phone a message."""
        self._phone, self._follow, self._tell = phone, follow, tell
        self._follower: Follower[TableView] | None = None
        self._changing = threading.RLock()
        """The host's and the connection's threads end them too."""
        self._shown: Seat | None = None

    @property
    def are_of_another_seat(self) -> bool:
        """Whether the phone has sat down or stood up since, or a computer or a player at home has its seat now."""
        return self._follower is not None and self._phone.seat is not self._shown

    def show(self) -> None:
        with self._changing:
            self.stop()
            self._shown = self._phone.seat
            self._follower = self._begun(self._shown)
            self._follower.start()

    def stop(self) -> None:
        with self._changing:
            follower, self._follower = self._follower, None
            if follower is not None:
                follower.stop()

    def _begun(self, seat: Seat | None) -> Follower[TableView]:
        def take(view: TableView | None) -> float:
            # Asked again once the view is made: a later one belongs to the next holder of the seat.
            if view is None or self._phone.seat is not seat:
                return 0.0
            sent = self._tell(View(dict(view), self._phone.boot))
            if sent is not None:
                sent.wait_for_publish(PASSED_ON_S)
            return 0.0

        does = "sends one phone far away each new view"
        return Follower("far-views", does, lambda: self._follow(seat), take, PATIENCE_S)
