"""Draws a discovered board onto a photograph."""

from collections.abc import Sequence

import cv2
import numpy as np

from tock_companion.rules import ZONE_LENGTH, HoleKind
from tock_vision.arrays import Frame
from tock_vision.discovery.drafting import FoundHole
from tock_vision.discovery.joining import Joined

COLORS = {
    HoleKind.TRACK: (255, 255, 255),
    HoleKind.HOME: (255, 120, 40),
    HoleKind.CAMP: (40, 60, 240),
    HoleKind.CENTRE: (255, 255, 255),
}
DOUBTFUL = (200, 0, 200)
DOUBTFUL_CHANCE = 0.3


def draw_board(frame: Frame, joined: Joined, holes: Sequence[FoundHole]) -> Frame:
    """Draw rings (track and middle white, homes blue, camps red, doubtful ones purple) and the names of the starts."""
    picture = frame.copy()
    pose = joined.poses[joined.used.index(0) if 0 in joined.used else 0]
    points = np.array([hole.place for hole in holes])
    sizes = 0.36 * pose.scale(points)
    for hole, place, size in zip(holes, pose.project(points), sizes, strict=True):
        at = (round(float(place[0])), round(float(place[1])))
        color = DOUBTFUL if hole.chance < DOUBTFUL_CHANCE else COLORS[hole.kind]
        cv2.circle(picture, at, max(3, round(float(size))), (0, 0, 0), 3, cv2.LINE_AA)
        cv2.circle(picture, at, max(3, round(float(size))), color, 1, cv2.LINE_AA)
        if (hole.kind is HoleKind.TRACK and hole.index % ZONE_LENGTH == 0) or hole.id.endswith(("C1", "H1")):
            beside = (at[0] + round(float(size)), at[1] - round(float(size)))
            for width, ink in ((3, (0, 0, 0)), (1, (0, 255, 255))):
                cv2.putText(picture, hole.id, beside, cv2.FONT_HERSHEY_SIMPLEX, 0.5, ink, width, cv2.LINE_AA)
    return picture
