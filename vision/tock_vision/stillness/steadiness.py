"""When a camera's automatics may work, and when they are held: never at work while anything moves on the board."""

from dataclasses import dataclass
from enum import Enum
from math import log2

import cv2
import numpy as np

from tock_vision.arrays import Frame, Gray
from tock_vision.stillness.controls import Automatic, Controls, Hold, Holds

GAMMA = 2.2
STEADY_MS = 1500
"""Automatics that have changed nothing for this long have settled."""
SETTLED_BY_MS = 12_000
"""Held after this long in any case: a lamp that flickers never lets them settle."""
STEADY_STOPS = 0.12
"""Change within which a picture is steady."""
JUMPED_STOPS = 0.15
"""A camera that is darker or brighter by more than this once it is held is exposed again."""
MAX_EXPOSURES = 4
FAILED_STOPS = 0.5
ROOM_STOPS = 0.7
"""The room has changed: a lamp was switched on, or evening has come. Less is made up for when a picture is read."""
LOST_MS = 4000
"""A board that is not found for this long in a room that has changed may be too dark or too bright to see."""
CHECK_MS = 5000
"""Interval between looks whether the camera kept its settings."""
MAX_REPAIRS = 3
"""A camera that has changed held settings so often will do so again: it is no use to fight it."""
BLURRED_SHARE = 0.12
"""Share of the sharpness at which the camera was held below which its focus is lost."""
BLURRED_MS = 3000
ROUGH_PX, ROUGH_LIKENESS = (16, 12), 0.5
"""A frame without its details, and the correlation with that of the board below which a thing is before the lens."""
NOTE_MS = 12_000
"""Time for which the page says a thing that stops nothing."""

WANDERS, BLURRED = "camera/wanders", "camera/blurred"


class _State(Enum):
    SETTLES = "settles"
    HOLDS = "holds"
    LEFT_ALONE = "left alone"


@dataclass(frozen=True, slots=True)
class Look:
    """A frame, as far as its light and its focus go; without `rough` nothing is compared."""

    t_ms: int
    level: float
    """Its light in stops; 0 is white, all else below."""
    sharpness: float
    """Contrast from point to point, in any light."""
    rough: Gray | None = None
    """The frame without its details, which no focus takes away."""


class Steadiness:
    """Lets the automatics of one camera settle, holds them, and lets them settle again when the room changes.

    A camera that cannot be set goes through the same, so that its look is known.
    """

    def __init__(self) -> None:
        self.holds: Holds = {}
        """What became of each automatic when it was last held."""
        self._controls: Controls | None = None
        self._state = _State.SETTLES
        self._since_ms = self._checked_ms = 0
        self._steady: Look | None = None
        self._held: Look | None = None
        self._is_half_settled = False
        self._exposures = self._repairs = 0
        self._lost_ms: int | None = None
        self._blurred_ms: int | None = None
        self._noted = ("", 0)

    def begin(self, controls: Controls | None, t_ms: int) -> None:
        """Take a camera that was just opened, and let it settle; None for one that cannot be set, or must not."""
        self._controls, self._repairs, self._noted = controls, 0, ("", 0)
        self._settle(t_ms)

    def _settle(self, t_ms: int) -> None:
        self._state, self._since_ms, self._steady = _State.SETTLES, t_ms, None
        self._lost_ms, self._is_half_settled = None, False
        if self._controls is not None:
            self._controls.follow()

    def note(self, t_ms: int) -> str:
        """The code of the page's sentence; empty for none."""
        code, at_ms = self._noted
        return code if code and t_ms - at_ms < NOTE_MS else ""

    def learned(self, look: Look) -> None:
        """Hold the settings with which the board was just learned."""
        if self._state is _State.SETTLES:
            self._hold(look)

    def is_blurred(self, look: Look) -> bool:
        """Whether the camera has lost its focus since it was held."""
        return self._held is not None and look.sharpness < BLURRED_SHARE * self._held.sharpness

    def is_covered(self, look: Look) -> bool:
        """Whether a blurred picture is not that of the board any more: something is right before the lens."""
        before = None if self._held is None else self._held.rough
        if before is None or look.rough is None:
            return False
        likeness = np.corrcoef(before.ravel(), look.rough.ravel())[0, 1]
        return bool(np.nan_to_num(likeness) < ROUGH_LIKENESS)

    def see(self, look: Look, *, is_found: bool, is_moving: bool, is_at_rest: bool) -> None:
        """Take in a frame: whether the board is found in it, whether something moves there, and whether nothing has
        moved for as long as the referee needs to report a move.
        """
        if self._state is _State.SETTLES and is_found:
            self._await_settled(look, is_moving=is_moving)
        elif self._state is _State.HOLDS:
            self._keep_exposure(look)
            self._repair(look.t_ms)
            if self._has_room_changed(look, is_found=is_found, is_at_rest=is_at_rest):
                self._settle(look.t_ms)
        self._watch_focus(look, is_at_rest=is_at_rest)

    def _await_settled(self, look: Look, *, is_moving: bool) -> None:
        if is_moving and self._held is not None:
            # Nothing changes during a move: half-settled automatics are held until the board is at rest again.
            self._hold(look)
            self._is_half_settled = True
            return
        steady = self._steady
        if steady is None or abs(look.level - steady.level) > STEADY_STOPS:
            self._steady = steady = look
        if look.t_ms - steady.t_ms >= STEADY_MS or look.t_ms - self._since_ms >= SETTLED_BY_MS:
            self._hold(look)

    def _hold(self, look: Look) -> None:
        self._state, self._held, self._checked_ms = _State.HOLDS, look, look.t_ms
        self._exposures = 0
        if self._controls is not None:
            self.holds = self._controls.hold()

    def _keep_exposure(self, look: Look) -> None:
        """Undo the jump of a camera that forgets, once it is held, what its automatics had found."""
        held = self._held
        if held is None or self._controls is None or self._exposures >= MAX_EXPOSURES:
            return
        self._exposures += 1
        off = look.level - held.level
        if abs(off) <= JUMPED_STOPS or self.holds[Automatic.EXPOSURE] is not Hold.HELD:
            self._exposures = MAX_EXPOSURES
        elif not self._controls.expose(2.0**-off) and abs(off) > FAILED_STOPS:
            self._leave_alone(look.t_ms)

    def _leave_alone(self, t_ms: int) -> None:
        """Give up holding a camera that does not let itself be held."""
        if self._controls is not None:
            self._controls.follow()
        self.holds = {one: hold if hold is Hold.FIXED else Hold.FREE for one, hold in self.holds.items()}
        self._state, self._noted = _State.LEFT_ALONE, (WANDERS, t_ms)

    def _repair(self, t_ms: int) -> None:
        if self._controls is None or t_ms - self._checked_ms < CHECK_MS:
            return
        self._checked_ms = t_ms
        if self._controls.is_held():
            return
        self._repairs += 1
        if self._repairs > MAX_REPAIRS:
            self._leave_alone(t_ms)
        else:
            self._controls.hold_again()

    def _has_room_changed(self, look: Look, *, is_found: bool, is_at_rest: bool) -> bool:
        held = self._held
        is_off = held is not None and abs(look.level - held.level) >= ROOM_STOPS
        if is_found or not is_off:
            self._lost_ms = None
            return is_at_rest and is_found and (is_off or self._is_half_settled)
        if self._lost_ms is None:
            self._lost_ms = look.t_ms
        return look.t_ms - self._lost_ms >= LOST_MS

    def _watch_focus(self, look: Look, *, is_at_rest: bool) -> None:
        if not self.is_blurred(look):
            self._blurred_ms = None
            return
        if self._blurred_ms is None:
            self._blurred_ms = look.t_ms
        if look.t_ms - self._blurred_ms < BLURRED_MS or not is_at_rest:
            return
        self._blurred_ms = look.t_ms
        self._noted = (BLURRED, look.t_ms)
        if self._state is _State.HOLDS and self.holds.get(Automatic.FOCUS) is Hold.HELD:
            self._settle(look.t_ms)


def look_at(small: Frame, t_ms: int) -> Look:
    """Measure light and focus of a frame, at a quarter of its size: there the grain of a sensor does not count."""
    level = max(float(np.median(small[::4, ::4])), 1.0)
    sharpness = float(cv2.Laplacian(np.ascontiguousarray(small[..., 1]), cv2.CV_32F).var()) / level**2
    rough = cv2.resize(small[..., 1], ROUGH_PX, interpolation=cv2.INTER_AREA)
    return Look(t_ms, GAMMA * log2(level / 255), sharpness, rough)
