"""Doubts about a board that was found: which of its holes a person should check.

Constants set in `857949ac`; FAINT_SHARE in `0370d860`; WORST_SPREAD in `d0cdcf1d`; ODD_STEP in `af545868`;
EXTRA_PITCHES in `dd32a36a`.
"""

import numpy as np

from tock_vision.discovery.drafting import drilling_of
from tock_vision.discovery.orbits import Orbits
from tock_vision.discovery.structure import Layout

ROUND_SPREAD, BEYOND = 0.05, 1.15
"""Spread of squared distances from the centre, relative to the farthest, below which a track counts as round; and the
factor by which a hole must be farther out to lie beyond it. Any lens makes the steps of a round track even."""
WORST_SPREAD = 0.075
"""Drilling error, as one sigma in pitches, above which a single hole may be a quarter of a pitch off."""
ODD_STEP = 0.2
"""Deviation of a step, as a logarithm: 40 right layouts had at most 0.16, four wrong ones 0.22 and more."""
EXTRA_PITCHES = 1.6
"""A fifth hole of a camp lies in the middle of four or at their side."""
FAINT_SHARE = 0.7
"""Clearness in all zones together, relative to the usual hole, below which a hole may lie elsewhere.

Two of four boards with such a hole were wrong, of 20 without one four for other reasons (stills of D01 to D12, seeds
30015 and 30025 to 30039, one photograph each; it was set on these).
"""


def are_places_doubtful(orbits: Orbits, layout: Layout) -> bool:
    """Whether holes may lie elsewhere than found."""
    if orbits.is_asymmetric:
        return False
    is_badly_drilled = drilling_of(layout, orbits).spread > WORST_SPREAD
    is_odd = is_badly_drilled or has_odd_step(orbits, layout)
    return is_odd or has_faint_hole(orbits, layout) or is_lens_open(orbits, layout)


def has_faint_hole(orbits: Orbits, layout: Layout) -> bool:
    """Whether some hole of the track or of the homes is hardly seen in any zone."""
    track, home = ([orbits.strengths[orbit] for orbit, _ in part] for part in (layout.track, layout.home))
    return bool(min(*track, *home) < FAINT_SHARE * np.median(track))


def has_odd_step(orbits: Orbits, layout: Layout) -> bool:
    """Whether a step of the track is too short or too long."""
    places = orbits.places[:, 0] + 1j * orbits.places[:, 1]
    zone = [places[orbit] * np.exp(2j * np.pi * turn / orbits.zones) for orbit, turn in layout.track]
    steps = np.abs(np.diff([*zone, zone[0] * np.exp(2j * np.pi / orbits.zones)]))
    return bool(np.abs(np.log(steps / np.median(steps))).max() > ODD_STEP)


def has_faint_camp(orbits: Orbits, layout: Layout) -> bool:
    """Whether some hole of the camps is hardly seen in any zone, so that something else may be the camp."""
    track, camp = ([orbits.strengths[orbit] for orbit, _ in part] for part in (layout.track, layout.camp))
    return not orbits.is_asymmetric and bool(min(camp) < FAINT_SHARE * np.median(track))


def extra_camp_holes(orbits: Orbits, layout: Layout) -> int:
    """Count the clear holes beside the four of a camp that belong to nothing else, as on boards with five in a camp."""
    if orbits.is_asymmetric:
        return 0
    flat = orbits.places[:, 0] + 1j * orbits.places[:, 1]
    turns = np.exp(2j * np.pi * np.arange(orbits.zones) / orbits.zones)
    camp, others = (
        np.array([flat[orbit] * turns[turn % orbits.zones] for orbit, turn in part])
        for part in (layout.camp, (*layout.track, *layout.home))
    )
    wide = float(np.abs(camp[:, None] - camp[None]).max())
    usual = float(np.median([orbits.strengths[orbit] for orbit, _ in layout.track]))
    known = {orbit for orbit, _ in layout.nodes()}
    count = 0
    for orbit in range(len(flat)):
        if orbit in known or orbits.strengths[orbit] < FAINT_SHARE * usual:
            continue
        images = flat[orbit] * turns
        to_camp = np.abs(images[:, None] - camp[None])
        nearest = int(to_camp.min(axis=1).argmin())
        is_beside = (
            to_camp[nearest].min() < EXTRA_PITCHES and to_camp[nearest].max() < wide + EXTRA_PITCHES / 2
        )
        away = np.abs(images[:, None] - (others[:, None] * turns[None]).ravel()[None]).min()
        count += bool(is_beside and to_camp[nearest].min() < away)
    return count


def is_lens_open(orbits: Orbits, layout: Layout) -> bool:
    """Whether the lens is undetermined for outer holes: the track is round, and holes lie beyond it."""
    far = np.linalg.norm(orbits.places, axis=1)
    track = far[[orbit for orbit, _ in layout.track]]
    beyond = far[[orbit for orbit, _ in (*layout.home, *layout.camp)]].max() > BEYOND * track.max()
    return bool(((track / track.max()) ** 2).std() < ROUND_SPREAD and beyond)
