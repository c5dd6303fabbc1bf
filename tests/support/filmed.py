"""A given recording as a film before a browser's camera, and a running table that starts as the recording does."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile, HoleKind, load
from tock_companion.core.game_setup import GameSetup
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_rules import Seat
from tock_vision.camera import CameraSource
from tock_vision.rendering.appearance import Appearance, DrawnPawn, named_color
from tock_vision.rendering.renderer import Renderer

FILM_FPS = 30
"""Frames of an MJPEG file that Chromium shows in a second."""
STILL_FPS = 10
"""As often as a page ever sends pictures."""
DRAWN_PX = (960, 720)
AS_CAMERA = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream")


def film(recording: Path, to: Path, before_s: float, after_s: float) -> Path:
    """Write the frames of a recording as MJPEG; the first and the last are held: Chromium begins again at the end."""
    rows = [json.loads(line) for line in (recording / "frames.jsonl").read_text().splitlines()]
    times_ms = [row["t_ms"] for row in rows]
    lengths_s = [(after - before) / 1000 for before, after in pairwise(times_ms)]
    lengths_s = [before_s + lengths_s[0], *lengths_s[1:], after_s]
    with to.open("wb") as out:
        for row, length_s in zip(rows, lengths_s, strict=True):
            out.write(round(FILM_FPS * length_s) * (recording / row["file"]).read_bytes())
    return to


def still(recording: Path, to: Path) -> Path:
    """Write the first frame of a recording as a film without an end, for Chromium begins again and again."""
    (first, *_) = (recording / "frames.jsonl").read_text().splitlines()
    return held((recording / json.loads(first)["file"]).read_bytes(), to)


def held(jpeg: bytes, to: Path) -> Path:
    """Write one picture as Y4M, shown for ever: unlike MJPEG it says how often, and a picture at rest needs few."""
    frame = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert frame is not None
    height, width = frame.shape[:2]
    head = f"YUV4MPEG2 W{width} H{height} F{STILL_FPS}:1 Ip A1:1 C420jpeg\nFRAME\n"
    to.write_bytes(head.encode() + cv2.cvtColor(frame, cv2.COLOR_BGR2YUV_I420).tobytes())
    return to


def drawn_camps(board: BoardFile) -> bytes:
    """A picture of a drawn board with all pawns in their camps, as JPEG."""
    pawns = [
        DrawnPawn(hole.x_mm, hole.y_mm, named_color(board.colors[hole.seat]))
        for hole in board.holes
        if hole.kind is HoleKind.CAMP and hole.seat is not None
    ]
    frame = Renderer(board, Appearance(size_px=DRAWN_PX)).frame(pawns)
    return cv2.imencode(".jpg", frame)[1].tobytes()


@contextmanager
def filmed_table(recording: Path, data: Path, names: Sequence[str] = ("camera",)) -> Iterator[Table]:
    """A table whose cameras of these names are phones, at the start of a recording."""
    document = json.loads((recording / "recording.json").read_text())
    board = load(recording / document["board"])
    calibration = [
        {"image": str(recording / shown["image"]), "what": shown["what"]} for shown in document["calibration"]
    ]
    setup = GameSetup(
        document["ruleset"],
        document["options"],
        [Seat.parse(seat) for seat in document["seats"]],
        [[Seat.parse(seat) for seat in team] for team in document["teams"]],
        Seat.parse(document["to_move"]),
        document["position"],
    )
    cameras = [
        CameraSource(board, {"name": name, "phone": True, "calibration": calibration}) for name in names
    ]
    table = Table(board, Store(data), cameras, setup=setup)
    table.start()
    try:
        yield table
    finally:
        table.stop()


def as_camera(film: Path) -> tuple[str, ...]:
    """Arguments for a browser whose camera plays a film."""
    return (*AS_CAMERA, f"--use-file-for-fake-video-capture={film}")


def cards_of(recording: Path) -> Sequence[Any]:
    """The cards that are laid in a recording: `seat` and `card`."""
    return [json.loads(line) for line in (recording / "cards.jsonl").read_text().splitlines()]
