"""Frames that nobody has sealed for a session: whatever their order, they change nothing that lasts, on either side."""

import random
from dataclasses import replace
from time import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paho.mqtt.client import MQTTMessageInfo

from tests.far.test_guest_connection import DEVICE, KEYS, Guest, Home
from tock_companion.far.greeting import new_hello, welcomed
from tock_companion.far.invitations import Invitation
from tock_companion.far.link_timeouts import PING_S
from tock_companion.far.messages import Ping, message_bytes
from tock_companion.far.room import Home as Services
from tock_companion.far.room import Room
from tock_companion.far.session import FrameType, Session, forms_understood, shape_of_frame

BARE = st.one_of(
    st.binary(max_size=60),
    st.builds(lambda form, low, high: bytes((form, 0, low, high)), *[st.integers(0, 255)] * 3),
    st.builds(
        lambda form, kind, more: bytes((form, kind)) + more, *[st.integers(0, 4)] * 2, st.binary(max_size=80)
    ),
)
"""Bytes without any key, most of them with the head of a frame."""


def bent(frame: bytes, at: int) -> bytes:
    changed = bytearray(frame)
    changed[at % len(frame)] ^= 1 + at % 255
    return bytes(changed)


@given(st.lists(st.tuples(BARE, st.integers(0, 10**6)), max_size=30))
@settings(deadline=None)
def test_a_session_of_a_second_board_goes_on_through_all_of_them(hostile: list[tuple[bytes, int]]) -> None:
    home, guest = Home(), Guest()
    received: list[bytes] = []

    def to_guest(frame: bytes) -> None:
        received.append(frame)
        guest.connection.receive(frame)

    home.to_guest = to_guest
    guest.connection.use(home)
    guest.connection.line_changed(True)
    session, documents = home.session, []
    for number, (frame, at) in enumerate(hostile):
        guest.connection.receive(frame)
        guest.connection.receive(bent(received[at % len(received)], at))
        guest.connection.receive(received[at % len(received)])
        documents.append({"later": number})
        to_guest(home.say(documents[-1]))
    assert guest.received == documents
    assert (guest.sessions, guest.connection.ended, home.session) == (1, "", session)
    assert not guest.connection.has_other_form


@given(st.lists(BARE, max_size=20))
@settings(deadline=None)
def test_before_the_first_welcome_they_change_a_sentence_and_the_tries_go_on(hostile: list[bytes]) -> None:
    home, guest = Home(), Guest()
    guest.connection.use(home)
    home.is_up = False
    guest.connection.line_changed(True)
    for frame in (*hostile, forms_understood()):
        guest.connection.receive(frame)
    assert guest.connection.ended == ""
    assert guest.connection.has_other_form
    home.is_up, home.to_guest = True, guest.connection.receive
    guest.connection.line_changed(True)
    assert guest.sessions == 1
    assert not guest.connection.has_other_form


class OneRoom:
    """A home's side of one link, without a table."""

    def __init__(self, owner: str = "") -> None:
        self.sent: list[bytes] = []
        self.now_s = 1_000.0
        invitation = replace(Invitation.new(None, time()), owner=owner)
        nothing = lambda *_: None  # noqa: E731
        services = Services(self._send, nothing, self._owned, nothing, nothing, nothing, "1.0")  # type: ignore[arg-type]
        self.room = Room(KEYS, invitation, None, services, lambda: self.now_s)

    def _send(self, _room: str, frame: bytes) -> MQTTMessageInfo:
        self.sent.append(frame)
        return MQTTMessageInfo(0)

    def _owned(self, room: Room, owner: str) -> bool:
        room.invitation = replace(room.invitation, owner=owner)
        return True

    def hear(self, frame: bytes) -> list[bytes]:
        """The frames that the home sends then."""
        self.sent.clear()
        self.room.hear(frame, time())
        return list(self.sent)

    def session(self, device: bytes = DEVICE) -> tuple[Session, bytes]:
        greeting = new_hello(KEYS, device)
        found = welcomed(KEYS, [greeting], self.hear(greeting.frame)[0])
        assert isinstance(found, Session)
        return found, greeting.frame


@pytest.mark.parametrize("seed", range(12))
def test_a_guest_stays_there_whatever_comes_with_the_same_link(seed: int) -> None:
    """Another device with the link may send any bytes, and say that the guest's connection has ended."""
    one, rng = OneRoom(), random.Random(seed)
    session, hello = one.session()
    (pong,) = one.hear(session.seal(message_bytes(Ping(1))))
    assert session.open(pong) is not None
    one.room.invitation = replace(one.room.invitation, owner="the guest's")
    sent = [hello]
    for number in range(2, 12):
        for _ in range(rng.randrange(6)):
            frame = rng.choice(
                [
                    forms_understood(),
                    bytes((rng.randrange(2, 9), rng.randrange(1, 5))) + rng.randbytes(rng.randrange(60)),
                    rng.randbytes(rng.randrange(60)),
                    rng.choice(sent),
                    bent(rng.choice(sent), rng.randrange(10**6)),
                    new_hello(KEYS, rng.randbytes(32)).frame,
                ]
            )
            answers = one.hear(frame)
            assert all(shape_of_frame(answer).type is FrameType.WELCOME for answer in answers), (
                "and no bare frame"
            )
        if rng.random() < 0.5:
            one.room.gone()
        one.now_s += PING_S
        one.room.look_after()
        assert one.room.is_here
        sent.append(session.seal(message_bytes(Ping(number))))
        (pong,) = one.hear(sent[-1])
        assert session.open(pong) is not None
        assert not one.room.is_other_version
    one.room.gone()
    one.now_s += 2 * PING_S
    one.room.look_after()
    assert not one.room.is_here, "the guest's own end is noticed"


def test_a_link_without_an_owner_answers_another_form_in_one_frame() -> None:
    one = OneRoom()
    assert one.hear(b"\x02\x01" + bytes(40)) == [forms_understood()]
    assert one.room.is_other_version
    assert one.hear(forms_understood()) == []
    one.session()
    assert not one.room.is_other_version
