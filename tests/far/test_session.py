"""A session far away: keys, frames and messages, and views sent as their changes."""

import hashlib
import hmac
import json
from collections.abc import Callable
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from hypothesis import given
from hypothesis import strategies as st

from tests.data.far.make_vectors import DEVICE, DOWN, PATH, SECRET, TABLE, UP, text_of, vectors
from tests.support.checkout import DATA
from tock_companion.far import messages, session
from tock_companion.far.changes import changed, changes
from tock_companion.far.link import (
    BadLinkError,
    FarLink,
    LinkFault,
    base64url,
    from_base64url,
    link_text,
    new_link,
    read_link,
    room_keys,
)
from tock_companion.far.messages import Changes, message_bytes, read_down
from tock_companion.far.session import (
    AnotherFormError,
    ForeignFrameError,
    FrameType,
    GapError,
    Session,
    Side,
    shape_of_frame,
)

KEYS = room_keys(TABLE, SECRET)
LINK = FarLink("https://relay.example", TABLE, SECRET)


def ends() -> tuple[Session, Session]:
    """Both ends of a session: far and home."""
    far, home = session.new_private_key(), session.new_private_key()
    hello = session.seal_hello(KEYS, b"hello")
    welcome = session.seal_welcome(KEYS, b"welcome")
    of_far = session.session_keys(KEYS, far, session.public_bytes(home), hello, welcome)
    of_home = session.session_keys(KEYS, home, session.public_bytes(far), hello, welcome)
    assert of_far == of_home
    return Session(of_far, KEYS.room, Side.FAR), Session(of_home, KEYS.room, Side.HOME)


def is_refused(read: Callable[[Any], object], data: object) -> bool:
    try:
        read(data)
    except ValueError:
        return True
    return False


def test_links_frames_and_messages_keep_the_form_that_browsers_are_held_against() -> None:
    assert PATH.read_text(encoding="utf-8") == text_of(vectors())


def test_the_keys_of_a_link_are_those_of_hkdf() -> None:
    document = json.loads(PATH.read_text(encoding="utf-8"))
    pseudo = hmac.digest(TABLE.encode(), SECRET, hashlib.sha256)
    for name, info in (("hello_up", b"tock far hello up"), ("broker_password", b"tock far broker")):
        assert document[name] == base64url(hmac.digest(pseudo, info + b"\x01", hashlib.sha256))


def test_a_link_is_read_as_it_was_written_and_its_secret_is_shown_nowhere() -> None:
    fresh = new_link("https://relay.example/", TABLE)
    assert read_link(f"  {link_text(fresh)}\n") == fresh
    assert repr(fresh.secret) not in repr(fresh) + repr(room_keys(fresh.table, fresh.secret))


def test_a_link_that_was_cut_off_or_mistyped_is_recognized() -> None:
    text = link_text(LINK)
    start = text.index("#") + 2
    for end in range(start + 1, len(text)):
        with pytest.raises(BadLinkError) as caught:
            read_link(text[:end])
        assert caught.value.fault is LinkFault.CUT_OFF
    for at in range(start + 1, len(text)):
        with pytest.raises(BadLinkError):
            read_link(text[:at] + ("B" if text[at] == "A" else "A") + text[at + 1 :])


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", LinkFault.NO_LINK),
        ("https://relay.example/far", LinkFault.NO_LINK),
        ("javascript:alert(1)#1.a.b.c", LinkFault.NO_LINK),
        ("https://[#1.a.b.c", LinkFault.NO_LINK),
        ("https://relay.example/far#" + "1" * 500, LinkFault.NO_LINK),
        (link_text(LINK).replace("#1.", "#2."), LinkFault.ANOTHER_FORM),
        ("https://relay.example/far#١.a.b.c", LinkFault.CUT_OFF),
    ],
)
def test_other_texts_are_no_link(text: str, fault: LinkFault) -> None:
    with pytest.raises(BadLinkError) as caught:
        read_link(text)
    assert caught.value.fault is fault


@pytest.mark.parametrize("text", ["QQ==", "QR", "Q", "Q+", "é"])
def test_bytes_have_one_spelling(text: str) -> None:
    assert is_refused(from_base64url, text)


def test_both_ends_read_what_the_other_seals() -> None:
    far, home = ends()
    for number in range(3):
        assert home.open(far.seal(b"up %d" % number)) == (b"up %d" % number).ljust(session.BLOCK_BYTES)
        opened = far.open(home.seal(b"down"))
        assert opened is not None
        assert opened.rstrip() == b"down"


def test_a_frame_counts_once_and_an_older_one_never() -> None:
    far, home = ends()
    frames = [far.seal(b"1"), far.seal(b"2")]
    assert all(home.open(frame) for frame in frames)
    assert [home.open(frame) for frame in (*frames, frames[0])] == [None, None, None]
    assert home.open(far.seal(b"3"))


def test_a_frame_before_which_one_is_missing_ends_the_session() -> None:
    far, home = ends()
    first, second = far.seal(b"1"), far.seal(b"2")
    with pytest.raises(GapError):
        home.open(second)
    assert not home.is_proven
    assert home.open(first)
    assert home.is_proven


def test_changed_frames_and_those_of_other_keys_rooms_sessions_or_ends_are_foreign() -> None:
    far, home = ends()
    frame = far.seal(b"1")
    other, _ = ends()
    strangers = [other.seal(b"1"), home.seal(b"1"), b"", b"\x01", frame[:-1], frame[:33]]
    changed = [frame[:at] + bytes((frame[at] ^ 1,)) + frame[at + 1 :] for at in range(1, len(frame), 7)]
    for foreign in (*strangers, *changed):
        with pytest.raises((ForeignFrameError, AnotherFormError)):
            home.open(foreign)
    assert home.open(frame)
    others = room_keys(TABLE, bytes(32))
    hello = session.seal_hello(KEYS, b"x")
    welcome = session.seal_welcome(KEYS, b"x")
    for opened, keys, greeting in (
        (session.open_hello, others, hello),
        (session.open_welcome, KEYS, hello),
        (session.open_hello, KEYS, welcome),
        (session.open_hello, KEYS, hello[:10]),
    ):
        with pytest.raises(ForeignFrameError):
            opened(keys, greeting)


def test_each_session_has_keys_of_its_own_also_with_an_old_hello() -> None:
    far, home = session.new_private_key(), session.public_bytes(session.new_private_key())
    hello = session.seal_hello(KEYS, b"hello")
    welcomes = [session.seal_welcome(KEYS, b"welcome") for _ in range(2)]
    first, second = (session.session_keys(KEYS, far, home, hello, welcome) for welcome in welcomes)
    assert not {first.up, first.down, first.id} & {second.up, second.down, second.id}
    assert first.up != first.down


@pytest.mark.parametrize("point", [b"", b"\x04" + bytes(64), b"\x04" + b"\x01" * 64, b"\x02" * 65])
def test_a_point_that_is_not_on_the_curve_is_refused(point: bytes) -> None:
    with pytest.raises(ForeignFrameError):
        session.session_keys(KEYS, session.new_private_key(), point, b"h", b"w")


def test_another_form_is_answered_once_with_the_forms_that_are_understood() -> None:
    with pytest.raises(AnotherFormError) as newer:
        shape_of_frame(b"\x07\x01whatever a later version sends")
    assert not newer.value.answers
    with pytest.raises(AnotherFormError) as answer:
        shape_of_frame(session.forms_understood())
    assert (answer.value.lowest, answer.value.highest, answer.value.answers) == (1, 1, True)


def test_a_message_that_no_broker_passes_on_is_refused_before_it_is_sealed() -> None:
    far, home = ends()
    with pytest.raises(ValueError, match="too long"):
        far.seal(b"x" * session.MAX_FRAME_BYTES)
    frame = far.seal(b"x" * 300_000)
    assert shape_of_frame(frame).type is FrameType.DATA
    assert home.open(frame)


def test_messages_are_read_as_they_were_written() -> None:
    for up in UP:
        assert messages.read_up(messages.message_bytes(up)) == up
    for down in DOWN:
        assert messages.read_down(messages.message_bytes(down)) == down
    key = session.public_bytes(ec.derive_private_key(7, session.CURVE))
    hello = messages.Hello(key, DEVICE, "0.4.0", 3)
    assert messages.read_hello(messages.hello_bytes(hello)) == hello
    for answer in (messages.Welcome(key, bytes(32), "1"), messages.Refused("over", bytes(32), "1")):
        assert messages.read_welcome(messages.welcome_bytes(answer)) == answer


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"ping":-1}',
        '{"ping":1,"look":{"tab":"a"}}',
        '{"ping":true}',
        '{"ping":1,"ping":1}',
        '{"look":{"tab":""}}',
        '{"call":{"id":"a","method":"PUT","path":"/"}}',
        '{"call":{"id":"a b","method":"GET","path":"/"}}',
        '{"call":{"id":"a","method":"GET","path":"/","body":[1]}}',
        '{"call":[]}',
        '{"board":NaN}',
        "[" * 100_000,
    ],
)
def test_other_texts_are_no_message(text: str) -> None:
    for read in (messages.read_up, messages.read_down, messages.read_hello, messages.read_welcome):
        assert is_refused(read, text.encode())


CASES = json.loads((DATA / "far" / "changes.json").read_text(encoding="utf-8"))
VIEW_KEYS = st.sampled_from(["a", "b", "", "$"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2) | st.sampled_from([0.5, "", "a"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(VIEW_KEYS, inner, max_size=3),
)
"""Few keys and values, so that two of them often have parts in common."""
VIEWS = st.dictionaries(VIEW_KEYS, VALUES, max_size=4)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_changes_keep_the_form_that_browsers_are_held_against(case: dict[str, Any]) -> None:
    assert changes(case["old"], case["new"]) == case["changes"]
    assert changed(case["old"], case["changes"]) == case["new"]


@given(VIEWS, VIEWS)
def test_any_change_comes_out_the_same(old: dict[str, Any], new: dict[str, Any]) -> None:
    made = changed(old, json.loads(json.dumps(changes(old, new))))
    assert json.dumps(made, sort_keys=True) == json.dumps(new, sort_keys=True)


def test_changes_are_read_as_they_were_written() -> None:
    message = Changes(CASES[0]["changes"], "boot")
    assert read_down(message_bytes(message)) == message
