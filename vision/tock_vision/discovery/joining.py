"""Several photographs of one board brought onto one plane, so that what is hidden in one is seen in another."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tock_vision.arrays import Floats, Frame, Gray
from tock_vision.camera_pose import CameraPose, rotation_matrix, rotation_vector
from tock_vision.discovery.flat import Flat, flatten, in_pitches
from tock_vision.discovery.orbits import find_orbits, with_gaps
from tock_vision.discovery.paint import look
from tock_vision.discovery.photo import EXTENT_PITCHES, Sighting, spots_of
from tock_vision.discovery.structure import find_layout

AGREE_PITCHES = 0.4
LEAST_AGREEING = 22
"""Of the 26 holes of a zone so many must lie alike in two photographs of one board."""


@dataclass(frozen=True)
class Joined:
    """A board and the photographs that show it, each with its pose on the common plane."""

    sighting: Sighting
    poses: tuple[CameraPose, ...]
    used: tuple[int, ...]
    """Numbers of the photographs, from 0."""
    centres: tuple[float, ...]
    """Chance of a hole in the middle, as each photograph alone shows it."""


def agree(one: Sighting, other: Sighting) -> bool:
    """Whether two photographs show the same board."""
    if one.zones != other.zones:
        return False
    mine, its = _zone(one), _zone(other)
    factor = mine[0] / its[0]
    # The start decides turn and scale; then the other holes must lie where they lie.
    off = np.abs(its * factor - mine)
    return int((off < AGREE_PITCHES).sum()) >= LEAST_AGREEING and 0.7 < abs(factor) < 1.4


def _zone(sighting: Sighting) -> Floats:
    """Where the holes of zone 0 lie, the start first: complex, in pitches."""
    places = sighting.orbits.places[:, 0] + 1j * sighting.orbits.places[:, 1]
    turns = [(orbit, np.exp(2j * np.pi * turn / sighting.zones)) for orbit, turn in sighting.layout.nodes()]
    zone: Floats = np.array([places[orbit] * turn for orbit, turn in turns])
    camp = zone[-4:]
    # Which hole of a camp is the first is nobody's business.
    zone[-4:] = camp[np.argsort(np.angle(camp / camp.mean()) + 10 * np.abs(camp).round(1))]
    return zone


def join(frames: Sequence[Frame], grays: Sequence[Gray], sightings: Sequence[Sighting | None]) -> Joined:
    """Join the photographs that agree with the clearest one; at least one sighting must be given."""
    order = sorted(
        (number for number, one in enumerate(sightings) if one is not None),
        key=lambda number: -_score(sightings[number]),
    )
    first = order[0]
    best = sightings[first]
    assert best is not None
    used, poses, flats, centres = [first], [best.pose], [best.flat], [best.orbits.centre]
    extent = EXTENT_PITCHES[best.zones] + 1
    for number in order[1:]:
        other = sightings[number]
        if other is None or not agree(best, other):
            continue
        pose = _same_turn(frames, (first, number), best, _moved_onto(other, best))
        flats.append(flatten(grays[number], pose, np.full(2, -extent), np.full(2, extent)))
        used.append(number)
        poses.append(pose)
        centres.append(other.orbits.centre)
    if len(used) == 1:
        return Joined(best, tuple(poses), tuple(used), tuple(centres))
    flat = _mixed(flats)
    orbits = with_gaps(find_orbits(flat, best.zones, extent - 1), flat)
    layout = find_layout(spots_of(orbits))
    joined = best
    if layout is not None and layout.score > best.layout.score - 1.0:
        joined = replace(best, flat=flat, orbits=orbits, layout=layout)
    return Joined(joined, tuple(poses), tuple(used), tuple(centres))


def _score(sighting: Sighting | None) -> float:
    return sighting.layout.score if sighting is not None else -np.inf


def _moved_onto(other: Sighting, best: Sighting) -> CameraPose:
    """The other pose for the plane of the best sighting, up to a turn by some zones."""
    factor = complex(np.median(_ratio(other, best)))
    scaled = in_pitches(other.pose, 1 / abs(factor), np.zeros(2))
    return turned(scaled, float(np.angle(factor)))


def _ratio(other: Sighting, best: Sighting) -> Floats:
    mine, its = _zone(best)[:18], _zone(other)[:18]
    ratio = mine / its
    near: Floats = ratio[np.abs(ratio - np.median(ratio.real) - 1j * np.median(ratio.imag)) < 0.1]
    return np.array([near.mean()]) if len(near) else ratio[:1]


def turned(pose: CameraPose, angle: float) -> CameraPose:
    """The same camera above a plane whose axes are turned: what lay at `p` now lies at `p` turned by the angle."""
    spin = rotation_matrix(np.array([0.0, 0.0, -angle]))
    params = pose.params.copy()
    params[:3] = rotation_vector(rotation_matrix(params[:3]) @ spin)
    return replace(pose, params=params, covariance=None)


def _same_turn(
    frames: Sequence[Frame], numbers: tuple[int, int], best: Sighting, pose: CameraPose
) -> CameraPose:
    """Of the turns by a zone the one in which the colours of the holes agree."""
    spots = best.orbits.places[:, 0] + 1j * best.orbits.places[:, 1]
    nodes = best.layout.nodes()
    turns = np.exp(2j * np.pi * np.arange(best.zones) / best.zones)
    flat = np.concatenate([[spots[orbit] * np.exp(2j * np.pi * turn / best.zones) for orbit, turn in nodes]])
    places = (flat[None, :] * turns[:, None]).ravel()
    grid = np.column_stack([places.real, places.imag])
    mine = look(frames[numbers[0]], best.pose, grid).mean(axis=1)
    options = []
    for zone in range(best.zones):
        option = turned(pose, 2 * np.pi * zone / best.zones)
        its = look(frames[numbers[1]], option, grid).mean(axis=1)
        off = (mine - np.median(mine, axis=0)) - (its - np.median(its, axis=0))
        options.append((float(np.abs(off).mean()), zone, option))
    return min(options, key=lambda row: row[:2])[2]


def _mixed(flats: Sequence[Flat]) -> Flat:
    """The mean of what all photographs say about each place, of those that show it."""
    count = np.sum([flat.inside for flat in flats], axis=0)
    answer = np.sum([flat.answer for flat in flats], axis=0) / np.maximum(count, 1)
    return Flat(flats[0].gray, flats[0].origin, count > 0, answer.astype(np.float32))
