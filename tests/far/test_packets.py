"""The packets that a relay lets through to its broker: each account's own topics, however their bytes are cut up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tock_web.relay.accounts import Account
from tock_web.relay.packets import ForbiddenError, Hail, Packets, composed, first_packet

TABLE, ROOM, OTHER = "t" * 22, "r" * 22, "o" * 22
HOME, GUEST = Account(TABLE), Account(TABLE, ROOM)


def text(data: str) -> bytes:
    return len(data.encode()).to_bytes(2, "big") + data.encode()


def packet(kind: int, body: bytes) -> bytes:
    size, length = len(body), b""
    while size > 127:
        size, low = divmod(size, 128)
        length += bytes((low | 128,))
    return bytes((kind,)) + length + bytes((size,)) + body


def message(topic: str, payload: bytes = b"x", *, qos: int = 1, retain: bool = False) -> bytes:
    return packet(0x30 | qos << 1 | retain, text(topic) + (b"\0\1" if qos else b"") + payload)


def subscription(*topics: str, level: int = 4) -> bytes:
    properties = b"\0" if level == 5 else b""
    return packet(0x82, b"\0\1" + properties + b"".join(text(topic) + b"\1" for topic in topics))


OWN = [
    (HOME, message(f"far/{TABLE}/home", b"here", retain=True)),
    (HOME, message(f"far/{TABLE}/{ROOM}/down", b"x" * 300_000)),
    (HOME, subscription(f"far/{TABLE}/+/up", f"far/{TABLE}/+/gone")),
    (GUEST, message(f"far/{TABLE}/{ROOM}/up", qos=0)),
    (GUEST, message(f"far/{TABLE}/{ROOM}/gone", b"")),
    (GUEST, subscription(f"far/{TABLE}/{ROOM}/down", f"far/{TABLE}/home")),
    (GUEST, packet(0xC0, b"")),
    (GUEST, packet(0x40, b"\0\1")),
    (GUEST, packet(0xA2, b"\0\1" + text("x"))),
    (GUEST, packet(0xE0, b"")),
]


@pytest.mark.parametrize(("account", "sent"), OWN)
def test_packets_of_homes_and_guests_pass_unchanged_however_they_are_cut(
    account: Account, sent: bytes
) -> None:
    for step in (1, 7, len(sent)) if len(sent) < 1_000 else (977, len(sent)):
        packets = Packets(account, 4)
        parts = [packets.take(sent[start : start + step])[0] for start in range(0, len(sent), step)]
        assert b"".join(parts) == sent
    assert Packets(account, 4).take(sent)[1] >= 500


FORBIDDEN = [
    *(message(f"far/{TABLE}/{ROOM}/up", retain=True), message(f"far/{TABLE}/{ROOM}/up", qos=2)),
    *(
        message(topic)
        for topic in ("x", "$CONTROL/x", f"far/{OTHER}/{ROOM}/up", f"far/{TABLE}/{ROOM}/up/more")
    ),
    *(message(topic) for topic in ("", f"far/{TABLE}/home/more", f"far/{TABLE}/more", f"far/{TABLE}/+/down")),
    *(message(f"relay/rooms/{TABLE}/{ROOM}", b"", retain=keep) for keep in (True, False)),
    message(f"far/{TABLE}/{OTHER}/up"),
    message("x" * 2_000),
    message(f"far/{TABLE}/home", b"x" * 2_000, retain=True),
    *(
        subscription(topic)
        for topic in ("#", "far/#", f"far/{TABLE}/#", f"far/{OTHER}/home", "relay/#", "$SYS/#")
    ),
    *(subscription(topic) for topic in (f"far/{TABLE}/{ROOM}/+", f"$share/a/far/{TABLE}/home", "a/" * 200)),
    subscription(f"far/{TABLE}/home", f"far/{TABLE}/{OTHER}/down"),
    *(packet(kind, b"\0\1") for kind in (0x10, 0x20, 0x50, 0x62, 0x70, 0x80, 0x90, 0xD0, 0xF0, 0x00)),
    packet(0x82, b""),
    packet(0x30, b"\0"),
    packet(0x40, b"x" * 2_000),
    b"\x30\xff\xff\xff\xff\x7f",
    b"\x30\xff\xff\xff\x7f",
]


def passed(account: Account, pieces: list[bytes]) -> tuple[bytes, bool]:
    """The bytes that pass, and whether the line is cut then."""
    packets, found = Packets(account, 4), b""
    for piece in pieces:
        try:
            found += packets.take(piece)[0]
        except ForbiddenError:
            return found, True
    return found, False


@pytest.mark.parametrize("account", [HOME, GUEST], ids=["home", "guest"])
@pytest.mark.parametrize("sent", FORBIDDEN)
def test_no_packet_beyond_an_accounts_own_topics_passes(account: Account, sent: bytes) -> None:
    for step in (1, len(sent)):
        assert passed(account, [sent[start : start + step] for start in range(0, len(sent), step)]) == (
            b"",
            True,
        )


def test_a_subscription_of_the_newer_version_is_checked_behind_its_properties() -> None:
    own = subscription(f"far/{TABLE}/home", level=5)
    assert Packets(GUEST, 5).take(own)[0] == own
    with pytest.raises(ForbiddenError):
        Packets(GUEST, 5).take(subscription("#", level=5))


def hail(level: int = 4, flags: int = 0xC2, more: bytes = b"") -> bytes:
    properties = b"\0" if level == 5 else b""
    body = text("MQTT") + bytes((level, flags)) + b"\0\x14" + properties + text("id") + more
    return packet(0x10, body + text("user") + text("password"))


@pytest.mark.parametrize("level", [4, 5])
def test_the_first_packet_is_is_written_by_the_relay_and_nothing_but_the_version_is_the_clients(
    level: int,
) -> None:
    will = (b"\0" if level == 5 else b"") + text("relay/rooms/x/y") + text("forged")
    for sent in (hail(level), hail(level, 0xE6, will)):
        for cut in range(len(sent)):
            assert first_packet(sent[:cut]) is None
        found = first_packet(sent + b"more")
        assert found is not None
        assert found == (Hail(level, 20, b"id", "user", "password"), len(sent))
        again = composed(found[0], GUEST, "relay", "secret")
        read = first_packet(again)
        assert read is not None
        assert (read[0].user, read[0].password, read[1]) == ("relay", "secret", len(again))
        assert b"forged" not in again
        assert f"far/{TABLE}/{ROOM}/gone".encode() in again
    for_home = composed(Hail(level, 20, b"id", "user", "password"), HOME, "relay", "secret")
    assert for_home.count(f"far/{TABLE}/home".encode()) == 1


@pytest.mark.parametrize(
    "sent",
    [
        *(hail(level) for level in (3, 6)),
        *(hail(flags=flags) for flags in (0x02, 0x82, 0x42)),
        *(message("x"), packet(0x10, b""), b"\x10\xff\xff\xff\xff", packet(0x10, bytes(2_000))),
        hail().replace(b"MQTT", b"XXXX"),
        hail().replace(b"user", b"\xff\xfe\xfd\xfc"),
    ],
)
def test_other_beginnings_are_none(sent: bytes) -> None:
    with pytest.raises(ForbiddenError):
        first_packet(sent)


@given(
    st.lists(st.one_of(st.binary(max_size=40), st.sampled_from([sent for _, sent in OWN[2:]])), max_size=8)
)
def test_random_bytes_pass_alike_however_they_are_cut(parts: list[bytes]) -> None:
    sent = b"".join(parts)
    whole, single = passed(GUEST, [sent])[0], passed(GUEST, [sent[at : at + 1] for at in range(len(sent))])[0]
    assert single.startswith(whole)
    assert sent.startswith(single)
