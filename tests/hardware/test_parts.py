"""Printed parts: closed surfaces of the right size, read back with an independent library."""

import io
from dataclasses import replace
from math import pi
from typing import Any

import pytest

from tock_hardware.parts.solids import COUPON_FLOORS_MM, solids
from tock_hardware.parts.stl import to_stl
from tock_hardware.project import Project

NAMES = ("pawn", "reed-holder", "coupon", "camera-bracket", "panel-box", "panel-lid")


@pytest.fixture(scope="module")
def meshes(project: Project) -> dict[str, Any]:
    trimesh = pytest.importorskip("trimesh")
    return {
        solid.name: trimesh.load_mesh(io.BytesIO(to_stl(solid.body)), file_type="stl")
        for solid in solids(project)
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_part_is_one_closed_solid_that_stands_on_the_bed(meshes: dict[str, Any], name: str) -> None:
    mesh = meshes[name]
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    assert mesh.volume > 0
    assert mesh.bounds[0][2] == pytest.approx(0, abs=1e-3)
    assert mesh.body_count == (2 if name == "pawn" else 1)
    assert all(side < 200 for side in mesh.extents)


def test_all_parts_are_there(meshes: dict[str, Any]) -> None:
    assert tuple(meshes) == NAMES


def test_the_pawn_fits_its_hole_and_encloses_its_magnet(project: Project, meshes: dict[str, Any]) -> None:
    outer, pocket = sorted(meshes["pawn"].split(only_watertight=True), key=lambda body: -abs(body.volume))
    assert outer.extents[2] == pytest.approx(project.pawn.height_mm, abs=0.1)
    assert outer.extents[0] == pytest.approx(project.pawn.head_mm, rel=0.01)
    stem = outer.section(plane_origin=(0, 0, project.plate.thickness_mm / 2), plane_normal=(0, 0, 1))
    assert stem is not None
    assert stem.extents[0] < project.plate.hole_mm - 0.3
    ideal = pi * project.pocket_mm**2 / 4 * (project.magnet.length_mm + 0.2)
    assert abs(pocket.volume) == pytest.approx(ideal, rel=0.01)
    assert pocket.bounds[0][2] == pytest.approx(project.pawn.skin_mm, abs=1e-3)
    assert (project.pawn.stem_mm - pocket.extents[0]) / 2 >= 0.8


def test_the_coupon_has_every_floor(project: Project, meshes: dict[str, Any]) -> None:
    mesh = meshes["coupon"]
    heights = {round(float(z), 2) for z in mesh.vertices[:, 2]}
    assert set(COUPON_FLOORS_MM) <= heights


def test_another_magnet_changes_the_pawn(project: Project) -> None:
    longer = replace(project, magnet=replace(project.magnet, length_mm=8.0))
    first, second = (next(iter(solids(way))).body.volume() for way in (project, longer))
    assert second < first
