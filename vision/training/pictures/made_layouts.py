"""Layouts of invented boards: crosses, squares, circles, stars, flowers and free curves of 4, 6 or 8 zones.

Places are complex numbers around the centre in pitches, x right and y down; angles grow clockwise.
"""

from collections.abc import Iterator
from types import MappingProxyType
from typing import Any

import numpy as np

from tock_companion.boardfile import BoardFile, DrilledHole, PawnShape, camp_hole, home_hole, track_hole
from tock_companion.boardfile.bounds import unbuildable
from tock_rules import ZONE_LENGTH, BoardShape, Hole, HoleKind, Seat
from tock_vision.arrays import Floats

SHAPES = ("arms", "polygon", "circle", "star", "flower", "free")
PITCH_MM = 20.0
CLEAR_PITCHES = 0.92
"""Holes that are no neighbours on the track are at least so far apart."""
ENTRANCE_BACK = BoardShape(4).entrance_back
TRIES = 400
FINE = 4096


def made_layout(
    zones: int,
    shape: str,
    rng: np.random.Generator,
    *,
    off: float = 0.0,
    names: Any = None,
    length: int = ZONE_LENGTH,
) -> BoardFile:
    """A board of some shape; `off` is how far holes are drilled off, as one sigma in pitches."""
    for _ in range(TRIES):
        zone = _tried(zones, length, shape, rng)
        if zone is None:
            continue
        board = _board(zone, zones, rng, off, names)
        # A large board with a wide margin may be larger than board files may be.
        if not any(unbuildable(board)):
            return board
    raise RuntimeError(f"no board of shape {shape} with {zones} zones came out in {TRIES} tries")


def other_layout(zones: int, length: int, shape: str, rng: np.random.Generator) -> Floats | None:
    """One zone of another game: `length` places of its ring, four of its home, four of its camp; None for no room."""
    for _ in range(TRIES // 10):
        zone = _tried(zones, length, shape, rng)
        if zone is not None:
            return zone
    return None


def _tried(zones: int, length: int, shape: str, rng: np.random.Generator) -> Floats | None:
    track = _track(zones, length, shape, rng)
    if track is None or not _clear(track, zones):
        return None
    return _furnished(track, zones, rng)


def all_zones(zone: Floats, zones: int) -> Floats:
    """The places of all zones, zone after zone."""
    places: Floats = (zone[None] * _turns(zones)[:, None]).ravel()
    return places


def _turns(zones: int) -> Floats:
    turns: Floats = np.exp(2j * np.pi * np.arange(zones) / zones)
    return turns


def _track(zones: int, length: int, shape: str, rng: np.random.Generator) -> Floats | None:
    if shape == "arms":
        return _arms(zones, length, rng)
    outline = _outline(zones, shape, rng)
    return _even(outline, zones, length, float(rng.uniform(0, 1)) if rng.random() < 0.3 else 0.0)


def _arms(zones: int, length: int, rng: np.random.Generator) -> Floats | None:
    """Arms of a cross or a star: down one side, up the next arm's side, across its end."""
    wide = int(rng.choice([2, 4, 6], p=[0.2, 0.6, 0.2])) if zones == 4 else int(rng.choice([2, 4]))
    wide -= length % 2
    deep = (length - wide) // 2
    if deep < 1:
        return None
    half = wide / 2
    near = half / np.tan(np.pi / zones) + (0.0 if zones == 4 else rng.uniform(0, 0.6))
    down = -half + 1j * (near + deep - np.arange(deep + 1))
    turn = np.exp(2j * np.pi / zones)
    up = (half + 1j * (near + np.arange(deep + 1))) * turn
    across = (half - np.arange(1, wide) + 1j * (near + deep)) * turn
    if abs(down[-1] - up[0]) > 0.5:
        # Where the arms do not share their inner corner, one step leads across.
        path = np.concatenate([down, up, across])
        return _resampled(path, path[0] * turn, length)
    return np.concatenate([down, up[1:], across])


def _resampled(path: Floats, end: complex, count: int) -> Floats:
    """A number of evenly spaced places along a path from its first place to `end`, exclusive."""
    closed = np.append(path, end)
    along = np.append(0, np.cumsum(np.abs(np.diff(closed))))
    at = along[-1] * np.arange(count) / count
    places = _between(at, along, closed)
    step = np.abs(np.diff(np.append(places, end)))
    return np.asarray(places / float(np.median(step)))


def _outline(zones: int, shape: str, rng: np.random.Generator) -> Floats:
    """A closed curve that maps onto itself when turned by a zone (shape: [FINE])."""
    angle = 2 * np.pi * np.arange(FINE) / FINE
    if shape == "star":
        return _star(zones, rng)
    radius = np.ones(FINE)
    if shape == "polygon":
        sides = zones if rng.random() < 0.8 else 2 * zones
        straight = np.cos(np.pi / sides) / np.cos((angle % (2 * np.pi / sides)) - np.pi / sides)
        round_off = rng.uniform(0.0, 0.6)
        radius = straight * (1 - round_off) + round_off * straight.mean()
    elif shape == "flower":
        radius += rng.uniform(0.12, 0.38) * np.cos(zones * angle)
    elif shape == "free":
        for harmonic in (1, 2, 3):
            phase = rng.uniform(0, 2 * np.pi)
            radius += rng.normal(0, 0.16 / harmonic) * np.cos(harmonic * zones * angle + phase)
        angle = angle + rng.normal(0, 0.06) * np.sin(zones * angle)
    curve: Floats = np.maximum(radius, 0.3) * np.exp(1j * angle)
    return curve


def _star(zones: int, rng: np.random.Generator) -> Floats:
    """Straight lines between points far out and points further in."""
    inner, twist = rng.uniform(0.45, 0.8), rng.uniform(-0.25, 0.25)
    corners = np.empty(2 * zones + 1, complex)
    corners[0:-1:2] = _turns(zones)
    corners[1::2] = inner * _turns(zones) * np.exp(1j * np.pi * (1 + twist) / zones)
    corners[-1] = corners[0]
    return _between(np.linspace(0, 2 * zones, FINE, endpoint=False), np.arange(2 * zones + 1), corners)


def _between(at: Floats, grid: Floats, places: Floats) -> Floats:
    mixed: Floats = np.interp(at, grid, places.real) + 1j * np.interp(at, grid, places.imag)
    return mixed


def _even(outline: Floats, zones: int, length: int, first: float) -> Floats | None:
    """The holes of one zone, evenly along a closed curve."""
    closed = np.append(outline, outline[0])
    along = np.append(0, np.cumsum(np.abs(np.diff(closed))))
    count = length * zones
    at = along[-1] * ((np.arange(count + 1) + first) / count % 1.0)
    places = _between(at, along, closed)
    step = np.abs(np.diff(places))
    if step.min() < 0.8 * float(np.median(step)):
        return None
    return np.asarray(places[:length] / float(np.median(step)))


def _clear(track: Floats, zones: int) -> bool:
    """Whether the track comes nowhere too near to itself."""
    places = all_zones(track, zones)
    gap = np.abs(places[:, None] - places[None])
    number = np.arange(len(places))
    apart = np.abs(number[:, None] - number[None])
    apart = np.minimum(apart, len(places) - apart)
    return bool(gap[apart > 2].min() > 1.25 and gap[apart == 2].min() > CLEAR_PITCHES)


def _furnished(track: Floats, zones: int, rng: np.random.Generator) -> Floats | None:
    """Track from its start, home and camp of one zone, or None where they find no room."""
    length, back = len(track), ENTRANCE_BACK
    for start in rng.permutation(length):
        turn = _turns(zones)[1]
        named = np.concatenate([track[start:], track[:start] * turn])
        entrance = named[length - back] / turn
        before, after = named[length - back - 1] / turn, named[length - back + 1] / turn
        for home in _homes(entrance, before, after, rng):
            if not _apart(home, named, zones):
                continue
            for camp in _camps(named[0], rng):
                if _apart(camp, np.concatenate([named, home]), zones):
                    return np.concatenate([named, home, camp])
    return None


def _homes(entrance: complex, before: complex, after: complex, rng: np.random.Generator) -> Iterator[Floats]:
    """Rows of four from the entrance: to the centre, or square to the track."""
    inward = -entrance / abs(entrance)
    square = (after - before) / abs(after - before) * 1j
    step = 1.0 if rng.random() < 0.7 else float(rng.uniform(0.9, 1.25))
    ways = [inward, square if (square / inward).real > 0 else -square]
    for way in ways if rng.random() < 0.6 else ways[::-1]:
        yield entrance + way * step * np.arange(1, 5)


def _camps(start: complex, rng: np.random.Generator) -> Iterator[Floats]:
    """Groups of four, the nearest to the start first."""
    wide = float(rng.uniform(1.0, 1.5))
    square = np.array([-1 - 1j, 1 - 1j, 1 + 1j, -1 + 1j]) / 2 * wide
    shape = (square, square * np.exp(0.25j * np.pi), (np.arange(4) - 1.5) * wide)[int(rng.choice(3))]
    away = np.sort(rng.uniform(1.2, 5.5, 40))
    for far in away:
        middle = start + far * np.exp(2j * np.pi * rng.uniform())
        if 3.0 < abs(middle) < abs(start) + 4.5:
            yield middle + shape * np.exp(1j * np.angle(middle))


def _apart(group: Floats, others: Floats, zones: int) -> bool:
    """Whether a group is clear of other holes and of itself in the other zones."""
    copies = all_zones(group, zones)[len(group) :]
    gap = np.abs(group[:, None] - np.concatenate([all_zones(others, zones), copies])[None])
    return bool(gap.min() > CLEAR_PITCHES and np.abs(group).min() > 0.9)


def _board(zone: Floats, zones: int, rng: np.random.Generator, off: float, names: Any) -> BoardFile:
    places = all_zones(zone, zones).reshape(zones, -1)
    centre = np.zeros(1, complex) if rng.random() < 0.5 else np.zeros(0, complex)
    flat = np.concatenate([places.ravel(), centre])
    flat = flat + off * (rng.normal(size=len(flat)) + 1j * rng.normal(size=len(flat)))
    # The first zone may begin anywhere around the board.
    flat = flat * np.exp(2j * np.pi * (rng.integers(zones) + rng.choice([0.0, 0.5])) / zones)
    margin = float(rng.uniform(1.3, 2.6))
    points = np.column_stack([flat.real, flat.imag])
    low, high = points.min(axis=0) - margin, points.max(axis=0) + margin
    points_mm = (points - low) * PITCH_MM
    tall = rng.random() < 0.3
    width = float(rng.uniform(0.2, 0.42) if tall else rng.uniform(0.36, 0.6)) * PITCH_MM
    length = places.shape[1] - 8
    names_of_holes = _names(zones, length, centre=len(centre) > 0)
    holes = [
        DrilledHole(name, float(x), float(y), width)
        for name, (x, y) in zip(names_of_holes, points_mm.round(2), strict=True)
    ]
    side = ((high - low) * PITCH_MM).round(1)
    style = str(rng.choice(["peg", "pion"] if tall else ["opaque", "satin", "swirl", "cateye"]))
    radius = (0.07 if tall else float(rng.uniform(0.22, 0.41))) * PITCH_MM
    return BoardFile(
        "made",
        zones,
        (float(side[0]), float(side[1])),
        tuple(holes),
        (),
        MappingProxyType({Seat(zone): str(name) for zone, name in enumerate(names[:zones])}),
        PawnShape(style, radius),
        zone_length=length,
    )


def _names(zones: int, length: int, *, centre: bool) -> Iterator[Hole]:
    for zone, seat in enumerate(Seat(number) for number in range(zones)):
        yield from (track_hole(length * zone + index) for index in range(length))
        yield from (home_hole(seat, index) for index in range(4))
        yield from (camp_hole(seat, index) for index in range(4))
    if centre:
        yield Hole(HoleKind.CENTRE)
