"""Start holes touched by the player: they give the number of zones, a first view of the plane and the starts.

Constants set in `4c76c3e3`; MAX_TURN_RAD, MIN_ROUND in `d6e617ef`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from tock_companion.errors import BadInputError, SpokenError
from tock_rules import ZONE_LENGTH, Hole, HoleKind
from tock_vision.arrays import Floats
from tock_vision.camera_pose import CameraPose, fit, from_points, unproject
from tock_vision.discovery.track import ZONES
from tock_vision.discovery.views import EvenView, view_of

LENSES = ((1.0, 0.0), (0.78, 0.0), (0.6, -0.12))
TOUCH_SIGMA = 0.03
"""Error of a finger, relative to the distance of the starts from the centre."""
MAX_DISTANCE_PITCHES = 0.75
MIN_ROUND = 0.003
"""Area within the starts, in the way around them squared: 0.06 for a square, 0.02 as flatly as holes can be seen."""
MAX_TURN_RAD = 3 * np.pi
"""One round is two pi, two rounds are four."""


@dataclass(frozen=True)
class Starts:
    """All start holes of a board, as touched in the first photograph (shape: [zones, 2])."""

    places_px: Floats

    @property
    def zones(self) -> int:
        """The number of zones."""
        return len(self.places_px)

    def scaled(self, factor: float) -> "Starts":
        """The same touches in a photograph whose sides are `factor` times as long."""
        return replace(self, places_px=(self.places_px + 0.5) * factor - 0.5)

    def views(self, size_px: tuple[int, int], radial: float | None = None) -> Iterator[EvenView]:
        """Views in which the starts lie evenly around a centre; `step` is that of the view's own unit.

        `radial` is the radial term of the lens, where straight lines show it.
        """
        angle = 2 * np.pi * np.arange(self.zones) / self.zones
        model = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        for focal, usual in LENSES:
            bent = usual if radial is None else radial
            for start in from_points(model, self.places_px, size_px, focal * size_px[0], bent):
                pose = fit(start, model, self.places_px, TOUCH_SIGMA * start.scale(model))
                yield EvenView(view_of(pose), 1.0, 0.0)

    def start(self, pose: CameraPose) -> complex:
        """The place of T0 on the plane of a pose whose origin is the centre, from all touches together."""
        points = unproject(pose, self.places_px)
        back = np.exp(-2j * np.pi * np.arange(self.zones) / self.zones)
        return complex(np.mean((points[:, 0] + 1j * points[:, 1]) * back))


def not_around() -> SpokenError:
    """The error of start holes that lie around no middle."""
    return SpokenError("touch every start hole once, clockwise, around the middle", "board/starts")


def require_view(starts: Starts, size_px: tuple[int, int]) -> None:
    """Raise BadInputError where no camera sees a board with its start holes at these places of a photograph."""
    off = starts.places_px - starts.places_px.mean(axis=0)
    after = np.roll(off, -1, axis=0)
    # Clockwise, as y goes down; all at one place or in one line there is no plane to look at.
    areas = off[:, 0] * after[:, 1] - off[:, 1] * after[:, 0]
    around = float(np.linalg.norm(after - off, axis=1).sum())
    turned = float(np.arctan2(areas, (off * after).sum(axis=1)).sum())
    goes_round = areas.min() > 0 and turned < MAX_TURN_RAD and areas.sum() / 2 > MIN_ROUND * around**2
    if not goes_round or next(starts.views(size_px), None) is None:
        raise not_around()


def parse_starts(touches: Mapping[Hole, tuple[float, float]], zones: int | None) -> Starts:
    """The touched starts in order.

    Raises BadInputError unless all starts of a board were touched, and nothing else but the middle.
    """
    numbers = [hole for hole in touches if hole.kind is not HoleKind.CENTRE]
    for hole in numbers:
        if hole.kind is not HoleKind.TRACK or hole.number % ZONE_LENGTH:
            raise BadInputError(
                f"touch '{hole}': touch start holes and the middle alone: T0, T18, T36, T54 … C"
            )
    count = len(numbers) if zones is None else zones
    wanted = _starts(count)
    if count not in ZONES or sorted(numbers) != sorted(wanted):
        names = ", ".join(_starts(count if count in ZONES else 4))
        raise BadInputError(f"touch every start hole once, clockwise: {names}")
    if not np.isfinite(list(touches.values())).all():
        raise BadInputError("touches are pixels of the first picture, for example T0=412,96")
    return Starts(np.array([touches[hole] for hole in wanted], dtype=float))


def _starts(zones: int) -> list[Hole]:
    return [Hole.track(ZONE_LENGTH * zone) for zone in range(zones)]
