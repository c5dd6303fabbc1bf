"""The shapes of the printed parts, in millimetres, standing on the print bed as they are printed."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, pi, sin

from manifold3d import CrossSection, Manifold

from tock_hardware.project import Project

SEGMENTS = 40
COUPON_FLOORS_MM = tuple(float(floor) for floor in range(1, 13))
REED_MM = 2.4
"""Bore for a reed of 2 mm."""
MAST_MM = 20.0
CAMERA_HOLES_MM = (21.0, 12.5)
"""Between the screws of a Raspberry Pi camera board (all versions since 2)."""
BOX_MM = (150.0, 70.0, 36.0)
WALL_MM = 2.4
BUTTON_MM = 16.2
LIGHT_MM = 5.2
BUTTONS_X_MM = (-48.0, 0.0, 48.0)


@dataclass(frozen=True)
class Solid:
    """A part to print."""

    name: str
    body: Manifold


def solids(project: Project) -> Iterator[Solid]:
    """Yield every part of a project."""
    yield Solid("pawn", pawn(project))
    yield Solid("reed-holder", reed_holder(project))
    yield Solid("coupon", coupon(project))
    yield Solid("camera-bracket", camera_bracket())
    yield Solid("panel-box", panel_box())
    yield Solid("panel-lid", panel_lid())


def pawn(project: Project) -> Manifold:
    """Model a pawn standing on its stem, with a closed pocket for the magnet just above the stem's end."""
    stem, head, height = project.pawn.stem_mm / 2, project.pawn.head_mm / 2, project.pawn.height_mm
    seat = project.plate.thickness_mm
    body = _cylinder(stem, seat + 0.5)
    body += _cylinder(head, 2.0).translate((0, 0, seat))
    waist = 0.55 * head
    ball = 0.62 * head
    neck = height - 2 * ball - seat - 2.0
    body += Manifold.cylinder(neck + ball * 0.6, head, waist, SEGMENTS).translate((0, 0, seat + 2.0))
    body += Manifold.sphere(ball, SEGMENTS).translate((0, 0, height - ball))
    pocket = _cylinder(project.pocket_mm / 2, project.magnet.length_mm + 0.2).translate(
        (0, 0, project.pawn.skin_mm)
    )
    return body - pocket


def reed_holder(project: Project) -> Manifold:
    """Model a plate to glue under the floor, with a tube in which the reed stands."""
    tube = 12.0
    side = min(12.0, project.boards[0].pitch_mm - 4)
    body = _block(side, side, 1.2) + _cylinder(2.6, tube)
    body -= _cylinder(REED_MM / 2, tube + 2).translate((0, 0, -1))
    return body - _block(1.0, 4.0, tube + 2).translate((0, 2.4, -1))


def coupon(project: Project) -> Manifold:
    """Model a block of pits like the board's holes, each with a different floor; the sensor is held under it."""
    step, depth = project.plate.hole_mm + 6.0, 8.0
    columns = len(COUPON_FLOORS_MM) // 2
    width, length = columns * step + 4, 2 * step + 4
    height = COUPON_FLOORS_MM[-1] + depth
    body = _block(width, length, height).translate((width / 2, length / 2, 0))
    for place, floor in enumerate(COUPON_FLOORS_MM):
        x = 2 + step * (place % columns + 0.5)
        y = 2 + step * (place // columns + 0.5)
        body -= _cylinder(project.plate.hole_mm / 2, height).translate((x, y, floor))
    return body - _block(4, 4, height + 2).translate((0, 0, -1))


def camera_bracket() -> Manifold:
    """Model a mast clamp with an arm and a plate for the camera, lens down."""
    ring = _cylinder(MAST_MM / 2 + 5, 18)
    clamp = ring + _block(12, 16, 18).translate((-MAST_MM / 2 - 8, 0, 0))
    arm = _block(70, 12, 8).translate((MAST_MM / 2 + 36, 0, 0))
    plate = _block(32, 34, 4).translate((MAST_MM / 2 + 82, 0, 0))
    body = clamp + arm + plate
    body -= _cylinder(MAST_MM / 2 + 0.2, 40).translate((0, 0, -5))
    body -= _block(20, 2, 40).translate((-MAST_MM / 2 - 8, 0, -5))
    body -= _cylinder(2.2, 40).rotate((90, 0, 0)).translate((-MAST_MM / 2 - 10, 20, 9))
    center = MAST_MM / 2 + 82
    body -= _cylinder(6, 20).translate((center, 0, -5))
    for x in (-CAMERA_HOLES_MM[1] / 2, CAMERA_HOLES_MM[1] / 2):
        for y in (-CAMERA_HOLES_MM[0] / 2, CAMERA_HOLES_MM[0] / 2):
            body -= _cylinder(1.1, 20).translate((center + x, y, -5))
    return body


def panel_box() -> Manifold:
    """Model the panel's box, face down: three buttons, a light for every seat, slits for the buzzer."""
    width, length, height = BOX_MM
    body = _block(width, length, height)
    body -= _block(width - 2 * WALL_MM, length - 2 * WALL_MM, height).translate((0, 0, WALL_MM))
    for x, y in _corners():
        body += _block(8, 8, height).translate((x, y, 0))
        body -= _cylinder(1.2, 14).translate((x, y, height - 12))
    for x in BUTTONS_X_MM:
        body -= _cylinder(BUTTON_MM / 2, 10).translate((x, -10, -1))
    for seat in range(8):
        body -= _cylinder(LIGHT_MM / 2, 10).translate((16 * (seat - 3.5), 10, -1))
    for step in range(5):
        body -= _block(1.6, 10, 10).translate((3.2 * (step - 2), 22, -1))
    return body - _block(14, 10, 8).translate((0, length / 2, height - 10))


def panel_lid() -> Manifold:
    """Model the lid of the box."""
    width, length, _ = BOX_MM
    body = _block(width, length, WALL_MM)
    for x, y in _corners():
        body -= _cylinder(1.6, 10).translate((x, y, -1))
    return body


def _corners() -> Iterator[tuple[float, float]]:
    x, y = BOX_MM[0] / 2 - 5.5, BOX_MM[1] / 2 - 5.5
    yield from ((-x, -y), (x, -y), (x, y), (-x, y))


def _cylinder(radius_mm: float, height_mm: float) -> Manifold:
    # Corners of the polygon lie as far outside the circle as its sides lie inside, so bores do not come out tight.
    radius = radius_mm / (0.5 + 0.5 * cos(pi / SEGMENTS))
    points = [
        (radius * cos(2 * pi * step / SEGMENTS), radius * sin(2 * pi * step / SEGMENTS))
        for step in range(SEGMENTS)
    ]
    return Manifold.extrude(CrossSection([points]), height_mm)


def _block(x_mm: float, y_mm: float, z_mm: float) -> Manifold:
    return Manifold.cube((x_mm, y_mm, z_mm)).translate((-x_mm / 2, -y_mm / 2, 0))
