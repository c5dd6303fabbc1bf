"""Detects grids taken for boards: places beside the track then look like its holes.

Constants set in `6d611e10`; HALF_PITCHES in `133a8828`.
"""

import numpy as np

from tock_vision.arrays import Floats, sample
from tock_vision.discovery.photo import Sighting, spots_of

HALF_PITCHES, SIDE = 0.5, 13
ALIKE = 0.5
"""Correlation with the usual hole of the track from which a place counts as a hole."""
MAX_ALIKE_SHARE = 0.1
"""Share of places beside the track: at most 0.02 on 30 photographs of made boards, 0.17 and more on drawn grids."""
FREE_PITCHES = 0.6
MIN_PLACES = 20


def has_holes_beside(sighting: Sighting) -> bool:
    """Whether there are holes beside the track where the layout has none."""
    if sighting.orbits.is_asymmetric:
        return False
    table, zones, layout = spots_of(sighting.orbits).table, sighting.zones, sighting.layout
    track = np.array(
        [table[orbit, (turn + zone) % zones] for zone in range(zones) for orbit, turn in layout.track]
    )
    known = np.concatenate([table[orbit] for orbit, _ in layout.nodes()])
    along = np.roll(track, -1) - np.roll(track, 1)
    across = 1j * along / np.maximum(np.abs(along), 1e-6)
    beside = np.concatenate([track + across, track - across])
    beside = beside[np.abs(beside[:, None] - known[None]).min(axis=1) > FREE_PITCHES]
    if len(beside) < MIN_PLACES:
        return False
    usual = np.median(_appearances(sighting, track), axis=0)
    usual = (usual - usual.mean()) / max(float(usual.std()), 1e-6)
    alike = (_appearances(sighting, beside) * usual).mean(axis=1)
    return float((alike > ALIKE).mean()) > MAX_ALIKE_SHARE


def _appearances(sighting: Sighting, places: Floats) -> Floats:
    """Surroundings of places (complex), normalised to mean 0 and deviation 1 (shape: [n, SIDE * SIDE])."""
    steps = np.linspace(-HALF_PITCHES, HALF_PITCHES, SIDE)
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(1, -1, 2)
    at = sighting.flat.to_px(np.column_stack([places.real, places.imag])[:, None] + grid)
    seen = sample(sighting.flat.gray, at.astype(np.float32)).astype(float)
    off = seen - seen.mean(axis=1, keepdims=True)
    appearances: Floats = off / np.maximum(off.std(axis=1, keepdims=True), 1e-6)
    return appearances
