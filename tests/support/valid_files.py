"""Valid inputs of every kind, made once."""

import json
import tempfile
from collections.abc import Mapping
from contextlib import closing
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from tests.support.boards import pawns
from tests.support.bundles import texts_in
from tests.support.checkout import DATA
from tests.support.drawn import SMALL, START
from tests.support.tables import send
from tock_companion.boardfile import generate, to_text
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Role
from tock_companion.events.codec import event_to_line
from tock_companion.sources.reed.frames import encode
from tock_companion.sources.reed.protocol import MESSAGES
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_rules import JOKERS, Seat
from tock_vision.cards.jokers import CARD_PX
from tock_vision.rendering.appearance import DrawnPawn, named_color
from tock_vision.rendering.renderer import Renderer
from tock_vision.stills import learn_state

BOARD = generate(4, 440)
JUDGED = ("legal_moves", "verdict", "turn_options", "outcome", "deal", "after_play", "observed")


@cache
def board() -> bytes:
    """A board file of four zones."""
    return to_text(BOARD).encode()


SETTINGS = """\
port = 8080
host = "0.0.0.0"
names = ["tock.lan"]
data = "games"
board = "boards/board.json"
zones = 4
ruleset = "mjc"
players = 4
[options]
jokers = true
[sources.camera]
device = 0
width = 1280
state = "camera.npz"
[sources.reed]
port = "auto"
[backup]
keep = 7
[retention]
recordings_mb = 500
[metrics]
enabled = false
[mqtt]
host = "broker.lan"
port = 1883
password = "secret"
table = "hall-1"
[panel]
turn = 17
factory = "mock"
"""


@cache
def settings() -> bytes:
    """A `tock.toml` with keys of every kind."""
    return SETTINGS.encode()


@cache
def names() -> bytes:
    """Names of people in several scripts, with signs of several characters."""
    family, england = "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f3f4\U000e0067\U000e0062\U000e007f"
    persian, hindi = "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627", "\u0915\u094d\u200d\u0937"
    return "\n".join(
        ("Anna", "Jean-No\u00ebl", persian, hindi, family, england, "1\ufe0f\u20e3", "A B")
    ).encode()


@cache
def judge_lines() -> bytes:
    """Rule questions, one of each kind."""
    lines = (DATA / "rules" / "examples.jsonl").read_bytes().splitlines()
    first = {json.loads(line)["kind"]: line for line in reversed(lines)}
    return b"\n".join(first[kind] for kind in JUDGED if kind in first) + b"\n"


@cache
def hint_lines() -> bytes:
    """Positions with a hand."""
    return b"\n".join((DATA / "hints" / "clear.jsonl").read_bytes().splitlines()[:2]) + b"\n"


@cache
def log() -> bytes:
    """The event log of a few turns, with a deal and a violation."""
    return b"".join(event + b"\n" for event in _evening()[0])


def deletions() -> bytes:
    """A list of deletions."""
    return json.dumps([["a" * 32, "name", "b" * 64], ["c" * 32, "game", "d" * 64]]).encode()


@cache
def games() -> bytes:
    """A database with a game, seats that are held, hands and choices."""
    return _evening()[1]


@cache
def club_state() -> bytes:
    """A table's messages about itself."""
    return _evening()[2]


@cache
def _evening() -> tuple[tuple[bytes, ...], bytes, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        start = GameSetup(position=pawns("P0 T4 T20, P1 T26, P3 T60"))
        table = Table(BOARD, Store(Path(folder)), setup=start)
        table.start()
        try:
            for seat in (Seat.P0, Seat.P1):
                table.people.join(f"Player {seat.name}", seat)
            for kind, seat, data in (
                ("deal", Seat.P0, {"count": 5}),
                ("hand_set", Seat.P0, {"cards": ["6H", "KS", "AS", "2D", "JOK_B"]}),
                ("play_card", Seat.P0, {"card": "6H"}),
                ("move", Seat.P0, {"text": "P0:T4>T10"}),
                ("play_card", Seat.P1, {"card": "3C"}),
                ("discard", Seat.P1, {}),
            ):
                send(table.request, kind, data, Role.HOST if kind == "deal" else Role.SEAT, seat)
            state = json.dumps(table.view(Role.TABLE)).encode()
        finally:
            table.stop()
        with closing(Store(Path(folder))) as store:
            newest = store.newest_game()
            assert newest is not None
            lines = tuple(event_to_line(event).encode() for event in newest.events)
        return lines, (Path(folder) / "games.sqlite").read_bytes(), state


@cache
def recording() -> Mapping[str, bytes]:
    """A recording of reed board and camera without pictures, and one small frame."""
    texts = texts_in(DATA / "recordings.txt")
    document = json.loads(texts["both-mjc-1/recording.json"])
    document["board"] = "board.json"
    return {
        "recording/recording.json": json.dumps(document).encode(),
        "recording/board.json": texts["cross-4.json"].encode(),
        **{f"recording/{log}.jsonl": texts[f"both-mjc-1/{log}.jsonl"].encode() for log in ("reed", "seen", "requests")},
        "recording/cards.jsonl": b'{"t_ms": 56000, "seat": "P0", "card": "2C", "by": "camera"}\n',
        "recording/frames.jsonl": b'{"t_ms": 56100, "file": "frames/0.jpg"}\n{"t_ms": 56200, "file": "frames/0.jpg"}\n',
        "recording/frames/0.jpg": board_photo(),
    }  # fmt: skip


@cache
def board_photo() -> bytes:
    """A drawn board with all pawns in their camps."""
    places = {str(hole.id): hole for hole in BOARD.holes}
    drawn = tuple(
        DrawnPawn(places[hole].x_mm, places[hole].y_mm, named_color(BOARD.colors[seat]))
        for hole, seat in START.items()
    )
    return _encoded(Renderer(BOARD, SMALL).frame(drawn), ".jpg")


@cache
def card_photo(ending: str = ".jpg") -> bytes:
    """A white card on a dark table without an index, which is read quickly."""
    picture = np.full((240, 320, 3), 60, np.uint8)
    cv2.rectangle(picture, (100, 50), (200, 190), (245, 245, 245), -1)
    cv2.putText(picture, "7", (106, 76), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (0, 0, 200), 2)
    return _encoded(picture, ending)


@cache
def stream() -> bytes:
    """Some parts of an MJPEG stream, one of them a PNG."""
    pictures = (card_photo(), card_photo(".png"), card_photo())
    return b"".join(
        b"--frame\r\nContent-Type: image/jpeg\r\n\r\n" + picture + b"\r\n" for picture in pictures
    )


@cache
def holes() -> bytes:
    """A list of the holes of the same board."""
    listed = [{"id": str(hole.id), "x": hole.x_mm, "y": hole.y_mm} for hole in BOARD.holes]
    return json.dumps({"unit": "mm", "holes": listed}).encode()


@cache
def people() -> bytes:
    """A list that a spreadsheet saved."""
    return 'sep=;\nNom;Pr\u00e9nom;Club\nRoy;B\u00e9a;Matane\n"C\u00f4t\u00e9; fils";Zo\u00e9;\n'.encode()


@cache
def state() -> bytes:
    """A file of `tock board learn`."""
    with tempfile.TemporaryDirectory() as folder:
        photo, out = Path(folder) / "photo.jpg", Path(folder) / "state.npz"
        photo.write_bytes(board_photo())
        assert learn_state(BOARD, [(photo, "camps")], out)["learned"]
        return out.read_bytes()


@cache
def jokers() -> bytes:
    """A file of `tock cards enrol`."""
    chance = np.random.default_rng(1)
    pictures = {
        f"picture_{number}": chance.integers(0, 255, (*CARD_PX[::-1], 3), np.uint8)
        for number, _ in enumerate(JOKERS)
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "jokers.npz"
        np.savez_compressed(path, **pictures)  # type: ignore[arg-type]
        return path.read_bytes()


@cache
def serial() -> bytes:
    """One frame of every message of the link that can be made of zeros."""
    frames = b""
    for number, message in enumerate(MESSAGES.values()):
        fields = message.LAYOUT.unpack(bytes(message.LAYOUT.size))
        frames += encode(message(*fields, *([b"ab"] if message.TAIL_MAX else [])), number)
    return frames


def _encoded(picture: np.ndarray, ending: str) -> bytes:
    quality = [cv2.IMWRITE_JPEG_QUALITY, 80] if ending == ".jpg" else []
    done, data = cv2.imencode(ending, picture, quality)
    assert done
    return data.tobytes()
