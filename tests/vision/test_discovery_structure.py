"""The structure of a board, found from the places of its holes alone: no pixels."""

from dataclasses import replace

import numpy as np
import pytest

from tests.support.odd_boards import bent
from tock_companion.boardfile import BoardFile, generate
from tock_companion.errors import BadInputError
from tock_rules import Hole, HoleKind, Seat, load_preset, shape_for
from tock_vision.arrays import Floats
from tock_vision.camera_pose import CameraPose, unproject
from tock_vision.discovery.asymmetric_layout import find_asymmetric_layout
from tock_vision.discovery.hidden_holes import find_gaps
from tock_vision.discovery.homes_and_camps import find_clusters
from tock_vision.discovery.pipeline import form_of
from tock_vision.discovery.straightened import in_pitches
from tock_vision.discovery.structure import find_layout
from tock_vision.discovery.symmetry import find_centres, fit_turned, rated
from tock_vision.discovery.touch_hints import parse_starts
from tock_vision.discovery.track import Spots, Track, find_tracks, mirror_cost
from tock_vision.discovery.views import (
    EvenView,
    View,
    even_step,
    find_even_views,
    nearby_views,
    view_of,
)

ZONE = (
    *(f"T{number}" for number in range(18)),
    *(f"P0-H{number}" for number in range(1, 5)),
    *(f"P0-C{number}" for number in range(1, 5)),
)


def places_of(board: BoardFile, ids: tuple[str, ...]) -> Floats:
    """Places around the middle of the board, complex, in pitches."""
    middle = complex(*board.size_mm) / 2
    holes = [complex(board.hole(name).x_mm, board.hole(name).y_mm) for name in ids]
    places: Floats = (np.array(holes) - middle) / board.pitch_mm
    return places


def first_zone(places: Floats, zones: int) -> Floats:
    """The same places, each turned into the first zone."""
    turned: Floats = np.abs(places) * np.exp(1j * (np.angle(places) % (2 * np.pi / zones)))
    return turned


def spots_of_board(zones: int, off: float, others: int, seed: int) -> tuple[Spots, list[str]]:
    """Holes of one zone, drilled off by some pitches, among other spots; and the kind of each."""
    rng = np.random.default_rng(seed)
    holes = places_of(generate(zones, 600), ZONE)
    holes = holes + off * (rng.normal(size=26) + 1j * rng.normal(size=26))
    beside = _apart(rng, holes, zones, others)
    strengths = np.concatenate([np.clip(rng.normal(0.9, 0.1, 26), 0, 1), rng.uniform(0.1, 0.5, others)])
    order = rng.permutation(26 + others)
    places = first_zone(np.concatenate([holes, beside]), zones)
    names = [*ZONE, *["none"] * others]
    return Spots(zones, places[order], strengths[order]), [names[number] for number in order]


def _apart(rng: np.random.Generator, holes: Floats, zones: int, count: int) -> Floats:
    """Places that are no holes, as far from them as spots are from each other."""
    turns = np.exp(2j * np.pi * np.arange(zones) / zones)
    taken = list((holes[:, None] * turns).ravel())
    kept: list[complex] = []
    while len(kept) < count:
        place = rng.uniform(2, 12) * np.exp(2j * np.pi * rng.uniform())
        if np.abs(np.array(taken) - place).min() > 0.65:
            kept.append(place)
            taken += list(place * turns)
    return np.array(kept)


@pytest.mark.parametrize("zones", [4, 6, 8])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_track_homes_and_camps_are_named_although_drilled_badly(zones: int, seed: int) -> None:
    spots, names = spots_of_board(zones, 0.06, 14, seed)
    layout = find_layout(spots)
    assert layout is not None
    assert [names[orbit] for orbit, _ in layout.track] == list(ZONE[:18])
    assert [names[orbit] for orbit, _ in layout.home] == list(ZONE[18:22])
    assert {names[orbit] for orbit, _ in layout.camp} == set(ZONE[22:])


@pytest.mark.parametrize("game", ["keezen", "brandi-dog", "pegs-jokers", "toc"])
@pytest.mark.parametrize("zones", [4, 6])
def test_the_board_of_another_game_is_named_from_its_own_entrance(game: str, zones: int) -> None:
    rules = load_preset(game)
    board = generate(shape_for(rules, zones), 600)
    own = [
        hole for hole in board.holes if board.shape.zone_length > hole.index and hole.seat in (None, Seat.P0)
    ]
    own = [hole for hole in own if hole.kind is not HoleKind.TRACK or hole.index < rules.zone_length]
    places = np.array([complex(hole.x_mm - 300, hole.y_mm - 300) for hole in own]) / board.pitch_mm
    spots = Spots(zones, first_zone(places, zones), np.ones(len(own)))
    layout = find_layout(spots, form=form_of(rules))
    assert layout is not None
    names = [own[orbit].id for orbit, _ in (*layout.track, *layout.home)]
    assert names == [f"T{number}" for number in range(rules.zone_length)] + [
        f"P0-H{number}" for number in range(1, rules.pawns_per_seat + 1)
    ]
    assert {own[orbit].id for orbit, _ in layout.camp} == {*board.shape.camp_holes(Seat.P0)}


def test_the_track_is_found_although_all_homes_and_camps_are_seen_more_clearly() -> None:
    spots, names = spots_of_board(6, 0.02, 8, 4)
    dimmed = [
        0.8 if name.startswith("T") else strength
        for name, strength in zip(names, spots.strengths, strict=True)
    ]
    strengths = np.where([name.startswith("P0") for name in names], 1.0, dimmed)
    layout = find_layout(Spots(6, spots.places, strengths))
    assert layout is not None
    assert {names[orbit] for orbit, _ in layout.track} == set(ZONE[:18])


def test_homes_and_camps_lie_in_the_zone_of_their_start() -> None:
    spots, _ = spots_of_board(4, 0.0, 0, 1)
    layout = find_layout(spots)
    assert layout is not None
    found = np.array([spots.place(node) for node in (layout.track[0], *layout.home, *layout.camp)])
    ids = ("T0", *ZONE[18:])
    true = places_of(generate(4, 600), ids)
    turned = true * found[0] / true[0]
    assert np.abs(found[:5] - turned[:5]).max() < 0.01
    assert np.abs(found[5:, None] - turned[None, 5:]).min(axis=0).max() < 0.01


def test_the_ends_of_a_row_are_one_camp_among_many_other_holes() -> None:
    rng = np.random.default_rng(6)
    row = 9 + 2j + np.array([0, 1.1, 2.2, 3.3]) * np.exp(0.7j)
    others = 9 + 2j + rng.uniform(-1.6, 1.6, 60) + 1j * rng.uniform(-1.6, 1.6, 60)
    places = np.concatenate([row, others[np.abs(others[:, None] - row).min(axis=1) > 0.6]])
    clusters = find_clusters(Spots(8, places, np.ones(len(places))), 4)
    assert any({orbit for orbit, _ in group.nodes} == {0, 1, 2, 3} for group in clusters)
    assert len({frozenset(group.nodes) for group in clusters}) == len(clusters)


def test_a_start_that_is_known_must_be_one() -> None:
    spots, names = spots_of_board(4, 0.02, 0, 4)
    wrong = spots.place((names.index("T5"), 0))
    assert find_layout(spots, spots.place((names.index("T0"), 2))) is not None
    assert find_layout(spots, wrong) is None


def test_a_ring_of_sixteen_a_zone_is_no_track() -> None:
    angle = 2 * np.pi * (np.arange(16) + 0.5) / 64
    ring = Spots(4, 64 / (2 * np.pi) * np.exp(1j * angle), np.ones(16))
    assert find_tracks(ring) == []
    assert len(find_tracks(ring, 16)) == 1


def test_a_hole_that_nothing_shows_is_put_where_two_rows_meet() -> None:
    board = generate(4, 600)
    hidden = {f"T{number}" for number in (7, 25, 43, 61)}
    seen = places_of(board, tuple(hole.id for hole in board.holes if hole.id not in hidden))
    corner = first_zone(places_of(board, ("T7",)), 4)[0]
    assert np.abs(find_gaps(seen, 4) - corner).min() < 0.05


@pytest.mark.parametrize("zones", [4, 6, 8])
def test_a_track_is_its_own_mirror_image_unless_a_corner_of_it_is_cut(zones: int) -> None:
    places = places_of(generate(zones, 600), ZONE[:18])
    way = Track(tuple((number, 0) for number in range(18)), 10.0)
    assert mirror_cost(Spots(zones, places, np.ones(18)), way) < 0.01
    places[7] = (places[6] + places[8]) / 2
    places[9:11] += 0.4 * (places[11] - places[9])
    assert mirror_cost(Spots(zones, places, np.ones(18)), way) > 0.2


def test_a_board_of_which_no_two_zones_are_alike_is_named() -> None:
    board = bent(generate(6, 600))
    ids = [hole.id for hole in board.holes]
    order = np.random.default_rng(3).permutation(len(ids))
    asymmetric = find_asymmetric_layout(
        places_of(board, tuple(ids))[order], np.full(len(ids), 0.9), (4, 6, 8)
    )
    assert asymmetric is not None
    names = [[ids[order[spot]] for spot in zone] for zone in asymmetric.zones]
    track = [name for zone in names for name in zone[:18]]
    first = track.index("T0")
    assert [*track[first:], *track[:first]] == [f"T{number}" for number in range(108)]
    for zone in names:
        seat = f"P{int(zone[0][1:]) // 18}"
        assert zone[18:22] == [f"{seat}-H{number}" for number in range(1, 5)]
        assert set(zone[22:]) == {f"{seat}-C{number}" for number in range(1, 5)}


def test_spots_as_many_as_the_holes_of_a_board_are_none_in_a_grid() -> None:
    steps = np.arange(10.0)
    places = (steps[:, None] + 1j * np.arange(11.0)[None]).ravel()
    assert find_asymmetric_layout(places, np.full(len(places), 0.9), (4, 6, 8)) is None


def test_holes_without_a_track_make_no_layout() -> None:
    rng = np.random.default_rng(5)
    places = first_zone(rng.uniform(-9, 9, 40) + 1j * rng.uniform(-9, 9, 40), 4)
    layout = find_layout(Spots(4, places, np.full(40, 0.4)))
    assert layout is None or layout.score < 0


def camera() -> CameraPose:
    """A camera above the middle of a board in pitches, tilted by half a right angle's half."""
    return CameraPose(np.array([0.35, -0.15, 0.4, 0.3, -0.2, 30.0, np.log(1200.0), -0.04]), (1280, 960))


@pytest.fixture(scope="module")
def whole() -> Floats:
    """All holes of a board in pitches around its middle (shape: [n, 2])."""
    board = generate(4, 600)
    places = places_of(board, tuple(hole.id for hole in board.holes))
    return np.column_stack([places.real, places.imag])


def test_even_steps_tell_how_the_plane_lies(whole: Floats) -> None:
    rng = np.random.default_rng(6)
    seen_px = camera().project(whole) + rng.normal(0, 0.5, whole.shape)
    others = rng.uniform([100, 100], [1180, 860], (60, 2))
    even, *different = find_even_views(np.vstack([seen_px, others]), (1280, 960))
    assert all(np.abs(even.view.params - other.view.params)[:3].max() > 0.2 for other in different)
    points = even.view.to_plane(seen_px) / even.step
    flat, true = (rows[:, 0] + 1j * rows[:, 1] for rows in (points, whole))
    terms = np.column_stack([true, np.ones(len(true))])
    fitted = np.linalg.lstsq(terms, flat, rcond=None)[0]
    assert abs(abs(fitted[0]) - 1) < 0.05
    assert np.abs(terms @ fitted - flat).max() < 0.3


def test_a_view_keeps_the_lens_that_straight_lines_show(whole: Floats) -> None:
    bent = replace(camera(), params=camera().params + np.array([0, 0, 0, 0, 0, 0, 0, -0.1]))
    seen_px = bent.project(whole) + np.random.default_rng(6).normal(0, 0.5, whole.shape)
    even, *_ = find_even_views(seen_px, (1280, 960), -0.14)
    assert even.view.params[3] == pytest.approx(-0.14, abs=0.02)
    assert all(near.view.params[3] == -0.14 for near in nearby_views(even, seen_px, -0.14))


def test_centre_and_view_are_found_among_other_spots(whole: Floats) -> None:
    rng = np.random.default_rng(7)
    some = rng.permutation(len(whole))[:80]
    tilted = CameraPose(camera().params + np.array([0.01, -0.01, 0, 0, 0, 0, 0, 0.01]), camera().size_px)
    seen_px = camera().project(np.vstack([whole[some], rng.uniform(-12, 12, (60, 2))]))
    points = unproject(tilted, seen_px)
    found = []
    for zones in (4, 6, 8):
        for centre in find_centres(points, zones):
            turned = fit_turned(in_pitches(tilted, 1.0, centre.place), seen_px, zones)
            if turned is not None:
                found.append(turned)
    best = max(found, key=lambda one: one.score)
    assert best.zones == 4
    middle = unproject(best.pose, camera().project(np.zeros((1, 2))))
    assert np.abs(middle).max() < 0.1


def test_images_that_are_not_seen_leave_the_view_as_it_is(whole: Floats) -> None:
    """Of half a board most holes have one or two of their images: nothing else pulls at where these lie."""
    seen_px = camera().project(whole[whole.sum(axis=1) < 2.0])
    turned = fit_turned(camera(), seen_px, 4)
    assert turned is not None
    off = np.linalg.norm(unproject(turned.pose, camera().project(whole)) - whole, axis=1)
    assert off.max() < 0.05


def test_a_pose_that_has_lost_sight_of_the_plane_is_no_board(whole: Floats) -> None:
    lost = replace(camera(), params=np.full(8, np.nan))
    assert rated(lost, camera().project(whole), 4) is None


def test_a_view_that_looks_even_is_mended_by_those_near_it(whole: Floats) -> None:
    """Too much tilt and too long a lens leave steps even, and no spot maps onto another one."""
    steep = replace(camera(), params=camera().params + np.array([0.1, -0.05, 0, 0, 0, 10.0, 0, 0]))
    true, seen_px = view_of(steep), steep.project(whole)
    params = true.params * [1.5, 1.5, 1.0, 1.0] + np.array([0.0, 0.0, 0.5, 0.05])
    wrong = even_step(View(params, true.size_px), seen_px)

    def most(even: EvenView) -> float:
        centres = find_centres(even.view.to_plane(seen_px) / even.step, 4)
        poses = [in_pitches(even.view.pose(), even.step, centre.place * even.step) for centre in centres]
        turned = [fit_turned(pose, seen_px, 4) for pose in poses]
        return max(0.0 if one is None else one.score for one in turned)

    assert most(wrong) < 50
    assert max(most(near) for near in nearby_views(wrong, seen_px)) > 90


@pytest.mark.parametrize(
    ("touches", "zones"),
    [
        ({"T0": (1.0, 1.0)}, None),
        ({"T0": (1.0, 1.0), "T18": (2.0, 1.0), "T36": (2.0, 2.0), "T53": (1.0, 2.0)}, None),
        ({"T0": (1.0, 1.0), "T18": (2.0, 1.0), "T36": (2.0, 2.0), "T54": (1.0, 2.0)}, 6),
        ({"P0-H1": (1.0, 1.0)}, None),
        ({"C": (1.0, 1.0)}, None),
    ],
)
def test_touches_that_are_not_all_starts_are_refused(
    touches: dict[str, tuple[float, float]], zones: int | None
) -> None:
    with pytest.raises(BadInputError, match="touch"):
        parse_starts({Hole.parse(hole): at for hole, at in touches.items()}, zones)


def test_the_middle_can_be_touched_with_the_starts() -> None:
    places = [(1.0, 1.0), (2.0, 1.0), (2.0, 2.0), (1.0, 2.0)]
    starts = {Hole.track(18 * zone): place for zone, place in enumerate(places)}
    alone = parse_starts(starts, None)
    together = parse_starts(starts | {Hole(HoleKind.CENTRE): (1.5, 1.5)}, None)
    np.testing.assert_array_equal(together.places_px, alone.places_px)
