"""What goes wrong between a table and a source: the noise model of the referee's bench.

All numbers are chances per hole and frame, or per turn where they say so; the defaults are our guess of a family table
in fair light, to be replaced by measured rates. They may be scaled to twice and four times the noise.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from random import Random

from tock_companion.observation import UNSEEN, HoleReading, HoleState, Observation
from tock_companion.rules.geometry import BoardShape, Seat


@dataclass(frozen=True, slots=True)
class Noise:
    """Chances of everything that goes wrong."""

    flicker: float = 0.0005
    """A hole is misread in one frame: a pawn overlooked, or one seen that is not there."""
    wrong_color: float = 0.0005
    """A pawn's colour is misread in one frame."""
    stuck: float = 0.0002
    """Per turn and hole: the hole is misread for the whole turn, with low confidence."""
    unsure: float = 0.01
    """A right reading comes with a low confidence."""
    hidden: float = 0.002
    """A hole is hidden for one frame by something else than the hand."""
    stops: float = 0.6
    """Per turn: the pawn is put down in holes on the way, as people do who count."""
    beside: float = 0.03
    """Per turn: the pawn is first put down beside its hole."""
    bump: float = 0.01
    """Per turn: a bystander's sleeve moves another pawn, which is put back after a while."""
    changed_mind: float = 0.02
    """Per turn: the pawn is put down in another hole for a moment and picked up again."""

    def scaled(self, factor: float) -> "Noise":
        """Return the model with all chances multiplied, none above one half."""
        values = {item.name: min(0.5, getattr(self, item.name) * factor) for item in fields(self)}
        return replace(self, **{**values, "stops": self.stops})


CONFIDENT = (0.95, 0.995)
DOUBTFUL = (0.5, 0.8)
MISREAD = (0.5, 0.9)
"""Ranges of the confidence of right, unsure and wrong readings."""


class NoisyCamera:
    """Sees colours, is blind under hands, and errs as its noise model says."""

    name = "camera"

    def __init__(self, shape: BoardShape, noise: Noise, chance: Random) -> None:
        self.shape = shape
        self._noise = noise
        self._chance = chance
        self._holes = shape.hole_ids()
        self._stuck: dict[str, HoleReading] = {}

    def new_turn(self, standing: Mapping[str, Seat], seats: tuple[Seat, ...]) -> None:
        """Draw which holes are misread throughout the turn to come."""
        self._stuck = {
            hole: self._misread(standing.get(hole), seats)
            for hole in self._holes
            if self._chance.random() < self._noise.stuck
        }

    def look(
        self, standing: Mapping[str, Seat], hidden: frozenset[str], t_ms: int, seats: tuple[Seat, ...]
    ) -> Observation:
        """Return one frame of pawns standing in holes, some of them hidden by the hand."""
        holes = {hole: self._reading(hole, standing.get(hole), hidden, seats) for hole in self._holes}
        return Observation(t_ms, self.name, holes)

    def _reading(
        self, hole: str, seat: Seat | None, hidden: frozenset[str], seats: tuple[Seat, ...]
    ) -> HoleReading:
        draw, noise = self._chance.random(), self._noise
        if hole in hidden or draw < noise.hidden:
            return UNSEEN
        draw -= noise.hidden
        if hole in self._stuck:
            return self._stuck[hole]
        if draw < noise.flicker or (seat is not None and draw < noise.flicker + noise.wrong_color):
            return self._misread(seat, seats)
        low, high = DOUBTFUL if draw > 1 - noise.unsure else CONFIDENT
        return _as_seen(seat, self._chance.uniform(low, high))

    def _misread(self, seat: Seat | None, seats: tuple[Seat, ...]) -> HoleReading:
        others = [other for other in (None, *seats) if other is not seat]
        return _as_seen(self._chance.choice(others), self._chance.uniform(*MISREAD))


def _as_seen(seat: Seat | None, confidence: float) -> HoleReading:
    return HoleReading(HoleState.EMPTY if seat is None else HoleState.PAWN, seat, confidence)
