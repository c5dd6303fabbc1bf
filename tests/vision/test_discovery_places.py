"""The places of holes: the lens, and how exactly a board is drilled. No pixels."""

from dataclasses import replace

import numpy as np
import pytest

from tock_companion.boardfile import generate
from tock_rules import Hole
from tock_vision.arrays import Floats
from tock_vision.camera_pose import CameraPose, unproject
from tock_vision.discovery.bundle_adjustment import adjust_bundle
from tock_vision.discovery.drafting import centre_hole, found_holes
from tock_vision.discovery.orbits import Orbits, copies_in, refit
from tock_vision.discovery.questions import are_places_doubtful, extra_camp_holes, has_faint_camp
from tock_vision.discovery.straightened import Flat
from tock_vision.discovery.structure import Layout
from tock_vision.discovery.symmetry import images
from tock_vision.holeness import PITCH_PX

ZONES = 4
LAYOUT = Layout(
    ZONES,
    tuple((orbit, 0) for orbit in range(18)),
    tuple((orbit, 0) for orbit in range(18, 22)),
    tuple((orbit, 0) for orbit in range(22, 26)),
    12.0,
)


def zone_of() -> Floats:
    """The holes of the first zone in pitches around the middle: track, home, camp (shape: [26, 2])."""
    board = generate(ZONES, 600)
    names = [f"T{n}" for n in range(18)] + [f"P0-{kind}{n}" for kind in "HC" for n in range(1, 5)]
    holes = np.array([[board.hole(name).x_mm, board.hole(name).y_mm] for name in names])
    zone: Floats = (holes - np.array(board.size_mm) / 2) / board.pitch_mm
    return zone


def orbits_of(found: Floats) -> Orbits:
    """Orbits whose images are seen at places, zone after zone (shape: [zones, n, 2])."""
    back = np.exp(-2j * np.pi * np.arange(ZONES) / ZONES)[:, None]
    middle = ((found[..., 0] + 1j * found[..., 1]) * back).mean(axis=0)
    count = len(middle)
    places = np.column_stack([middle.real, middle.imag])
    return Orbits(ZONES, places, np.ones(count), np.ones((count, ZONES)), found.transpose(1, 0, 2))


@pytest.mark.parametrize("off", [0.0, 0.15, 0.3, 0.4])
@pytest.mark.parametrize("sigma_px", [1.8, 5.0])
def test_a_hole_is_seen_where_it_lies_however_far_it_is_drilled_off(off: float, sigma_px: float) -> None:
    """Its summit counts: the slope towards where it should lie is no place of a hole."""
    side, expected, slip = 161, np.array([[2.5, 1.0]]), np.array([0.6, -0.8])
    lies = images(expected + off * slip, np.zeros(2), ZONES)[:, 0]
    y, x = np.mgrid[:side, :side]
    middle = (side - 1) / 2
    gaps = [np.hypot(x - middle - PITCH_PX * px, y - middle - PITCH_PX * py) for px, py in lies]
    answer = np.max([0.6 * np.exp(-0.5 * (gap / sigma_px) ** 2) for gap in gaps], axis=0).astype(np.float32)
    flat = Flat(answer, np.full(2, -middle / PITCH_PX), np.ones((side, side), bool), answer)
    chances, found = copies_in(flat, expected, ZONES)
    assert found[0] == pytest.approx(lies, abs=0.03)
    assert chances[0] == pytest.approx(0.6, abs=0.05)


@pytest.mark.parametrize("radial", [-0.15, 0.0])
def test_even_steps_tell_the_lens_of_a_photo_from_above(radial: float) -> None:
    whole = images(zone_of(), np.zeros(2), ZONES)
    true = CameraPose(np.array([0.1, -0.05, 0.4, 0.3, -0.2, 30.0, np.log(1200.0), radial]), (1280, 960))
    seen_px = true.project(whole.reshape(-1, 2))
    wrong = CameraPose(
        true.params + np.array([0, 0, 0, 0, 0, 0, 0.0, -0.1 if radial > -0.1 else 0.1]), (1280, 960)
    )
    orbits = orbits_of(unproject(wrong, seen_px).reshape(whole.shape))
    pose = refit(wrong, orbits, 26)
    orbits = orbits_of(unproject(pose, seen_px).reshape(whole.shape))

    def uneven(pose: CameraPose) -> float:
        track = unproject(pose, seen_px).reshape(whole.shape)[:, :18].reshape(-1, 2)
        steps = np.linalg.norm(np.roll(track, -1, axis=0) - track, axis=1)
        return float(steps.std() / steps.mean())

    fitted = adjust_bundle([pose], [by_hole(seen_px)], orbits, LAYOUT, [None])
    assert uneven(pose) > 0.01
    assert fitted is not None
    assert uneven(fitted[0][0]) < 0.4 * uneven(pose)


def by_hole(seen_px: Floats) -> Floats:
    """The places where holes are seen, all zones of each side by side (shape: [n * zones, 2] to [n, zones, 2])."""
    return seen_px.reshape(ZONES, -1, 2).transpose(1, 0, 2)


def test_two_photos_from_the_side_tell_where_camps_beyond_the_track_lie() -> None:
    rng = np.random.default_rng(5)
    zone = zone_of() * (1 + 0.01 * (np.linalg.norm(zone_of(), axis=1, keepdims=True) / 12) ** 2)
    whole = images(zone, np.zeros(2), ZONES)
    poses, seen = [], []
    for tilt, turn, radial in ((0.55, 0.4, -0.12), (-0.4, 1.3, -0.12)):
        true = CameraPose(np.array([tilt, 0.2, turn, 0.1, 0.2, 30.0, np.log(900.0), radial]), (1280, 960))
        at = true.project(whole.reshape(-1, 2)) + 0.3 * rng.normal(size=(whole.size // 2, 2))
        seen.append(by_hole(at))
        poses.append(CameraPose(true.params + np.array([0, 0, 0, 0, 0, 0, 0.05, 0.1]), (1280, 960)))
    found = unproject(poses[0], seen[0].reshape(-1, 2)).reshape(seen[0].shape).transpose(1, 0, 2)
    fitted = adjust_bundle(poses, seen, orbits_of(found), LAYOUT, [None, None])
    assert fitted is not None
    places = fitted[1].places
    assert np.abs(np.linalg.norm(places, axis=1) / np.linalg.norm(zone, axis=1) - 1).max() < 0.01


@pytest.mark.parametrize(("focal", "radial"), [(0.6, -0.12), (0.9, 0.0)])
def test_square_camps_beyond_a_round_track_tell_the_lens(focal: float, radial: float) -> None:
    """Any lens makes the steps of a round track even, and turning shows none of them."""
    angle = (np.arange(18) + 0.5) * np.pi / 36
    track = 36 / np.pi * np.exp(1j * angle)
    home = np.array([10.5, 9.5, 8.5, 7.5]) * np.exp(1j * angle[16])
    camp = 14.5 * np.exp(1j * angle[5]) * (1 + 0.06 * np.exp(0.5j * np.pi * np.arange(4)))
    whole = np.concatenate([track, home, camp])
    zone = np.column_stack([whole.real, whole.imag])
    true = CameraPose(np.array([0.1, 0.0, 0.4, 0.1, 0.2, 36.0, np.log(focal * 1280), radial]), (1280, 960))
    seen_px = true.project(images(zone, np.zeros(2), ZONES).reshape(-1, 2))
    other = CameraPose(true.params - np.array([0, 0, 0, 0, 0, 0, 0, radial + 0.06]), (1280, 960))
    orbits = orbits_of(unproject(other, seen_px).reshape(ZONES, -1, 2))
    pose = refit(other, orbits, 26)
    orbits = orbits_of(unproject(pose, seen_px).reshape(ZONES, -1, 2))
    fitted = adjust_bundle([pose], [by_hole(seen_px)], orbits, LAYOUT, [None])
    assert fitted is not None
    far = np.linalg.norm(fitted[1].places, axis=1)
    assert far[22:] / far[:18].mean() == pytest.approx(np.abs(camp) / np.abs(track).mean(), abs=0.006)


def test_straight_lines_tell_the_lens_where_the_holes_do_not() -> None:
    """A board drilled off, whose camps in rows say nothing about the lens."""
    rng = np.random.default_rng(3)
    whole = images(zone_of(), np.zeros(2), ZONES)
    whole = whole + 0.08 * rng.normal(size=whole.shape)
    true = CameraPose(np.array([0.1, -0.05, 0.4, 0.3, -0.2, 30.0, np.log(1200.0), -0.1]), (1280, 960))
    seen_px = true.project(whole.reshape(-1, 2))
    wrong = replace(true, params=true.params + np.array([0, 0, 0, 0, 0, 0, 0, 0.1]))
    orbits = orbits_of(unproject(wrong, seen_px).reshape(whole.shape))
    fitted = adjust_bundle([wrong], [by_hole(seen_px)], orbits, LAYOUT, [-0.1])
    assert fitted is not None
    assert fitted[0][0].params[7] == pytest.approx(-0.1, abs=0.01)


def test_the_middle_lies_where_it_is_seen() -> None:
    side = 97
    y, x = np.mgrid[:side, :side]
    spot = np.exp(-0.5 * (np.hypot(x - 48 - 0.3 * PITCH_PX, y - 48) / 3.0) ** 2).astype(np.float32)
    gray, inside = np.zeros((side, side), np.float32), np.ones((side, side), bool)
    shown = Flat(gray, np.full(2, -48 / PITCH_PX), inside, 0.9 * spot)
    assert centre_hole(1.0, shown).place == pytest.approx([0.3, 0.0], abs=0.03)
    assert centre_hole(1.0, replace(shown, answer=0.3 * spot)).place == pytest.approx([0.0, 0.0])
    assert centre_hole(0.0).place == pytest.approx([0.0, 0.0])


def test_one_wrong_spot_moves_no_hole() -> None:
    whole = images(zone_of(), np.zeros(2), ZONES)
    true = CameraPose(np.array([0.3, -0.1, 0.4, 0.3, -0.2, 30.0, np.log(1200.0), -0.03]), (1280, 960))
    seen = by_hole(true.project(whole.reshape(-1, 2)))
    seen[20, 1] += 9.0
    orbits = orbits_of(unproject(true, seen.reshape(-1, 2)).reshape(seen.shape).transpose(1, 0, 2))
    fitted = adjust_bundle([true], [seen], orbits, LAYOUT, [None])
    assert fitted is not None
    assert np.linalg.norm(fitted[1].places - zone_of(), axis=1).max() < 0.05


@pytest.mark.parametrize(("drilled", "most"), [(0.0, 0.03), (0.1, 0.06)])
def test_holes_follow_what_is_seen_of_each_as_far_as_they_are_drilled_off(
    drilled: float, most: float
) -> None:
    rng = np.random.default_rng(3)
    true = images(zone_of(), np.zeros(2), ZONES)
    true = true + drilled * rng.normal(size=true.shape)
    orbits = orbits_of(true + 0.02 * rng.normal(size=true.shape))
    at = {hole.id: hole.place for hole in found_holes(LAYOUT, orbits)}
    placed = np.array([[at[Hole.track(18 * zone + n)] for n in range(18)] for zone in range(ZONES)])
    off = np.linalg.norm(placed - true[:, :18], axis=2)
    assert np.quantile(off, 0.95) < most


def test_a_faint_image_moves_its_hole_less_than_a_clear_one() -> None:
    """Where a pawn stands the summit is that of the pawn, and fainter than a bare hole."""
    rng = np.random.default_rng(4)
    seen = images(zone_of(), np.zeros(2), ZONES) + 0.09 * rng.normal(size=(ZONES, 26, 2))
    orbits = orbits_of(seen)
    copies = orbits.copies.copy()
    copies[4, 2] = 0.6
    spun = orbits.places[4] @ np.array([[-1.0, 0.0], [0.0, -1.0]])
    clear, faint = (
        next(hole.place for hole in found_holes(LAYOUT, some) if hole.id == Hole.track(40))
        for some in (orbits, replace(orbits, copies=copies))
    )
    shifts = [np.linalg.norm(place - spun) for place in (clear, faint)]
    assert 0.2 * shifts[0] < shifts[1] < 0.7 * shifts[0]


def around(radius: float, camp: float) -> Floats:
    """A round track of this radius with a row of homes inside, and a camp that reaches so far from the middle."""
    track = radius * np.exp(2j * np.pi * np.arange(18) / (18 * ZONES))
    home, row = radius - np.arange(1, 5), camp - np.arange(4)
    zone = np.concatenate([track, home * np.exp(0.05j), row * np.exp(0.6j)])
    return np.column_stack([zone.real, zone.imag])


@pytest.mark.parametrize(("camp", "is_open"), [(17.0, True), (10.0, False)])
def test_a_round_track_does_not_tell_how_the_lens_moves_what_lies_beyond_it(
    camp: float, *, is_open: bool
) -> None:
    whole = images(around(11.5, camp), np.zeros(2), ZONES)
    assert are_places_doubtful(orbits_of(whole), LAYOUT) is is_open


@pytest.mark.parametrize(("orbit", "doubtful"), [(5, True), (20, True), (24, False)])
def test_a_hole_of_track_or_homes_that_no_zone_shows_well_is_asked_about(
    orbit: int, *, doubtful: bool
) -> None:
    orbits = orbits_of(images(zone_of(), np.zeros(2), ZONES))
    assert not are_places_doubtful(orbits, LAYOUT)
    orbits.strengths[orbit] = 0.6
    assert are_places_doubtful(orbits, LAYOUT) is doubtful


def test_an_uneven_step_and_bad_drilling_are_asked_about() -> None:
    rng = np.random.default_rng(4)
    whole = images(zone_of(), np.zeros(2), ZONES)
    assert not are_places_doubtful(orbits_of(whole), LAYOUT)
    moved = zone_of()
    moved[3] += 0.35 * (moved[4] - moved[3])
    assert are_places_doubtful(orbits_of(images(moved, np.zeros(2), ZONES)), LAYOUT)
    assert are_places_doubtful(orbits_of(whole + 0.1 * rng.normal(size=whole.shape)), LAYOUT)


def test_a_camp_that_is_hardly_seen_is_asked_about() -> None:
    orbits = orbits_of(images(zone_of(), np.zeros(2), ZONES))
    faint = orbits.strengths.copy()
    faint[24] = 0.6
    assert not has_faint_camp(orbits, LAYOUT)
    assert has_faint_camp(replace(orbits, strengths=faint), LAYOUT)


def test_a_fifth_hole_in_each_camp_is_reported() -> None:
    four = zone_of()
    assert extra_camp_holes(orbits_of(images(four, np.zeros(2), ZONES)), LAYOUT) == 0
    five = np.vstack([four, four[22:26].mean(axis=0)])
    assert extra_camp_holes(orbits_of(images(five, np.zeros(2), ZONES)), LAYOUT) == 1
