"""Drafts the board file of a board that was found: places in millimetres, ids, width of holes, colours.

Constants set in `4c76c3e3`; STICKER_SHARE in `4ed83a15`; MAX_WIDTH_SHARE, MIN_GAP_PITCHES in `74cd7785`;
MIN_SPREAD_PITCHES, SEEN_SIGMA_PITCHES in `2ea0a2ea`; MAX_OWN_SIGMAS in `4a0b9128`; CLEAR_CHANCE, CLEAR_SIGMA_PITCHES,
FAINT_SIGMA_PITCHES, MIN_CHANCE in `c08fc1ef`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from tock_companion.boardfile import (
    BoardFile,
    DrilledHole,
    Marker,
    NamedHole,
    camp_hole,
    home_hole,
    track_hole,
)
from tock_rules import Hole, HoleKind, Seat
from tock_vision.arrays import Floats, Singles
from tock_vision.camera_pose import CameraPose
from tock_vision.discovery.orbits import Orbits, copies_in
from tock_vision.discovery.roundness import edges, roundness
from tock_vision.discovery.stickers import Sticker
from tock_vision.discovery.straightened import Flat, in_pitches
from tock_vision.discovery.structure import Layout
from tock_vision.discovery.symmetry import images
from tock_vision.discovery.track import Node
from tock_vision.holeness import PITCH_PX

PITCH_MM = 20.0
"""The pitch where the size of the board is not given."""
MARGIN_PITCHES = 1.3
MAX_WIDTH_SHARE = 0.85
"""Width of a hole, relative to the distance between the two nearest holes."""
MIN_GAP_PITCHES = 0.45
STICKER_SHARE = 0.7
"""Distance from the middle of a marker to the edge of its white border, in sides."""
SEEN_SIGMA_PITCHES = 0.03
"""Error with which a photograph shows the place of a hole, as one sigma in each direction."""
CLEAR_SIGMA_PITCHES, FAINT_SIGMA_PITCHES, CLEAR_CHANCE = 0.02, 0.25, 1.05
"""Error with which a clear image shows the place of its hole, as one sigma; how much it grows as the chance of the
image falls below a clear one's, relative to the usual hole: the summit of a pawn or of a thing beside a hole is fainter
than a bare hole. Measured on 13,000 images of 80 photographs (seeds 76000 to 76059)."""
SURE_CHANCE, MIN_CHANCE = 0.6, 0.35
MAX_OWN_SIGMAS = 5.5
"""Distance from the mean of all images, in sigmas, beyond which a spot is not the hole."""
MIN_SPREAD_PITCHES = 0.05
WIDTHS_PITCHES = np.arange(0.08, 0.42, 0.02)


@dataclass(frozen=True)
class FoundHole(NamedHole):
    """A hole of the board: its name, its place in pitches from the centre, and how likely it is a hole."""

    place: Floats
    chance: float


def found_holes(layout: Layout, orbits: Orbits) -> list[FoundHole]:
    """Every hole of the board, zone after zone."""
    holes = []
    drilling = drilling_of(layout, orbits)
    for zone, seat in enumerate(Seat(number) for number in range(layout.zones)):
        for index, node in enumerate(layout.track):
            holes.append(_hole(orbits, drilling, node, zone, track_hole(len(layout.track) * zone + index)))
        for index, node in enumerate(layout.camp):
            holes.append(_hole(orbits, drilling, node, zone, camp_hole(seat, index)))
        for index, node in enumerate(layout.home):
            holes.append(_hole(orbits, drilling, node, zone, home_hole(seat, index)))
    return holes


@dataclass(frozen=True)
class Drilling:
    """Precision with which a board is drilled, measured on its clear holes."""

    spread: float
    """Distance of holes from the mean of their images: one sigma in each direction, in pitches."""

    usual_chance: float = 1.0
    """That of its usual hole."""

    def own_share(self, chance: float) -> float:
        """Weight of a hole's own image, seen with this chance, against the mean of all images, 0 to 1."""
        drilled_off = self.spread**2 - SEEN_SIGMA_PITCHES**2
        if np.isinf(drilled_off):
            return 1.0
        seen = CLEAR_SIGMA_PITCHES + FAINT_SIGMA_PITCHES * max(0.0, CLEAR_CHANCE - chance / self.usual_chance)
        return max(0.0, drilled_off) / (max(0.0, drilled_off) + seen**2)

    @property
    def farthest(self) -> float:
        """Maximum distance of a hole from the mean of its images."""
        return MAX_OWN_SIGMAS * max(self.spread, MIN_SPREAD_PITCHES)


def drilling_of(layout: Layout, orbits: Orbits) -> Drilling:
    """Measure how exactly the board of these orbits is drilled."""
    if orbits.is_asymmetric:
        return Drilling(np.inf)
    nodes = [orbit for orbit, _ in layout.nodes()]
    turned = images(orbits.places[nodes], np.zeros(2), orbits.zones).transpose(1, 0, 2)
    off = (orbits.found[nodes] - turned)[orbits.copies[nodes] > SURE_CHANCE]
    off = off[np.isfinite(off).all(axis=1)]
    # Half of all values lie within 0.6745 sigmas.
    spread = float(np.median(np.abs(off))) / 0.6745 if len(off) else SEEN_SIGMA_PITCHES
    return Drilling(spread, float(np.median(orbits.copies[nodes])))


def _hole(orbits: Orbits, drilling: Drilling, node: Node, zone: int, hole: Hole) -> FoundHole:
    orbit, turn = node[0], (node[1] + zone) % orbits.zones
    mean = images(orbits.places[[orbit]], np.zeros(2), orbits.zones)[turn, 0]
    own, chance = orbits.found[orbit, turn], float(orbits.copies[orbit, turn])
    place = mean
    if np.isfinite(own).all() and (chance > MIN_CHANCE or orbits.is_asymmetric):
        off = own - mean
        if np.linalg.norm(off) < drilling.farthest:
            place = mean + drilling.own_share(chance) * off
    return FoundHole(hole, place, chance)


def centre_hole(chance: float, flat: Flat | None = None) -> FoundHole:
    """The hole in the middle: where a straightened picture shows it, or else where the board turns onto itself."""
    place = np.zeros(2)
    if flat is not None:
        seen, found = copies_in(flat, place[None], 1)
        if float(seen[0, 0]) > SURE_CHANCE and np.isfinite(found[0, 0]).all():
            place = found[0, 0]
    return FoundHole(Hole(HoleKind.CENTRE), place, chance)


def hole_width(flat: Flat, track: Floats) -> float:
    """Width of the holes in pitches: that of the ring that fits the track best."""
    dx, dy = (_around(picture, flat.to_px(track)) for picture in edges(flat.gray))
    middles = dx.shape[1] // 2 + dx.shape[1] * np.arange(len(track))
    fits = [
        float(np.median(roundness(dx, dy, radius * PITCH_PX)[middles, dx.shape[1] // 2]))
        for radius in WIDTHS_PITCHES
    ]
    return 2 * float(WIDTHS_PITCHES[int(np.argmax(fits))])


def _around(picture: Singles, places_px: Floats) -> Singles:
    """Squares around places of a picture, one below the other (shape: [n * side, side])."""
    reach = PITCH_PX
    at = places_px.round().astype(int)
    steps = np.arange(-reach, reach + 1)
    y = np.clip(at[:, 1, None, None] + steps[None, :, None], 0, picture.shape[0] - 1)
    x = np.clip(at[:, 0, None, None] + steps[None, None, :], 0, picture.shape[1] - 1)
    squares: Singles = picture[y, x].reshape(-1, 2 * reach + 1)
    return squares


def draft(
    name: str,
    holes: Sequence[FoundHole],
    width: float,
    colors: Mapping[Seat, str],
    size_mm: float | None,
    stickers: Sequence[Sticker] = (),
) -> BoardFile:
    """Write a board file; lengths of `holes` and `width` are in pitches, `size_mm` is the longer side of the board."""
    places = np.array([hole.place for hole in holes])
    low, high = _outline(places, stickers)
    track = np.array([hole.place for hole in holes if hole.kind is HoleKind.TRACK])
    pitch = float(np.median(np.linalg.norm(track - np.roll(track, 1, axis=0), axis=1)))
    scale = PITCH_MM / pitch if size_mm is None else size_mm / float((high - low).max())
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2)
    # Two holes never touch, though their rims may; still nearer ones are a mistake and do not count.
    closest = float(gaps[gaps > MIN_GAP_PITCHES].min())
    width_mm = round(min(width, MAX_WIDTH_SHARE * closest) * scale, 2)
    drilled = [DrilledHole(hole.id, *_mm(hole.place, low, scale), width_mm) for hole in holes]
    side_x, side_y = ((high - low) * scale).round(2).tolist()
    return BoardFile(
        name=name,
        zones=len(colors),
        zone_length=len(track) // len(colors),
        pawns_per_seat=sum(hole.kind is HoleKind.HOME for hole in holes) // len(colors),
        size_mm=(side_x, side_y),
        holes=tuple(drilled),
        markers=tuple(
            Marker(sticker.id, *_mm(np.array(sticker.place), low, scale), round(sticker.side * scale, 2))
            for sticker in stickers
        ),
        colors=MappingProxyType(dict(colors)),
    )


def board_pose(pose: CameraPose, holes: Mapping[Hole, tuple[float, float]], board: BoardFile) -> CameraPose:
    """A pose for the plane of holes in pitches as one for the board file made of them, in millimetres."""
    across = (Hole.track(0), Hole.track(board.shape.track_length // 2))
    first, second = (holes[hole] for hole in across)
    one, other = (board.hole(hole) for hole in across)
    scale_mm = float(
        np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)
        / np.hypot(first[0] - second[0], first[1] - second[1])
    )
    corner = np.array([first[0] - one.x_mm / scale_mm, first[1] - one.y_mm / scale_mm])
    return in_pitches(pose, 1 / scale_mm, corner)


def _outline(places: Floats, stickers: Sequence[Sticker]) -> tuple[Floats, Floats]:
    """Opposite corners of a board large enough for all its holes and markers."""
    low, high = places.min(axis=0) - MARGIN_PITCHES, places.max(axis=0) + MARGIN_PITCHES
    for sticker in stickers:
        reach = STICKER_SHARE * sticker.side
        low = np.minimum(low, np.array(sticker.place) - reach)
        high = np.maximum(high, np.array(sticker.place) + reach)
    return low, high


def _mm(place: Floats, low: Floats, scale: float) -> tuple[float, float]:
    x, y = ((place - low) * scale).round(2).tolist()
    return x, y
