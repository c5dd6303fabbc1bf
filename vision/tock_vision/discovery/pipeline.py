"""Discovers a board: photographs in, a board file and its doubts out.

Constants set in `4c76c3e3`; MAX_SIDE_PX in `88d4c84f`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from tock_companion.boardfile import COLOR_NAMES, BoardFile
from tock_rules import (
    MAX_ZONE_LENGTH,
    MIN_ZONE_LENGTH,
    HoleKind,
    Ruleset,
    Seat,
    load_preset,
    preset_names,
)
from tock_vision.arrays import Floats, Frame
from tock_vision.discovery import scores
from tock_vision.discovery.asymmetric_layout import is_grid
from tock_vision.discovery.centre import Centre, centre_of, combined_odds, is_likely
from tock_vision.discovery.centre_network import odds_of_hole
from tock_vision.discovery.drafting import (
    FoundHole,
    board_pose,
    centre_hole,
    draft,
    found_holes,
    hole_width,
)
from tock_vision.discovery.grid_check import has_holes_beside
from tock_vision.discovery.joining import Joined, agree, join
from tock_vision.discovery.other_subject import (
    PASSES_ASKED,
    grid_or_nothing,
    instead_of,
    other_game,
    runs_across,
    seen_instead,
)
from tock_vision.discovery.pawns import read_pawns
from tock_vision.discovery.photo import Sighting, layout_of
from tock_vision.discovery.refusals import NoBoard, cut_off, has_other_board, no_board, other_ring, same_photo
from tock_vision.discovery.searching import PhotoSearch, Searched, is_believed, is_sure
from tock_vision.discovery.seat_colors import colors_around, name_colors
from tock_vision.discovery.second_search import search_all
from tock_vision.discovery.stickers import Sticker, find_stickers, turn_of, turned_sticker
from tock_vision.discovery.straight_lines import radial_term
from tock_vision.discovery.straightened import turned
from tock_vision.discovery.touch_hints import Starts
from tock_vision.discovery.track import TOCK, ZONES, Form

WEAK_CHANCE = 0.3
MAX_SIDE_PX = 1600
BETTER_LENGTH_LEAD = 0.3
"""By how much a ring longer or shorter by a hole must score more."""
UNSURE = ("discover/no_board", "discover/doubtful")
PHOTOS_SHARE = 0.9
"""Share of the time that passes before the photographs are joined."""


@dataclass(frozen=True)
class Found:
    """A board that was discovered."""

    board: BoardFile
    holes: tuple[FoundHole, ...]
    joined: Joined
    width: float
    """Width of the holes, in pitches."""
    middle: Centre
    unplaced: Floats
    """Other places that look like holes, in pitches, the likeliest first (shape: [n, 2])."""
    sure_colors: bool
    unused: tuple[int, ...] = ()
    """Indices of the photographs that show nothing of it."""
    stickers: tuple[Sticker, ...] = ()

    @property
    def confidence(self) -> float:
        """0 to 1, from how well the holes were seen and how far behind the next best layout is."""
        layout = self.joined.sighting.layout
        seen = float(
            np.clip((layout.score - scores.EMPTY_CONFIDENCE) / (scores.FULL - scores.EMPTY_CONFIDENCE), 0, 1)
        )
        return round(seen * float(np.clip(0.5 + layout.margin, 0, 1)), 3)


def ignore_progress(share: float) -> None:
    """Do nothing with the progress of a search."""
    del share


def discover(
    frames: Sequence[Frame],
    name: str,
    *,
    zones: int | None = None,
    size_mm: float | None = None,
    starts: Starts | None = None,
    has_middle: bool | None = None,
    game: str | None = None,
    progress: Callable[[float], None] = ignore_progress,
) -> Found | NoBoard:
    """Find the board that all photographs show; `progress` is called with 0 to 1 and may raise to end the search.

    `has_middle` is whether there is a hole in the middle, where a person says it. Only the board of `game` is sought
    where one is named; otherwise a Tock board, and where another ring is seen the board that it belongs to.
    """
    rules = None if game is None else load_preset(game)
    form = TOCK if rules is None else form_of(rules)
    counts = ZONES if rules is None else tuple(count for count in ZONES if count in rules.zones)
    counts = counts if zones is None else (zones,)
    found = _discover(frames, name, counts, size_mm, starts, has_middle, progress, form)
    if rules is not None or starts is not None or isinstance(found, Found):
        return found
    ring = ring_seen(found)
    if ring is None or ring[0] not in counts:
        return found

    def as_board(length: int) -> Found | NoBoard:
        other = form_on(ring[0], length)
        return _discover(frames, name, ring[:1], size_mm, None, has_middle, progress, other)

    again = as_board(ring[1])
    if isinstance(again, Found) and (length := better_length(again)) != ring[1]:
        again = as_board(length)
    return again if isinstance(again, Found) else found


def form_of(rules: Ruleset) -> Form:
    """The zones of a game's board."""
    return Form(rules.zone_length, rules.pawns_per_seat, rules.entrance_back)


def ring_seen(refused: NoBoard) -> tuple[int, int] | None:
    """Zones of the ring that was seen and the holes of each; None where no board has such a ring."""
    zones, length = 0, 0
    if refused.ring is not None and refused.zones is not None:
        zones, length = refused.zones, refused.ring // refused.zones
    elif refused.likely is not None:
        zones, length = refused.likely.zones, refused.likely.likely_length
    is_known = MIN_ZONE_LENGTH <= length <= MAX_ZONE_LENGTH and length != TOCK.length
    return (zones, length) if is_known else None


def form_on(zones: int, length: int) -> Form:
    """The zones of a board with such a ring, as the first game on it has them."""
    return next(iter(map(form_of, games_on(zones, length, TOCK.pawns))), Form(length))


def better_length(found: Found) -> int:
    """The length of the ring that gives the best layout: a corner that is cut makes it shorter by a hole."""
    sighting = found.joined.sighting
    own = sighting.layout.form.length
    others = [length for length in (own - 1, own + 1) if length != TOCK.length]
    others = [length for length in others if MIN_ZONE_LENGTH <= length <= MAX_ZONE_LENGTH]
    layouts = {length: layout_of(sighting.orbits, None, Form(length)) for length in others}
    seen = {length: layout.score for length, layout in layouts.items() if layout is not None}
    best = max(seen, key=lambda length: seen[length], default=own)
    return best if seen.get(best, 0.0) > sighting.layout.score + BETTER_LENGTH_LEAD else own


def games_on(zones: int, length: int, pawns: int) -> list[Ruleset]:
    """The games that are played on such a board."""
    return [rules for rules in map(load_preset, preset_names()) if rules.fits(zones, length, pawns)]


def _discover(
    frames: Sequence[Frame],
    name: str,
    counts: Sequence[int],
    size_mm: float | None,
    starts: Starts | None,
    has_middle: bool | None,
    progress: Callable[[float], None],
    form: Form,
) -> Found | NoBoard:
    """Find a board whose zones have that form."""
    factors = [min(1.0, MAX_SIDE_PX / max(frame.shape)) for frame in frames]
    frames = [_shrunk(frame, factor) for frame, factor in zip(frames, factors, strict=True)]
    if starts is not None:
        starts = starts.scaled(factors[0])
    grays = [cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY) for frame in frames]
    twice = same_photo(grays)
    if twice is not None:
        return twice
    radials = [radial_term(frame) for frame in frames]
    searched = search_all(
        frames, grays, radials, counts, starts, lambda share: progress(PHOTOS_SHARE * share), form
    )
    progress(PHOTOS_SHARE)
    refused = _refusal(searched, counts, touched=starts is not None)
    if refused is not None:
        return _with_likely_ring(refused, searched)
    pictures = [search.shades for search in searched.searches]
    joined = join(frames, pictures, searched.sightings, searched.aligned, radials)
    other = _other_game(searched, joined, touched=starts is not None)
    if other is not None:
        return _with_likely_ring(other, searched)
    found = _described(frames, joined, name, size_mm, starts, has_middle)
    return replace(found, joined=_enlarged(found.joined, factors))


def _other_game(searched: Searched, joined: Joined, *, touched: bool) -> NoBoard | None:
    """Refuse holes that are those of another game, or too doubtful."""
    sighting, search = joined.sighting, searched.searches[joined.used[0]]
    spots = sighting.flat.spots_clear()
    # Who touches the starts says that it is a Tock board.
    if not touched and (is_grid(spots) or has_holes_beside(sighting)):
        return no_board("other_game")
    least = scores.TOUCHED if touched else scores.BELIEVED
    if sighting.layout.score < least and not sighting.orbits.is_asymmetric:
        is_doubtful = sighting.layout.score > scores.TOUCHED
        other = other_game(search, is_doubtful=is_doubtful and not touched)
        if other is None and is_grid(spots, is_doubtful=True):
            return no_board("other_game")
        if other is not None or is_doubtful:
            return other or no_board("doubtful")
        # A layout too poor to be shown for mending is that of nothing in particular.
        return no_board("no_board") if touched else grid_or_nothing(search.bands.in_gray)
    if touched:
        return None
    if sighting.layout.form == TOCK:
        return instead_of(sighting, search)
    ring = _ring_but(sighting.layout.form, search)
    return no_board("doubtful") if ring is None and runs_across(sighting, search) else ring


def _with_likely_ring(refused: NoBoard, searched: Searched) -> NoBoard:
    """The same refusal with the ring in the most even spots, where they leave just homes and camps beside it."""
    if refused.ring is not None or refused.reason not in UNSURE:
        return refused
    evens = [(search, search.most_even) for search in searched.searches if search.most_even is not None]
    rings = [search.ring_of(even) for search, even in evens if not is_grid(even.spots)]
    likely = (ring for ring in rings if ring is not None and ring.is_likely)
    return replace(refused, likely=next(likely, None))


def _ring_but(form: Form, search: PhotoSearch) -> NoBoard | None:
    """Refuse a ring that is surely of another length than that of the game that was named."""
    rings = [search.ring_of(pass_) for pass_ in search.passes_made[:PASSES_ASKED]]
    sure = next((ring for ring in rings if ring is not None and ring.is_sure), None)
    return None if sure is None or sure.length == form.length else other_ring(sure)


def _shrunk(frame: Frame, factor: float) -> Frame:
    """A smaller copy of a large photograph, which shows holes as well and is searched faster."""
    if factor == 1.0:
        return frame
    size = (round(frame.shape[1] * factor), round(frame.shape[0] * factor))
    return cv2.resize(frame, size, interpolation=cv2.INTER_AREA)


def _enlarged(joined: Joined, factors: Sequence[float]) -> Joined:
    """The same poses for the photographs in their original size."""
    poses = [pose.scaled(1 / factors[number]) for pose, number in zip(joined.poses, joined.used, strict=True)]
    return replace(joined, poses=tuple(poses))


def _refusal(searched: Searched, counts: Sequence[int], *, touched: bool) -> NoBoard | None:
    seen = [(number, one) for number, one in enumerate(searched.sightings) if one is not None]
    if touched and searched.sightings[0] is None and 0 not in searched.aligned:
        return no_board("touches")
    if not seen:
        # A ring that one of the photographs shows for sure is that of the board.
        telling = (number for number, one in enumerate(searched.searches) if one.other_ring is not None)
        number = next(telling, 0)
        return seen_instead(searched.searches[number], number + 1)
    clear = [(number, one) for number, one in seen if is_believed(one)]
    parts = [cut_off(one, number + 1) for number, one in clear]
    if parts and all(part is not None for part in parts):
        return parts[0]
    for number, one in clear:
        if has_other_board(searched.searches[number].bands.in_gray, one, counts):
            return no_board("two_boards", picture=number + 1)
    return _other_board(
        [(number, one) for number, one in seen if number not in searched.aligned and is_sure(one)]
    )


def _other_board(sure: Sequence[tuple[int, Sighting]]) -> NoBoard | None:
    """Refuse a photograph that certainly shows another board than the others."""
    for number, one in sure:
        others = [other for place, other in sure if place != number]
        if others and not any(agree(one, other) for other in others):
            return no_board("other_board", picture=number + 1)
    return None


def _described(
    frames: Sequence[Frame],
    joined: Joined,
    name: str,
    size_mm: float | None,
    starts: Starts | None,
    has_middle: bool | None,
) -> Found:
    sighting = joined.sighting
    holes = found_holes(sighting.layout, sighting.orbits)
    if starts is not None and 0 in joined.used:
        holes = _renumbered(holes, joined, starts)
    track = np.array([hole.place for hole in holes if hole.kind is HoleKind.TRACK])
    width = hole_width(sighting.flat, track)
    views = zip(joined.used, joined.poses, strict=True)
    odds = combined_odds([odds_of_hole(frames[number], pose, track) for number, pose in views])
    middle = centre_of(odds)
    # A thing on an unseen middle may look like a hole beside it.
    shown = sighting.flat if middle is Centre.HOLE else None
    if has_middle is not None:
        middle = Centre.HOLE if has_middle else Centre.BARE
    if middle is Centre.HOLE or (middle is Centre.UNKNOWN and is_likely(holes, odds)):
        holes = [*holes, centre_hole(1.0 if middle is Centre.HOLE else 0.0, shown)]
    colors, sure = _colors(frames, joined, holes, width)
    found = Found(
        draft(name, holes, width, colors, size_mm),
        tuple(holes), joined, width, middle, sighting.unplaced(), sure,
        tuple(number for number in range(len(frames)) if number not in joined.used),
    )  # fmt: skip
    grays = [cv2.cvtColor(frames[number], cv2.COLOR_BGR2GRAY) for number in joined.used]
    stickers = find_stickers(
        list(zip(grays, joined.poses, strict=True)), np.array([hole.place for hole in holes])
    )
    return _upright(found, stickers, size_mm) if stickers else found


def _upright(found: Found, stickers: Sequence[Sticker], size_mm: float | None) -> Found:
    """The same board turned so that its markers stand upright."""
    angle = -turn_of(stickers)
    spin = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    holes = tuple(replace(hole, place=hole.place @ spin) for hole in found.holes)
    stickers = tuple(turned_sticker(sticker, angle) for sticker in stickers)
    poses = tuple(turned(pose, angle) for pose in found.joined.poses)
    return replace(
        found,
        board=draft(found.board.name, holes, found.width, found.board.colors, size_mm, stickers),
        holes=holes,
        joined=replace(found.joined, poses=poses),
        unplaced=found.unplaced @ spin,
        stickers=stickers,
    )


def _renumbered(holes: Sequence[FoundHole], joined: Joined, starts: Starts) -> list[FoundHole]:
    """Name the holes again so that T0 is the hole touched as T0."""
    sighting = joined.sighting
    pose = joined.poses[joined.used.index(0)]
    touched = starts.start(pose)
    first = next(hole for hole in holes if hole.id == "T0")
    turn = np.angle(touched / complex(*first.place)) / (2 * np.pi) * sighting.zones
    layout = sighting.layout.turned(round(turn) % sighting.zones)
    return found_holes(layout, sighting.orbits)


def _colors(
    frames: Sequence[Frame], joined: Joined, holes: Sequence[FoundHole], width: float
) -> tuple[dict[Seat, str], bool]:
    seats = [Seat(zone) for zone in range(joined.sighting.zones)]
    own = {seat: np.array([hole.place for hole in holes if hole.seat is seat]) for seat in seats}
    plain = np.array([hole.place for hole in holes if hole.seat is None])
    views = [(frames[number], pose) for number, pose in zip(joined.used, joined.poses, strict=True)]
    colors_seen = [
        np.concatenate([colors_around(frame, pose, own[seat]) for frame, pose in views]) for seat in seats
    ]
    board = draft("", holes, width, dict(zip(seats, COLOR_NAMES, strict=False)), None)
    places = {hole.id: (float(hole.place[0]), float(hole.place[1])) for hole in holes}
    pawns = read_pawns([(frame, board_pose(pose, places, board)) for frame, pose in views], board)
    beside = np.concatenate([colors_around(frame, pose, plain) for frame, pose in views])
    names, sure = name_colors(colors_seen, beside, pawns)
    return dict(zip(seats, names, strict=True)), sure
