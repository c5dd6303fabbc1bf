"""`tock board discover`: photographs in, a board file and one answer out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

import cv2
import numpy as np

from tock_companion.boardfile import COLOR_NAMES, BoardFile, to_text
from tock_companion.boardfile.model import ZONES
from tock_companion.errors import BadInputError
from tock_companion.files import replace_file
from tock_companion.rules import HoleKind, Seat
from tock_vision.arrays import Floats, Frame, Gray
from tock_vision.camera_pose import CameraPose
from tock_vision.discovery.centre import Centre, is_likely, look_at_centre
from tock_vision.discovery.doubts import are_places_doubtful, has_faint_camp
from tock_vision.discovery.drafting import (
    FoundHole,
    board_pose,
    centre_hole,
    draft,
    found_holes,
    hole_width,
)
from tock_vision.discovery.drawing import draw_board
from tock_vision.discovery.flat import turned
from tock_vision.discovery.joining import Joined, agree, join
from tock_vision.discovery.paint import look, name_colors
from tock_vision.discovery.pawns import look_at_pawns
from tock_vision.discovery.photo import Sighting, spots_of
from tock_vision.discovery.refusals import (
    NoBoard,
    cut_off,
    has_other_board,
    no_board,
    other_game,
    same_photo,
    seen_instead,
)
from tock_vision.discovery.searching import BELIEVED_SCORE, Searched, is_believed, is_sure, search_photos
from tock_vision.discovery.stickers import Sticker, find_stickers, turn_of, turned_sticker
from tock_vision.discovery.touched import Starts, parse_starts
from tock_vision.discovery.winding import LIKELY_SHARE, is_close_grid, is_grid
from tock_vision.discovery.words import sentence
from tock_vision.images import load_scaled
from tock_vision.overlay import write_picture

WEAK_CHANCE = 0.3
MOST_UNSEEN = 0.4
"""Of the holes of camps; where more are not seen, others may be the camps."""
SURE_MARGIN, SURE_CAMP_MARGIN = 0.6, 0.5
FULL_SCORE = 12.0
POOR_SCORE = 10.2
"""A layout that scores less may have holes elsewhere; most that are right score 12."""
LEAST_TOUCHED_SCORE = 7.5
"""Who touched all starts has a board: a layout as poor as this is shown to be mended, and its holes are asked about."""
MOST_PHOTOS = 6
LARGEST_SIDE_PX = 1600
PHOTOS_SHARE = 0.9
"""Of the time, that which goes by before the photographs are joined."""


@dataclass(frozen=True)
class Found:
    """A board that was discovered."""

    board: BoardFile
    holes: tuple[FoundHole, ...]
    joined: Joined
    width: float
    """Of the holes, in pitches."""
    middle: Centre
    spare: Floats
    """Other places that look like holes, in pitches, the likeliest first (shape: [n, 2])."""
    sure_colors: bool
    unused: tuple[int, ...] = ()
    """Numbers, from 0, of the photographs that show nothing of it."""
    stickers: tuple[Sticker, ...] = ()

    @property
    def confidence(self) -> float:
        """From 0 to 1: how well the holes were seen, and how far behind the next best reading is."""
        layout = self.joined.sighting.layout
        seen = float(np.clip((layout.score - 6) / (FULL_SCORE - 6), 0, 1))
        return round(seen * float(np.clip(0.5 + layout.margin, 0, 1)), 3)


def discover_board(
    images: Sequence[Path],
    out: Path,
    *,
    zones: int | None = None,
    size_mm: float | None = None,
    touches: Mapping[str, tuple[float, float]] | None = None,
    overlay: Path | None = None,
    force: bool = False,
) -> dict[str, object]:
    """Make a board file from photographs of one board; nothing is written where none is found."""
    started = perf_counter()
    if out.exists() and not force:
        raise BadInputError(f"{out} exists; name another file, or give --force to replace it")
    if len(images) > MOST_PHOTOS:
        raise BadInputError(f"{len(images)} photos are too many; one to three show a board")
    starts = parse_starts(touches, zones) if touches else None
    loaded = [load_scaled(image, upright=True) for image in images]
    frames, factor = [frame for frame, _ in loaded], loaded[0][1]
    if starts is not None:
        starts = starts.scaled(factor)
    found = discover(frames, out.stem, zones=zones, size_mm=size_mm, starts=starts)
    if isinstance(found, NoBoard):
        return {"found": False, "reason": found.reason, "message": found.message, "ms": _ms(started)}
    if overlay is not None:
        write_picture(overlay, draw_board(frames[0], found.joined, found.holes))
    replace_file(out, to_text(found.board), 0o644)
    return {
        "found": True,
        "zones": found.board.zones,
        "holes": len(found.board.holes),
        "confidence": found.confidence,
        "weak": _weak(found, factor),
        "asks": asks_of(found, touched=starts is not None),
        "ms": _ms(started),
    }


def unheard(share: float) -> None:
    """Tell nobody how far the search is."""
    del share


def discover(
    frames: Sequence[Frame],
    name: str,
    *,
    zones: int | None = None,
    size_mm: float | None = None,
    starts: Starts | None = None,
    progress: Callable[[float], None] = unheard,
) -> Found | NoBoard:
    """Find the board that all photographs show; what `progress` (called with 0 to 1) raises ends the search."""
    factors = [min(1.0, LARGEST_SIDE_PX / max(frame.shape)) for frame in frames]
    frames = [_shrunk(frame, factor) for frame, factor in zip(frames, factors, strict=True)]
    grays = [cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY) for frame in frames]
    if starts is not None:
        starts = starts.scaled(factors[0])
    twice = same_photo(grays)
    if twice is not None:
        return twice
    counts = ZONES if zones is None else (zones,)
    searched = search_photos(grays, counts, starts, lambda share: progress(PHOTOS_SHARE * share))
    progress(PHOTOS_SHARE)
    refused = _refusal(grays, searched, counts, touched=starts is not None)
    if refused is not None:
        return refused
    joined = join(frames, grays, searched.sightings, searched.laid)
    spots, is_doubtful = joined.sighting.flat.spots_clear(), joined.sighting.layout.margin < SURE_MARGIN
    if is_grid(spots) or (is_doubtful and is_close_grid(spots)):
        return no_board("grid")
    least = BELIEVED_SCORE if starts is None else LEAST_TOUCHED_SCORE
    if joined.sighting.layout.score < least and not joined.sighting.orbits.is_uneven:
        reason = "grid" if is_grid(spots, LIKELY_SHARE) else "doubtful"
        return other_game(spots_of(joined.sighting.orbits)) or no_board(reason)
    found = _described(frames, joined, name, size_mm, starts)
    return replace(found, joined=_enlarged(found.joined, factors))


def _shrunk(frame: Frame, factor: float) -> Frame:
    """A smaller copy of a large photograph: holes are seen as well, and sooner."""
    if factor == 1.0:
        return frame
    size = (round(frame.shape[1] * factor), round(frame.shape[0] * factor))
    return cv2.resize(frame, size, interpolation=cv2.INTER_AREA)


def _enlarged(joined: Joined, factors: Sequence[float]) -> Joined:
    """The same poses for the photographs as they came."""
    poses = [pose.scaled(1 / factors[number]) for pose, number in zip(joined.poses, joined.used, strict=True)]
    return replace(joined, poses=tuple(poses))


def _refusal(
    grays: Sequence[Gray],
    searched: Searched,
    counts: Sequence[int],
    *,
    touched: bool,
) -> NoBoard | None:
    seen = [(number, one) for number, one in enumerate(searched.sightings) if one is not None]
    if touched and searched.sightings[0] is None and 0 not in searched.laid:
        return no_board("touches")
    if not seen:
        return seen_instead(searched.searches[0], 1)
    clear = [(number, one) for number, one in seen if is_believed(one)]
    parts = [cut_off(one, number + 1) for number, one in clear]
    if parts and all(part is not None for part in parts):
        return parts[0]
    for number, one in clear:
        if has_other_board(grays[number], one, counts):
            return no_board("two_boards", picture=number + 1)
    return _other_board(
        [(number, one) for number, one in seen if number not in searched.laid and is_sure(one)]
    )


def _other_board(sure: Sequence[tuple[int, Sighting]]) -> NoBoard | None:
    """Refuse a photograph that shows another board than the others, where all are seen without doubt."""
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
) -> Found:
    sighting = joined.sighting
    holes = found_holes(sighting.layout, sighting.orbits)
    if starts is not None and 0 in joined.used:
        holes = _renumbered(holes, joined, starts)
    track = np.array([hole.place for hole in holes if hole.kind is HoleKind.TRACK])
    width = hole_width(sighting.flat, track)
    views = [
        (frames[number], pose, chance)
        for number, pose, chance in zip(joined.used, joined.poses, joined.centres, strict=True)
    ]
    middle = look_at_centre(views, np.array([hole.place for hole in holes]), track)
    if starts is not None and starts.has_middle:
        middle = Centre.HOLE
    if middle is Centre.HOLE or (middle is Centre.UNKNOWN and is_likely(holes, max(joined.centres))):
        holes = [*holes, centre_hole(max(joined.centres) if middle is Centre.HOLE else 0.0)]
    colors, sure = _colors(frames, joined, holes, width)
    found = Found(
        draft(name, holes, width, colors, size_mm),
        tuple(holes), joined, width, middle, sighting.spare(), sure,
        tuple(number for number in range(len(frames)) if number not in joined.used),
    )  # fmt: skip
    grays = [cv2.cvtColor(frames[number], cv2.COLOR_BGR2GRAY) for number in joined.used]
    stickers = find_stickers(
        list(zip(grays, joined.poses, strict=True)), np.array([hole.place for hole in holes])
    )
    return _upright(found, stickers, size_mm) if stickers else found


def _upright(found: Found, stickers: Sequence[Sticker], size_mm: float | None) -> Found:
    """The same board turned so that its markers stand as a board file has them."""
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
        spare=found.spare @ spin,
        stickers=stickers,
    )


def _renumbered(holes: Sequence[FoundHole], joined: Joined, starts: Starts) -> list[FoundHole]:
    """The layout turned so that T0 is the hole touched as T0."""
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
    looks = [np.concatenate([look(frame, pose, own[seat]) for frame, pose in views]) for seat in seats]
    board = draft("", holes, width, dict(zip(seats, COLOR_NAMES, strict=False)), None)
    places = {hole.id: (float(hole.place[0]), float(hole.place[1])) for hole in holes}
    pawns = look_at_pawns([(frame, board_pose(pose, places, board)) for frame, pose in views], board)
    beside = np.concatenate([look(frame, pose, plain) for frame, pose in views])
    names, sure = name_colors(looks, beside, pawns)
    return dict(zip(seats, names, strict=True)), sure


def _weak(found: Found, factor: float) -> list[dict[str, object]]:
    """Holes that were hardly seen, with their places in the first photograph, of which a frame is `factor` as large."""
    first = _first_pose(found.joined).scaled(1 / factor)
    weak = [hole for hole in found.holes if hole.chance < WEAK_CHANCE]
    if not weak:
        return []
    places = first.project(np.array([hole.place for hole in weak])).round(1).tolist()
    return [
        {"hole": hole.id, "x": x, "y": y, "why": "unseen"} for hole, (x, y) in zip(weak, places, strict=True)
    ]


def _first_pose(joined: Joined) -> CameraPose:
    return joined.poses[joined.used.index(0) if 0 in joined.used else 0]


def asks_of(found: Found, *, touched: bool) -> list[dict[str, object]]:
    """What only a person can say, and which photographs were of no use, as `code` and `message`."""
    sighting = found.joined.sighting
    is_doubtful = sighting.layout.margin < SURE_MARGIN
    codes = ["ask_start"] if is_doubtful and not touched else []
    is_poor = sighting.layout.score < POOR_SCORE and not sighting.orbits.is_uneven
    if (is_doubtful and touched) or is_poor or are_places_doubtful(sighting.orbits, sighting.layout):
        codes.append("ask_holes")
    unseen = [hole.chance < WEAK_CHANCE for hole in found.holes if hole.kind is HoleKind.CAMP]
    is_close = sighting.layout.camp_margin < SURE_CAMP_MARGIN
    if is_close or has_faint_camp(sighting.orbits, sighting.layout) or np.mean(unseen) > MOST_UNSEEN:
        codes.append("ask_camp")
    if found.middle is Centre.UNKNOWN:
        codes.append("ask_centre")
    if not found.sure_colors:
        codes.append("ask_colors")
    messages = [(code, sentence(code)) for code in codes]
    messages += [("unused", sentence("unused", picture=number + 1)) for number in found.unused]
    return [{"code": f"discover/{code}", "message": message} for code, message in messages]


def _ms(started: float) -> int:
    return round(1000 * (perf_counter() - started))
