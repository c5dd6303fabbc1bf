"""The clear empty holes nearest to a doubtful one: what an empty hole looks like just there.

Close to a lamp wood clips to white, in a shadow it turns blue. A hole that differs from the usual empty hole of the
whole picture for this reason alone is like its neighbours.
"""

import numpy as np

from tock_companion.boardfile import BoardFile
from tock_vision.arrays import Bools, Floats, Ints, Singles
from tock_vision.board_points import hole_points_mm

COUNT = 5
"""Empty holes of which the median is taken: two covered ones among them do no harm."""
PITCHES_PER_LIGHT = 13.0
"""Pitches that weigh as much as light brighter or darker by a factor of e."""
ITSELF = 1e6


class NearEmpties:
    """Finds clear empty holes of one board near others, in place and in light."""

    def __init__(self, board: BoardFile) -> None:
        self._places: Floats = hole_points_mm(board) / board.pitch_mm

    def of(self, numbers: Ints, clear: Bools, levels: Singles) -> Ints | None:
        """Number the nearest `clear` holes of each hole (shape: [n, COUNT]); None where too few are clear.

        `levels` are those of the light at every hole.
        """
        some = np.nonzero(clear)[0]
        if len(some) <= COUNT:
            return None
        far = np.linalg.norm(self._places[numbers][:, None] - self._places[some][None], axis=2)
        light = np.log(levels)
        far += PITCHES_PER_LIGHT * np.abs(light[numbers][:, None] - light[some][None])
        far[numbers[:, None] == some[None]] = ITSELF
        nearest: Ints = some[np.argsort(far, axis=1)[:, :COUNT]]
        return nearest
