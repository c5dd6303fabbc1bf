"""The capture loop: carries frames from a grabber through the reader to the table, and reports when it cannot.

All work is done in `step`, which takes the time as an argument and returns when it wants to be called again;
the thread only waits between steps. While nothing changes the loop rests: it only looks at some frames, and neither
reads nor sends anything. On a slow machine it reads only some of them (`Pace`).
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from math import ceil
from pathlib import Path

import cv2
import numpy as np

from tock_companion.background import Backoff
from tock_companion.errors import BadInputError
from tock_companion.observation import CardSighting, SourceCondition
from tock_companion.sources.base import ClockMs, Deliver
from tock_companion.sources.thread import SourceThread
from tock_rules import Card, Hole
from tock_vision.arrays import Frame
from tock_vision.calibration_file import rate, save_calibration
from tock_vision.camera_pose import CameraPose
from tock_vision.camera_timeouts import BLIND_AFTER_MS, FIRST_RETRY_MS, MAX_RETRY_MS
from tock_vision.cards.pile import UNREADABLE, PileWatcher
from tock_vision.frame_rate import Pace
from tock_vision.frame_skipping import ChangeDetector
from tock_vision.grabbers import BadFrameError, Grabber, GrabError
from tock_vision.holes.calibration import Shows
from tock_vision.holes.patches import small_frame
from tock_vision.images import decode_image
from tock_vision.overlay import draw_overlay
from tock_vision.reader import COVERED, BoardReader, Reading
from tock_vision.recent_frames import Album
from tock_vision.registration.results import Refusal
from tock_vision.stillness.steadiness import BLURRED, WANDERS, Look, Steadiness, look_at

JPEG_QUALITY = 92
NO_BOARD, OUT_OF_FOCUS = "camera/no_board", "camera/out_of_focus"
CARD_UNREADABLE = "camera/card_unreadable"
NOTE_MS = 12_000
"""Time for which the page reports an unreadable card; by then a player has tapped it."""
CHECKS_PER_S = 4.0
"""Highest rate at which a picture at rest is examined; a hand comes over the board well before a pawn has moved."""
LOOK_MS = 500
"""Interval between looks at the light and the focus of a camera."""
SEARCH_MS = 5000
"""Interval between searches for a board that is not found in a picture that does not change."""


class CaptureLoop:
    """A source that makes observations from frames."""

    def __init__(
        self,
        name: str,
        grabber: Grabber,
        reader: BoardReader,
        fps: float,
        pile: PileWatcher | None = None,
        state: Path | None = None,
    ) -> None:
        self.name = name
        self.state = state
        """File in which the calibration is kept."""
        self._pile = pile
        self._noted_at = 0
        self.record_to: Callable[[int, bytes], None] | None = None
        self._grabber = grabber
        self._reader = reader
        self._period_ms = 1000.0 / fps
        self._changes = ChangeDetector()
        self._frames_per_check = 1 if grabber.arrives else ceil(fps / CHECKS_PER_S)
        self._frames_passed = 0
        self._pace = Pace(self._period_ms)
        self._read_ms = 0
        self._thread = SourceThread(name, self._step, failed=self._failed, close=self._close)
        self._open = False
        longest_ms = min(grabber.longest_retry_ms, MAX_RETRY_MS)
        self._retry = Backoff(min(FIRST_RETRY_MS, longest_ms), longest_ms)
        self._blind_since: int | None = None
        self._frozen_since: int | None = None
        self._frame: Frame | None = None
        self._preview: tuple[Frame, bytes] | None = None
        self._recording: Callable[[int, bytes], None] | None = None
        self._ended = False
        self._steadiness = Steadiness()
        self._look: Look | None = None
        self._is_learned = False
        self._album = Album(reader.board)
        self._reading: tuple[Frame, Reading] | None = None
        self._using = threading.Lock()

    def start(self, deliver: Deliver, clock_ms: ClockMs) -> None:
        """Start reporting from a separate thread; returns at once."""
        self._thread.start(deliver, clock_ms)

    def prepare(self, deliver: Deliver) -> None:
        """Say where messages go, for those who call `step` themselves."""
        self._thread.connect(deliver)

    def stop(self) -> None:
        """End all reporting within a second."""
        self._thread.stop()

    def preview(self) -> bytes | None:
        """The newest frame as JPEG, None when there is none."""
        frame = self._frame
        if frame is None:
            return None
        if self._preview is None or self._preview[0] is not frame:
            self._preview = (frame, _jpeg(frame, 80))
        return self._preview[1]

    def crops(self, t_ms: int, names: Sequence[str]) -> Mapping[str, bytes]:
        """PNG pictures of holes as they looked at that moment, or the latest before it."""
        return self._album.crops(t_ms, names)

    def size_px(self) -> tuple[int, int] | None:
        """Width and height of the newest frame, None when there is none."""
        frame = self._frame
        return None if frame is None else (frame.shape[1], frame.shape[0])

    def overlay(self) -> bytes | None:
        """The newest frame that was read, with its reading drawn onto it, as JPEG; None when there is none."""
        seen = self._reading
        return None if seen is None else _jpeg(draw_overlay(*seen, self._reader.board), 85)

    def touch(self, touches: Mapping[Hole, tuple[float, float]]) -> dict[str, object]:
        """Find the board by the places of four or more holes in the newest frame, in its pixels.

        Returns `registered` with `rms_px`, or with `reason` and `message`; BadInputError for touches that cannot do.
        """
        with self._using:
            found = self._reader.touch(self._newest(), touches)
        self._changes.reset()
        if isinstance(found, Refusal):
            return {"registered": False, "reason": found.code, "message": found.sentence}
        return {"registered": True, "rms_px": round(found.rms_px, 3)}

    def learn(self, shows: Shows) -> dict[str, object]:
        """Learn from the newest frame, which shows the empty board or all pawns in their camps.

        Returns `learned` with `score` (0 to 1), `weak` (sentences), the same as `weak_points` (`code`, `seats`) and
        `kept`, or with `reason` and `message`. Kept in the file that the setting `state` names.
        """
        with self._using:
            calibration = self._reader.learn(self._newest(), shows)
        self._changes.reset()
        self._is_learned = not isinstance(calibration, Refusal)
        if isinstance(calibration, Refusal):
            return {"learned": False, "reason": calibration.code, "message": calibration.sentence}
        if self.state is not None:
            save_calibration(self.state, self._reader.board, calibration)
        score, weak = rate(self._reader.board, calibration)
        return {
            "learned": True,
            "score": score,
            "weak": [point.sentence for point in weak],
            "weak_points": [
                {"code": point.code, "seats": [seat.name for seat in point.seats]} for point in weak
            ],
            "kept": self.state is not None,
        }

    def _newest(self) -> Frame:
        frame = self._frame
        if frame is None:
            raise BadInputError(f"{self.name} has no picture yet; wait until it shows one")
        return frame

    def step(self, t_ms: int) -> float:
        """Do the next piece of work; returns how many ms after `t_ms` the next one is due."""
        if self._ended:
            return float(MAX_RETRY_MS)
        resting = self._rests(t_ms)
        try:
            if not self._open:
                self._grabber.open()
                self._open = True
                self._steadiness.begin(self._grabber.controls, t_ms)
            if self._grabber.awaits():
                return 0.0
            if self._lets_pass(resting):
                return self._period_ms
            frame = self._grabber.grab()
        except GrabError as error:
            return self._lost(t_ms, error)
        except BadFrameError as error:
            self._thread.report(t_ms, SourceCondition.BLIND, "camera/bad_frame", str(error))
            return self._period_ms
        self._retry.reset()
        taken_ms = self._grabber.taken_ms
        t_ms = t_ms if taken_ms is None else taken_ms
        if self._is_frozen(frame, t_ms):
            self._thread.report(
                t_ms, SourceCondition.BLIND, "camera/frozen", "the camera repeats one frame; unplug it once"
            )
            return self._period_ms
        self._frame = frame
        small = small_frame(frame)
        self._watch_camera(small, t_ms)
        if not resting or self._has_changed(small, t_ms) or self._searches(t_ms):
            self._see(frame, small, t_ms)
        return self._period_ms

    def _watch_camera(self, small: Frame, t_ms: int) -> None:
        """Look now and then whether the camera holds still, and when its automatics may work."""
        is_camera = self._grabber.live or self._grabber.arrives
        if not is_camera or (self._look is not None and 0 <= t_ms - self._look.t_ms < LOOK_MS):
            return
        self._look = look = look_at(small, t_ms)
        if self._is_learned:
            self._is_learned = False
            self._steadiness.learned(look)
        seen = self._reading
        self._steadiness.see(
            look,
            is_found=seen is not None and seen[1].registered,
            is_moving=seen is not None and seen[1].holes_changed,
            is_at_rest=self._changes.is_still(t_ms),
        )
        if self._blind_since is None and self._thread.reported in ("", WANDERS, BLURRED):
            self._thread.report(t_ms, SourceCondition.OK, self._steadiness.note(t_ms))

    def _rests(self, t_ms: int) -> bool:
        """Whether nothing needs reading: the picture is still, and no request has changed its reading."""
        if self.record_to is not self._recording and self.record_to is not None:
            self._changes.reset()
        return self._changes.is_still(t_ms) and self._thread.reported != CARD_UNREADABLE

    def _lets_pass(self, resting: bool) -> bool:
        """Let a frame pass unseen, for the loop rests or the machine is slow; False when it is time for a look."""
        unchanged = self._grabber.is_unchanged() if resting else None
        if unchanged is not None:
            return unchanged
        self._frames_passed += 1
        if self._frames_passed < (self._frames_per_check if resting else self._pace.frames_per_reading):
            self._grabber.skip()
            return True
        self._frames_passed = 0
        return False

    def _has_changed(self, small: Frame, t_ms: int) -> bool:
        return self._changes.update(small, t_ms, holes_changed=self._reader.holes_differ(small))

    def _searches(self, t_ms: int) -> bool:
        return self._blind_since is not None and t_ms - self._read_ms >= SEARCH_MS

    def _see(self, frame: Frame, small: Frame, t_ms: int) -> None:
        """Read a frame and report it to the table."""
        self._read_ms = t_ms
        with self._using:
            reading = self._recorded_reading(frame, t_ms)
        if self._grabber.live:
            self._pace.note(reading.ms)
        self._reading = (frame, reading)
        self._report(reading, t_ms)
        if self._pile is not None and reading.pose is not None:
            self._update_pile(self._pile, frame, reading.pose, t_ms)
        self._changes.update(small, t_ms, holes_changed=reading.holes_changed)

    def _update_pile(self, pile: PileWatcher, frame: Frame, pose: CameraPose, t_ms: int) -> None:
        seen = pile.update(frame, pose, t_ms)
        if seen is UNREADABLE:
            self._noted_at = t_ms
            self._thread.report(t_ms, SourceCondition.OK, CARD_UNREADABLE, "")
        elif isinstance(seen, Card):
            self._thread.report(t_ms, SourceCondition.OK, "", "")
            self._thread.deliver(CardSighting(t_ms, None, seen, "camera"))

    def _recorded_reading(self, frame: Frame, t_ms: int) -> Reading:
        record = self.record_to
        if record is None:
            self._recording = None
            return self._reader.read_frame(frame, t_ms)
        if record is not self._recording:
            # A replay starts with a reader that has seen nothing yet, so the recording must too.
            self._recording = record
            self._reader.reset()
        data = _jpeg(frame, JPEG_QUALITY)
        record(t_ms, data)
        return self._reader.read_frame(decode_image(data, self.name), t_ms)

    def _report(self, reading: Reading, t_ms: int) -> None:
        if reading.registered:
            self._blind_since = None
            if self._frame is not None:
                self._album.keep(t_ms, self._frame, reading.pose)
            if self._thread.reported != CARD_UNREADABLE or t_ms - self._noted_at > NOTE_MS:
                self._thread.report(t_ms, SourceCondition.OK, self._steadiness.note(t_ms), "")
            self._thread.deliver(reading.observation(self.name))
            return
        if self._blind_since is None:
            self._blind_since = t_ms
        if self._thread.reported is None or t_ms - self._blind_since >= BLIND_AFTER_MS:
            self._thread.report(t_ms, SourceCondition.BLIND, self._reason(reading), reading.sentence)

    def _reason(self, reading: Reading) -> str:
        """Why a frame cannot be read, by what its camera saw before."""
        look = self._look
        if reading.reason != NO_BOARD or look is None or not self._steadiness.is_blurred(look):
            return reading.reason
        return COVERED.code if self._steadiness.is_covered(look) else OUT_OF_FOCUS

    def _lost(self, t_ms: int, error: GrabError) -> float:
        self._close()
        self._frame = None
        self._changes.reset()
        self._thread.report(t_ms, SourceCondition.LOST, error.code, error.detail)
        if error.final:
            self._ended = True
            return float(MAX_RETRY_MS)
        return float(self._retry.next_ms())

    def _is_frozen(self, frame: Frame, t_ms: int) -> bool:
        before, longest_ms = self._frame, self._grabber.frozen_after_ms
        if before is None or longest_ms is None or not np.array_equal(before, frame):
            self._frozen_since = None
            return False
        if self._frozen_since is None:
            self._frozen_since = t_ms
        return t_ms - self._frozen_since >= longest_ms

    def _step(self, clock_ms: ClockMs) -> float:
        return self.step(clock_ms())

    def _failed(self, t_ms: int, error: Exception) -> float:
        """A fault in one frame must not end the table: it is reported, then tried again."""
        self._thread.report(t_ms, SourceCondition.BLIND, "camera/fault", str(error))
        return float(FIRST_RETRY_MS)

    def _close(self) -> None:
        self._grabber.close()
        self._open = False


def _jpeg(frame: Frame, quality: int) -> bytes:
    done, data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise BadFrameError("the frame cannot be written as JPEG")
    return data.tobytes()
