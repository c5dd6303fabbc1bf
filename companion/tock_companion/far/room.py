"""One room of the relay: the session with the holder of its link, and that guest's state."""

import hashlib
import logging
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from paho.mqtt.client import MQTTMessageInfo

from tock_companion.allowance import TokenBucket
from tock_companion.background import Stream
from tock_companion.far.board_home import BoardAtHome
from tock_companion.far.calls import Answered, Calls, Phone
from tock_companion.far.greeting import new_welcome
from tock_companion.far.invitations import Invitation
from tock_companion.far.link import RoomKeys
from tock_companion.far.link_timeouts import CUT_S, GUEST_SILENT_S
from tock_companion.far.messages import (
    Answer,
    Board,
    Call,
    Down,
    End,
    Look,
    Ping,
    Pong,
    Refused,
    Up,
    read_hello,
    read_up,
    welcome_bytes,
)
from tock_companion.far.outgoing import Outgoing
from tock_companion.far.phone_views import PhoneViews
from tock_companion.far.session import (
    AnotherFormError,
    ForeignFrameError,
    FrameType,
    GapError,
    Session,
    forms_understood,
    hash_of,
    open_hello,
    seal_welcome,
    shape_of_frame,
)
from tock_companion.views.schema import VIEW_FORM
from tock_companion.views.schema import View as TableView
from tock_rules import Seat

LOG = logging.getLogger(__name__)
OK, NOWHERE = 200, 404
PROPOSALS = 3
BURST, PER_S = 60.0, 20.0
"""Frames of one room: a person with a phone never comes near."""
ROUND_TRIP_IN = 1_000_000
"""A ping says in its last six digits the round trip that the phone measured."""


@dataclass(frozen=True, slots=True)
class Home:
    """Services that a room needs of the home around it."""

    send: Callable[[str, bytes], MQTTMessageInfo | None]
    """Sends a frame into a room."""
    follow: Callable[[Seat | None], Stream[TableView]]
    """The views of a seat; those for spectators, without a seat."""
    owned: Callable[["Room", str], bool]
    """Notes the hash of the first device of a link; False where the disk refuses."""
    left: Callable[["Room", bool], None]
    """Notes that the player has left, or sits there again; raises TockError."""
    named: Callable[["Room", str], None]
    """Notes a guest's name; raises TockError."""
    news: Callable[[], None]
    """Called when something has changed that people at the table see."""
    version: str = ""


@dataclass(frozen=True, slots=True)
class _Proposed:
    """A session that a hello has begun, and the hash of the secret of its device."""

    session: Session
    device: str


class Room:
    """One invitation at work. `hear`, `gone` and `look_after` are called by one thread."""

    def __init__(
        self,
        keys: RoomKeys,
        invitation: Invitation,
        phone: Phone | None,
        home: Home,
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """Wait for a guest with the link; `phone` is None for a board."""
        self.board: BoardAtHome | None = None
        self.keys, self.invitation, self.phone, self._home, self._clock_s = (
            keys,
            invitation,
            phone,
            home,
            clock_s,
        )
        self.since_s = clock_s()
        self.is_here = False
        self.round_trip_ms: int | None = None
        self.is_other_version = False
        """Whether the guest came with a page or a companion that this one does not understand."""
        self._seen_at_s = self._silent_at_s = clock_s()
        self._frames = TokenBucket(BURST, PER_S, clock_s())
        self._outgoing = Outgoing(lambda frame: home.send(keys.room, frame))
        self._device = ""
        """The hash of the secret of the device that the session is with."""
        self._proposed: deque[_Proposed] = deque(maxlen=PROPOSALS)
        self._calls = None if phone is None else Calls(phone, self.tell, self._called)
        self._views = None if phone is None else PhoneViews(phone, home.follow, self.tell)

    # What comes in.

    def may_come_in(self) -> bool:
        """Count a frame; False for more than any phone sends."""
        return self._frames.take(self._clock_s()) == 0

    def hear(self, frame: bytes, now_s: float) -> None:
        """Take in a frame; one that was not sealed for this room is passed over."""
        try:
            shape = shape_of_frame(frame)
            if shape.type is FrameType.HELLO:
                self._greet(frame, now_s)
            elif shape.type is FrameType.DATA:
                self._open(shape.session, frame)
        except AnotherFormError as error:
            # Nobody has sealed it, and the owner of a link has shown its form.
            if not self.invitation.owner:
                self._note_version(is_other=True)
                if not error.answers:
                    self._home.send(self.keys.room, forms_understood())
        except GapError:
            LOG.info("far: a frame is missing; the phone says hello again")
            self._drop()
        except (ForeignFrameError, ValueError):
            LOG.debug("far: a frame that is not for us")

    def gone(self) -> None:
        """The broker says that the phone's connection has ended."""
        # A phone that comes back takes over its own dead connection, whose end comes about when its first words do.
        self._silent_at_s = min(self._silent_at_s, self._clock_s() + CUT_S)

    def look_after(self) -> None:
        """Notice that nothing has come for a while."""
        if self.is_here and self._clock_s() >= self._silent_at_s:
            self._set_here(is_here=False)
        if self._views is not None and self._views.are_of_another_seat:
            self._views.show()
            self._home.news()

    def _greet(self, frame: bytes, now_s: float) -> None:
        hello = read_hello(open_hello(self.keys, frame))
        owner = hashlib.sha256(hello.device).hexdigest()
        refused = self._refusal(owner, hello.views, now_s)
        if refused in (None, "version"):
            self._note_version(is_other=refused is not None)
        if refused is not None:
            answer = Refused(refused, hash_of(frame), self._home.version)  # type: ignore[arg-type]
            self._home.send(self.keys.room, seal_welcome(self.keys, welcome_bytes(answer)))
            return
        # A phone on which a board's link was tapped does not take it from the board: its first word does.
        if self.phone is not None and not self._owns(owner):
            return
        sealed, session = new_welcome(self.keys, hello, frame, self._home.version)
        self._proposed.append(_Proposed(session, owner))
        self._home.send(self.keys.room, sealed)

    def _note_version(self, *, is_other: bool) -> None:
        if self.is_other_version is not is_other:
            self.is_other_version = is_other
            self._home.news()

    def _refusal(self, owner: str, views: int, now_s: float) -> str | None:
        if now_s > self.invitation.until_s:
            return "over"
        if self.invitation.owner not in ("", owner):
            return "device"
        return "version" if views != VIEW_FORM else None

    def _owns(self, device: str) -> bool:
        """Whether the link is that device's, from now on at the latest; also False where the disk refuses."""
        return self.invitation.owner == device or (
            not self.invitation.owner and self._home.owned(self, device)
        )

    def _open(self, session_id: bytes, frame: bytes) -> None:
        session, proposed = self._outgoing.session, None
        if session is None or session.id != session_id:
            proposed = next((one for one in self._proposed if one.session.id == session_id), None)
            if proposed is None:
                raise ForeignFrameError("is of a session that has ended")
            session = proposed.session
        text = session.open(frame)
        if text is None:
            return
        if proposed is not None:
            self._turn_to(proposed)
        self._seen_at_s = self._clock_s()
        self._silent_at_s = self._seen_at_s + GUEST_SILENT_S
        self._set_here(is_here=True)
        self._take(read_up(text))

    def _turn_to(self, proposed: _Proposed) -> None:
        self._stop_views()
        self._outgoing.turn_to(proposed.session)
        self._device = proposed.device
        self._proposed.clear()

    def _take(self, message: Up) -> None:
        match message:
            case Ping(number):
                self.round_trip_ms = number % ROUND_TRIP_IN or self.round_trip_ms
                self.tell(Pong(number))
            case Look() if self._views is not None:
                self._views.show()
            case Call() if self._calls is not None:
                self._calls.take(message)
            case Call():
                # A browser: its page says where the link of a board is to be entered.
                self.tell(Answer(message.id, NOWHERE, "", {"board": True}))
            case Board(content) if self.board is not None and self._owns(self._device):
                self.board.hear(content)
                self._home.news()

    def _called(self, call: Call, found: Answered, moved: bool) -> None:
        """Note the effect of a call: a new player, or one who has left. On the thread of the calls."""
        is_done = found.status == OK and call.path in ("join", "leave")
        if is_done and call.path == "join" and self.phone is not None:
            self._home.named(self, self.phone.name)
        if is_done and not self.invitation.watches:
            self._home.left(self, call.path == "leave")
        if is_done or moved:
            # `look_after` sends the views of the seat that the phone has now.
            self._home.news()

    # What goes out.

    def tell(self, message: Down) -> MQTTMessageInfo | None:
        return self._outgoing.tell(message)

    def _stop_views(self) -> None:
        if self._views is not None:
            self._views.stop()

    # The end.

    def line_is_cut(self) -> None:
        """The broker is away: sealed frames may be lost, so the phone says hello again."""
        self._drop()
        self._set_here(is_here=False)

    def close(self, reason: str | None = None) -> None:
        """End everything; with a reason, which the phone hears."""
        if reason is not None:
            sent = self.tell(End(reason))  # type: ignore[arg-type]
            if sent is not None:
                sent.wait_for_publish(0.5)
        self._drop()
        if self._calls is not None:
            self._calls.stop()
        if self.board is not None:
            # Without a reason it is this companion that ends, and the board comes back to the next one.
            (self.board.suspend if reason is None else self.board.stop)()
        self.is_here = False

    def _drop(self) -> None:
        self._stop_views()
        self._outgoing.turn_to(None)
        self._proposed.clear()

    def _set_here(self, *, is_here: bool) -> None:
        if self.is_here is is_here:
            return
        # Both homes count from the last word, not from when this one noticed that there is none.
        self.is_here, self.since_s = is_here, self._clock_s() if is_here else self._seen_at_s
        if not is_here:
            self._stop_views()
            if self.board is not None:
                self.board.line_is_cut()
        self._home.news()
