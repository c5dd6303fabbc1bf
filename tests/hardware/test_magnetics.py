"""Magnets over sensors: the field against an independent library, the windows against known traps."""

import numpy as np
import pytest

from tock_companion.boardfile import BoardFile, generate
from tock_companion.errors import BadInputError
from tock_hardware.catalog import MAGNETS, SENSORS, Magnet
from tock_hardware.magnetics.field import TOY_LIMIT, axial_mt, flux_index
from tock_hardware.magnetics.window import measured_sensor, windows
from tock_hardware.project import Project

REED = SENSORS["reed-15-20"]


@pytest.mark.parametrize("magnet", MAGNETS.values(), ids=MAGNETS.keys())
def test_the_field_is_that_of_an_independent_library(magnet: Magnet) -> None:
    magpylib = pytest.importorskip("magpylib")
    chance = np.random.default_rng(2026)
    beside, below = chance.uniform(0, 60, 200), chance.uniform(0.3, 20, 200)
    size = (magnet.diameter_mm / 1000, magnet.length_mm / 1000)
    cylinder = magpylib.magnet.Cylinder(polarization=(0, 0, 1.2), dimension=size)
    places = np.stack([beside, np.zeros(200), below + magnet.length_mm / 2], axis=1) / 1000
    theirs = cylinder.getB(places)[:, 2] * 1000
    assert axial_mt(magnet, 1.2, beside, below) == pytest.approx(theirs, rel=1e-8, abs=1e-10)


def test_every_shipped_board_works_at_its_depth_with_room_on_both_sides(
    project: Project, board: BoardFile
) -> None:
    window = windows(board, [(project.magnet, project.sensor)])[0][0]
    assert window.shallowest_mm + 1 <= project.depth_mm <= window.deepest_mm - 1


def test_the_shipped_magnet_is_under_the_limit_for_toys_and_strong_ones_are_over(project: Project) -> None:
    assert flux_index(project.magnet) < TOY_LIMIT
    found = {name: round(flux_index(magnet)) for name, magnet in MAGNETS.items()}
    assert found == {
        "ferrite-5x5": 45,
        "neo-2x8": 48,
        "neo-3x2": 95,
        "neo-3x3": 118,
        "neo-5x2": 212,
        "neo-5x3": 312,
        "neo-6x3": 407,
    }


def test_stronger_magnets_need_more_room_between_holes() -> None:
    pitches = [float(pitch) for pitch in range(12, 20)]
    pairs = [(MAGNETS[name], REED) for name in ("neo-2x8", "ferrite-5x5", "neo-5x2", "neo-5x3", "neo-6x3")]
    least = [
        next(pitch for pitch, window in zip(pitches, row, strict=True) if window)
        for row in windows(generate(4, 400), pairs, pitches)
    ]
    assert least == sorted(least)
    assert least == [13, 14, 15, 17, 19]


def test_the_most_sensitive_sensors_are_not_the_best() -> None:
    board = generate(4, 320)
    magnet = MAGNETS["neo-5x2"]
    sensors = [REED, SENSORS["reed-10-15"], SENSORS["hall-drv5032aj"], SENSORS["hall-drv5032fa"]]
    found = [bool(row[0]) for row in windows(board, [(magnet, sensor) for sensor in sensors])]
    assert found == [True, False, True, False]


def test_a_reading_on_the_coupon_gives_the_own_window(project: Project) -> None:
    like_the_table = measured_sensor(project, closes_mm=4.5, opens_mm=6.7)
    window = windows(project.boards[0], [(project.magnet, like_the_table)])[0][0]
    assert window.holds(project.depth_mm)
    dull = measured_sensor(project, closes_mm=0.5, opens_mm=2.0)
    assert dull.close_mt > like_the_table.close_mt
    with pytest.raises(BadInputError, match="opens farther away"):
        measured_sensor(project, closes_mm=6, opens_mm=4)
