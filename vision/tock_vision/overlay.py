"""Draws the reader's results onto the picture they were read from."""

from pathlib import Path

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile
from tock_companion.errors import BadInputError
from tock_companion.files import write_file
from tock_companion.observation import HoleState
from tock_vision.arrays import Frame
from tock_vision.board_points import hole_points_mm
from tock_vision.reader import Reading
from tock_vision.rendering.appearance import named_color

EMPTY = (235.0, 235.0, 235.0)
UNKNOWN = (200.0, 0.0, 200.0)


def draw_overlay(frame: Frame, reading: Reading, board: BoardFile) -> Frame:
    """Draw a thin ring for empty, a thick one in the pawn's colour, a cross for unknown."""
    picture = frame.copy()
    if reading.pose is None:
        cv2.putText(
            picture, reading.sentence, (12, 28), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 255), 2, cv2.LINE_AA
        )
        return picture
    points = hole_points_mm(board)
    places = reading.pose.project(points)
    radii = 0.42 * board.pitch_mm * reading.pose.scale(points)
    for hole, place, radius in zip(board.holes, places, radii, strict=True):
        found = reading.holes[hole.id]
        at = (round(float(place[0])), round(float(place[1])))
        size = max(3, round(float(radius)))
        if found.state is HoleState.UNKNOWN:
            cv2.drawMarker(picture, at, UNKNOWN, cv2.MARKER_TILTED_CROSS, size, 1, cv2.LINE_AA)
        elif found.state is HoleState.EMPTY:
            cv2.circle(picture, at, size, EMPTY, 1, cv2.LINE_AA)
        else:
            color = named_color(board.colors[found.seat]) if found.seat is not None else UNKNOWN
            cv2.circle(picture, at, size + 2, (255, 255, 255), 1, cv2.LINE_AA)
            cv2.circle(picture, at, size, color, 3, cv2.LINE_AA)
            if found.confidence < 0.9:
                text = f"{100 * found.confidence:.0f}"
                cv2.putText(
                    picture,
                    text,
                    (at[0] + size, at[1]),
                    cv2.FONT_HERSHEY_SIMPLEX,
                    0.4,
                    UNKNOWN,
                    1,
                    cv2.LINE_AA,
                )
    _draw_loose(picture, reading, board)
    return picture


def _draw_loose(picture: Frame, reading: Reading, board: BoardFile) -> None:
    """Draw a square around each pawn that lies beside the holes."""
    if reading.pose is None or not reading.loose:
        return
    points = np.array([[pawn.x_mm, pawn.y_mm] for pawn in reading.loose])
    sizes = 0.5 * board.pitch_mm * reading.pose.scale(points)
    for pawn, place, size in zip(reading.loose, reading.pose.project(points), sizes, strict=True):
        color = named_color(board.colors[pawn.seat]) if pawn.seat is not None else UNKNOWN
        low, high = ((place + step * size).round().astype(int).tolist() for step in (-1, 1))
        cv2.rectangle(picture, low, high, (255, 255, 255), 4, cv2.LINE_AA)
        cv2.rectangle(picture, low, high, color, 2, cv2.LINE_AA)


def write_picture(path: Path, picture: Frame) -> None:
    """Write a picture in the form that its name ends with; BadInputError when that cannot be."""
    try:
        done, data = cv2.imencode(path.suffix or ".png", np.ascontiguousarray(picture))
    except cv2.error as error:
        raise BadInputError(f"picture {path}: unknown ending; use .png or .jpg") from error
    if not done:
        raise BadInputError(f"picture {path}: cannot be encoded; use .png or .jpg")
    write_file(path, data.tobytes(), "picture")
