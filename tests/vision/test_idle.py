"""A table at which nothing happens costs next to nothing, and whatever happens is noticed as soon as ever."""

import signal
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.support.drawn import START, moved, wrong_holes
from tests.support.watching import cpu_s
from tock_companion.boardfile import BoardFile, generate
from tock_companion.observation import Observation, SourceMessage
from tock_companion.sources.scene import Scene
from tock_vision.arrays import Frame
from tock_vision.camera import CameraSource
from tock_vision.capture import CaptureLoop
from tock_vision.frame_skipping import STILL_FRAMES, STILL_MS
from tock_vision.grabbers import Grabber
from tock_vision.reader import BoardReader, Reading
from tock_vision.registration.registrar import SearchPlan
from tock_vision.replay import open_frames
from tock_vision.simulated import SimulatedSource

pytestmark = pytest.mark.whole

Draw = Callable[..., Any]
FPS = 10
PERIOD_MS = 1000 // FPS
SETTLED_MS = STILL_MS + 20 * PERIOD_MS
MAX_CPU_SHARE = 0.03
"""Share of one core."""
MAX_REST_S = 60
REST_S = 3
"""A companion that has begun computes that long all the time, until it is at rest."""


class Film(Grabber):
    """Shows scripted scenes, with new grain in every frame, and counts the frames taken from it."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.placed: Any = START
        self.extra: dict[str, Any] = {}
        self.gain = 1.0
        self.grabbed = self.skipped = 0

    def open(self) -> None:
        pass

    def grab(self) -> Any:
        self.grabbed += 1
        frame = self.draw(self.placed, **self.extra)
        return frame if self.gain == 1.0 else cv2.convertScaleAbs(frame, alpha=self.gain)

    def skip(self) -> None:
        self.skipped += 1

    def close(self) -> None:
        pass


class Run:
    """A capture loop stepped through time without waiting."""

    def __init__(self, loop: CaptureLoop) -> None:
        self.loop = loop
        self.received: list[SourceMessage] = []
        self.t_ms = 0
        loop.prepare(self.received.append)

    def on(self, ms: int) -> list[Observation]:
        """Go on for some time; returns the observations made in it."""
        self.received.clear()
        for _ in range(ms // PERIOD_MS):
            self.loop.step(self.t_ms)
            self.t_ms += PERIOD_MS
        return [message for message in self.received if isinstance(message, Observation)]


@pytest.fixture
def film(draw: Draw) -> Film:
    return Film(draw)


@pytest.fixture
def at_rest(board: BoardFile, film: Film) -> Run:
    """A camera before a board that has stood still for long enough."""
    run = Run(CaptureLoop("camera", film, BoardReader(board), FPS))
    run.on(SETTLED_MS)
    film.grabbed = film.skipped = 0
    return run


def test_of_a_still_picture_nothing_is_sent_and_at_most_four_frames_a_second_are_looked_at(
    at_rest: Run, film: Film
) -> None:
    assert at_rest.on(20_000) == []
    assert at_rest.received == []
    assert 50 <= film.grabbed <= 80
    assert film.grabbed + film.skipped == 200


def test_a_moved_pawn_is_seen_within_a_third_of_a_second_and_read_on_until_it_is_certain(
    board: BoardFile, at_rest: Run, film: Film
) -> None:
    film.placed = moved(START, "P0-C1", "T0")
    seen = at_rest.on(400)
    assert seen
    # Exactly as many frames as without a rest, from the first one on: the referee needs several.
    assert len(at_rest.on(4000)) == 40
    assert wrong_holes(at_rest.received[-1].holes, film.placed) == {}  # type: ignore[union-attr]
    assert len(at_rest.on(SETTLED_MS)) >= STILL_FRAMES
    assert at_rest.on(5000) == []


@pytest.mark.parametrize("extra", [{"hand_mm": (200.0, 200.0)}, {"hand_mm": (390.0, 390.0)}])
def test_a_hand_is_noticed_wherever_it_comes_over_the_board(
    at_rest: Run, film: Film, extra: dict[str, Any]
) -> None:
    film.extra = extra
    assert at_rest.on(400)


def test_light_that_changes_slowly_is_noticed_in_time(at_rest: Run, film: Film) -> None:
    read = False
    while not read and film.gain > 2 / 3:
        film.gain *= 0.99
        read = bool(at_rest.on(1000))
    # Down to two thirds of the light at the most: no step shows by itself, but the sum does.
    assert read


def test_a_recording_that_begins_while_nothing_changes_has_frames_and_replays_alike(
    board: BoardFile, at_rest: Run, film: Film, tmp_path: Path
) -> None:
    lines = []

    def keep(t_ms: int, data: bytes) -> None:
        (tmp_path / f"{t_ms}.jpg").write_bytes(data)
        lines.append(f'{{"t_ms": {t_ms}, "file": "{t_ms}.jpg"}}')

    at_rest.loop.record_to = keep
    seen = at_rest.on(SETTLED_MS + 3000)
    film.placed = moved(START, "P0-C1", "T0")
    seen += at_rest.on(1500)
    assert STILL_FRAMES < len(seen) == len(lines) < (SETTLED_MS + 4500) // PERIOD_MS
    (tmp_path / "frames.jsonl").write_text("\n".join(lines))
    again = [message for message in open_frames(tmp_path, board, []) if isinstance(message, Observation)]
    assert again == seen


def test_touches_are_followed_by_a_reading_though_the_picture_is_still(
    board: BoardFile, at_rest: Run
) -> None:
    pose = at_rest.loop.learn("camps")
    assert pose["learned"]
    assert at_rest.on(200)


def test_a_board_that_is_not_in_a_still_picture_is_searched_for_now_and_then(board: BoardFile) -> None:
    class Wall(Grabber):
        """Shows a wall with a little pattern, no board."""

        grabbed = 0

        def open(self) -> None: ...

        def grab(self) -> Any:
            self.grabbed += 1
            rng = np.random.default_rng(self.grabbed)
            wall = np.linspace(60, 180, 320)[None, :, None] + rng.normal(0, 2, (240, 320, 3))
            return wall.clip(0, 255).astype(np.uint8)

        def close(self) -> None: ...

    reads: list[int] = []

    class Counted(BoardReader):
        def read_frame(self, frame_bgr: Frame, t_ms: int = 0) -> Reading:
            reads.append(t_ms)
            return super().read_frame(frame_bgr, t_ms)

    run = Run(CaptureLoop("camera", Wall(), Counted(board, plan=SearchPlan(pattern=False)), FPS))
    run.on(SETTLED_MS)
    reads.clear()
    run.on(30_000)
    assert 4 <= len(reads) <= 8


def test_of_the_simulated_table_nothing_is_drawn_read_or_sent_until_the_scene_changes() -> None:
    board = generate(4, 400)
    scene = Scene(board)
    source = SimulatedSource(board, {"width": 640, "height": 480}, scene)
    run = Run(source)
    assert run.on(SETTLED_MS)
    before = source.preview()
    assert run.on(60_000) == []
    assert source.preview() is before
    scene.place_on("P0-1", "T0")
    # The very next step sees it.
    assert len(run.on(PERIOD_MS)) == 1


def wait_for_rest(pid: int) -> None:
    """Wait until a process computes next to nothing, which beside other work comes late; at the longest a minute."""
    used_s = deque([cpu_s(pid)], maxlen=REST_S + 1)
    for _ in range(MAX_REST_S):
        time.sleep(1)
        used_s.append(cpu_s(pid))
        if len(used_s) > REST_S and used_s[-1] - used_s[0] < 2 * MAX_CPU_SHARE * REST_S:
            return


@pytest.mark.timeout(240)
@pytest.mark.parametrize(
    ("source", "seconds"),
    [
        ("simulated", 5),
        pytest.param("simulated", 60, marks=pytest.mark.slow),
        pytest.param("still frames", 60, marks=pytest.mark.slow),
    ],
)
def test_an_idle_companion_uses_at_most_three_percent_of_a_core(
    tmp_path: Path, draw: Draw, source: str, seconds: int
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    config = [f'data = "{tmp_path}/data"', f"port = {port}"]
    if source == "still frames":
        frames = tmp_path / "frames"
        frames.mkdir()
        cv2.imwrite(str(frames / "0.jpg"), draw(START))
        for number in range(1, 900):
            (frames / f"{number:04}.jpg").hardlink_to(frames / "0.jpg")
        config += ["[sources.camera]", f'frames = "{frames}"']
    (tmp_path / "tock.toml").write_text("\n".join(config) + "\n")
    command = [
        sys.executable,
        "-m",
        "tock_app.cli.main",
        "run",
        "--config",
        str(tmp_path / "tock.toml"),
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for_rest(process.pid)
        before_s, began_s = cpu_s(process.pid), time.monotonic()
        time.sleep(seconds)
        share = (cpu_s(process.pid) - before_s) / (time.monotonic() - began_s)
        assert process.poll() is None
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(10)
    assert share <= MAX_CPU_SHARE


def test_a_still_folder_of_frames_goes_on_at_its_own_speed(
    board: BoardFile, draw: Draw, tmp_path: Path
) -> None:
    for number in range(150):
        cv2.imwrite(str(tmp_path / f"{number:03}.jpg"), draw(START if number < 148 else {}))
    run = Run(CameraSource(board, {"frames": str(tmp_path), "fps": FPS}))
    run.on(14_900)
    assert not any(getattr(message, "code", "") == "camera/ended" for message in run.received)
    run.on(300)
    assert any(getattr(message, "code", "") == "camera/ended" for message in run.received)
