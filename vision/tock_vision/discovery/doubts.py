"""Holes that may lie elsewhere although a board is found: what a person is asked about."""

import numpy as np

from tock_vision.discovery.drafting import drilling_of
from tock_vision.discovery.orbits import Orbits
from tock_vision.discovery.structure import Layout

ROUND_SPREAD, BEYOND = 0.05, 1.15
"""A track whose squared distances from the centre vary less, relative to the farthest, is round: its steps are even
with any lens; and holes lie beyond it that are farther out than this."""
WORST_SPREAD = 0.075
"""Where holes are drilled off by more, as one sigma in pitches, a single one may be a quarter of a pitch off."""
ODD_STEP = 0.2
"""As a logarithm; of 40 layouts that were right the most uneven had 0.16, of wrong ones four had 0.22 and more."""
FAINT_SHARE = 0.7
"""A hole that all zones together show less clearly, relative to the usual one, may lie elsewhere.

Two of four boards with such a hole were wrong, of 20 without one four for other reasons (stills of D01 to D12, seeds
30015 and 30025 to 30039, one photograph each; it was set on these).
"""


def are_places_doubtful(orbits: Orbits, layout: Layout) -> bool:
    """Whether holes may lie elsewhere than the photographs seem to show."""
    if orbits.is_asymmetric:
        return False
    is_badly_drilled = drilling_of(layout, orbits).spread > WORST_SPREAD
    is_odd = is_badly_drilled or has_odd_step(orbits, layout)
    return is_odd or has_faint_hole(orbits, layout) or is_lens_open(orbits, layout)


def has_faint_hole(orbits: Orbits, layout: Layout) -> bool:
    """Whether a hole of the track or of the homes is hardly seen in all zones together."""
    track, home = ([orbits.strengths[orbit] for orbit, _ in part] for part in (layout.track, layout.home))
    return bool(min(*track, *home) < FAINT_SHARE * np.median(track))


def has_odd_step(orbits: Orbits, layout: Layout) -> bool:
    """Whether two holes of the track lie nearer together or farther apart than those of a track do."""
    places = orbits.places[:, 0] + 1j * orbits.places[:, 1]
    zone = [places[orbit] * np.exp(2j * np.pi * turn / orbits.zones) for orbit, turn in layout.track]
    steps = np.abs(np.diff([*zone, zone[0] * np.exp(2j * np.pi / orbits.zones)]))
    return bool(np.abs(np.log(steps / np.median(steps))).max() > ODD_STEP)


def has_faint_camp(orbits: Orbits, layout: Layout) -> bool:
    """Whether a hole of the camps is hardly seen in all zones together: something else may be the camp."""
    track, camp = ([orbits.strengths[orbit] for orbit, _ in part] for part in (layout.track, layout.camp))
    return not orbits.is_asymmetric and bool(min(camp) < FAINT_SHARE * np.median(track))


def is_lens_open(orbits: Orbits, layout: Layout) -> bool:
    """Whether nothing tells how the lens moves holes far outside: the track is round, and some lie beyond it."""
    far = np.linalg.norm(orbits.places, axis=1)
    track = far[[orbit for orbit, _ in layout.track]]
    beyond = far[[orbit for orbit, _ in (*layout.home, *layout.camp)]].max() > BEYOND * track.max()
    return bool(((track / track.max()) ** 2).std() < ROUND_SPREAD and beyond)
