"""Small pictures of every hole, cut so that they look the same for any camera and board.

A patch is centred on the hole, two pitches wide, and turned so that the height of a pawn points up.
Round pawns stay round in it. Brightness is given relative to the board around the hole.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile, HoleKind, PawnShape
from tock_vision.arrays import Bools, Floats, Frame, Ints, Singles, sample
from tock_vision.board_points import hole_points_mm, spacing_mm
from tock_vision.camera_pose import CameraPose

PATCH_PX = 40
"""Side of a patch in pixels."""
SPAN_PITCHES = 2.0
"""Side of a patch in pitches, or in distances to the nearest hole where holes stand closer than a pitch."""
CHANNELS = 10
MIN_RADIUS_PITCHES = 0.32
"""Radius of the narrowest marbles that the networks have learned; around narrower ones patches are cut closer."""
TALL_PITCHES = 1.3
"""Height of pegs and pions that a silhouette shows."""
SMALL_SCALE = 0.25
"""Scale of the frame in which light and changes are measured."""
THIRDS = np.full(3, 1 / 3, dtype=np.float32)
BLOWN = 250
"""Grey level from which a channel may be brighter than the picture shows."""
MARKS_PER_SIDE = 6
"""Side of the grid of samples around a hole by which a change is noticed."""


@dataclass(frozen=True)
class PatchGrid:
    """The points at which a frame is sampled for the patches of all holes, and the shape a pawn would have in each."""

    pose: CameraPose
    shrink: float
    """Frames are shrunk by this factor first, so that fine grain does not alias."""
    map_px: Singles
    """Places in the shrunk frame (shape: [holes, PATCH_PX, PATCH_PX, 2])."""
    mark_px: Singles
    """Places in the small frame by which changes are noticed (shape: [holes * MARKS_PER_SIDE, MARKS_PER_SIDE, 2])."""
    light_px: Singles
    """Places in the small frame, all around every hole, where the light is measured (shape: [holes * 8, 8, 2])."""
    silhouette: Singles
    """The mask of a pawn that would stand there, 0 to 1 (shape: [holes, PATCH_PX, PATCH_PX])."""
    in_frame: Bools
    """Whether the hole and the pawn on it lie inside the frame (shape: [holes])."""


def patch_grid(pose: CameraPose, board: BoardFile) -> PatchGrid:
    """Prepare the sampling for a pose; costs some milliseconds, so keep it while the pose stands."""
    pitch_mm = np.minimum(spacing_mm(board) * 1.15, board.pitch_mm) * closeness(board)
    return grid_at(pose, board, hole_points_mm(board), pitch_mm)


def closeness(board: BoardFile) -> float:
    """By how much narrower than usual patches are, so that narrow marbles are as large in them as others; 1 at most."""
    if board.pawn is None or not board.pawn.is_marble:
        return 1.0
    return min(1.0, board.pawn.radius_mm / (MIN_RADIUS_PITCHES * board.pitch_mm))


def grid_at(pose: CameraPose, board: BoardFile, points: Floats, pitch_mm: Floats) -> PatchGrid:
    """Prepare the sampling at any places of the board, `pitch_mm` wide on each side (shapes: [n, 2], [n])."""
    center = pose.project(points)
    span_px = SPAN_PITCHES * pitch_mm * pose.scale(points)
    up = pose.up(points, 5.0)
    length = np.linalg.norm(up, axis=1, keepdims=True)
    # From straight above nothing points up; any direction will do.
    up_unit = np.where(length > 1e-3, up / np.maximum(length, 1e-3), [0.0, -1.0])
    right_unit = np.stack([-up_unit[:, 1], up_unit[:, 0]], axis=1)
    # Halving and quartering are many times faster than other factors.
    grain = float(np.median(span_px)) / PATCH_PX
    shrink = 1.0 if grain < 1.4 else 0.5 if grain < 2.8 else 0.25

    right, up, middle = (
        part.astype(np.float32)
        for part in (right_unit * span_px[:, None], up_unit * span_px[:, None], center + 0.5)
    )

    def places(side: int, factor: float, zoom: float) -> Singles:
        steps = (((np.arange(side) + 0.5) / side - 0.5) * factor * zoom).astype(np.float32)
        across = (middle * np.float32(zoom))[:, None] + steps[:, None] * right[:, None]
        along = steps[:, None] * up[:, None] + np.float32(0.5)
        px: Singles = across[:, None] - along[:, :, None]
        return px

    width, height = pose.size_px
    margin = 0.15 * span_px
    in_frame = (
        (center[:, 0] >= margin)
        & (center[:, 1] >= margin)
        & (center[:, 0] < width - margin)
        & (center[:, 1] < height - margin)
    )
    return PatchGrid(
        pose,
        shrink,
        places(PATCH_PX, 1.0, shrink),
        places(MARKS_PER_SIDE, 0.75, SMALL_SCALE).reshape(-1, MARKS_PER_SIDE, 2),
        places(8, 3.0, SMALL_SCALE).reshape(-1, 8, 2),
        _silhouettes(pose, board, points, length[:, 0], span_px),
        in_frame,
    )


def pawn_height_mm(board: BoardFile, shape: PawnShape) -> float:
    """Height above the board of the middle of a marble, or of the top of a tall pawn."""
    if not shape.is_marble:
        return TALL_PITCHES * board.pitch_mm
    hole_mm = float(np.median([hole.d_mm for hole in board.holes])) / 2
    return float(np.sqrt(max(shape.radius_mm**2 - min(hole_mm, shape.radius_mm) ** 2, 0.0)))


def _silhouettes(
    pose: CameraPose, board: BoardFile, points: Floats, up_length: Floats, span_px: Floats
) -> Singles:
    """Draw the outline of a pawn in every patch: a raised disc, or a bar that leans away from the hole."""
    shape = board.usual_pawn
    scale = pose.scale(points)
    height = pawn_height_mm(board, shape)
    # Pixels of the patch per pixel of the frame.
    zoom = PATCH_PX / span_px
    up_px = up_length * height * zoom
    thick = shape.radius_mm if shape.is_marble else max(shape.radius_mm, 0.2 * board.pitch_mm)
    radius = thick * scale * zoom
    steps = (np.arange(PATCH_PX) + 0.5 - PATCH_PX / 2).astype(np.float32)
    x, y = steps[None, None, :], -steps[None, :, None]
    top = up_px.astype(np.float32)[:, None, None]
    foot = top if shape.is_marble else np.clip(y, 0.0, top)
    gap = np.sqrt(x * x + (y - foot) ** 2)
    outline: Singles = np.clip((radius + 0.5).astype(np.float32)[:, None, None] - gap, 0.0, 1.0)
    return outline


def small_frame(frame: Frame) -> Frame:
    """Shrink a frame to a quarter of its width and height; halving twice takes a quarter of the time."""
    half = cv2.resize(frame, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return cv2.resize(half, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)


def light_levels(small: Frame, grid: PatchGrid) -> Singles:
    """Brightness around each hole, in grey levels (shape: [holes])."""
    colors = sample(small, grid.light_px).reshape(-1, 3).astype(np.float32)
    around = (colors @ THIRDS).reshape(-1, 64)
    around.partition((31, 32), axis=1)
    local = (around[:, 31] + around[:, 32]) / 2
    levels: Singles = np.maximum(0.7 * local + 0.3 * np.float32(np.median(local)), np.float32(12.0))
    return levels


def marks(small: Frame, grid: PatchGrid, levels: Singles) -> Singles:
    """Sample each hole coarsely, relative to the light (shape: [holes, MARKS_PER_SIDE, MARKS_PER_SIDE, 3])."""
    seen: Singles = (
        sample(small, grid.mark_px).reshape(-1, MARKS_PER_SIDE, MARKS_PER_SIDE, 3).astype(np.float32)
    )
    seen *= (1.0 / levels)[:, None, None, None]
    return np.minimum(seen, 4.0, out=seen)


def cut(frame: Frame, grid: PatchGrid, levels: Singles | None = None, numbers: Ints | None = None) -> Singles:
    """Cut the patches of some or all holes, relative to the light around (shape: [n, PATCH_PX, PATCH_PX, 3]).

    The levels of the light are one number for each hole, or one for each of its colours (shape: [holes, 3]).
    """
    if levels is None:
        levels = light_levels(small_frame(frame), grid)
    shrunk = frame
    if grid.shrink < 1.0:
        shrunk = cv2.resize(frame, None, fx=grid.shrink, fy=grid.shrink, interpolation=cv2.INTER_AREA)
    map_px = grid.map_px
    if numbers is not None:
        map_px, levels = map_px[numbers], levels[numbers]
    raw = sample(shrunk, map_px.reshape(-1, PATCH_PX, 2))
    patches: Singles = raw.reshape(-1, PATCH_PX, PATCH_PX, 3).astype(np.float32)
    patches *= (1.0 / levels).reshape(len(levels), 1, 1, -1)
    blown = raw >= BLOWN
    if levels.ndim == 2 and blown.any():
        # A channel that has reached its end is at least as bright as the others.
        patches = np.where(blown.reshape(patches.shape), patches.max(axis=3, keepdims=True), patches)
    return np.minimum(patches, 4.0, out=patches)


def usual_empty(patches: Singles, board: BoardFile) -> Singles:
    """Estimate what an empty hole looks like in this picture: the median of the track, most of which is empty."""
    track = [number for number, hole in enumerate(board.holes) if hole.kind is HoleKind.TRACK]
    # Sorting contiguous rows takes a quarter of the time that sorting columns does.
    values = np.ascontiguousarray(patches[track].reshape(len(track), -1).T)
    values.sort(axis=1)
    middle: Singles = (values[:, (len(track) - 1) // 2] + values[:, len(track) // 2]) / 2
    return middle.reshape(patches.shape[1:])


def light_color(patches: Singles) -> Singles:
    """Estimate the colour of the light from the brightest parts of the patches (shape: [3], mean 1)."""
    high = np.quantile(patches[:, ::4, ::4].reshape(-1, 3), 0.96, axis=0)
    return (high / max(float(high.mean()), 1e-3)).astype(np.float32)


def network_input(patches: Singles, empty: Singles, light: Singles, silhouette: Singles) -> Singles:
    """Stack patches, the empty look, outline and light colour (shape: [holes, CHANNELS, PATCH_PX, PATCH_PX])."""
    count = len(patches)
    out = np.empty((count, CHANNELS, PATCH_PX, PATCH_PX), dtype=np.float32)
    out[:, 0:3] = patches.transpose(0, 3, 1, 2)
    out[:, 3:6] = empty.transpose(2, 0, 1) if empty.ndim == 3 else empty.transpose(0, 3, 1, 2)
    out[:, 6] = silhouette
    out[:, 7:10] = light[None, :, None, None]
    return out
