"""`tock board discover`: writes the file of the board it finds, and lists what only a person can answer.

Constants set in `62d5e4e2`; WEAK_CHANCE in `4c76c3e3`.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter

import cv2
import numpy as np

from tock_companion.boardfile import BoardFile, to_text
from tock_companion.errors import BadInputError
from tock_companion.files import replace_file
from tock_companion.language import Text, catalog, in_every_language
from tock_rules import Hole, HoleKind, preset_table
from tock_vision.arrays import Frame
from tock_vision.camera_pose import CameraPose
from tock_vision.discovery import scores
from tock_vision.discovery.centre import Centre
from tock_vision.discovery.drafting import FoundHole
from tock_vision.discovery.joining import Joined
from tock_vision.discovery.pipeline import WEAK_CHANCE, Found, discover, games_on
from tock_vision.discovery.questions import are_places_doubtful, extra_camp_holes, has_faint_camp
from tock_vision.discovery.refusals import NoBoard, sentence
from tock_vision.discovery.touch_hints import parse_starts, require_view
from tock_vision.discovery.track import TOCK
from tock_vision.images import load_scaled
from tock_vision.overlay import write_picture

MAX_UNSEEN_SHARE = 0.4
"""Share of camp holes that may be unseen before the player is asked whether these are the camps."""
MAX_PHOTOS = 6
COLORS = {
    HoleKind.TRACK: (255, 255, 255),
    HoleKind.HOME: (255, 120, 40),
    HoleKind.CAMP: (40, 60, 240),
    HoleKind.CENTRE: (255, 255, 255),
}
DOUBTFUL = (200, 0, 200)


def discover_board(
    images: Sequence[Path],
    out: Path,
    *,
    zones: int | None = None,
    size_mm: float | None = None,
    touches: Mapping[Hole, tuple[float, float]] | None = None,
    has_middle: bool | None = None,
    game: str | None = None,
    overlay: Path | None = None,
    force: bool = False,
) -> dict[str, object]:
    """Make a board file from photographs of one board; write nothing if none is found.

    `has_middle` is whether there is a hole in the middle, where a person says it; only the board of `game` is sought
    where one is named.
    """
    started = perf_counter()
    if out.exists() and not force:
        raise BadInputError(f"{out} exists; name another file, or give --force to replace it")
    if len(images) > MAX_PHOTOS:
        raise BadInputError(f"{len(images)} photos are too many; one to three show a board")
    starts = parse_starts(touches, zones) if touches else None
    if touches and Hole(HoleKind.CENTRE) in touches:
        # Who touches the starts alone has not said that there is no hole in the middle.
        if has_middle is False:
            raise BadInputError("C was touched: leave it out, or give --middle yes")
        has_middle = True
    loaded = [load_scaled(image, upright=True) for image in images]
    frames, factor = [frame for frame, _ in loaded], loaded[0][1]
    if starts is not None:
        starts = starts.scaled(factor)
        require_view(starts, (frames[0].shape[1], frames[0].shape[0]))
    found = discover(
        frames, out.stem, zones=zones, size_mm=size_mm, starts=starts, has_middle=has_middle, game=game
    )
    if isinstance(found, NoBoard):
        return found.to_json() | {"ms": _ms(started)}
    if overlay is not None:
        write_picture(overlay, draw_board(frames[0], found.joined, found.holes))
    replace_file(out, to_text(found.board), 0o644)
    return {
        "found": True,
        "zones": found.board.zones,
        "zone_length": found.board.zone_length,
        "holes": len(found.board.holes),
        "confidence": found.confidence,
        "weak": _weak(found, factor),
        "asks": asks_of(found, touched=starts is not None, game=game),
        "ms": _ms(started),
    }


def _weak(found: Found, factor: float) -> list[dict[str, object]]:
    """Holes hardly seen, with their places in the first photograph; `factor` is the size of a frame relative to it."""
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


def asks_of(found: Found, *, touched: bool, game: str | None = None) -> list[dict[str, object]]:
    """Questions that only a person can answer, and photographs of no use, as `code` and `message`."""
    sighting = found.joined.sighting
    is_doubtful = sighting.layout.margin < scores.CLEAR_MARGIN
    codes = ["ask_start"] if is_doubtful and not touched else []
    is_poor = sighting.layout.score < scores.GOOD and not sighting.orbits.is_asymmetric
    if (is_doubtful and touched) or is_poor or are_places_doubtful(sighting.orbits, sighting.layout):
        codes.append("ask_holes")
    unseen = [hole.chance < WEAK_CHANCE for hole in found.holes if hole.kind is HoleKind.CAMP]
    is_close = sighting.layout.camp_margin < scores.CAMP_MARGIN
    if is_close or has_faint_camp(sighting.orbits, sighting.layout) or np.mean(unseen) > MAX_UNSEEN_SHARE:
        codes.append("ask_camp")
    if found.middle is Centre.UNKNOWN:
        codes.append("ask_centre")
    if not found.sure_colors:
        codes.append("ask_colors")
    if extra_camp_holes(sighting.orbits, sighting.layout):
        codes.append("extra_camp")
    messages = [(code, sentence(code)) for code in codes]
    if game is None and sighting.layout.form != TOCK:
        messages.append(("ask_game", _offer(found.board)))
    messages += [("unused", sentence("unused", picture=number + 1)) for number in found.unused]
    return [{"code": f"discover/{code}", "message": message} for code, message in messages]


def _offer(board: BoardFile) -> Text:
    """`A board of Brändi Dog or Keezen: play that?`, or what kind of board it is where no game is known."""
    titles = [preset_table(rules.name).get("title", {}) for rules in games_on(*board.shape.size)]
    if not titles:
        return sentence("own_ring", zones=board.zones, zone=board.zone_length)
    names = in_every_language(
        lambda lang: catalog("board_photos")["or"][lang].join(str(one[lang]) for one in titles)
    )
    return in_every_language(lambda lang: catalog("board_photos")["ask_game"][lang].format(games=names[lang]))


def _ms(started: float) -> int:
    return round(1000 * (perf_counter() - started))


def draw_board(frame: Frame, joined: Joined, holes: Sequence[FoundHole]) -> Frame:
    """Draw rings (track and middle white, homes blue, camps red, doubtful ones purple) and the names of the starts."""
    picture = frame.copy()
    pose = joined.poses[joined.used.index(0) if 0 in joined.used else 0]
    points = np.array([hole.place for hole in holes])
    sizes = 0.36 * pose.scale(points)
    for hole, place, size in zip(holes, pose.project(points), sizes, strict=True):
        at = (round(float(place[0])), round(float(place[1])))
        color = DOUBTFUL if hole.chance < WEAK_CHANCE else COLORS[hole.kind]
        cv2.circle(picture, at, max(3, round(float(size))), (0, 0, 0), 3, cv2.LINE_AA)
        cv2.circle(picture, at, max(3, round(float(size))), color, 1, cv2.LINE_AA)
        if (
            hole.kind is HoleKind.TRACK and hole.id.number % len(joined.sighting.layout.track) == 0
        ) or hole.id.endswith(("C1", "H1")):
            beside = (at[0] + round(float(size)), at[1] - round(float(size)))
            for width, ink in ((3, (0, 0, 0)), (1, (0, 255, 255))):
                cv2.putText(picture, hole.id, beside, cv2.FONT_HERSHEY_SIMPLEX, 0.5, ink, width, cv2.LINE_AA)
    return picture
