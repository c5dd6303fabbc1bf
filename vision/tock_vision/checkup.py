"""The camera's part of `tock doctor`: frame rate, light, focus, and whether the board is found."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from time import perf_counter

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile
from tock_companion.errors import BadInputError
from tock_companion.health import Finding, Level
from tock_companion.schema import check
from tock_companion.sources.base import CAMERA, cameras_of
from tock_vision.arrays import Frame
from tock_vision.camera import grabber_for
from tock_vision.grabbers import BadFrameError, GrabError
from tock_vision.reader import BoardReader
from tock_vision.settings import CameraSettings
from tock_vision.stillness.controls import Holds, free

FRAMES = 10
SLOW_PER_S = 5.0
DARK_MEAN = 40
"""Mean brightness below which readings become uncertain."""
WHITE = 250
BLOWN_SHARE = 0.05
BLURRED = 20.0
"""Variance of the Laplacian, at a width of 640 pixels, below which holes have no edges."""
FOCUS_WIDTH_PX = 640


def check_camera(board_file: BoardFile, sources: Mapping[str, Mapping[str, object]]) -> Iterator[Finding]:
    """Look through every configured camera for some frames; nothing is kept."""
    cameras = cameras_of(sources)
    if not cameras:
        yield Finding(CAMERA, "camera/unused")
    for name, settings in cameras.items():
        # The names of their sections distinguish two cameras.
        yield from (replace(finding, part=name) for finding in _look_through(board_file, settings))


def _look_through(board_file: BoardFile, settings: Mapping[str, object]) -> Iterator[Finding]:
    if settings.get("phone"):
        yield Finding(CAMERA, "camera/phone")
        return
    try:
        frames, seconds, holds = _grab_some(settings)
    except GrabError as error:
        if "url" in settings:
            yield Finding(CAMERA, "camera/unreachable", Level.FAULT, {"reason": error.detail})
            return
        values = {"device": str(settings.get("device", 0))}
        missing = error.code == "camera/no_device"
        yield Finding(CAMERA, "camera/none" if missing else "camera/busy", Level.FAULT, values)
        return
    except BadInputError as error:
        yield Finding(CAMERA, "camera/no_board", Level.FAULT, {"reason": str(error)})
        return
    yield from _rate(frames, seconds, live="video" not in settings and "frames" not in settings)
    yield from _stillness(holds, settings)
    yield from _light(frames[-1])
    yield from _board(board_file, frames[-1])


def _grab_some(settings: Mapping[str, object]) -> tuple[list[Frame], float, Holds | None]:
    """Grab some frames and time them, and try the camera's controls; raises GrabError when there are no frames."""
    grabber = grabber_for(check(CameraSettings, settings, "source camera"))
    frames: list[Frame] = []
    grabber.open()
    try:
        start_s = perf_counter()
        while len(frames) < FRAMES:
            try:
                if not grabber.awaits():
                    frames.append(grabber.grab())
            except BadFrameError:
                continue
            except GrabError:
                if not frames:
                    raise
                break
        seconds = perf_counter() - start_s
        holds = None if grabber.controls is None else grabber.controls.hold()
        if grabber.controls is not None:
            grabber.controls.follow()
        return frames, seconds, holds
    finally:
        grabber.close()


def _stillness(holds: Holds | None, settings: Mapping[str, object]) -> Iterator[Finding]:
    """Name in one line the settings that the camera goes on changing."""
    if "url" in settings:
        yield Finding(CAMERA, "camera/sets_itself")
    elif holds is not None and not free(holds):
        yield Finding(CAMERA, "camera/holds_still")
    elif holds is not None:
        names = tuple(f"camera/{automatic.value}" for automatic in free(holds))
        yield Finding(CAMERA, "camera/wanders", Level.WARNING, names=names)


def _rate(frames: list[Frame], seconds: float, *, live: bool) -> Iterator[Finding]:
    per_s = len(frames) / seconds
    height, width = frames[-1].shape[:2]
    values = {"rate": f"{per_s:.0f}", "size": f"{width} x {height}"}
    slow = live and per_s < SLOW_PER_S
    yield Finding(CAMERA, "camera/slow" if slow else "camera/ok", Level.WARNING if slow else Level.OK, values)


def _light(frame: Frame) -> Iterator[Finding]:
    gray = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    mean = float(gray.mean())
    if mean < DARK_MEAN:
        yield Finding(CAMERA, "camera/dark", Level.WARNING, {"mean": f"{mean:.0f}"})
    blown = float(np.mean(gray >= WHITE))
    if blown > BLOWN_SHARE:
        yield Finding(CAMERA, "camera/blown", Level.WARNING, {"percent": f"{100 * blown:.0f}"})
    height = round(FOCUS_WIDTH_PX * gray.shape[0] / gray.shape[1])
    small = cv2.resize(gray, (FOCUS_WIDTH_PX, height), interpolation=cv2.INTER_AREA)
    if float(cv2.Laplacian(small, cv2.CV_64F).var()) < BLURRED:
        yield Finding(CAMERA, "camera/blurred", Level.WARNING)


def _board(board_file: BoardFile, frame: Frame) -> Iterator[Finding]:
    reading = BoardReader(board_file).read_frame(frame)
    if reading.registered:
        values = {"how": str(reading.orientation), "rms_px": f"{reading.rms_px or 0:.1f}"}
        yield Finding(CAMERA, "camera/board", values=values)
    else:
        yield Finding(CAMERA, "camera/no_board", Level.FAULT, {"reason": reading.sentence})
