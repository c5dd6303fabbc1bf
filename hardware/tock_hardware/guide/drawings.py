"""Drawings of the guide: the whole wiring at a glance, and a cut through a hole."""

from collections.abc import Iterator

from tock_companion.language import DEFAULT
from tock_hardware.drawing.shapes import Anchor, Drawing, Pen, Polyline, Shape, Text, line, rectangle
from tock_hardware.project import Project

INK = Pen("GUIDE", "#333333", 0.35)
THIN = Pen("GUIDE", "#333333", 0.2)
BLUE = Pen("GUIDE", "#1f4fb4", 0.9)
RED = Pen("GUIDE", "#c4211f", 0.9)
DASHED = Pen("GUIDE", "#777777", 0.3, dash_mm=1.5)
BOARD = Pen("GUIDE", "#333333", 0.35, "#e9eef8")
WOOD = Pen("GUIDE", "#7a5c34", 0.3, "#ead9bd")
FLOOR = Pen("GUIDE", "#7a5c34", 0.3, "#c9b48c")
PAWN = Pen("GUIDE", "#333333", 0.3, "#f2c0bd")
MAGNET = Pen("GUIDE", "#333333", 0.3, "#666666")
GLASS = Pen("GUIDE", "#1f4fb4", 0.3, "#dcebf7")
HOLDER = Pen("GUIDE", "#333333", 0.3, "#dddddd")
WHITE = Pen("GUIDE", "#ffffff", 0.1, "#ffffff")


def overview() -> Drawing:
    """Draw Raspberry Pi, Arduino, sector boards, supplies and panel, and what connects them."""
    shapes: list[Shape] = [Text(8, 11, "Vue d'ensemble / overview", 6, bold=True)]
    shapes += _box(8, 30, 46, 26, "Raspberry Pi", "caméra, page, pupitre / camera, page, panel")
    shapes += _box(86, 30, 46, 26, "Arduino Nano", "carte mère / main board")
    for place in range(3):
        names = ("secteur 0 / sector", "secteur 1 / sector", "dernier / last")
        shapes += _box(164 + 48 * place, 30, 36, 26, names[place], "26 ILS / reeds")
    shapes += _box(86, 82, 46, 20, "5 V 2 A", "seulement pour les lumières / only for the lights")
    shapes += _box(8, 82, 46, 20, "Pupitre / panel", "GPIO, 3,3 V")
    shapes += [line(54, 43, 86, 43, BLUE), Text(70, 41, "USB", 3.2, anchor=Anchor.MIDDLE)]
    shapes += [line(132, 43, 164, 43, BLUE), Text(148, 41, "nappe / ribbon", 3, anchor=Anchor.MIDDLE)]
    shapes += [Text(148, 47.5, "16", 3, anchor=Anchor.MIDDLE)]
    shapes += [line(200, 43, 212, 43, BLUE), line(248, 43, 260, 43, BLUE)]
    shapes += [line(296, 43, 302, 43, BLUE), rectangle(302, 38, 8, 10, BOARD)]
    shapes += [
        Text(306, 36, "fiche de fin", 2.8, anchor=Anchor.MIDDLE),
        Text(306, 52, "end plug 7-9", 2.8, anchor=Anchor.MIDDLE),
    ]
    shapes += [line(31, 56, 31, 82, BLUE), Text(33, 70, "40 broches / pins", 3)]
    shapes += [line(98, 82, 98, 56, RED), line(120, 56, 120, 74, RED), line(120, 74, 278, 74, RED)]
    shapes += [line(x, 74, x, 56, RED) for x in (182, 230, 278)]
    shapes += [Text(124, 79, "lumières: de J3 à J3, deux fils / lights: from J3 to J3, two wires", 3)]
    shapes += [Text(96, 70, "J2", 3, anchor=Anchor.END)]
    shapes += [Text(8, 112, "Bleu: signaux. Rouge: courant des lumières, seulement si vous en montez. / "
                    "Blue: signals. Red: current of the lights, only if you fit them.", 3.2)]  # fmt: skip
    return Drawing("Vue d'ensemble / overview", 320, 118, tuple(shapes))


def _box(x: float, y: float, width: float, height: float, name: str, below: str) -> Iterator[Shape]:
    yield rectangle(x, y, width, height, BOARD)
    yield Text(x + width / 2, y + height / 2, name, 3.6, anchor=Anchor.MIDDLE, bold=True)
    for place, part in enumerate(below.split(" / ")):
        yield Text(x + width / 2, y + height / 2 + 4 + 3.4 * place, part, 2.6, anchor=Anchor.MIDDLE)


SCALE = 4.0


def section(project: Project) -> Drawing:
    """Draw a section through a hole with pawn, magnet, floor and reed, at four times its size."""
    middle, top = 90.0, 22.0
    plate, floor = project.plate.thickness_mm, project.plate.floor_mm
    shapes: list[Shape] = [Text(8, 10, "Coupe d'un trou / cut through a hole (4:1)", 5, bold=True)]
    deck = top + SCALE * 12

    def block(half_mm: float, from_mm: float, to_mm: float, pen: Pen, offset_mm: float = 0.0) -> Polyline:
        """Make a rectangle around the hole's axis, by its depth below the board's upper face."""
        x = middle + SCALE * (offset_mm - half_mm)
        return rectangle(x, deck + SCALE * from_mm, SCALE * 2 * half_mm, SCALE * (to_mm - from_mm), pen)

    shapes += [block(20, 0, plate, WOOD), block(project.plate.hole_mm / 2, 0, plate, WHITE)]
    shapes += [block(20, plate, plate + floor, FLOOR)]
    shapes += [block(project.pawn.head_mm / 2, -10, 0, PAWN), block(project.pawn.stem_mm / 2, 0, plate, PAWN)]
    low = plate - project.pawn.skin_mm
    shapes.append(block(project.magnet.diameter_mm / 2, low - project.magnet.length_mm, low, MAGNET))
    under = plate + floor
    shapes += [block(6, under, under + 1.2, HOLDER), block(2.6, under + 1.2, under + 14, HOLDER)]
    start = under + project.gap_mm
    shapes.append(block(1.2, start + 1, start + 11, GLASS))
    sense = start + project.sensor.middle_mm
    y = deck + SCALE * sense
    shapes.append(line(middle - 60, y, middle + 6, y, DASHED))
    face = deck + SCALE * low
    shapes.append(line(middle - 60, face, middle, face, DASHED))
    arrow = middle - 56
    shapes += [
        line(arrow, face, arrow, y, INK),
        Text(arrow + 2, (face + y) / 2 + 4, f"{project.depth_mm:.1f} mm", 4, bold=True),
    ]
    shapes += _labels(project, middle, deck)
    return Drawing("Coupe d'un trou / cut through a hole", 300, deck + SCALE * (under + 18), tuple(shapes))


def _labels(project: Project, middle: float, deck: float) -> Iterator[Shape]:
    """Write the names of the parts of the section beside it, each with a line to its part."""
    low, under = (
        project.plate.thickness_mm - project.pawn.skin_mm,
        project.plate.thickness_mm + project.plate.floor_mm,
    )
    sense = under + project.gap_mm + project.sensor.middle_mm
    labels = (
        (0, -6, "pion / pawn"),
        (
            60,
            project.plate.thickness_mm / 2,
            f"plateau {project.plate.thickness_mm:g} mm / board, trou / hole {project.plate.hole_mm:g} mm",
        ),
        (
            5,
            low - project.magnet.length_mm / 2,
            f"{project.magnet.label[DEFAULT]} / magnet, {project.pawn.skin_mm:g} mm de peau / skin",
        ),
        (
            50,
            project.plate.thickness_mm + project.plate.floor_mm / 2,
            f"fond / floor {project.plate.floor_mm:g} mm",
        ),
        (4, sense + 2, "ILS debout dans son support / upright reed in its holder"),
    )
    at = 190.0
    for place, (right, depth, text) in enumerate(labels):
        label = 34 + 22 * place
        yield line(middle + right, deck + SCALE * depth, at - 2, label - 1, THIN)
        yield Text(at, label, text, 3.4)
