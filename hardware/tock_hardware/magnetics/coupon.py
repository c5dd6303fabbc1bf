"""What a reading on the calibration coupon says about the sensor actually bought."""

from dataclasses import replace

from tock_companion.errors import BadInputError
from tock_hardware.catalog import Sensor
from tock_hardware.magnetics.field import axial_mt
from tock_hardware.project import Project

SPREAD = 0.15
"""Reeds of one bag differ by about so much from the one that was tried (half the width of a band of 15-20 AT)."""


def measured_sensor(project: Project, closes_mm: float, opens_mm: float) -> Sensor:
    """Correct a sensor's data by the coupon's reading.

    `closes_mm` is the thickest floor through which it closes when the pawn comes nearer, `opens_mm` the thinnest at
    which it opens when the pawn is lifted. Raises BadInputError when the two cannot be.
    """
    if not 0 < closes_mm <= opens_mm <= 40:
        raise BadInputError(
            f"it closes at {closes_mm:g} mm and opens at {opens_mm:g} mm: a sensor opens farther away than it closes"
        )
    weak, strong = project.magnet.remanence_t
    above = project.skin_mm + project.gap_mm + project.sensor.middle_mm
    middle = (weak + strong) / 2
    close_mt = float(axial_mt(project.magnet, middle, 0.0, closes_mm + above)[0])
    open_mt = float(axial_mt(project.magnet, middle, 0.0, opens_mm + above)[0])
    return replace(
        project.sensor,
        name=f"{project.sensor.name} (mesuré / measured)",
        close_mt=close_mt * (1 + SPREAD),
        open_mt=open_mt * (1 - SPREAD),
    )
