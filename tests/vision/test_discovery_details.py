"""Details of a board beside its holes: a middle with or without one, under letters or cards, and markers."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import cast

import cv2
import numpy as np
import pytest

from tock_companion.boardfile import BoardFile, generate
from tock_rules import Hole, HoleKind
from tock_vision.arrays import Floats, Frame
from tock_vision.camera_pose import CameraPose
from tock_vision.discovery import candidates, photo, searching, second_search
from tock_vision.discovery.candidates import Band, Bands
from tock_vision.discovery.centre import SURE_ODDS, Centre, centre_of, combined_odds, is_likely
from tock_vision.discovery.centre_network import odds_of_hole
from tock_vision.discovery.color_channels import holes_in, other_greys
from tock_vision.discovery.drafting import FoundHole
from tock_vision.discovery.orbits import Orbits
from tock_vision.discovery.photo import Pass, Sighting
from tock_vision.discovery.rings import Ring
from tock_vision.discovery.searching import PhotoSearch, Searched
from tock_vision.discovery.stickers import find_stickers, turn_of, turned_sticker
from tock_vision.discovery.straightened import Flat, in_pitches, turned
from tock_vision.discovery.structure import Layout
from tock_vision.holeness import holeness
from tock_vision.rendering.appearance import Appearance, pose_of
from tock_vision.rendering.renderer import Renderer

WITH = generate(4, 460)
WITHOUT = replace(WITH, holes=tuple(hole for hole in WITH.holes if hole.kind is not HoleKind.CENTRE))
APPEARANCE = Appearance(size_px=(800, 600), turn_deg=5)


def pitches_of(board: BoardFile, *kinds: HoleKind) -> Floats:
    """Places of holes from the middle, in pitches."""
    places = [(hole.x_mm, hole.y_mm) for hole in board.holes if hole.kind in kinds]
    middle = np.array(board.size_mm) / 2
    return (np.array(places) - middle) / board.pitch_mm


def pose() -> CameraPose:
    """The camera above the plane in pitches whose origin is the middle."""
    return in_pitches(pose_of(WITH, APPEARANCE), WITH.pitch_mm, np.array(WITH.size_mm) / 2)


def seen(*frames: Frame) -> Centre:
    """The middle, from photographs together."""
    track = pitches_of(WITH, HoleKind.TRACK)
    return centre_of(combined_odds([odds_of_hole(frame, pose(), track) for frame in frames]))


def printed(frame: Frame, text: str) -> Frame:
    """Letters across the middle."""
    ((x, y),) = pose().project(np.zeros((1, 2))).round().astype(int)
    (wide, tall), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, 0.7, 2)
    out = frame.copy()
    cv2.putText(out, text, (x - wide // 2, y + tall // 2), cv2.FONT_HERSHEY_DUPLEX, 0.7, (30, 30, 34), 2)
    return out


def under_cards(frame: Frame) -> Frame:
    """A pile of cards on the middle."""
    corners = pose().project(np.array([[-1.2, -1.8], [1.3, -1.7], [1.2, 1.8], [-1.3, 1.7]])).round()
    out = frame.copy()
    cv2.fillPoly(out, [corners.astype(np.int32)], (232, 236, 238))
    return out


@pytest.fixture(scope="module")
def bare() -> Frame:
    """A board without a hole in the middle."""
    return Renderer(WITHOUT, APPEARANCE).frame([])


@pytest.fixture(scope="module")
def pierced() -> Frame:
    """The same board with one."""
    return Renderer(WITH, APPEARANCE).frame([])


def test_a_hole_in_the_middle_is_seen(pierced: Frame) -> None:
    assert seen(pierced) is Centre.HOLE


def test_plain_board_has_no_hole(bare: Frame) -> None:
    assert seen(bare) is Centre.BARE


@pytest.mark.parametrize("text", ["TOCK", "TOC"])
def test_letters_are_no_hole(bare: Frame, text: str) -> None:
    assert seen(printed(bare, text)) is Centre.BARE


def test_holes_under_cards_are_unknown(bare: Frame, pierced: Frame) -> None:
    assert seen(under_cards(bare)) is Centre.UNKNOWN
    assert seen(under_cards(pierced)) is Centre.UNKNOWN


def test_another_photograph_supplies_covered_holes(bare: Frame, pierced: Frame) -> None:
    assert seen(under_cards(bare), bare) is Centre.BARE
    assert seen(under_cards(pierced), pierced) is Centre.HOLE


def test_ground_of_another_color_is_asked_about(bare: Frame) -> None:
    """The plain back of a card hides a hole as well as its face."""
    corners = pose().project(np.array([[-1.2, -1.8], [1.3, -1.7], [1.2, 1.8], [-1.3, 1.7]])).round()
    backed = bare.copy()
    cv2.fillPoly(backed, [corners.astype(np.int32)], (70, 95, 40))
    assert seen(backed) is Centre.UNKNOWN


def test_no_photograph_alone_outweighs_two_others() -> None:
    assert centre_of(combined_odds([50.0, -3.0, -3.0])) is Centre.UNKNOWN
    assert centre_of(combined_odds([50.0, 2.0, -2.0])) is Centre.HOLE


@pytest.mark.parametrize(("nearest", "likely"), [(HoleKind.HOME, True), (HoleKind.TRACK, False)])
def test_a_covered_middle_is_likelier_a_hole_where_homes_lead_to_it(nearest: HoleKind, likely: bool) -> None:
    kinds = {HoleKind.HOME: 3.0, HoleKind.TRACK: 3.0} | {nearest: 1.0}
    ids = {HoleKind.HOME: Hole.parse("P0-H4"), HoleKind.TRACK: Hole.parse("T0")}
    holes = [FoundHole(ids[kind], np.array([far, 0.0]), 0.9) for kind, far in kinds.items()]
    assert is_likely(holes, 0.0) is likely
    assert is_likely(holes, SURE_ODDS)
    assert not is_likely(holes, -SURE_ODDS)


def test_markers_lie_where_somebody_stuck_them(bare: Frame, pierced: Frame) -> None:
    views = [(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), pose()) for frame in (bare, pierced)]
    found = find_stickers(views, pitches_of(WITH, HoleKind.TRACK))
    assert [sticker.id for sticker in found] == [marker.id for marker in WITH.markers]
    middle = np.array(WITH.size_mm) / 2
    for sticker, marker in zip(found, WITH.markers, strict=True):
        place = (np.array([marker.x_mm, marker.y_mm]) - middle) / WITH.pitch_mm
        assert sticker.place == pytest.approx(place, abs=0.05)
        assert sticker.side == pytest.approx(marker.size_mm / WITH.pitch_mm, rel=0.05)
    assert abs(turn_of(found)) < 0.02
    spun = find_stickers([(views[0][0], turned(pose(), 0.7))], pitches_of(WITH, HoleKind.TRACK))
    assert turn_of(spun) == pytest.approx(0.7, abs=0.02)
    assert turned_sticker(spun[1], -turn_of(spun)).place == pytest.approx(found[1].place, abs=0.1)


def test_a_lone_marker_is_not_believed(bare: Frame) -> None:
    gray = cv2.cvtColor(bare, cv2.COLOR_BGR2GRAY)
    corners = pose().project(pitches_of(WITH, HoleKind.CAMP))
    half = gray.copy()
    half[:, : int(np.median(corners[:, 0]))] = 128
    half[int(np.median(corners[:, 1])) :] = 128
    assert find_stickers([(half, pose())], pitches_of(WITH, HoleKind.TRACK)) == ()


def test_two_threads_may_look_for_holes_at_once() -> None:
    rng = np.random.default_rng(1)
    grays = [rng.uniform(0, 255, (160 + 16 * number, 208)).astype(np.float32) for number in range(8)]
    alone = [holeness(gray) for gray in grays]
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(holeness, grays * 4))
    for gray, other in zip(alone * 4, together, strict=True):
        np.testing.assert_array_equal(gray, other)


Paint = tuple[int, int, int]
BLUE: tuple[Paint, Paint] = (200, 20, 20), (41, 41, 41)
RED: tuple[Paint, Paint] = (60, 60, 230), (110, 110, 110)
WOOD: tuple[Paint, Paint] = (120, 170, 205), (30, 40, 50)
MIDDLES_PX = [(x, y) for x in range(32, 140, 16) for y in range(32, 140, 16)]


def painted(ground: Paint, hole: Paint) -> Frame:
    """Holes in paint, 16 pixels apart."""
    frame: Frame = np.full((160, 160, 3), ground, np.uint8)
    for middle in MIDDLES_PX:
        cv2.circle(frame, middle, 4, hole, -1, cv2.LINE_AA)
    grain = np.random.default_rng(1).normal(0, 2, frame.shape)
    return np.clip(cv2.GaussianBlur(frame, (0, 0), 0.8) + grain, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("colors", [BLUE, RED], ids=["blue", "red"])
def test_holes_in_paint_as_dark_as_they_are_show_by_its_brightest_or_darkest_color(
    colors: tuple[Paint, Paint],
) -> None:
    frame = painted(*colors)
    usual = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    shades = np.dstack([usual, *other_greys(frame)]).astype(np.float32)
    gray, all_shades = holeness(usual.astype(np.float32)), holes_in(shades)
    x, y = np.array(MIDDLES_PX).T
    assert np.median(all_shades[y, x]) > np.median(gray[y, x]) + 0.3
    np.testing.assert_array_equal(holes_in(shades[..., 0]), gray)


def searched_in_all_colors(frame: Frame) -> Searched:
    """The search in one photograph, in grey and where needed by its colours."""
    gray = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    return second_search.search_all([frame], [gray], [None], (4,), None, lambda _: None)


@pytest.mark.parametrize(("in_gray", "in_colors", "kept"), [(0.0, 11.0, 3), (9.0, 8.0, 2), (9.5, 12.0, 2)])
def test_a_photo_is_searched_by_its_colors_where_grey_shows_no_board_and_they_show_more(
    in_gray: float, in_colors: float, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    layout = Layout(4, (), (), (), 0.0)
    flat = Flat(*[np.zeros((1, 1), np.float32)] * 4)
    none = np.zeros((0, 2))
    orbits = Orbits(4, none, none, none, none)

    def search(pictures: Sequence[Bands], *_: object, **_others: object) -> Searched:
        score = in_gray if pictures[0].shades.ndim == 2 else in_colors
        seen = Sighting(pose(), flat, orbits, replace(layout, score=score))
        return Searched((PhotoSearch(pictures[0]),), (seen if score else None,), {})

    monkeypatch.setattr(second_search, "search_photos", search)
    monkeypatch.setattr(candidates, "PROBED_SPAN", 10.0)
    blue, wood = painted(*BLUE), painted(*WOOD)
    grey = cv2.cvtColor(cv2.cvtColor(blue, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    for frame, expected in ((blue, kept), (wood, 2), (grey, 2)):
        found = searched_in_all_colors(frame)
        assert found.searches[0].shades.ndim == expected


@pytest.mark.parametrize(("length", "times"), [(18, 2), (16, 1)])
def test_a_photo_that_shows_the_ring_of_tock_but_no_board_is_searched_by_its_colors_too(
    length: int, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []

    def search(pictures: Sequence[Bands], *_: object, **_others: object) -> Searched:
        made.append(PhotoSearch(pictures[0]))
        made[-1].most_even = cast(Pass, object())
        return Searched((made[-1],), (None,), {})

    monkeypatch.setattr(second_search, "search_photos", search)
    monkeypatch.setattr(searching, "find_ring", lambda _: Ring(4, length, 0.5, 0.1, 1.0))
    monkeypatch.setattr(candidates, "PROBED_SPAN", 10.0)
    searched_in_all_colors(painted(*WOOD))
    assert len(made) == times


class Counted(Bands):
    """The spots of a photograph, with the number of sizes looked at."""

    sizes = 0

    def __iter__(self) -> Iterator[Band]:
        for band in super().__iter__():
            self.sizes += 1
            yield band


def test_a_search_ends_early_where_nothing_looks_like_holes_or_lies_evenly() -> None:
    shade = np.tile(np.arange(60, 220, dtype=np.uint8), (160, 1))
    holes = cv2.cvtColor(painted(*WOOD), cv2.COLOR_BGR2GRAY)
    for picture, sizes in ((shade, 4), (holes, 6)):
        bands = Counted(picture)
        list(photo.passes(bands, (4,), None))
        assert bands.sizes == sizes
