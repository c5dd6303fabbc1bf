"""The workbench of the page: photographs of one board, the findings, the corrections, and the check."""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile
from tock_companion.errors import BadInputError, SpokenError
from tock_rules import ZONE_LENGTH, Hole
from tock_vision.arrays import Frame
from tock_vision.camera_pose import CameraPose, unproject
from tock_vision.discovery.command import asks_of
from tock_vision.discovery.pipeline import discover
from tock_vision.discovery.refusals import NoBoard
from tock_vision.discovery.touch_hints import Starts, parse_starts, require_view
from tock_vision.images import decode_image
from tock_vision.mending.blank import blank_sketch
from tock_vision.mending.checking import Checked, check_pawns, learn_board
from tock_vision.mending.edits import Edit, Mistake, Question, answered, edited
from tock_vision.mending.sketch import Place, Sketch, sketch_of

LOG = logging.getLogger(__name__)
MAX_PHOTOS = 3
MAX_SIDE_PX = 1600
"""Photographs are kept at this size: more detail helps no search, and three of them take 20 MB."""
MAX_UNDO_STEPS = 200
JPEG_QUALITY = 85


class Phase(Enum):
    """The stage that the board has reached."""

    EMPTY = "empty"
    FINDING = "finding"
    REFUSED = "refused"
    FOUND = "found"


@dataclass(frozen=True)
class Before:
    """The state to which an undo goes back."""

    sketch: Sketch
    asks: tuple[Mapping[str, object], ...]


@dataclass(frozen=True)
class Bench:
    """Everything that lies on the workbench at one moment; what changes it makes a new one."""

    frames: tuple[Frame, ...] = ()
    phase: Phase = Phase.EMPTY
    progress: float = 0.0
    refusal: NoBoard | None = None
    asks: tuple[Mapping[str, object], ...] = ()
    sketch: Sketch | None = None
    before: tuple[Before, ...] = ()
    """The newest last."""
    poses: Mapping[int, CameraPose] = field(default_factory=dict)
    """From the plane of the sketch into the photographs that show it, by their number."""
    checked: Checked | None = None
    run: int = 0
    """Number of the search: what an older one finds counts no more."""


class Workbench:
    """Holds one board at a time; any thread may ask. Searches run one at a time, on a separate thread."""

    def __init__(self, bench: Bench | None = None) -> None:
        """Go on with a given bench, or with an empty one."""
        self._bench = bench or Bench()
        self._changing = threading.Lock()
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="board-maker")

    @property
    def bench(self) -> Bench:
        """The board that lies there now."""
        return self._bench

    def clear(self) -> None:
        """Start over."""
        self._change(lambda bench: Bench(run=bench.run + 1))

    def add_photo(self, data: bytes) -> None:
        """Add a photograph; raises BadInputError for none, or one too many. Former findings are forgotten."""
        if len(self._bench.frames) >= MAX_PHOTOS:
            raise SpokenError(
                f"there are {MAX_PHOTOS} photos already", "board/photos_full", n=str(MAX_PHOTOS)
            )
        frame = photograph(data)

        def added(bench: Bench) -> Bench:
            frames = (*bench.frames, frame)[:MAX_PHOTOS]
            return Bench(frames, run=bench.run + 1)

        self._change(added)

    def find(
        self,
        zones: int | None = None,
        starts: Sequence[Place] | None = None,
        middle: bool | None = None,
    ) -> None:
        """Begin to search; `starts` are places of all start holes in the first photo, shares of its size, clockwise.

        `middle` is whether there is a hole in the middle, None where it is unknown; it counts with the starts.
        Raises BadInputError where there is no photo, or where the starts cannot be those of a board.
        """
        frames = self._bench.frames
        if not frames:
            raise SpokenError("there is no photo yet", "board/photo_first")
        touched = _touched(frames[0], starts) if starts else None
        has_middle = middle if starts else None

        def begun(bench: Bench) -> Bench:
            return Bench(bench.frames, Phase.FINDING, run=bench.run + 1)

        run = self._change(begun).run

        def hear(share: float) -> None:
            self._change(lambda bench: replace(bench, progress=round(share, 3)), run)

        def search() -> None:
            """Find the board in the photos, unless a newer run has begun."""
            try:
                hear(0.0)
                found = discover(
                    frames, "board", zones=zones, starts=touched, has_middle=has_middle, progress=hear
                )
            except _OverError:
                return
            except Exception:
                LOG.exception("the search for a board failed")
                self._finish(run, Bench(frames, Phase.REFUSED))
                return
            if isinstance(found, NoBoard):
                self._finish(run, Bench(frames, Phase.REFUSED, refusal=found))
                return
            poses = dict(zip(found.joined.used, found.joined.poses, strict=True))
            asks = tuple(asks_of(found, touched=touched is not None))
            self._finish(
                run, Bench(frames, Phase.FOUND, 1.0, asks=asks, sketch=sketch_of(found), poses=poses)
            )

        self._worker.submit(search)

    def draw(self, starts: Sequence[Place]) -> None:
        """Begin a board of which only the start holes are known, given as for `find`; raises BadInputError."""
        frames = self._bench.frames
        if not frames:
            raise SpokenError("there is no photo yet", "board/photo_first")
        sketch, pose = blank_sketch(frames[0], _touched(frames[0], starts))
        self._change(
            lambda bench: Bench(frames, Phase.FOUND, 1.0, sketch=sketch, poses={0: pose}, run=bench.run + 1)
        )

    def apply(self, make: Callable[[Bench], Edit]) -> Mistake | None:
        """Change the board; a mistake changes nothing. Raises BadInputError while there is no board."""
        mistake: list[Mistake] = []

        def changed(bench: Bench) -> Bench:
            sketch = _sketch(bench)
            after = edited(sketch, make(bench))
            if isinstance(after, Mistake):
                mistake.append(after)
                return bench
            return replace(bench, sketch=after, before=_remembered(bench, sketch), checked=None)

        self._change(changed)
        return mistake[0] if mistake else None

    def settle(self, question: Question, *, yes: bool) -> None:
        """Take a question off the bench, and change the board by its answer; nothing where it is not asked."""

        def after(bench: Bench) -> Bench:
            sketch = _sketch(bench)
            left = tuple(ask for ask in bench.asks if ask["code"] != question.value)
            if left == bench.asks:
                return bench
            before = _remembered(bench, sketch)
            sketch = answered(sketch, question, yes=yes)
            return replace(bench, sketch=sketch, asks=left, before=before, checked=None)

        self._change(after)

    def undo(self) -> None:
        """Take the last edit back, if there is one."""

        def undone(bench: Bench) -> Bench:
            if not bench.before:
                return bench
            last = bench.before[-1]
            return replace(bench, sketch=last.sketch, asks=last.asks, before=bench.before[:-1], checked=None)

        self._change(undone)

    def picture(self, number: int) -> bytes | None:
        """A photograph as JPEG; None where there is none of this number."""
        frames = self._bench.frames
        return _jpeg(frames[number]) if number < len(frames) else None

    def checked_picture(self) -> bytes | None:
        """The photograph with the pawns in their camps, as JPEG; None before there is one."""
        checked = self._bench.checked
        return None if checked is None else _jpeg(checked.frame)

    def check(self, data: bytes, patience_s: float) -> Checked:
        """Read a photo of the board with all pawns in their camps.

        Raises BadInputError where the board is not whole, TimeoutError when the machine is too slow.
        """
        bench = self._bench
        sketch = _whole_sketch(bench)
        frame = photograph(data)
        poses = list(bench.poses.values())
        checked = self._worker.submit(check_pawns, sketch, frame, poses).result(patience_s)
        self._change(lambda now: replace(now, sketch=checked.sketch, checked=checked), bench.run)
        return checked

    def board(self, name: str) -> BoardFile:
        """The board file; raises BadInputError where the board is not whole yet."""
        return _whole_sketch(self._bench).board(name)

    def learn(self, board: BoardFile, state: Path) -> bool:
        """Calibrate the camera from the photographs of empty holes and pawns; returns whether they show any."""
        bench = self._bench
        if bench.checked is None or bench.sketch is None:
            return False
        views = [(bench.frames[number], pose) for number, pose in bench.poses.items()]
        return self._worker.submit(learn_board, board, bench.sketch, views, bench.checked, state).result()

    def _change(self, change: Callable[[Bench], Bench], run: int | None = None) -> Bench:
        """Put a new value in the place of the old one; `run` names the search that must still count."""
        with self._changing:
            if run is not None and run != self._bench.run:
                raise _OverError
            self._bench = change(self._bench)
            return self._bench

    def _finish(self, run: int, bench: Bench) -> None:
        try:
            self._change(lambda now: replace(bench, run=now.run), run)
        except _OverError:
            return


class _OverError(Exception):
    """This search was cancelled by a new one; its result is dropped."""


def _touched(frame: Frame, starts: Sequence[Place]) -> Starts:
    """Start holes touched in a photograph, in shares of its size; raises BadInputError."""
    height, width = frame.shape[:2]
    names = {
        Hole.track(ZONE_LENGTH * number): (x * width, y * height) for number, (x, y) in enumerate(starts)
    }
    touched = parse_starts(names, len(starts))
    require_view(touched, (width, height))
    return touched


def photograph(data: bytes) -> Frame:
    """Decode a photograph, upright and no larger than needed; raises BadInputError if it is not a picture."""
    try:
        frame = decode_image(data, "photo", upright=True)
    except BadInputError as error:
        raise SpokenError(str(error), "photo/unreadable") from None
    factor = MAX_SIDE_PX / max(frame.shape[:2])
    if factor >= 1:
        return frame
    smaller = cv2.resize(frame, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(smaller, dtype=np.uint8)


def plane_place(bench: Bench, photo: int, share: Place) -> Place:
    """The place on the board of one in a photo, given in shares of its size; raises BadInputError beyond it."""
    pose = bench.poses.get(photo)
    if pose is None:
        raise SpokenError(f"photo {photo + 1} does not show the board", "board/photo_other", n=str(photo + 1))
    height, width = bench.frames[photo].shape[:2]
    ((x, y),) = unproject(pose, np.array([[share[0] * width, share[1] * height]]))
    if not np.isfinite([x, y]).all():
        raise SpokenError("that place lies behind the board", "board/mend_far")
    return float(x), float(y)


def photo_places(bench: Bench, photo: int, places: Sequence[Place]) -> list[list[float]]:
    """The places in a photo of those on the board, in shares of its size."""
    height, width = bench.frames[photo].shape[:2]
    if not places:
        return []
    at = bench.poses[photo].project(np.array(places)) / (width, height)
    rounded: list[list[float]] = at.round(5).tolist()
    return rounded


def _jpeg(frame: Frame) -> bytes | None:
    done, data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return data.tobytes() if done else None


def _remembered(bench: Bench, sketch: Sketch) -> tuple[Before, ...]:
    return (*bench.before, Before(sketch, bench.asks))[-MAX_UNDO_STEPS:]


def _sketch(bench: Bench) -> Sketch:
    if bench.sketch is None:
        raise SpokenError("no board has been found yet", "board/none_yet")
    return bench.sketch


def _whole_sketch(bench: Bench) -> Sketch:
    sketch = _sketch(bench)
    if not sketch.is_whole:
        raise SpokenError(
            f"{len(sketch.missing)} holes are missing", "board/holes_missing", n=str(len(sketch.missing))
        )
    return sketch
