"""Four phones and a host who make every kind of request, over sockets or within this process."""

import json
import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

from tests.support.requests import CARDS, some_bodies
from tock_companion.boardfile import generate, to_text
from tock_companion.core import bodies
from tock_companion.core.bodies import BODIES, Body
from tock_companion.core.requests import request_data
from tock_companion.core.state import CoreState
from tock_companion.events.codec import read_log
from tock_companion.events.game import fold
from tock_companion.events.hands import fold_hands
from tock_companion.views.names import Names
from tock_rules import BoardShape, HoleKind, Seat

SEATS = tuple(Seat)[:4]
BOARD = generate(4, 440)
BOARDS = ("board", "board-2")
"""Keys of boards that may be there, taken in before."""
PINS = (None, "4711", "080808")
CHOICES = ("computer", "skip", "wait")
"""Choices for the turn of somebody who has left."""
HOST_KINDS = frozenset(
    {"deal", "correct", "accept_board", "override", "set_mode", "pause", "resume", "new_game"}
)
OF_PEOPLE = frozenset(
    {"answer_absent", "answer_seat", "set_computer", "free_seat", "hand_host", "pair", "set_indices"}
)
ANOTHER_GAME = frozenset({"new_game", "prepare", "begin", "rematch"})
ENDING = frozenset({"host/shutdown", "machine/restart"})
"""Requests that end the companion."""
ROUTES = (
    "join", "leave", "join/ask", "join/hear", "join/show", "hint", "hints", "hand/photo", "games", "host",
    "host/others/end", "host/pin", "host/release", *sorted(ENDING), "machine/settings", "machine/wifi/own",
    "machine/wifi/join", "machine/wifi/house", "machine/update/take", "machine/update/check", "machine/update/install",
    "machine/update/forget", "machine/update/sticks", "machine/update/piece", "camera/learn", "camera/touch",
    "sim/card", "sim/hand", "sim/pawn", "sim/put-back", "games/look", "boards", "boards/choose", "boards/rename",
    "boards/remove", "board-maker/find", "board-maker/draw", "board-maker/frame", "board-maker/photo",
    "board-maker/edit", "board-maker/undo", "board-maker/answer", "board-maker/check", "board-maker/check-frame",
    "board-maker/save", "board-maker/clear", "ending/film", "phones/begin", "phones/end", "phones/let-in",
    "phones/send-away", "membership", "voice", "voice/try", "far/invite", "far/renew", "far/revoke", "far/cards",
    "far/stand-in", "far/sign", "far/hand", "far/follow", "far/unfollow", "far/later",
    "games/forget", "own-games", "own-games/read", "own-games/forget", "programs", "programs/end", "practice",
)  # fmt: skip
"""Everything that is asked by POST, but for `request`, whose kinds count one by one."""
READ = (
    "board", "camera/overlay", "evidence?seq=2", "evidence/picture?seq=2&name=card", "game.jsonl?number=1", "games",
    "health", "hints", "journal", "machine/doctor", "machine/settings", "preview", "record.txt", "replay", "rulesets",
    "session", "sim/frame", "sim/scene", "view?role=host",
)  # fmt: skip
PEOPLE = frozenset({"people", "cookies", "hands"})
OF_THE_GAME = frozenset({"hands"})
"""The parts of the view, beside the log, that the game changes."""
KINDS = (*BODIES, *ROUTES, "GET")
CHANGES: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("join", "leave", "join/ask", "join/hear", "join/show", *OF_PEOPLE), PEOPLE),
    "hints": frozenset({"hints"}),
    "host/pin": frozenset({"pin"}),
    **dict.fromkeys(("machine/settings", "phones/begin", "phones/end"), frozenset({"setting"})),
    "boards/choose": PEOPLE | OF_THE_GAME | {"setting"},
    **dict.fromkeys(
        (*BODIES.keys() - OF_PEOPLE, "hand/photo", "games", "sim/card", "sim/pawn", "sim/put-back"),
        OF_THE_GAME,
    ),
    "answer_absent": PEOPLE | OF_THE_GAME,
    "not kept": frozenset({"hands"}),
}
"""The parts of the view that each kind may change; the others change nothing."""
NOT_KEPT = ("no longer being saved", "has been writing")
"""Sentences on the phones while the game is in memory alone."""


class Phone(Protocol):
    """The requests of one phone, which keeps its cookies."""

    def get(self, path: str) -> Any:
        """The JSON found there."""

    def post(self, path: str, **data: object) -> Any:
        """The JSON answer, also of a refusal."""

    def send(
        self, path: str, body: bytes | None = None, content_type: str = "application/json"
    ) -> tuple[int, bytes]:
        """Status and body of any answer; without a body it is a GET."""

    def view(self, role: str = "seat") -> Any:
        """The view of a role."""

    def cookies(self) -> dict[str, str]:
        """The cookies that say who it is."""

    def take(self, cookies: Mapping[str, str]) -> None:
        """Keep cookies that it was given before."""


@dataclass(frozen=True)
class Deed:
    """A request that one of them is about to make."""

    kind: str
    phone: Phone
    path: str
    body: bytes | None
    content_type: str = "application/json"

    def do(self) -> "Answer":
        """Make it; raises OSError when the line goes dead."""
        status, answer = self.phone.send(f"/api/v1/{self.path}", self.body, self.content_type)
        try:
            answered = json.loads(answer)
        except ValueError:
            answered = None
        return Answer(status, answered if isinstance(answered, dict) else {})


@dataclass(frozen=True)
class Answer:
    """The answer to a request."""

    status: int
    data: Mapping[str, Any]

    @property
    def sentence(self) -> str:
        """The reason shown to people after a refusal."""
        return str((self.data.get("message") or {}).get("en", ""))

    @property
    def is_proper(self) -> bool:
        """Whether the request was granted, or refused with a sentence; only a busy table may answer with an error."""
        return self.status in (200, 204) or (
            bool(self.sentence) and (self.status < 500 or self.status == 503)
        )


@dataclass
class Seen:
    """Everything that the phones have been shown."""

    number: int = 0
    log: Sequence[str] = ()
    """The lines of the running game."""
    aspects: Mapping[str, Any] = field(default_factory=dict)
    kept: bool = True
    """Whether no phone shows that the game is in memory alone."""


class People:
    """The phones keep their cookies when the companion is killed."""

    def __init__(self, new_phone: Callable[[], Phone], rng: Random, machine_code: Callable[[], str]) -> None:
        """`machine_code` asks the machine for a code, as `tock host code` does."""
        self.rng, self._machine_code = rng, machine_code
        self.pin: str | None = None
        self.phones = {seat: new_phone() for seat in SEATS}
        self.host = new_phone()
        self._secret = "0" * 32

    def become_host(self) -> None:
        """Have the host's phone be the host; after a restart it must ask again."""
        # A new PIN may have been cut off: then only the companion knows whether it holds.
        for pin in (self.pin, *PINS):
            if self.host.get("/api/v1/session")["host"]:
                return
            if self.host.post("/api/v1/host", **({} if pin is None else {"pin": pin}))["ok"]:
                self.pin = pin
        if not self.host.get("/api/v1/session")["host"]:
            # The seat of one of them has the rights.
            self.host.post("/api/v1/host", pin=self._machine_code())

    def sit_down(self) -> None:
        """Have those sit down who find their seat free."""
        for seat, phone in self.phones.items():
            if phone.get("/api/v1/session")["seat"] is None:
                phone.post("/api/v1/join", name=f"Player {seat.name}", seat=seat.name, lang="fr")

    def look(self) -> Seen:
        """Ask for everything that can be seen."""
        number, log = self._running()
        sessions = {seat: phone.get("/api/v1/session") for seat, phone in self.phones.items()}
        seated = {seat: phone for seat, phone in self.phones.items() if sessions[seat]["seat"]}
        view = self.host.view("table")
        aspects = {
            "hands": {seat.name: phone.view()["hand"]["cards"] for seat, phone in seated.items()},
            "people": [[row[key] for key in ("seat", "name", "computer")] for row in view["seats"]],
            "cookies": {seat.name: session["seat"] for seat, session in sessions.items()},
            "hints": self.host.get("/api/v1/hints"),
            "pin": self.host.get("/api/v1/session")["pin"],
            "setting": self.host.get("/api/v1/machine/settings")["text"],
        }
        kept = not any(words in str(view["health"]) for words in NOT_KEPT)
        return Seen(number, log, aspects, kept)

    def log(self, number: int) -> list[str]:
        """The lines of a game."""
        status, text = self.host.send(f"/api/v1/game.jsonl?number={number}")
        return text.decode().splitlines() if status == 200 else []

    def deed(self, kind: str) -> Deed:
        """Something of that kind that fits the moment as well as chance lets it."""
        if kind in BODIES:
            return self._request(kind)
        if kind == "GET":
            return Deed(kind, self.host, self.rng.choice(READ), None)
        if kind == "hand/photo":
            return Deed(kind, self._some_phone(), kind, png(48, 32), "image/png")
        phone, data = self._route(kind)
        return Deed(kind, phone, kind, json.dumps(data).encode())

    def after(self, deed: Deed, answer: Answer) -> None:
        """Note what later deeds need."""
        if deed.kind == "host/pin" and answer.status == 200 and deed.body is not None:
            self.pin = json.loads(deed.body)["pin"]
        self._secret = str(answer.data.get("secret") or self._secret)

    def _route(self, kind: str) -> tuple[Phone, dict[str, object]]:
        rng, seat = self.rng, self.rng.choice(SEATS).name
        sheet: Mapping[str, Callable[[], tuple[Phone, dict[str, object]]]] = {
            "join": lambda: (self.phones[Seat[seat]], {"name": f"Player {seat}", "seat": seat, "lang": "fr"}),
            "leave": lambda: (self._some_phone(), {}),
            "join/ask": lambda: (self._some_phone(), {"name": "Zoé", "seat": seat, "lang": "en"}),
            "join/hear": lambda: (self._some_phone(), {"secret": self._secret}),
            "join/show": lambda: (self._some_phone(), {"number": rng.randrange(1, 9), "yes": True}),
            "hint": lambda: (self._some_phone(), {"level": rng.choice(["nudge", "hint", "teacher"])}),
            "games/look": lambda: (self.host, {"log": "\n".join(self._running()[1])}),
            "boards": lambda: (self.host, {"file": to_text(BOARD)}),
            "boards/choose": lambda: (self.host, {"key": "standard-4"}),
            "boards/rename": lambda: (self.host, {"key": rng.choice(BOARDS), "name": "Chêne"}),
            "boards/remove": lambda: (self.host, {"key": rng.choice(BOARDS)}),
            "membership": lambda: (self.host, {"member": rng.random() < 0.5}),
            "voice": lambda: (self.host, {"speech": rng.choice(["off", "fr", "en"])}),
            "hints": lambda: (self.host, {"most": "nudge", "per_seat": rng.randrange(99)}),
            "games": lambda: (self.host, {"log": "\n".join(self._running()[1])}),
            "host": lambda: (self.host, {} if self.pin is None else {"pin": self.pin}),
            "host/others/end": lambda: (
                self.host, {"key": seat, "proof": self.pin or self._machine_code()}
            ),
            "host/pin": lambda: (
                self.host, {"pin": rng.choice(PINS), "proof": self.pin or self._machine_code()}
            ),
            "machine/settings": lambda: (
                self.host,
                {
                    "name": "retention.recordings_mb",
                    "value": rng.randrange(100, 900),
                    "proof": self.pin or self._machine_code(),
                },
            ),
            "camera/learn": lambda: (self.host, {"shows": "camps"}),
            "camera/touch": lambda: (
                self.host, {"touches": {f"T{18 * n}": [0.2 + 0.2 * n, 0.3] for n in range(4)}}
            ),
            "sim/card": lambda: (self.host, {"card": str(rng.choice(CARDS)), "seat": seat}),
            "sim/hand": lambda: (self.host, {"x_mm": 200.0, "y_mm": 200.0}),
            "sim/pawn": lambda: (self.host, self._pawn(seat)),
        }  # fmt: skip
        return sheet[kind]() if kind in sheet else (self.host, {})

    def _pawn(self, seat: str) -> dict[str, object]:
        hole = self.rng.choice([hole for hole in BOARD.by_id.values() if hole.kind is HoleKind.TRACK])
        return {"id": f"{seat}-{self.rng.randrange(1, 5)}", "x_mm": hole.x_mm, "y_mm": hole.y_mm}

    def _request(self, kind: str) -> Deed:
        if kind in OF_PEOPLE or kind in ANOTHER_GAME:
            role, data = "host", self._by_host(kind)
            phone = self.host
        else:
            state = self.state()
            body = self._body(kind, state)
            data = dict(request_data(body))
            role = "host" if kind in HOST_KINDS or self.rng.random() < 0.2 else "seat"
            phone = self.host if role == "host" else self.phones[state.position.to_move]
        asked = {"kind": kind, "data": data, "role": role}
        return Deed(kind, phone, "request", json.dumps(asked).encode())

    def _by_host(self, kind: str) -> dict[str, object]:
        seat = self.rng.choice(SEATS).name
        if kind == "answer_seat":
            wishes = self.host.view("host")["wishes"]
            return {"number": wishes[0]["number"] if wishes else 1, "yes": True}
        if kind in ("begin", "rematch"):
            return {}
        if kind in ANOTHER_GAME:
            return {"ruleset": "gladius", "players": 4}
        more = {
            "set_computer": {"strength": "easy"},
            "answer_absent": {"choice": self.rng.choice(CHOICES)},
        }
        return {"seat": seat, **more.get(kind, {})}

    def _body(self, kind: str, state: CoreState) -> Body:
        if kind == "throw_hand":
            return bodies.ThrowHand()
        if kind == "hand_check":
            return bodies.CheckHand((bodies.CardReading((self.rng.choice(CARDS),), 0.9),))
        found = [*some_bodies(self.rng, state), bodies.Practise(), bodies.EndPractice()]
        return self.rng.choice([body for body in found if kind == body.KIND])

    def state(self) -> CoreState:
        """The table as the log of the running game has it, without hands."""
        events = read_log(self._running()[1])
        return CoreState.of(Names(BoardShape(4), BOARD.colors, {}), fold(events), fold_hands(events, {}))

    def _running(self) -> tuple[int, list[str]]:
        numbers = [row["number"] for row in self.host.get("/api/v1/games")["games"]]
        return max(numbers), self.log(max(numbers))

    def _some_phone(self) -> Phone:
        return self.phones[self.rng.choice(SEATS)]


def png(width: int, height: int) -> bytes:
    """A grey picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")

    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes((8, 0, 0, 0, 0))
    rows = zlib.compress((b"\0" + b"\x80" * width) * height)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def lost(before: Seen, found: Seen, log: Sequence[str], doubtful: Collection[str]) -> list[str]:
    """Everything shown that is missing after a restart; requests of the `doubtful` kinds may have been done or not.

    `log` are the lines that the companion has now of the game that was shown.
    """
    allowed = frozenset[str]().union(*(CHANGES.get(kind, frozenset()) for kind in doubtful))
    if log != before.log or found.number != before.number:
        # Computers play and the referee judges without any request.
        allowed |= OF_THE_GAME
    return ([] if log[: len(before.log)] == before.log else ["the log"]) + [
        name for name, value in before.aspects.items() if name not in allowed and value != found.aspects[name]
    ]


@dataclass
class Shown:
    """The running game as a stream of views has shown it."""

    seq: int = 0
    moves: dict[int, str] = field(default_factory=dict)

    def take(self, view: Mapping[str, Any]) -> None:
        """Note a view."""
        self.seq = max(self.seq, view["game"]["seq"])
        self.moves |= {row["seq"]: row["text"] for row in view["history"]}

    def missing(self, log: list[str]) -> list[str]:
        """The shown events that the log lacks."""
        if len(log) < self.seq:
            return [f"events up to {self.seq}"]
        kept = {seq: json.loads(line) for seq, line in enumerate(log, 1) if seq in self.moves}
        return [f"move {seq}" for seq, text in self.moves.items() if kept[seq].get("move") != text]
