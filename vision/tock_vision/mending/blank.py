"""A board of which only the start holes are known: the rest is drawn by finger."""

import cv2
import numpy as np

from tock_companion.boardfile import generate, track_hole
from tock_rules import ZONE_LENGTH
from tock_vision.arrays import Floats, Frame
from tock_vision.camera_pose import CameraPose
from tock_vision.discovery.candidates import Bands
from tock_vision.discovery.straightened import in_pitches
from tock_vision.discovery.touch_hints import Starts, not_around
from tock_vision.discovery.views import EvenView, even_step
from tock_vision.mending.sketch import Sketch

ANY_SIZE_MM = 600
HOLE_WIDTH_PITCHES = 0.5
STARTS_FROM_CENTRE = (1.2, 3.2)
"""Distances of the start holes from the centre, in pitches a zone."""
USUAL_FROM_CENTRE = 1.9
MIN_SPOTS = 30


def blank_sketch(frame: Frame, starts: Starts) -> tuple[Sketch, CameraPose]:
    """A sketch with the start holes as touched, and the pose of the photograph; the origin lies between the starts."""
    pose = _pose(frame, starts)
    angle = np.angle(starts.start(pose)) + 2 * np.pi * np.arange(starts.zones) / starts.zones
    far = abs(starts.start(pose))
    if not np.isfinite([far, *pose.params]).all():
        raise not_around()
    holes = {
        track_hole(ZONE_LENGTH * zone): (float(far * np.cos(turn)), float(far * np.sin(turn)))
        for zone, turn in enumerate(angle)
    }
    board = generate(starts.zones, ANY_SIZE_MM)
    colors = tuple(board.colors[seat] for seat in board.seats)
    return Sketch(starts.zones, holes, (), frozenset(), colors, HOLE_WIDTH_PITCHES), pose


def _pose(frame: Frame, starts: Starts) -> CameraPose:
    """The view in which most holes, if any are seen, are evenly spaced; its unit is about a pitch."""
    gray = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    spots = next(iter(Bands(gray))).places_px
    views = list(starts.views((gray.shape[1], gray.shape[0])))
    if len(spots) < MIN_SPOTS:
        return _in_pitches(views[0], starts)
    return _in_pitches(max((even_step(one.view, spots) for one in views), key=lambda one: one.score), starts)


def _in_pitches(even: EvenView, starts: Starts) -> CameraPose:
    places: Floats = even.view.to_plane(starts.places_px)
    middle = places.mean(axis=0)
    far = float(np.linalg.norm(places - middle, axis=1).mean())
    low, high = (share * starts.zones for share in STARTS_FROM_CENTRE)
    step = even.step if low < far / even.step < high else far / (USUAL_FROM_CENTRE * starts.zones)
    return in_pitches(even.view.pose(), step, middle)
