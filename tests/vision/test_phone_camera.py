"""Pictures that a phone sends: the newest counts, with its own time, and the reading goes back to the phone."""

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest

from tests.support.drawn import START
from tock_companion.boardfile import BoardFile
from tock_companion.errors import BadInputError
from tock_companion.observation import Observation, SourceMessage, SourceReport
from tock_companion.sources.feed import Feed
from tock_vision.camera import CameraSource
from tock_vision.camera_pose import CameraPose
from tock_vision.phone_camera import sight_of
from tock_vision.reader import Reading

Draw = Callable[..., Any]
STEEP, FLAT = 0.0, 1.2
"""Tilt of a camera in radians."""


def jpeg(frame: Any) -> bytes:
    return cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()


@pytest.fixture(scope="module")
def picture(draw: Draw) -> bytes:
    return jpeg(draw(START))


def phone_camera(board: BoardFile) -> tuple[CameraSource, Feed, list[SourceMessage]]:
    received: list[SourceMessage] = []
    source = CameraSource(board, {"phone": True})
    source.prepare(received.append)
    assert source.feed is not None
    return source, source.feed, received


def test_a_picture_is_seen_at_the_time_at_which_it_was_taken(board: BoardFile, picture: bytes) -> None:
    source, feed, received = phone_camera(board)
    feed.push(picture, 1500)
    source.step(1700)
    assert [message.t_ms for message in received if isinstance(message, Observation)] == [1500]


def test_the_newest_picture_wins(board: BoardFile, draw: Draw, picture: bytes) -> None:
    source, feed, received = phone_camera(board)
    feed.push(jpeg(draw({})), 100)
    feed.push(picture, 200)
    source.step(300)
    assert [message.t_ms for message in received if isinstance(message, Observation)] == [200]


def test_a_phone_that_falls_silent_is_lost_and_found_again_by_itself(
    board: BoardFile, picture: bytes
) -> None:
    source, feed, received = phone_camera(board)
    feed.push(picture, 0)
    source.step(0)
    t_ms = 0
    while not any(isinstance(message, SourceReport) and message.code for message in received):
        t_ms += 200
        wait_ms = source.step(t_ms)
    assert t_ms <= 3000
    assert wait_ms <= 1000
    feed.push(picture, t_ms)
    source.step(t_ms + 1)
    codes = [message.code for message in received if isinstance(message, SourceReport)]
    assert codes == ["", "camera/phone_away", ""]


def test_a_phone_that_has_never_come_is_waited_for_and_not_called_silent(
    board: BoardFile, picture: bytes
) -> None:
    source, feed, received = phone_camera(board)
    t_ms = 0
    while not received:
        t_ms += 200
        source.step(t_ms)
    feed.push(picture, t_ms)
    source.step(t_ms + 1)
    codes = [message.code for message in received if isinstance(message, SourceReport)]
    assert codes == ["camera/phone_expected", ""]


def test_the_phone_gets_the_places_of_board_and_pawns(board: BoardFile, picture: bytes) -> None:
    source, feed, _ = phone_camera(board)
    assert feed.sight() is None
    feed.push(picture, 0)
    source.step(0)
    sight = feed.sight()
    assert sight is not None
    assert sight.code == ""
    assert len(sight.outline) == 4
    assert {pawn.seat for pawn in sight.pawns} == set(START.values())
    assert all(0 < share < 1 for pawn in sight.pawns for share in pawn.place)


def test_the_phone_gets_the_reason_why_nothing_is_found(board: BoardFile) -> None:
    source, feed, _ = phone_camera(board)
    feed.push(jpeg(np.zeros((480, 640, 3), np.uint8)), 0)
    source.step(0)
    sight = feed.sight()
    assert sight is not None
    assert (sight.code, sight.outline) == ("camera/dark", ())


@pytest.mark.parametrize(
    ("tilt", "away_mm", "code"),
    [(STEEP, 900, ""), (FLAT, 900, "camera/slanted"), (STEEP, 2600, "camera/far")],
)
def test_the_phone_is_warned_of_a_place_from_which_little_is_seen(
    board: BoardFile, tilt: float, away_mm: float, code: str
) -> None:
    middle = np.array([200.0, 200.0 * np.cos(tilt), 200.0 * np.sin(tilt)])
    shift = np.array([0.0, 0.0, away_mm]) - middle
    pose = CameraPose(np.array([tilt, 0, 0, *shift, np.log(1000.0), 0.0]), (1280, 960))
    holes = {hole.id: Reading(0, True, 0).observation("x").reading(hole.id) for hole in board.holes}
    assert sight_of(Reading(0, True, 1.0, holes=holes, pose=pose), board).code == code


@pytest.mark.parametrize(
    "data",
    [b"", b"GIF89a", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n" + 100 * b"\0"],
    ids=["nothing", "gif", "cut", "png"],
)
def test_a_bad_jpeg_is_refused_and_changes_nothing(board: BoardFile, picture: bytes, data: bytes) -> None:
    source, feed, received = phone_camera(board)
    feed.push(picture, 0)
    with pytest.raises(BadInputError):
        feed.push(data, 1)
    with pytest.raises(BadInputError):
        feed.push(picture[: len(picture) // 2], 1)
    source.step(2)
    assert [message.t_ms for message in received if isinstance(message, Observation)] == [0]


@pytest.mark.parametrize("size", [(20_000, 20_000), (5000, 5000), (60, 60)])
def test_a_picture_of_an_unusual_size_is_refused_unread(
    board: BoardFile, picture: bytes, size: tuple[int, int]
) -> None:
    _, feed, _ = phone_camera(board)
    with pytest.raises(BadInputError, match=f"{size[0]} x {size[1]} pixels is too"):
        feed.push(resized(picture, *size), 0)


def resized(data: bytes, width: int, height: int) -> bytes:
    """The same JPEG with another size in its header."""
    at = data.index(b"\xff\xc0") + 5
    return data[:at] + height.to_bytes(2, "big") + width.to_bytes(2, "big") + data[at + 4 :]
