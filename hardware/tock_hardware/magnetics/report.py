"""The table of safe windows for the boards of a project."""

from tock_hardware.catalog import MAGNETS, SENSORS, Magnet
from tock_hardware.magnetics.field import TOY_LIMIT, flux_index
from tock_hardware.magnetics.window import EARTH_MT, MARGIN, windows
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
        f"Ce projet / this project: {project.magnet.name}, {project.sensor.name}, "
        f"profondeur / depth **{project.depth_mm:.1f} mm** = {project.pawn.skin_mm:g} + {project.plate.floor_mm:g} + "
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
