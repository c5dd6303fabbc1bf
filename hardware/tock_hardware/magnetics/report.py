"""The table of safe windows and its plot, for the boards of a project."""

from collections.abc import Iterator
from math import log10

from tock_hardware.catalog import MAGNETS, SENSORS, Magnet, Sensor
from tock_hardware.drawing import Anchor, Drawing, Pen, Polyline, Shape, Text, line, rectangle
from tock_hardware.magnetics.field import TOY_LIMIT, flux_index
from tock_hardware.magnetics.window import DEPTHS_MM, EARTH_MT, MARGIN, disturbance, windows
from tock_hardware.project import Project

PITCHES_MM = (12.5, 15.0, 17.5, 20.0, 23.4, 26.2)
PAIRS = (
    ("ferrite-5x5", "reed-15-20"),
    ("neo-2x8", "reed-15-20"),
    ("neo-3x2", "reed-15-20"),
    ("neo-3x3", "reed-15-20"),
    ("neo-5x2", "reed-15-20"),
    ("neo-5x2", "reed-10-15"),
    ("neo-5x3", "reed-15-20"),
    ("neo-6x3", "reed-15-20"),
    ("neo-5x2", "hall-drv5032aj"),
    ("neo-5x2", "hall-drv5032fa"),
)


NOTES = (
    "",
    f"Indice de flux en kG²mm²; en gras: au-dessus de la limite canadienne de {TOY_LIMIT:g} pour les jouets "
    "(calculé, non mesuré). Flux index in kG²mm²; bold: above the Canadian limit of "
    f"{TOY_LIMIT:g} for toys (calculated, not measured).",
    "",
    "Pire cas / worst case: pion et capteur décalés de 1 mm chacun / pawn and sensor 1 mm off each; "
    f"marge / margin {MARGIN:g}; champ terrestre / earth's field {EARTH_MT:g} mT; "
    "tous les pions aux pires places / all pawns in the worst holes.",
    "",
    "Un ILS couché et centré sous l'aimant ne voit **aucun** champ: mettez-le debout. "
    "A reed that lies flat and centred under the magnet sees **no** field at all: stand it up.",
    "",
)


def windows_page(project: Project) -> str:
    """Write `windows.md`: what suits the project's boards, and every pair by pitch."""
    return "\n".join([*_of_project(project), *_of_all_pairs(project), *NOTES])


def _of_project(project: Project) -> list[str]:
    """The depths at which the project's magnet and sensor work, for each of its boards."""
    here = [windows(board, [(project.magnet, project.sensor)])[0][0] for board in project.boards]
    return [
        "# Aimants et capteurs / magnets and sensors",
        "",
        "Profondeur = de la face inférieure de l'aimant au milieu du capteur. Depth = from the magnet's lower face "
        "to the middle of the sensor.",
        "",
        "![Champs et profondeurs / fields and depths](windows.svg)",
        "",
        f"Ce projet / this project: {project.magnet.name}, {project.sensor.name}, "
        f"profondeur / depth **{project.depth_mm:.1f} mm** = {project.skin_mm:g} + {project.floor_mm:g} + "
        f"{project.gap_mm:g} + {project.sensor.middle_mm:g}.",
        "",
        "| plateau / board | pas / pitch (mm) | profondeurs sûres / safe depths (mm) |",
        "|---|---|---|",
        *(
            f"| {board.name} | {board.pitch_mm:.1f} | {window.text} |"
            for board, window in zip(project.boards, here, strict=True)
        ),
    ]


def _of_all_pairs(project: Project) -> list[str]:
    """The depths for every pair of magnet and sensor, by pitch."""
    pairs = [(MAGNETS[magnet], SENSORS[sensor]) for magnet, sensor in PAIRS]
    table = windows(project.boards[0], pairs, PITCHES_MM)
    lines = [
        "",
        "## Toutes les paires, par pas du plateau de 4 zones / every pair, by pitch of the board of 4 zones",
        "",
        "| aimant / magnet | capteur / sensor | indice / flux index | "
        + " | ".join(f"{pitch:g} mm" for pitch in PITCHES_MM)
        + " |",
        "|---|---|---|" + "---|" * len(PITCHES_MM),
    ]
    for (magnet, sensor), row in zip(pairs, table, strict=True):
        cells = " | ".join(window.text for window in row)
        lines.append(f"| {magnet.name} | {sensor.name} | {_flux(magnet)} | {cells} |")
    return lines


def _flux(magnet: Magnet) -> str:
    index = flux_index(magnet)
    return f"{index:.0f}" if index < TOY_LIMIT else f"**{index:.0f}**"


WIDTH, HEIGHT = 180.0, 120.0
LEFT, TOP, RIGHT, BOTTOM = 22.0, 22.0, 172.0, 100.0
LOW_MT, HIGH_MT = 0.05, 50.0
AXIS = Pen("AXIS", "#333333", 0.25)
RASTER = Pen("AXIS", "#dddddd", 0.15)
OWN = Pen("CURVES", "#1f4fb4", 0.6)
CLOSE = Pen("CURVES", "#1f4fb4", 0.3, dash_mm=1.5)
OPEN = Pen("CURVES", "#c4211f", 0.3, dash_mm=1.5)
SAFE = Pen("SAFE", None, fill="#d9ecd5")
FOREIGN = ("#c4211f", "#e87a1c", "#6d3a94")


def windows_plot(project: Project) -> Drawing:
    """Plot the fields by depth: the pawn's own, all others together, and the sensor's thresholds."""
    magnet, sensor = project.magnet, project.sensor
    shapes: list[Shape] = []
    smallest = windows(project.boards[0], [(magnet, sensor)])[0][0]
    if smallest:
        left, right = _x(smallest.shallowest_mm), _x(smallest.deepest_mm)
        shapes.append(rectangle(left, TOP, right - left, BOTTOM - TOP, SAFE))
        shapes.append(Text(left + 1, TOP + 4, "sûr / safe", 3))
    shapes.extend(_axes())
    own, _, taken = disturbance(project.boards[0], magnet)
    shapes.append(_curve([float(value) for value in own - taken - EARTH_MT], OWN))
    for board, color in zip(project.boards, FOREIGN, strict=False):
        _, foreign, _ = disturbance(board, magnet)
        shapes.append(_curve([float(value) for value in foreign + EARTH_MT], Pen("CURVES", color, 0.5)))
    shapes.extend(_limits(sensor))
    shapes.append(line(_x(project.depth_mm), TOP, _x(project.depth_mm), BOTTOM, Pen("AXIS", "#1f8a3d", 0.5)))
    shapes.append(Text(_x(project.depth_mm) + 1, BOTTOM - 2, f"{project.depth_mm:.1f} mm", 3, bold=True))
    shapes.append(Text(LEFT, 7, f"{magnet.name} + {sensor.name}", 4.5, bold=True))
    shapes.extend(_legend(project))
    return Drawing("Aimants et capteurs / magnets and sensors", WIDTH, HEIGHT, tuple(shapes))


def _x(depth_mm: float) -> float:
    low, high = float(DEPTHS_MM[0]), float(DEPTHS_MM[-1])
    return round(LEFT + (depth_mm - low) / (high - low) * (RIGHT - LEFT), 3)


def _y(field_mt: float) -> float:
    return round(BOTTOM - log10(field_mt / LOW_MT) / log10(HIGH_MT / LOW_MT) * (BOTTOM - TOP), 3)


def _curve(values: list[float], pen: Pen) -> Polyline:
    points = [
        (_x(float(depth)), _y(value))
        for depth, value in zip(DEPTHS_MM, values, strict=True)
        if value > LOW_MT
    ]
    return Polyline(tuple(point for point in points if point[1] >= TOP), pen)


def _axes() -> Iterator[Shape]:
    for depth in range(2, 19, 2):
        yield line(_x(depth), TOP, _x(depth), BOTTOM, RASTER)
        yield Text(_x(depth), BOTTOM + 4, f"{depth}", 3, anchor=Anchor.MIDDLE)
    for field in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50):
        yield line(LEFT, _y(field), RIGHT, _y(field), RASTER)
        yield Text(LEFT - 1.5, _y(field) + 1, f"{field:g}", 3, anchor=Anchor.END)
    yield rectangle(LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP, AXIS)
    yield Text((LEFT + RIGHT) / 2, BOTTOM + 8.5, "profondeur / depth (mm)", 3, anchor=Anchor.MIDDLE)
    yield Text(
        LEFT - 11, (TOP + BOTTOM) / 2, "champ axial / axial field (mT)", 3, anchor=Anchor.MIDDLE, upward=True
    )


def _limits(sensor: Sensor) -> Iterator[Shape]:
    for field, pen, text in (
        (MARGIN * sensor.close_mt, CLOSE, "ferme / closes"),
        (sensor.open_mt / MARGIN, OPEN, "ouvre / opens"),
    ):
        yield line(LEFT, _y(field), RIGHT, _y(field), pen)
        yield Text(RIGHT - 1, _y(field) - 1, text, 2.6, anchor=Anchor.END)


def _legend(project: Project) -> Iterator[Shape]:
    rows = [("le pion lui-même / the pawn itself", "#1f4fb4")]
    rows += [
        (f"tous les autres / all others, {board.zones} zones", color)
        for board, color in zip(project.boards, FOREIGN, strict=False)
    ]
    for place, (text, color) in enumerate(rows):
        x, y = LEFT + 78 * (place % 2), 12.5 + 4.5 * (place // 2)
        yield line(x, y - 1, x + 7, y - 1, Pen("CURVES", color, 0.8))
        yield Text(x + 9, y, text, 2.8)
