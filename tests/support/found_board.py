"""A workbench on which a search has just found a drawn board, and asks what a test wants asked."""

from collections.abc import Sequence

import numpy as np

from tock_companion.boardfile import BoardFile
from tock_rules import Seat
from tock_vision.camera_pose import CameraPose, rotation_matrix
from tock_vision.discovery.refusals import sentence
from tock_vision.mending.edits import Question
from tock_vision.mending.sketch import Sketch
from tock_vision.mending.workbench import Bench, Phase, Workbench
from tock_vision.rendering.appearance import Appearance
from tock_vision.rendering.renderer import Renderer

WIDE_TABLE = Appearance(size_px=(1280, 800), fill=0.55)
"""The board takes about half of the width, as it does in photos of people who stand at their table."""


def found_board(board: BoardFile, questions: Sequence[Question]) -> Workbench:
    """A bench with one photo of a board, all of whose holes are known."""
    renderer = Renderer(board, WIDE_TABLE)
    middle = np.array(board.size_mm) / 2
    holes = {
        hole.id: tuple((np.array([hole.x_mm, hole.y_mm]) - middle) / board.pitch_mm) for hole in board.holes
    }
    colors = tuple(board.colors[Seat(zone)] for zone in range(board.zones))
    sketch = Sketch(board.zones, holes, (), frozenset(), colors, 0.5)
    asks = tuple({"code": one.value, "message": sentence(one.value.partition("/")[2])} for one in questions)
    pose = _in_pitches(renderer.pose, board)
    return Workbench(
        Bench((renderer.frame([]),), Phase.FOUND, 1.0, asks=asks, sketch=sketch, poses={0: pose})
    )


def _in_pitches(pose: CameraPose, board: BoardFile) -> CameraPose:
    """The same camera, above a plane that is measured in pitches from the middle of the board."""
    middle = np.array([*board.size_mm, 0.0]) / 2
    shift = (rotation_matrix(pose.params[:3]) @ middle + pose.params[3:6]) / board.pitch_mm
    return CameraPose(np.array([*pose.params[:3], *shift, *pose.params[6:]]), pose.size_px)
