"""A phone's page in a real browser films a drawn board over real TLS.

Half of the film stands still, in the other half a hand wanders over the board. Times run from the moment at which the
page took a picture, on the table's clock as the page knows it, to the observation on the table's queue.
"""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from time import monotonic

import cv2
import numpy as np

from tests.support import page_client as clients
from tock_bench.results import Figures, Say, spread
from tock_companion.boardfile import BoardFile, HoleKind, generate
from tock_companion.errors import BadInputError
from tock_companion.observation import Observation, SourceMessage
from tock_companion.sources.base import ClockMs, Deliver
from tock_companion.sources.feed import Feed, Sight
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_vision.camera import CameraSource
from tock_vision.rendering.appearance import Appearance, DrawnPawn, named_color
from tock_vision.rendering.renderer import Renderer
from tock_web import create_app, serve
from tock_web.https.camera_server import serve_camera
from tock_web.services import PageServices

SIZE_PX = (1280, 960)
FILM_FPS = 30
"""Frames of an MJPEG file that Chromium shows in a second."""
MOVES_PER_S = 10
PART_S = 18
"""The length of each half of the film."""
SETTLE_S = 4.0
"""At the beginning of each half: the phone is let in, the page finds its rhythm."""
AS_CAMERA = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream")
PATIENCE_MS = 60_000


class _Timed(CameraSource):
    """A phone's camera that notes when its observations reach the table, and how large the pictures were."""

    def __init__(self, board: BoardFile) -> None:
        super().__init__(board, {"phone": True})
        self.seen: list[tuple[float, float]] = []
        """The time at which each observation was delivered (monotonic, s), and its delay after the picture, in ms."""
        if self.feed is None:
            raise BadInputError("the camera of the bench takes no pictures of phones")
        self.counted = _Counted(self.feed)
        self.feed = self.counted

    def start(self, deliver: Deliver, clock_ms: ClockMs) -> None:
        """Start with a note of every observation."""

        def noted(message: SourceMessage) -> None:
            if isinstance(message, Observation):
                self.seen.append((monotonic(), clock_ms() - message.t_ms))
            deliver(message)

        super().start(noted, clock_ms)


class _Counted:
    """A feed that counts what goes in."""

    hold_still = True

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self.sizes: list[tuple[float, int]] = []

    def push(self, jpeg: bytes, taken_ms: int) -> None:
        """Take a picture in."""
        self.sizes.append((monotonic(), len(jpeg)))
        self._feed.push(jpeg, taken_ms)

    def sight(self) -> Sight | None:
        """The result of the newest picture."""
        return self._feed.sight()


def run(progress: Say) -> Figures:
    """Times from picture to queue, and bytes a second still and moving."""
    board = generate(4, 450.0)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        progress("camera: drawing the film")
        film = _film(board, folder / "film.mjpeg")
        source = _Timed(board)
        table = Table(board, Store(folder), [source])
        stack.callback(table.stop)
        table.start()
        app = create_app(table, PageServices(camera_port=lambda: camera.port))
        camera = serve_camera(app, "0.0.0.0", 0, folder)
        stack.callback(camera.stop)
        server = stack.enter_context(serve(app, "127.0.0.1", 0))
        browser = stack.enter_context(
            clients.chromium((*AS_CAMERA, f"--use-file-for-fake-video-capture={film}"))
        )
        site = f"http://{clients.HOST}:{server.port}"
        host = browser.new_page()
        host.goto(f"{site}/host")
        host.get_by_test_id("become-host").click()
        page = browser.new_context(ignore_https_errors=True).new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.goto(f"{site}/camera")
        progress("camera: filming")
        began_s = monotonic()
        page.get_by_test_id("camera-start").click()
        host.get_by_test_id("camera-let-in").click()
        host.close()
        page.wait_for_timeout(1000 * (2 * PART_S - (monotonic() - began_s)))
    return _figures(source, began_s)


def _figures(source: _Timed, began_s: float) -> dict[str, object]:
    delays = [ms for at_s, ms in source.seen if at_s - began_s > SETTLE_S]
    figures: dict[str, object] = {**spread("frame_to_queue_ms", delays), "frame_to_queue_n": len(delays)}
    for name, first_s in (("still", 0.0), ("moving", float(PART_S))):
        window = [
            size
            for at_s, size in source.counted.sizes
            if first_s + SETTLE_S < at_s - began_s < first_s + PART_S - 1
        ]
        length_s = PART_S - 1 - SETTLE_S
        figures[f"kb_per_s_{name}"] = round(sum(window) / 1000 / length_s, 1)
        figures[f"per_s_{name}"] = round(len(window) / length_s, 2)
        figures[f"kb_per_s_{name}_n"] = len(window)
    return figures


def _film(board: BoardFile, path: Path) -> Path:
    with path.open("wb") as out:
        for frame, length_s in _frames(board):
            data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()
            out.write(round(FILM_FPS * length_s) * data)
    return path


def _frames(board: BoardFile) -> Iterator[tuple[np.ndarray, float]]:
    """The pictures of the film, and how long each is shown, in s."""
    renderer = Renderer(board, Appearance(size_px=SIZE_PX))
    pawns = [
        DrawnPawn(hole.x_mm, hole.y_mm, named_color(board.colors[hole.seat]))
        for hole in board.holes
        if hole.kind is HoleKind.CAMP and hole.seat is not None
    ]
    yield renderer.frame(pawns), PART_S
    rng = np.random.default_rng(1)
    tip = np.array(board.size_mm) / 2
    for _ in range(MOVES_PER_S * PART_S):
        tip = np.clip(tip + rng.normal(0, 25, 2), 40, np.array(board.size_mm) - 40)
        yield renderer.frame(pawns, (float(tip[0]), float(tip[1]))), 1 / MOVES_PER_S
