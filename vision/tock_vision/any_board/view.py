"""The view on holes given in pixels: that in which neighbours lie evenly, else from straight above."""

import numpy as np

from tock_vision.arrays import Floats
from tock_vision.camera_pose import CameraPose, unproject
from tock_vision.discovery.straightened import in_pitches
from tock_vision.discovery.views import NEIGHBOURS, find_even_views

MIN_HOLES = 12
"""Fewer holes do not show how their plane lies."""
MIN_EVEN_SHARE = 0.5
"""Share of the steps between neighbours that must be alike for a view to be believed."""
PITCH_MM = 20.0
"""For all boards: only sizes relative to the pitch matter to the reader."""
FAR_PX = 1e8
"""Distance of a camera straight above, from which nothing that stands on the board leans."""


def view_on(places_px: Floats, size_px: tuple[int, int]) -> tuple[CameraPose, Floats]:
    """The pose of the camera, and the places of the holes on their plane, right of and below its origin."""
    if len(places_px) >= MIN_HOLES:
        even = find_even_views(places_px, size_px)[0]
        if even.score >= MIN_EVEN_SHARE * NEIGHBOURS * len(places_px):
            points = even.view.to_plane(places_px)
            if np.isfinite(points).all():
                origin = points.min(axis=0) - even.step
                pose = in_pitches(even.view.pose(), even.step / PITCH_MM, origin)
                return pose, unproject(pose, places_px)
    return _straight_above(size_px), places_px


def _straight_above(size_px: tuple[int, int]) -> CameraPose:
    """The pose from which places on the board are those in the picture."""
    shift = -(np.array(size_px, dtype=float) - 1) / 2
    return CameraPose(np.array([0, 0, 0, *shift, FAR_PX, np.log(FAR_PX), 0.0]), size_px)
