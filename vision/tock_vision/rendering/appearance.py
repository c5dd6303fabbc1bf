"""The look of a drawn board, and the camera's place."""

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from tock_companion.boardfile import COLOR_NAMES, BoardFile
from tock_vision.camera_pose import CameraPose, rotation_matrix

Color = tuple[float, float, float]
Paintwork = Literal["none", "ring", "disc", "bowl"]


@dataclass(frozen=True)
class Appearance:
    """Properties that change from table to table; colours are BGR from 0 to 255."""

    size_px: tuple[int, int] = (1280, 960)
    tilt_deg: float = 9.0
    """Angle of the camera from the vertical."""
    turn_deg: float = 0.0
    """Angle of the board on the table, clockwise."""
    focal: float = 1.0
    """In widths of the frame."""
    radial: float = 0.0
    fill: float = 0.80
    """Share of the frame's height that the board takes."""
    board: Color = (118.0, 168.0, 206.0)
    table: Color = (58.0, 74.0, 96.0)
    grain: float = 0.10
    """Contrast of the wood."""
    hole: Color = (38.0, 46.0, 58.0)
    bowl: float = 1.25
    """Brightness of the bottom of a hole relative to its rim: a shallow dimple is brighter."""
    collar: Color | None = None
    """Painted disc around every hole, in this colour."""
    collar_size: float = 1.6
    """In diameters of the hole."""
    lines: Color | None = None
    """Painted lines from hole to hole along the track."""
    paint: Paintwork = "ring"
    """The paint in the seat's colour around the holes of camps and homes."""
    starts: bool = False
    """Whether the start holes are painted so too."""
    circles: bool = False
    """Whether a thin circle in the seat's colour runs around every camp."""
    ring_size: float = 1.35
    """In diameters of the hole."""
    light: Color = (1.0, 1.0, 1.0)
    """Colour and strength of the lamp."""
    slope: tuple[float, float] = (0.10, -0.14)
    """Change of brightness across the frame, to the right and down."""
    markers: bool = True
    blur_px: float = 0.7
    noise: float = 2.5
    seed: int = 1


@dataclass(frozen=True, slots=True)
class DrawnPawn:
    """A pawn to draw: where its foot stands and its colour (BGR, 0 to 255)."""

    x_mm: float
    y_mm: float
    color: Color
    seed: int = 0
    """Of its pattern, so that no two marbles are alike."""


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """A card to draw beside the board, with the text of its index."""

    text: str
    red: bool


def named_color(name: str) -> Color:
    """Typical BGR colour of a colour name of the board files."""
    code = COLOR_NAMES[name]
    return float(int(code[5:7], 16)), float(int(code[3:5], 16)), float(int(code[1:3], 16))


def pose_of(board: BoardFile, appearance: Appearance) -> CameraPose:
    """Pose of a camera that looks at the middle of the board as the appearance says."""
    width_mm, height_mm = board.size_mm
    focal_px = appearance.focal * appearance.size_px[0]
    distance_mm = focal_px * max(width_mm, height_mm) / (appearance.fill * min(appearance.size_px))
    tilt, turn = np.radians(appearance.tilt_deg), np.radians(appearance.turn_deg)
    # Turn the board on the table, then lean the camera back so that it looks down at an angle.
    spin = rotation_matrix(np.array([0.0, 0.0, turn]))
    rotation = rotation_matrix(np.array([-tilt, 0.0, 0.0])) @ spin
    middle = np.array([width_mm / 2, height_mm / 2, 0.0])
    shift = np.array([0.0, 0.0, distance_mm]) - rotation @ middle
    vector = cv2.Rodrigues(rotation)[0].ravel()
    return CameraPose(
        np.concatenate([vector, shift, [np.log(focal_px), appearance.radial]]), appearance.size_px
    )
