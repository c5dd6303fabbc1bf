"""Everything that could tell cards: curious requests, pictures, a broker, files and commands."""

import contextlib
import io
import json
import os
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from threading import Event

from flask import Flask
from flask.testing import FlaskClient
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from tests.support.sources import HandSource
from tock_app.cli.main import main
from tock_companion.core.requests import Role
from tock_companion.mqtt.connection import BrokerAddress
from tock_companion.mqtt.publisher import Publisher
from tock_companion.mqtt.topics import OFFLINE, status_topic
from tock_companion.table.runtime.live import Table

EVIDENCE = b"picture kept as evidence"
PHOTO = b"photo of the hand of "
"""Stand in pictures, so that one is known wherever it turns up."""
PATIENCE_S = 20.0


class PicturedSource(HandSource):
    """A source that has a picture of every hole, which anybody can tell from all other bytes."""

    def crops(self, t_ms: int, names: Sequence[str]) -> Mapping[str, bytes]:
        return {name: b"\x89PNG\r\n\x1a\n" + EVIDENCE + f" {name} {t_ms}".encode() for name in names}


class Subscriber:
    """A display of the Wi-Fi that subscribes to everything, on a real broker."""

    def __init__(self, table: Table, port: int, name: str) -> None:
        self.received: list[str] = []
        self._name, self._there, self._gone, self._ready = name, Event(), Event(), Event()
        self._client = Client(CallbackAPIVersion.VERSION2)
        self._client.on_message = self._take
        self._client.on_subscribe = lambda *_: self._ready.set()
        self._client.connect("127.0.0.1", port)
        self._client.subscribe("#")
        self._client.loop_start()
        assert self._ready.wait(PATIENCE_S)
        self._publisher = Publisher(table, BrokerAddress("127.0.0.1", port, "", ""), name, "test")
        self._publisher.start()
        assert self._there.wait(PATIENCE_S)

    def _take(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        if f"/{self._name}/" not in message.topic and self._name not in message.payload.decode():
            return
        self.received.append(f"{message.topic} {message.payload.decode()}")
        if message.topic == status_topic(self._name):
            (self._gone if message.payload.decode() == OFFLINE else self._there).set()

    def everything(self) -> list[str]:
        """End the table's publishing, and return all that it has published."""
        self._publisher.stop()
        assert self._gone.wait(PATIENCE_S)
        self._client.disconnect()
        self._client.loop_stop()
        return self.received


def printed_by_commands(
    folder: Path, recording: Path, environment: Mapping[str, str]
) -> Iterator[tuple[str, bytes]]:
    """The output of `tock game` and the contents of `tock report`: where from, and the bytes."""
    for words in (["list"], ["export", "--game", "1"], ["export", "--game", "1", "--events"]):
        yield f"tock game {' '.join(words)}", _printed(["game", *words], environment)
    for number, more in enumerate(([], ["--recording", str(recording)])):
        target = folder / f"report-{number}.zip"
        yield "tock report", _printed(["report", "--yes", "--out", str(target), *more], environment)
        with zipfile.ZipFile(target) as packed:
            for name in packed.namelist():
                yield f"report: {name}", packed.read(name)


def recorded(recording: Path) -> Iterator[tuple[str, bytes]]:
    """The files of a recording."""
    for path in sorted(path for path in recording.rglob("*") if path.is_file()):
        yield f"recording: {path.relative_to(recording).as_posix()}", path.read_bytes()


def _printed(arguments: list[str], environment: Mapping[str, str]) -> bytes:
    out = io.StringIO()
    before = {name: os.environ.get(name) for name in environment}
    os.environ.update(environment)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            main(arguments)
    finally:
        for name, value in before.items():
            os.environ.pop(name, None) if value is None else os.environ.update({name: value})
    return out.getvalue().encode()


def is_photo(where: str) -> bool:
    """Whether a part of a recording or report is one of the photos that the host chose to keep."""
    return "/photos/" in where or ": photos/" in where


def moves_of(log: str) -> list[int]:
    """The numbers of the accepted moves of a log."""
    rows = (json.loads(line) for line in log.splitlines())
    return [row["seq"] for row in rows if row["event"] == "move_accepted"]


NAMED = "2S"
"""The card that wrong questions name: those granted make it public."""
SAME_FOR_ALL = (
    "/static",
    "/api/v1/openapi.json",
    "/api/v1/options",
    "/api/v1/rules",
    "/api/v1/qr.svg",
    "/card",
)
"""Routes that know nothing of the game; some name cards."""
ENDS = ("/leave", "/shutdown", "/restart", "/release", "/host/pin")
"""Routes that end something the crawl needs; they answer with a code alone."""
QUERIES = {
    "/api/v1/view": tuple(f"role={role.value}" for role in Role),
    "/api/v1/events": tuple(f"role={role.value}&tab=abcdefgh{role.value}" for role in Role),
    "/api/v1/game.jsonl": ("number=1",),
    "/api/v1/evidence": ("seq=2",),
    "/api/v1/evidence/picture": ("seq=2&name=card",),
}
PICTURES = ("card", "before/T4", "after/T4", "before/T20", "before/T26", "../games.sqlite", "")
WRONG_PATHS = (
    "/nowhere",
    "/api/v1/nowhere",
    "/api/v1/view?role=nobody",
    "/api/v1/game.jsonl?number=99",
    "/api/v1/game.jsonl?number=x",
    "/api/v1/evidence?seq=999",
    "/photos/1.jpg",
    "/api/v1/hand/photo",
    "/api/v1/request",
)
"""Answered with an error."""
REQUESTS: tuple[tuple[str, dict[str, object]], ...] = (
    ("hand_check", {"readings": []}),
    ("discard", {"cards": [NAMED]}),
    ("hand_draw", {}),
    ("undo", {"to": 1}),
    ("end_turn", {}),
)
WRONG: tuple[tuple[str, dict[str, object]], ...] = (
    ("request", {"kind": "nothing"}),
    ("request", {"kind": "deal", "data": {"count": -1}}),
    ("request", {"kind": "deal", "data": {}, "role": "host"}),
    ("request", {"kind": "answer", "data": {"choice": "P0"}}),
    ("request", {"kind": "play_card", "data": {"card": "JOK_Z"}}),
    ("request", {"kind": "hand_set", "data": {"cards": [NAMED] * 40}}),
    ("join", {"name": "Zoé", "seat": "P9"}),
    ("join/ask", {"name": "", "seat": "P0"}),
    ("join/hear", {"secret": "0" * 32}),
    ("host/pin", {"pin": "x"}),
    ("hint", {"level": "all"}),
    ("games", {"log": "not a log"}),
    ("machine/settings", {"name": "nothing", "value": 1}),
    ("sim/card", {"card": NAMED, "seat": "P0"}),
    ("camera/learn", {"shows": "camps"}),
)
"""Requests that are refused, or answered with an error."""
QUESTIONS: tuple[tuple[str, dict[str, object]], ...] = (
    ("hint", {"level": "hint"}),
    ("hint", {"level": "teacher"}),
    ("join/show", {"number": 1, "yes": True}),
)


def paths(app: Flask) -> Iterator[str]:
    """Every address that answers to GET and knows of the game."""
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and not rule.rule.startswith(SAME_FOR_ALL):
            yield from (f"{rule.rule}?{query}".rstrip("?") for query in QUERIES.get(rule.rule, ("",)))


def changes(app: Flask) -> Iterator[str]:
    """Every address that answers to POST and leaves the callers their rights."""
    for rule in app.url_map.iter_rules():
        if "POST" in (rule.methods or ()) and not rule.rule.endswith(ENDS):
            yield rule.rule.removeprefix("/api/v1/")


def read(client: FlaskClient, path: str) -> bytes:
    """The answer with its headers; of a stream the first events only."""
    answer = client.get(path)
    if answer.mimetype != "text/event-stream":
        headers, body = str(answer.headers).encode(), bytes(answer.data)
        return headers + body
    chunks = answer.iter_encoded()
    data = b"".join(next(chunks) for _ in range(2))
    answer.close()
    return data
