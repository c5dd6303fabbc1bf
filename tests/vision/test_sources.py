"""Sources made of frames: their observations and their faults."""

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.support.drawn import SMALL, START, wrong_holes
from tock_companion.boardfile import BoardFile, generate
from tock_companion.errors import BadInputError
from tock_companion.observation import (
    CardSighting,
    Observation,
    SourceCondition,
    SourceMessage,
    SourceReport,
)
from tock_companion.sources.base import source_factory
from tock_companion.sources.scene import Scene
from tock_rules import Card, Seat
from tock_vision.camera import CameraSource
from tock_vision.camera_timeouts import MAX_RETRY_MS, SENSOR_FROZEN_AFTER_MS
from tock_vision.capture import CaptureLoop
from tock_vision.grabbers import BadFrameError, FolderGrabber, Grabber, GrabError, VideoGrabber
from tock_vision.reader import BoardReader
from tock_vision.replay import open_frames
from tock_vision.simulated import SimulatedSource

Draw = Callable[..., Any]


class Played(Grabber):
    """A grabber that plays given frames and faults, also a fault on opening."""

    def __init__(self, *things: Any, live: bool = False) -> None:
        self.things = list(things)
        self.live = live
        self.frozen_after_ms = SENSOR_FROZEN_AFTER_MS if live else None
        self.opened = 0

    def open(self) -> None:
        self.opened += 1

    def grab(self) -> Any:
        thing = self.things.pop(0) if len(self.things) > 1 else self.things[0]
        if isinstance(thing, Exception):
            raise thing
        return thing

    def close(self) -> None:
        pass


def capture(board: BoardFile, grabber: Played) -> tuple[CaptureLoop, list[SourceMessage]]:
    received: list[SourceMessage] = []
    source = CaptureLoop("camera", grabber, BoardReader(board), fps=10)
    source.prepare(received.append)
    return source, received


def reports(received: list[SourceMessage]) -> list[tuple[SourceCondition, str]]:
    return [(message.condition, message.code) for message in received if isinstance(message, SourceReport)]


def test_frames_become_observations_and_one_report_that_all_is_well(board: BoardFile, draw: Draw) -> None:
    source, received = capture(board, Played(draw(START), draw(START)))
    assert [source.step(0), source.step(100)] == [100.0, 100.0]
    assert [type(message) for message in received] == [SourceReport, Observation, Observation]
    assert reports(received) == [(SourceCondition.OK, "")]
    preview = source.preview()
    assert preview is not None
    assert preview.startswith(b"\xff\xd8")


def test_an_unplugged_camera_is_reported_once_and_tried_again_ever_more_slowly(
    board: BoardFile, draw: Draw
) -> None:
    gone = GrabError("camera/unplugged", "camera 0 gives no frames")
    grabber = Played(draw(START), gone, gone, gone, gone, draw(START))
    source, received = capture(board, grabber)
    waits = [source.step(t_ms) for t_ms in range(0, 6000, 1000)]
    assert waits == [100.0, 1000.0, 2000.0, 4000.0, MAX_RETRY_MS, 100.0]
    assert reports(received) == [
        (SourceCondition.OK, ""),
        (SourceCondition.LOST, "camera/unplugged"),
        (SourceCondition.OK, ""),
    ]
    assert isinstance(received[-1], Observation)
    assert grabber.opened == 5


def test_a_frame_that_does_not_decode_is_reported_and_the_next_one_read(board: BoardFile, draw: Draw) -> None:
    source, received = capture(board, Played(BadFrameError("frame 1 is damaged"), draw(START)))
    source.step(0)
    source.step(100)
    assert reports(received) == [(SourceCondition.BLIND, "camera/bad_frame"), (SourceCondition.OK, "")]


@pytest.mark.whole
def test_a_covered_lens_is_reported_after_a_moment_and_cleared(board: BoardFile, draw: Draw) -> None:
    dark = np.zeros((720, 960, 3), np.uint8)
    source, received = capture(board, Played(draw(START), *[dark] * 8, draw(START)))
    for t_ms in range(0, 1000, 100):
        source.step(t_ms)
    assert reports(received) == [
        (SourceCondition.OK, ""),
        (SourceCondition.BLIND, "camera/dark"),
        (SourceCondition.OK, ""),
    ]


@pytest.mark.whole
def test_a_camera_that_repeats_one_frame_for_long_is_reported(board: BoardFile, draw: Draw) -> None:
    source, received = capture(board, Played(draw(START), live=True))
    for t_ms in range(0, 4500, 500):
        source.step(t_ms)
    assert reports(received)[-1] == (SourceCondition.BLIND, "camera/frozen")


def test_a_camera_that_does_not_exist_is_reported(board: BoardFile) -> None:
    source = CameraSource(board, {"device": "/dev/video-none"})
    received: list[SourceMessage] = []
    source.prepare(received.append)
    assert source.step(0) == 1000.0
    assert reports(received) == [(SourceCondition.LOST, "camera/no_device")]


@pytest.mark.whole
def test_a_folder_of_frames_is_shown_to_its_end(board: BoardFile, draw: Draw, tmp_path: Path) -> None:
    for number in range(2):
        cv2.imwrite(str(tmp_path / f"f{number}.png"), draw(START))
    (tmp_path / "f1b.jpg").write_bytes(b"no picture")
    source = CameraSource(board, {"frames": str(tmp_path), "fps": 5})
    received: list[SourceMessage] = []
    source.prepare(received.append)
    for t_ms in range(0, 1000, 200):
        source.step(t_ms)
    assert [code for _, code in reports(received)] == ["", "camera/bad_frame", "camera/ended"]


def test_a_video_file_is_read(board: BoardFile, draw: Draw, tmp_path: Path) -> None:
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, SMALL.size_px)
    writer.write(draw(START))
    writer.release()
    source = CameraSource(board, {"video": str(path)})
    received: list[SourceMessage] = []
    source.prepare(received.append)
    for t_ms in range(0, 20_000, 5000):
        source.step(t_ms)
    assert [code for _, code in reports(received)] == ["", "camera/ended"]


@pytest.mark.parametrize(("recorded", "form"), [(60, "mp4"), (25, "avi"), (10, "avi"), (2, "mp4")])
def test_a_video_plays_in_its_own_time(recorded: int, form: str, tmp_path: Path) -> None:
    path = tmp_path / f"film.{form}"
    writer = cv2.VideoWriter(
        str(path), cv2.VideoWriter.fourcc(*"mp4v" if form == "mp4" else "MJPG"), recorded, (320, 240)
    )
    for number in range(2 * recorded):
        writer.write(np.full((240, 320, 3), 120 * number // recorded, np.uint8))
    writer.release()
    grabber, seen = VideoGrabber(path, fps=10), list[float]()
    grabber.open()
    with suppress(GrabError):
        while len(seen) < 100:
            seen.append(float(grabber.grab().mean()))
            # A resting loop lets frames pass.
            grabber.skip()
            seen.append(seen[-1])
    grabber.close()
    assert len(seen) == pytest.approx(20, abs=5 if recorded == 2 else 1)
    assert all(abs(level - 12 * tenth) <= 14 + 120 / recorded for tenth, level in enumerate(seen))


@pytest.mark.parametrize(
    "settings",
    [
        {"device": -1},
        {"device": True},
        {"device": 0, "video": "x.mp4"},
        {"video": "none.mp4"},
        {"frames": "/no/such/folder"},
        {"fps": 0},
        {"width": "wide"},
        {"lens": 1},
        {"calibration": "empty.jpg"},
        {"calibration": [{"image": "x.jpg"}]},
    ],
)
def test_settings_that_cannot_be_used_are_refused(board: BoardFile, settings: dict[str, object]) -> None:
    with pytest.raises(BadInputError):
        CameraSource(board, settings)


def test_both_sources_are_found_by_name() -> None:
    assert source_factory("camera") is CameraSource
    assert source_factory("simulated") is SimulatedSource


@pytest.mark.whole
def test_the_simulated_table_is_read_from_its_picture() -> None:
    board = generate(6, 500)
    scene = Scene(board)
    source = SimulatedSource(board, {"width": 960, "height": 720}, scene)
    received: list[SourceMessage] = []
    source.prepare(received.append)
    source.step(0)
    scene.place_on("P4-1", "T70")
    scene.lay_card(Card.parse("QH"), Seat.P4)
    source.step(100)
    source.step(200)
    assert [m for m in received if isinstance(m, CardSighting)] == [
        CardSighting(100, Seat.P4, Card.parse("QH"), "simulated")
    ]
    last = received[-1]
    assert isinstance(last, Observation)
    truth = {str(hole): pawn.seat for pawn in scene.state.pawns if (hole := scene.hole_of(pawn)) is not None}
    assert wrong_holes(last.holes, truth) == {}
    assert truth["T70"] == Seat.P4


def test_the_simulated_source_needs_a_scene(board: BoardFile) -> None:
    with pytest.raises(BadInputError, match="scene"):
        SimulatedSource(board, {})


def test_a_source_starts_and_stops_within_a_second(board: BoardFile) -> None:
    source, received = capture(board, Played(np.zeros((720, 960, 3), np.uint8)))
    source.start(received.append, lambda: 0)
    assert "tock-camera" in {thread.name for thread in threading.enumerate()}
    source.stop()
    assert "tock-camera" not in {thread.name for thread in threading.enumerate()}


@pytest.mark.parametrize(
    "line", ["not json", "[1]", '{"t_ms": "0", "file": "a.jpg"}', '{"t_ms": 0, "file": "../../secret.jpg"}']
)
def test_a_broken_log_of_frames_is_refused(board: BoardFile, tmp_path: Path, line: str) -> None:
    (tmp_path / "frames.jsonl").write_text(line)
    with pytest.raises(BadInputError, match=r"frames\.jsonl|outside"):
        list(open_frames(tmp_path, board))


def test_a_frame_missing_from_a_recording_is_reported(board: BoardFile, tmp_path: Path) -> None:
    (tmp_path / "frames.jsonl").write_text('{"t_ms": 5, "file": "lost.jpg"}')
    assert reports(list(open_frames(tmp_path, board))) == [(SourceCondition.BLIND, "camera/bad_frame")]


def test_pictures_added_later_are_shown_and_other_files_are_passed_over(tmp_path: Path) -> None:
    picture = cv2.imencode(".jpg", np.full((240, 320, 3), 90, np.uint8))[1].tobytes()
    (tmp_path / "1.jpg").write_bytes(picture)
    os.mkfifo(tmp_path / "2.jpg")
    (tmp_path / "3.jpg").symlink_to("/dev/zero")
    folder = FolderGrabber(tmp_path)
    assert folder.grab().shape == (240, 320, 3)
    for _ in range(2):
        with pytest.raises(BadFrameError, match="not a file"):
            folder.grab()
    with pytest.raises(GrabError, match="all 3 pictures"):
        folder.grab()
    (tmp_path / "0.jpg").write_bytes(picture)
    assert folder.grab().shape == (240, 320, 3)
