"""Joins photographs of one board on one plane, so that one shows what another hides.

Constants set in `62d5e4e2`; AGREE_PITCHES in `4c76c3e3`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tock_vision.arrays import Floats, Frame
from tock_vision.camera_pose import CameraPose, fit
from tock_vision.discovery.bundle_adjustment import seen_px
from tock_vision.discovery.color_channels import Shades
from tock_vision.discovery.orbits import (
    CLEAR_COPY,
    HOLES_IN_ZONE,
    HOLES_UNLIKE,
    copies_in,
    find_orbits,
    seen_in_all,
    with_gaps,
)
from tock_vision.discovery.photo import Sighting, extent_pitches, layout_of, spots_of, with_bundle_adjusted
from tock_vision.discovery.seat_colors import colors_around
from tock_vision.discovery.straightened import Flat, flatten, in_pitches, moved, turned
from tock_vision.discovery.symmetry import SPOT_SIGMA_PITCHES

AGREE_PITCHES = 0.4
GREY_CHROMA, MAX_CHROMA = 6.0, 30.0
"""Chroma (CIE Lab) up to which a colour counts as grey, and beyond which it counts no more."""
LIGHTNESS_HALVED = np.array([0.5, 1.0, 1.0])
"""Weights of L, a and b. So 170 of 171 pairs of stills (nine of the boards D02 to D12) are turned alike, and 149 when
all holes are compared instead of the seats' colours."""


@dataclass(frozen=True)
class Joined:
    """A board and the photographs that show it, each with its pose on the common plane."""

    sighting: Sighting
    poses: tuple[CameraPose, ...]
    used: tuple[int, ...]
    """Numbers of the photographs, from 0."""


def agree(one: Sighting, other: Sighting) -> bool:
    """Whether two photographs show the same board."""
    if (one.zones, one.layout.form) != (other.zones, other.layout.form):
        return False
    mine, its = _zone(one), _zone(other)
    factor = mine[0] / its[0]
    # The start fixes turn and scale; the other holes must then coincide.
    off = np.abs(its * factor - mine)
    return (
        int((off < AGREE_PITCHES).sum()) >= one.layout.form.holes - HOLES_UNLIKE and 0.7 < abs(factor) < 1.4
    )


def _zone(sighting: Sighting) -> Floats:
    """The places of the holes of zone 0, the start first: complex, in pitches."""
    places = sighting.orbits.places[:, 0] + 1j * sighting.orbits.places[:, 1]
    turns = [(orbit, np.exp(2j * np.pi * turn / sighting.zones)) for orbit, turn in sighting.layout.nodes()]
    zone: Floats = np.array([places[orbit] * turn for orbit, turn in turns])
    pawns = sighting.layout.form.pawns
    camp = zone[-pawns:]
    # The order of the holes in a camp is arbitrary, so they are compared by angle.
    zone[-pawns:] = camp[np.argsort(np.angle(camp / camp.mean()) + 10 * np.abs(camp).round(1))]
    return zone


def join(
    frames: Sequence[Frame],
    pictures: Sequence[Shades],
    sightings: Sequence[Sighting | None],
    aligned: Mapping[int, CameraPose],
    radials: Sequence[float | None],
) -> Joined:
    """Join the photographs that show the board of the clearest one; at least one must have a sighting.

    `aligned` has poses of photographs without a sighting, on the plane of the clearest one; `radials` are the radial
    terms of their lenses, where straight lines show them.
    """
    first = clearest(sightings)
    best = sightings[first]
    assert best is not None
    used, poses, flats = [first], [best.pose], [best.flat]
    extent = extent_pitches(best.zones, best.layout.form) + 1
    for number, other in enumerate(sightings):
        if number == first or best.orbits.is_asymmetric:
            continue
        if number in aligned:
            rough = aligned[number]
        elif other is not None and agree(best, other):
            rough = _moved_onto(other, best)
        else:
            continue
        pose = _same_turn(frames, (first, number), best, rough)
        flat = flatten(pictures[number], pose, np.full(2, -extent), np.full(2, extent))
        pose, flat = _aligned(pose, flat, best)
        flats.append(flat)
        used.append(number)
        poses.append(pose)
    if len(used) == 1:
        return Joined(best, tuple(poses), tuple(used))
    flat = _mixed(flats)
    orbits = with_gaps(find_orbits(flat, best.zones, extent - 1), flat)
    layout = layout_of(orbits, None, best.layout.form)
    joined = best
    if layout is not None and layout.score > best.layout.score - 1.0:
        joined = replace(best, flat=flat, orbits=orbits, layout=layout)
    joined = replace(joined, orbits=seen_in_all(joined.orbits, flats))
    joined, poses = _fitted(joined, poses, flats, [radials[number] for number in used])
    return Joined(joined, tuple(poses), tuple(used))


def _fitted(
    joined: Sighting, poses: list[CameraPose], flats: Sequence[Flat], radials: Sequence[float | None]
) -> tuple[Sighting, list[CameraPose]]:
    """Fit the poses of all photographs and the holes of the board to each other."""
    places = joined.orbits.places[[orbit for orbit, _ in joined.layout.nodes()]]
    seen = []
    for pose, flat in zip(poses, flats, strict=True):
        chances, found = copies_in(flat, places, joined.zones)
        found[chances < CLEAR_COPY] = np.nan
        seen.append(seen_px(found, pose))
    return with_bundle_adjusted(joined, poses, seen, radials)


def clearest(sightings: Sequence[Sighting | None]) -> int:
    """The index of the photograph whose layout scores most."""
    return max(range(len(sightings)), key=lambda number: _score(sightings[number]))


def _score(sighting: Sighting | None) -> float:
    return sighting.layout.score if sighting is not None else -np.inf


def _aligned(pose: CameraPose, flat: Flat, best: Sighting) -> tuple[CameraPose, Flat]:
    """Fit the pose to the holes where the clearest photograph shows them, drilling errors included."""
    nodes = [orbit for orbit, _ in best.layout.nodes()]
    found = copies_in(flat, best.orbits.places[nodes], best.zones)[1]
    places = best.orbits.found[nodes]
    both = np.isfinite(found).all(axis=2) & np.isfinite(places).all(axis=2)
    if both.sum() < HOLES_IN_ZONE:
        return pose, flat
    seen_px = pose.project(found[both])
    better = fit(pose, places[both], seen_px, SPOT_SIGMA_PITCHES * pose.scale(places[both]))
    extent = extent_pitches(best.zones, best.layout.form) + 1
    return better, moved(flat, pose, better, np.full(2, -extent), np.full(2, extent))


def _moved_onto(other: Sighting, best: Sighting) -> CameraPose:
    """Express the other pose on the plane of the best sighting, up to a turn by some zones."""
    factor = complex(np.median(_ratio(other, best)))
    scaled = in_pitches(other.pose, 1 / abs(factor), np.zeros(2))
    return turned(scaled, float(np.angle(factor)))


def _ratio(other: Sighting, best: Sighting) -> Floats:
    mine, its = (_zone(one)[: best.layout.form.length] for one in (best, other))
    ratio = mine / its
    near: Floats = ratio[np.abs(ratio - np.median(ratio.real) - 1j * np.median(ratio.imag)) < 0.1]
    return np.array([near.mean()]) if len(near) else ratio[:1]


def _same_turn(
    frames: Sequence[Frame], numbers: tuple[int, int], best: Sighting, pose: CameraPose
) -> CameraPose:
    """Choose the turn by zones in which the colours of the seats agree."""
    mine = _seat_colors(frames[numbers[0]], best.pose, best)
    options = []
    for zone in range(best.zones):
        option = turned(pose, 2 * np.pi * zone / best.zones)
        its = _seat_colors(frames[numbers[1]], option, best)
        options.append((float(np.abs(mine - its).mean()), zone, option))
    return min(options, key=lambda row: row[:2])[2]


def _seat_colors(frame: Frame, pose: CameraPose, board: Sighting) -> Floats:
    """Difference in colour between the board and each seat's homes and camps (CIE Lab, shape: [zones, 3]).

    Coloured pixels count more than grey ones: paint and pawns, not light and shade.
    """
    table = spots_of(board.orbits).table
    layout, zones = board.layout, np.arange(board.zones)
    own, track = (
        np.array([table[orbit, (turn + zones) % board.zones] for orbit, turn in nodes]).T.ravel()
        for nodes in ((*layout.home, *layout.camp), layout.track)
    )
    seen, plain = (colors_around(frame, pose, np.column_stack([at.real, at.imag])) for at in (own, track))
    off = seen - np.median(np.concatenate([seen, plain]).reshape(-1, 3), axis=0)
    off = off.reshape(board.zones, -1, 3)
    weight = np.clip(np.hypot(off[..., 1], off[..., 2]) - GREY_CHROMA, 0, MAX_CHROMA)[..., None]
    colors: Floats = LIGHTNESS_HALVED * (off * weight).sum(axis=1) / (weight.sum(axis=1) + MAX_CHROMA)
    return colors


def _mixed(flats: Sequence[Flat]) -> Flat:
    """The mean over the photographs that show each place."""
    count = np.sum([flat.inside for flat in flats], axis=0)
    answer = np.sum([flat.answer for flat in flats], axis=0) / np.maximum(count, 1)
    return Flat(flats[0].gray, flats[0].origin, count > 0, answer.astype(np.float32))
