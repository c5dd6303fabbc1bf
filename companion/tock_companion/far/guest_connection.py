"""A companion as the guest of another home: says hello, keeps a session up, and begins it again after every cut."""

import logging
import threading
from collections.abc import Callable
from time import monotonic
from typing import Protocol

from tock_companion.background import Background
from tock_companion.far.board_messages import Document
from tock_companion.far.greeting import Greeting, new_hello, welcomed
from tock_companion.far.link import RoomKeys
from tock_companion.far.link_timeouts import HELLO_EVERY_S, HOME_SILENT_S, PING_S
from tock_companion.far.messages import (
    Board,
    End,
    Ping,
    Pong,
    Refused,
    Up,
    message_bytes,
    read_down,
)
from tock_companion.far.session import (
    AnotherFormError,
    ForeignFrameError,
    FrameType,
    GapError,
    Session,
    forms_understood,
    shape_of_frame,
)

LOG = logging.getLogger(__name__)


class GuestLine(Protocol):
    """The connection of a guest to the broker of a relay."""

    def start(self) -> None:
        """Begin to connect; returns at once."""

    def stop(self) -> None:
        """Disconnect."""

    def send(self, frame: bytes) -> bool:
        """Send a frame up; False while the broker is away."""


class GuestConnection:
    """One guest's sessions with a home, one after another."""

    def __init__(
        self,
        keys: RoomKeys,
        device: bytes,
        clock_s: Callable[[], float] = monotonic,
    ) -> None:
        """Prepare; `device` is the secret by which home knows this guest again."""
        self._keys, self._device, self._clock_s = keys, device, clock_s
        self._received: Callable[[Document], None] = lambda _document: None
        self._is_up: Callable[[], None] = lambda: None
        self._line: GuestLine | None = None
        self._greeting: Greeting | None = None
        self._session: Session | None = None
        self._sending = threading.Lock()
        self._hello_at_s = self._received_at_s = -HOME_SILENT_S
        self._begun_s = clock_s()
        self.ended = ""
        """Why home takes this guest in no longer: revoked, over, device, version; empty while it does."""
        self.has_other_form = False
        """Whether home may have another version; nobody has sealed it, so the tries go on."""
        self._was_welcomed = False
        self.round_trip_ms: int | None = None
        self._pinged_at_s = 0.0
        self._loop = Background(
            "far-visit", "where this board follows another home: keeps the line there up", self._step
        )

    @property
    def is_here(self) -> bool:
        return self._session is not None and self._clock_s() - self._received_at_s < HOME_SILENT_S

    @property
    def silent_s(self) -> float:
        """Time since home was last heard, or since the beginning."""
        return self._clock_s() - max(self._received_at_s, self._begun_s)

    def connect(self, received: Callable[[Document], None], is_up: Callable[[], None]) -> None:
        """Name who gets what home says, and who is called with every new session."""
        self._received, self._is_up = received, is_up

    def use(self, line: GuestLine) -> None:
        """Go over a line that hands its frames to `receive`."""
        self._line = line

    def start(self) -> None:
        if self._line is not None:
            self._line.start()
        self._loop.start()

    def stop(self) -> None:
        self._loop.stop()
        if self._line is not None:
            self._line.stop()

    def tell(self, document: Document) -> bool:
        """Send home a document; False while there is no session."""
        return self._send(Board(dict(document)))

    def line_changed(self, is_up: bool) -> None:
        """The broker is reached, or lost together with frames under way."""
        self._session = None
        if is_up:
            self._say_hello()

    def receive(self, frame: bytes) -> None:
        """Take in a frame; one that was not sealed for this guest is passed over."""
        try:
            shape = shape_of_frame(frame)
            if shape.type is FrameType.WELCOME:
                self._welcome(frame)
            elif shape.type is FrameType.DATA:
                self._open(frame)
        except AnotherFormError as error:
            # No unsealed byte counts once home has proven that it has the link.
            if self._was_welcomed:
                return
            if error.answers:
                self.has_other_form = True
            elif self._line is not None:
                self._line.send(forms_understood())
        except GapError:
            self._say_hello()
        except (ForeignFrameError, ValueError):
            LOG.debug("far: a frame that is not for us")

    def _say_hello(self) -> None:
        if self._line is None or self.ended:
            return
        self._greeting, self._hello_at_s = new_hello(self._keys, self._device), self._clock_s()
        self._line.send(self._greeting.frame)

    def _welcome(self, frame: bytes) -> None:
        found = welcomed(self._keys, [] if self._greeting is None else [self._greeting], frame)
        if found is None:
            return
        if isinstance(found, Refused):
            self.ended = found.refused
            return
        with self._sending:
            self._session, self._greeting = found, None
        self._was_welcomed, self.has_other_form = True, False
        self._received_at_s = self._clock_s()
        self._is_up()

    def _open(self, frame: bytes) -> None:
        session = self._session
        text = None if session is None else session.open(frame)
        if text is None:
            return
        self._received_at_s = self._clock_s()
        match read_down(text):
            case Board(content):
                self._received(content)
            case Pong():
                self.round_trip_ms = round(1000 * (self._clock_s() - self._pinged_at_s))
            case End(reason):
                self.ended = reason

    def _send(self, message: Up) -> bool:
        with self._sending:
            if self._session is None or self._line is None:
                return False
            if self._line.send(self._session.seal(message_bytes(message))):
                return True
            # The frame is lost, so the session cannot go on.
            self._session = None
            return False

    def _step(self) -> float:
        now_s = self._clock_s()
        if self.is_here:
            self._pinged_at_s = now_s
            self._send(Ping(self.round_trip_ms or 0))
        elif now_s - self._hello_at_s >= HELLO_EVERY_S:
            self._say_hello()
        return PING_S if self.is_here else HELLO_EVERY_S
