"""The far seats and boards of a table: their rooms at the relay, and how things stand with each.

The companion connects outwards alone. What comes in by this way reaches the table only as the calls of a seat's phone.
"""

import logging
import queue
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from ssl import SSLContext

from paho.mqtt.client import MQTTMessageInfo

from tock_companion import __version__
from tock_companion.background import Background
from tock_companion.core.bodies import SetComputer
from tock_companion.core.requests import Reply, Request, Role
from tock_companion.core.roster import FarCards
from tock_companion.errors import BadInputError, TockError
from tock_companion.events.terms import Term
from tock_companion.far.board_home import BoardAtHome
from tock_companion.far.board_messages import Document
from tock_companion.far.calls import Phone
from tock_companion.far.guests import FarGuest, guest_of, people_of
from tock_companion.far.invitations import MAX_INVITATIONS, Account, Invitation, Invitations, Kept
from tock_companion.far.line import Line
from tock_companion.far.link import room_keys
from tock_companion.far.messages import Board
from tock_companion.far.relay_service import RelayError, RelayService
from tock_companion.far.room import Home, Room
from tock_companion.far.signs import Signs
from tock_companion.table.runtime.live import Table
from tock_companion.table.runtime.publisher import Subscription
from tock_companion.table.seats.people import Reservation
from tock_companion.views.state import FarPeople, Sign
from tock_rules import Seat

LOG = logging.getLogger(__name__)
LOOK_S, WAIT_S, REST_S = 1.0, 5.0, 30.0
"""With a guest, with a link that waits, and without any."""
WAITING_FRAMES = 500
ASK_AGAIN_S = 10.0
PARTS_OF_TOPIC = 4
OpenPhone = Callable[[Seat | None, str, str], Phone]
"""Makes the phone of an invitation: the seat (None: it looks on), its device's secret, the name that the host gave."""
MakeLine = Callable[[Account, SSLContext | None, Callable[[str, bytes], None], Callable[[bool], None]], Line]


class Tunnel:
    """The invitations of one table at work, from `start` to `stop`."""

    def __init__(
        self,
        table: Table,
        folder: Path,
        place: RelayService,
        make_line: MakeLine = Line,
        clock_s: Callable[[], float] = time.monotonic,
        wall_s: Callable[[], float] = time.time,
    ) -> None:
        """Take up the kept invitations; raises BadInputError for a file of a newer release."""
        self._table, self._place, self._make_line = table, place, make_line
        self._clock_s, self._wall_s = clock_s, wall_s
        self._store = Invitations(folder)
        account = self._store.kept.account
        if account is not None and account.relay != place.relay:
            # The file is replaced by the first invitation: with a corrected address the old links work again.
            self._store.kept = Kept()
        self._open_phone: OpenPhone | None = None
        self._line: Line | None = None
        self._rights_are_due, self._ask_not_before_s = False, clock_s()
        self._rooms: dict[str, Room] = {}
        # Replaced and never changed, so that any thread may read it; only under the lock.
        self._changing = threading.RLock()
        self._frames: queue.Queue[tuple[str, bytes] | None] = queue.Queue(WAITING_FRAMES)
        self._signs = Signs(clock_s)
        self._shown = FarPeople()
        table.people.reserve(self._awaited)
        self._loop = Background(
            "far",
            "where [far] is set: takes in what comes from far away, and shows who is there",
            self._step,
            wake=self._wake,
        )

    # Its life.

    def connect(self, open_phone: OpenPhone) -> None:
        """Say how phones are opened; before `start`."""
        self._open_phone = open_phone

    def start(self) -> None:
        """Take up the invitations of before, where there are any."""
        self._loop.start()

    def stop(self) -> None:
        """End all sessions; the invitations stay."""
        self._loop.stop()
        for room in self._rooms.values():
            room.close()
        if self._line is not None:
            self._line.stop()

    @property
    def relay(self) -> str:
        return self._place.relay

    @property
    def is_reached(self) -> bool:
        return self._line is not None and self._line.is_up

    # Requests of the host; all raise TockError with a sentence.

    def guests(self) -> list[FarGuest]:
        return [guest_of(room, self._store.kept.account, self._clock_s()) for room in self._rooms.values()]

    def invite(
        self, seat: Seat | None, name: str = "", cards: FarCards = "drawn", *, watches: bool = False
    ) -> FarGuest:
        """Invite a person to a seat or to look on, or a board; an earlier invitation for the seat ends."""
        with self._changing:
            rooms = self._rooms.values()
            old = next((one for one in rooms if seat is not None and one.invitation.seat is seat), None)
            if old is None and len(rooms) >= MAX_INVITATIONS:
                raise BadInputError("there are enough invitations; take one back first")
            invitation = Invitation.new(seat, self._wall_s(), name, cards, watches=watches)
            return self._swap(old, invitation, stands_up=True)

    def renew(self, room_name: str) -> FarGuest:
        """Replace the link of a seat; the guest keeps the seat."""
        with self._changing:
            old = self._find(room_name)
            before = old.invitation
            invitation = Invitation.new(before.seat, self._wall_s(), before.name, before.cards)
            invitation = replace(invitation, device=before.device, watches=before.watches)
            return self._swap(old, invitation)

    def _swap(self, old: Room | None, invitation: Invitation, *, stands_up: bool = False) -> FarGuest:
        """Open a room, then end the one it replaces; the old one goes on where the relay or the disk refuses."""
        account = self._store.kept.account
        if account is None:
            account = self._place.new_account()
            self._store.keep(Kept(account))
        keys = room_keys(account.table, invitation.secret)
        self._place.open_room(account, keys, invitation.until_s)
        kept = self._store.kept
        try:
            self._store.keep(
                (kept if old is None else kept.without(old.invitation)).with_invitation(invitation)
            )
        except TockError:
            self._close_room(keys.room)
            raise
        if old is not None:
            if stands_up:
                _stand_up(old)
            self._end(old, "revoked")
        return self._added(self._room_of(invitation))

    def _added(self, room: Room) -> FarGuest:
        self._rooms = {**self._rooms, room.keys.room: room}
        if self._line is None:
            self._begin()
        self._wake()
        return guest_of(room, self._store.kept.account, self._clock_s())

    def revoke(self, room_name: str) -> None:
        """Take an invitation back; its guest stands up."""
        with self._changing:
            room = self._find(room_name)
            _stand_up(room)
            self._end(room, "revoked")

    def _awaited(self, seat: Seat) -> Reservation | None:
        """The guest invited to a seat who has not left; any thread may ask."""
        rooms = self._rooms.values()
        invited = (one.invitation for one in rooms if one.invitation.seat is seat)
        awaited = next((one for one in invited if not one.has_left), None)
        if awaited is None:
            return None
        return Reservation(awaited.name or Term("phrase", "far-somebody"), awaited.device)

    def choose_cards(self, room_name: str, cards: FarCards) -> None:
        """Say where the cards of a seat come from."""
        with self._changing:
            room = self._find(room_name)
            self._change(room, replace(room.invitation, cards=cards))
            self._wake()

    def stand_in(self, room_name: str) -> Reply:
        """Have the computer play for a guest who is away; with the same link they may take the seat up again."""
        room = self._find(room_name)
        seat = room.invitation.seat
        if seat is None or room.phone is None:
            raise BadInputError("this guest has no seat")
        room.phone.leave()
        return self._table.request(Request(SetComputer(seat, "medium"), Role.HOST))

    def sign(self, seat: Seat | None, sign: Sign, name: str = "") -> bool:
        """Show a sign of a seat, or of a spectator, to both homes for some seconds; False when they come too fast."""
        given = self._signs.give(seat, sign, name)
        if given is None:
            return False
        for room in self._rooms.values():
            if room.board is not None:
                room.board.sign(given)
        self._wake()
        return True

    # At work.

    def _step(self) -> float | None:
        if self._line is None and self._store.kept.invitations:
            self._begin()
        busy = self._signs.shown is not None or any(room.invitation.owner for room in self._rooms.values())
        try:
            item = self._frames.get(timeout=LOOK_S if busy else WAIT_S if self._rooms else REST_S)
        except queue.Empty:
            item = None
        if item is not None:
            self._hear(*item)
        self._look_after()
        return 0.0

    def _begin(self) -> None:
        """Connect, once there is an invitation."""
        with self._changing:
            kept = self._store.kept
            if self._line is not None or kept.account is None:
                return
            known = {room.invitation.secret for room in self._rooms.values()}
            added = [self._room_of(one) for one in kept.invitations if one.secret not in known]
            self._rooms = {**self._rooms, **{room.keys.room: room for room in added}}
            self._line = self._make_line(kept.account, self._place.context(), self._came, self._line_changed)
            self._line.start()

    def _came(self, topic: str, frame: bytes) -> None:
        """Take a frame from the connection's thread; excess frames are dropped."""
        parts = topic.split("/")
        room = self._rooms.get(parts[2]) if len(parts) == PARTS_OF_TOPIC else None
        if room is None or not room.may_come_in():
            return
        try:
            self._frames.put_nowait((topic, frame))
        except queue.Full:
            LOG.warning("far: too much comes in at once")

    def _line_changed(self, is_up: bool) -> None:
        if is_up:
            # The broker may be another one, or may have forgotten the guests' rights.
            self._rights_are_due = True
            self._wake()
            return
        for room in self._rooms.values():
            room.line_is_cut()

    def _hear(self, topic: str, frame: bytes) -> None:
        _far, _table, name, kind = topic.split("/")
        room = self._rooms.get(name)
        if room is None:
            return
        if kind == "gone":
            room.gone()
        else:
            room.hear(frame, self._wall_s())

    def _look_after(self) -> None:
        for room in list(self._rooms.values()):
            room.look_after()
            if self._wall_s() > room.invitation.until_s:
                self._end(room, "over")
        if self._line is not None and (self._rights_are_due or self._line.is_refused):
            self._ask_for_rights(self._store.kept.account)
        if self._line is not None and not self._rooms:
            self._line.stop()
            self._line = None
        names, account = self._table.people.names(), self._store.kept.account
        shown = people_of(self._rooms.values(), names, self._signs.shown, account, self._clock_s())
        if shown != self._shown:
            self._shown = shown
            self._table.show_far(shown)

    def _ask_for_rights(self, account: Account | None) -> None:
        """Ask for the rights of all rooms again: a broker that was killed may have lost them, and guests cannot ask."""
        if account is None or self._clock_s() < self._ask_not_before_s:
            return
        self._rights_are_due, self._ask_not_before_s = False, self._clock_s() + ASK_AGAIN_S
        try:
            for room in self._rooms.values():
                self._place.open_room(account, room.keys, room.invitation.until_s)
        except RelayError as error:
            LOG.warning("%s", error)
            self._rights_are_due = True

    # One room.

    def _room_of(self, invitation: Invitation) -> Room:
        account = self._store.kept.account
        assert account is not None
        keys = room_keys(account.table, invitation.secret)
        phone = None
        if not invitation.is_board and self._open_phone is not None:
            phone = self._open_phone(invitation.seat, invitation.device, invitation.name)
            phone.cards = invitation.cards
        home = Home(
            self._send,
            self._follow,
            self._owned,
            self._left,
            self._named,
            self._wake,
            __version__,
        )
        room = Room(keys, invitation, phone, home, self._clock_s)
        if invitation.is_board:

            def tell(document: Document) -> None:
                room.tell(Board(dict(document)))

            room.board = BoardAtHome(self._table, keys.room, invitation.device, tell, self.sign)
            room.board.start()
        return room

    def _send(self, room: str, frame: bytes) -> MQTTMessageInfo | None:
        return None if self._line is None else self._line.send(room, frame)

    def _follow(self, seat: Seat | None) -> Subscription:
        return self._table.subscribe(Role.WATCH if seat is None else Role.SEAT, seat)

    def _left(self, room: Room, has_left: bool) -> None:
        if room.invitation.has_left is not has_left:
            self._change(room, replace(room.invitation, has_left=has_left))

    def _named(self, room: Room, name: str) -> None:
        if room.invitation.name != name:
            self._change(room, replace(room.invitation, name=name))

    def _owned(self, room: Room, owner: str) -> bool:
        try:
            self._change(room, replace(room.invitation, owner=owner))
        except TockError as error:
            LOG.error("%s", error)
            return False
        return True

    def _change(self, room: Room, invitation: Invitation) -> None:
        with self._changing:
            self._store.keep(self._store.kept.with_invitation(invitation))
            room.invitation = invitation
        if room.phone is not None:
            room.phone.cards = invitation.cards

    def _end(self, room: Room, reason: str) -> None:
        with self._changing:
            self._store.keep(self._store.kept.without(room.invitation))
            self._rooms = {name: one for name, one in self._rooms.items() if one is not room}
        room.close(reason)
        self._close_room(room.keys.room)
        self._wake()

    def _close_room(self, name: str) -> None:
        account = self._store.kept.account
        if account is None:
            return
        try:
            self._place.close_room(account, name)
        except RelayError as error:
            # This home admits no one to it; the relay closes it at the end of the evening.
            LOG.warning("%s", error)

    def _find(self, room_name: str) -> Room:
        room = self._rooms.get(room_name)
        if room is None:
            raise BadInputError("this invitation has ended")
        return room

    def _wake(self) -> None:
        with suppress(queue.Full):
            self._frames.put_nowait(None)


def _stand_up(room: Room) -> None:
    if room.phone is not None and room.phone.seat is not None:
        room.phone.leave()
