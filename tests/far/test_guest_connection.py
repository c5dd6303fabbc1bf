"""A companion as a guest: hello, welcome, sealed documents both ways, and a new session after every cut."""

from collections.abc import Callable

import pytest

from tock_companion.far.board_messages import Document
from tock_companion.far.greeting import new_welcome
from tock_companion.far.guest_connection import GuestConnection
from tock_companion.far.link import room_keys
from tock_companion.far.messages import (
    Board,
    End,
    Refused,
    message_bytes,
    read_hello,
    read_up,
    welcome_bytes,
)
from tock_companion.far.session import (
    FrameType,
    Session,
    hash_of,
    open_hello,
    seal_welcome,
    shape_of_frame,
)

KEYS = room_keys("A" * 22, bytes(32))
DEVICE = bytes(range(32))


class Home:
    """The other end, one frame at a time; its frames are lost while the line is cut."""

    def __init__(self) -> None:
        self.session: Session | None = None
        self.received: list[Document] = []
        self.refuses = ""
        self.is_up = True
        self.to_guest: Callable[[bytes], None] = lambda _frame: None

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def send(self, frame: bytes) -> bool:
        if not self.is_up:
            return False
        if shape_of_frame(frame).type is FrameType.HELLO:
            self._greet(frame)
        elif self.session is not None:
            text = self.session.open(frame)
            message = read_up(text) if text is not None else None
            if isinstance(message, Board):
                self.received.append(message.content)
        return True

    def _greet(self, frame: bytes) -> None:
        hello = read_hello(open_hello(KEYS, frame))
        assert hello.device == DEVICE
        if self.refuses:
            refused = Refused(self.refuses, hash_of(frame), "1.0")  # type: ignore[arg-type]
            self.to_guest(seal_welcome(KEYS, welcome_bytes(refused)))
            return
        sealed, self.session = new_welcome(KEYS, hello, frame, "1.0")
        self.to_guest(sealed)

    def say(self, document: Document) -> bytes:
        assert self.session is not None
        return self.session.seal(message_bytes(Board(dict(document))))


class Guest:
    def __init__(self) -> None:
        self.received: list[Document] = []
        self.sessions = 0
        self.connection = GuestConnection(KEYS, DEVICE, clock_s=lambda: 0.0)
        self.connection.connect(self.received.append, self.up)

    def up(self) -> None:
        self.sessions += 1


@pytest.fixture
def home() -> Home:
    return Home()


@pytest.fixture
def guest(home: Home) -> Guest:
    guest = Guest()
    home.to_guest = guest.connection.receive
    guest.connection.use(home)
    guest.connection.line_changed(True)
    return guest


def test_documents_go_both_ways_sealed(home: Home, guest: Guest) -> None:
    assert guest.connection.tell({"have": {"game": "", "facts": 0}})
    assert home.received == [{"have": {"game": "", "facts": 0}}]
    frame = home.say({"names": {"P0": "Anna"}, "seats": []})
    assert b"Anna" not in frame
    guest.connection.receive(frame)
    guest.connection.receive(frame)
    assert guest.received == [{"names": {"P0": "Anna"}, "seats": []}], "a repeated frame does nothing"


def test_a_missing_frame_begins_a_new_session(home: Home, guest: Guest) -> None:
    home.say({"lost": 1})
    guest.connection.receive(home.say({"names": {}, "seats": []}))
    assert guest.received == []
    assert guest.sessions == 2


def test_a_cut_line_loses_the_session_and_a_new_one_begins_with_the_line(home: Home, guest: Guest) -> None:
    home.is_up = False
    assert not guest.connection.tell({"later": True})
    home.is_up = True
    assert not guest.connection.tell({"later": True}), "frames sealed before may be lost"
    guest.connection.line_changed(True)
    assert guest.connection.tell({"later": True})
    assert home.received == [{"later": True}]


def test_strangers_frames_and_those_of_old_sessions_are_passed_over(home: Home, guest: Guest) -> None:
    old = home.say({"names": {}, "seats": []})
    guest.connection.line_changed(True)
    for frame in (old, b"", b"\x01\x03" + bytes(40), b"\x01\x02" + bytes(60)):
        guest.connection.receive(frame)
    assert guest.received == []
    assert not guest.connection.ended


@pytest.mark.parametrize("reason", ["device", "over", "version"])
def test_a_refused_guest_stays_out_and_knows_why(home: Home, reason: str) -> None:
    home.refuses = reason
    guest = Guest()
    home.to_guest = guest.connection.receive
    guest.connection.use(home)
    guest.connection.line_changed(True)
    assert guest.connection.ended == reason
    assert not guest.connection.tell({"later": True})


def test_an_invitation_that_was_taken_back_ends_the_visit(home: Home, guest: Guest) -> None:
    assert home.session is not None
    guest.connection.receive(home.session.seal(message_bytes(End("revoked"))))
    assert guest.connection.ended == "revoked"
