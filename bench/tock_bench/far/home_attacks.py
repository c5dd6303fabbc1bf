"""Attacks on a home by those who hold a link: frames, sealed calls of a seat, and words of a second board."""

import asyncio
import json
import ssl
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, Literal

from websockets.exceptions import WebSocketException

from tock_bench.far.attacked import Attack, Victim
from tock_bench.far.guest import FarGuest
from tock_bench.far.light_line import LightLine, RefusedError
from tock_bench.fuzz.mutations import encode, mutate_value, odd
from tock_bench.meeting_place import context_of

PAUSE_S = 0.12
"""A home takes twenty frames a second of one room: what is more is dropped, and tries nothing."""
ANSWER_S = 60.0
PATHS = (
    "session", "board", "view", "hints", "rules", "rules/statements", "rulesets", "options", "replay", "record.txt",
    "ending", "ending/best", "ending/film", "ending/film.gif", "request", "hint", "join", "leave", "far/sign", "host",
    "far/invite", "machine/settings", "phones", "log", "photos/hand", "../session", "session/", "SESSION", "", "/",
    "%2e%2e/host", "a" * 9_000,
)  # fmt: skip
MAX_PATH_CHARS = 200
CALLS = (
    {"kind": "play_card", "role": "seat", "data": {"card": "AH"}, "revision": 1},
    {"kind": "move", "role": "seat", "data": {"text": "P0:T20>T26"}},
    {"kind": "discard", "role": "seat", "data": {"cards": ["AH", "10S"]}},
    {"kind": "hand_set", "role": "seat", "data": {"cards": ["AH", "KS"], "count": 5}},
    {"kind": "correct", "role": "host", "data": {"pawns": {"P0": ["camp", "T4", "H1", "H2"]}}},
    {"kind": "answer", "role": "seat", "data": {"choice": "yes"}},
    {"name": "Odette", "lang": "fr"}, {"sign": "clap"}, {"seat": "P1", "name": "Odette"},
)  # fmt: skip
QUERIES: tuple[dict[str, str], ...] = (
    {},
    {"role": "seat"},
    {"role": "host"},
    {"offset": "0"},
    {"offset": "-1"},
    {"lang": "fr"},
    {"x": "\x00"},
)
WORDS = (
    {"have": {"game": "abc", "facts": 3}}, {"sit": {"seat": "P3", "name": "Luc", "lang": "fr"}}, {"stand": "P3"},
    {"ask": {"id": "1", "seat": "P3", "kind": "play_card", "data": {"card": "AH"}}}, {"shows": 4}, {"later": True},
    {"ask": {"id": "2", "seat": "P1", "kind": "hand_set", "data": {"cards": ["AH"]}}}, {"sign": "clap"},
)  # fmt: skip
FRAMES = (
    b"", b"\x01", b"\x01\x01", b"\x01\x03" + bytes(16), b"\x01\x00\x01\x01", b"\x02\x01" + bytes(60),
    b"\x00\x00\x05\x09", b"\xff" * 40, b"\x01\x02" + bytes(80),
)  # fmt: skip


async def frames(attack: Attack, victim: Victim) -> None:
    """Frames that nobody has sealed, from the right room."""
    rng = attack.rng
    topic = f"far/{victim.table}/{victim.keys.room}"
    while attack.goes_on:
        with suppress(OSError, ssl.SSLError, WebSocketException, RefusedError, EOFError):
            own = (victim.keys.room, victim.keys.broker_password)
            line = await LightLine.open(attack.port, context_of(attack.ca), own, _ignore, attack.local())
            try:
                for _ in range(40):
                    attack.tried["frames"] += 1
                    frame = rng.choice(FRAMES) + rng.randbytes(rng.choice((0, 0, 1, 30, 1_100, 30_000)))
                    await line.publish(f"{topic}/{rng.choice(('up', 'up', 'up', 'gone'))}", frame)
                    await asyncio.sleep(PAUSE_S)
            finally:
                await line.close()


async def calls(attack: Attack, victim: Victim) -> None:
    """Sealed calls with odd paths and bodies, by the device that owns the link."""
    rng = attack.rng
    async with _come(attack, victim) as guest:
        while attack.goes_on:
            attack.tried["calls"] += 1
            path, body = rng.choice(PATHS), mutate_value(rng, rng.choice(CALLS))
            method: Literal["GET", "POST"] = rng.choice(("POST", "POST", "GET"))
            asked = (method, path, rng.choice(QUERIES), body)
            if not _is_call(path, body):
                # Nothing that a page can send, and nothing that is answered.
                raw = {"id": "x", "method": method, "path": path, "body": body}
                guest.say_raw(encode({"call": raw}))
                await asyncio.sleep(PAUSE_S)
                continue
            try:
                answer = await asyncio.wait_for(guest.call(path, body, method, asked[2]), ANSWER_S)
                attack.came(answer.status, asked)
            except TimeoutError:
                attack.unanswered += 1
            await asyncio.sleep(PAUSE_S)


async def words(attack: Attack, victim: Victim) -> None:
    """What a second board may say, slightly wrong."""
    rng = attack.rng
    async with _come(attack, victim) as guest:
        while attack.goes_on:
            attack.tried["words of a board"] += 1
            word = mutate_value(rng, rng.choice(WORDS)) if rng.random() < 0.8 else odd(rng)
            with suppress(ValueError):
                guest.say_raw(encode({"board": word} if rng.random() < 0.9 else word))
            await asyncio.sleep(PAUSE_S)


@asynccontextmanager
async def _come(attack: Attack, victim: Victim) -> AsyncIterator[FarGuest]:
    """A guest who has come with the link, until the attack is over."""
    guest = FarGuest(victim.link, attack.port, context_of(attack.ca))
    guest.start()
    while not guest.is_live and attack.goes_on:
        await asyncio.sleep(0.1)
    guest.follow()
    try:
        yield guest
    finally:
        attack.sessions += guest.sessions
        await guest.stop()


def _is_call(path: str, body: object) -> bool:
    """Whether it has the form of a call."""
    try:
        json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        return False
    return isinstance(body, dict) and 0 < len(path) <= MAX_PATH_CHARS


def _ignore(_topic: str, _payload: bytes) -> None:
    """Let a message be."""


AT_HOME: tuple[Callable[[Attack, Victim], Coroutine[Any, Any, None]], ...] = (frames, calls, words)
"""Of three links: two seats and a board."""
