"""Compares holes with the clear empty ones of the same kind in the same picture.

The network sees one usual empty hole of a picture. But the four camps of a seat are painted alike, and where some of
them are clearly empty, a doubtful one that looks like these is empty too; one that is far more uneven all around than
any of them is none (`asymmetry.py`).
"""

from dataclasses import replace

import numpy as np

from tock_companion.boardfile import BoardFile
from tock_vision.arrays import Bools, Ints, Singles
from tock_vision.holes.asymmetry import Asymmetry
from tock_vision.holes.context import painted_owners
from tock_vision.holes.readings import Chances

CLEAR_EMPTY = CLEAR_PAWN = 0.97
MIN_PAWNS = 4
"""With fewer clear pawns the board may lie ready: then a painted hole unlike others is more likely painted otherwise.

On 248 hand-painted pictures 211 instead of 219 holes are wrong, and 1,730 instead of 1,782 unknown.
"""
FEWEST = 4
"""With fewer clear empty holes of a seat those of all seats are compared with, then all."""
USUAL_QUANTILE = 0.9
"""What this share of the clear empty holes falls short of is usual for an empty hole."""
MAX_USUAL_UNEVENNESS = 1.3
UNEVEN_LOG_ODDS, UNLIKE_LOG_ODDS = 3.0, 0.62
"""Log odds for a pawn when a hole is e times as uneven, and e times as far from the others, as is usual.

Fitted on 220 path-traced pictures that no training saw and 209 readings of given stills by networks that never saw the
board; by the first alone they would be 1 and 0.4.
"""
MAX_GAIN, MAX_LOSS = 6.0, 3.0
MAX_TIMES = 2.5
"""Most that a logarithm of a ratio counts."""
MIDDLE, FINE_PX = slice(12, 28), 2
"""The part of a patch that is compared, and the side of the squares of which means are taken."""
LEAST = 1e-9


class OwnEmpties:
    """Remembers how the holes of one board are seen, and weighs that."""

    def __init__(self, board: BoardFile) -> None:
        owners = painted_owners(board)
        self._owner: Ints = np.array([-1 if owner is None else board.seats.index(owner) for owner in owners])
        self._asymmetry = Asymmetry(board)
        self._uneven: Singles = np.zeros(len(owners), dtype=np.float32)
        self._middles: Singles = np.zeros((len(owners), 0), dtype=np.float32)

    def look(self, patches: Singles, numbers: Ints) -> None:
        """Remember the patches of some holes (shape: [n, PATCH_PX, PATCH_PX, 3])."""
        part = patches[:, MIDDLE, MIDDLE]
        side = part.shape[1] // FINE_PX
        means = (
            part.reshape(len(part), side, FINE_PX, side, FINE_PX, 3).mean(axis=(2, 4)).reshape(len(part), -1)
        )
        if not self._middles.shape[1]:
            self._middles = np.zeros((len(self._owner), means.shape[1]), dtype=np.float32)
        self._middles[numbers] = means - means.mean(axis=1, keepdims=True)
        self._uneven[numbers] = self._asymmetry.of(patches)

    def weighed(self, chance: Chances, in_frame: Bools, *, is_tock: bool = True) -> Chances:
        """Move each hole's chance of a pawn by how far it differs from clear empty holes of its kind.

        In other games (without `is_tock`) paint tells less: a painted hole unlike the others is no pawn for that.
        """
        clear = in_frame & (chance.empty > CLEAR_EMPTY)
        uneven = np.maximum(self._unevenness(clear) - np.log(MAX_USUAL_UNEVENNESS), 0.0)
        standing = int((in_frame & (chance.pawn > CLEAR_PAWN)).sum())
        most = np.where((self._owner < 0) | (is_tock and standing >= MIN_PAWNS), MAX_TIMES, 0.0)
        unlike = np.minimum(self._unlikeness(clear), most)
        gain = UNEVEN_LOG_ODDS * np.minimum(uneven, MAX_TIMES) + UNLIKE_LOG_ODDS * unlike
        odds = np.log(np.maximum(chance.empty, LEAST) / np.maximum(chance.pawn, LEAST))
        both = chance.empty + chance.pawn
        empty = (both / (1.0 + np.exp(np.clip(gain, -MAX_LOSS, MAX_GAIN) - odds))).astype(np.float32)
        return replace(chance, empty=empty, pawn=both - empty)

    def _unevenness(self, clear: Bools) -> Singles:
        """The unevenness of each hole as a multiple of the usual one, plain and painted apart, as a logarithm."""
        out = np.zeros(len(self._owner), dtype=np.float32)
        for kind in (self._owner < 0, self._owner >= 0):
            if (kind & clear).sum() >= 2 * FEWEST:
                usual = max(float(np.quantile(self._uneven[kind & clear], USUAL_QUANTILE)), 1e-3)
                out[kind] = np.log(np.maximum(self._uneven[kind], 1e-2 * usual) / usual)
        return out

    def _unlikeness(self, clear: Bools) -> Singles:
        """The distance of each hole from the mean of its like as a multiple of the usual one, as a logarithm."""
        out = np.zeros(len(self._owner), dtype=np.float32)
        long = np.linalg.norm(self._middles, axis=1) + LEAST
        for owner in np.unique(self._owner):
            like = self._like(int(owner), clear)
            if like is None:
                continue
            mean, own = self._middles[like].mean(axis=0), self._owner == owner
            far = 1.0 - self._middles @ mean / (long * max(float(np.linalg.norm(mean)), LEAST))
            usual = max(float(np.quantile(far[like], USUAL_QUANTILE)), 1e-2)
            out[own] = np.log(np.maximum(far[own], 1e-3) / usual)
        return np.clip(out, -1.5, MAX_TIMES)

    def _like(self, owner: int, clear: Bools) -> Bools | None:
        """The clear empty holes that one of this owner is compared with; None where there are too few of any kind."""
        for kind in (self._owner == owner, (self._owner >= 0) == (owner >= 0), np.ones_like(clear)):
            if (kind & clear).sum() >= FEWEST:
                return kind & clear
        return None
