"""The wires from the holes to the sector boards: where each begins and ends, its colour, and how long to cut it."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import dist

from tock_companion.boardfile import BoardFile, DrilledHole
from tock_companion.boardfile.wiring import INPUTS_PER_BOARD, holes_of_board, inputs_of, pin_of
from tock_hardware.electronics.symbols import HC165
from tock_rules import Hole

COLORS = (
    ("brun", "brown"),
    ("rouge", "red"),
    ("orange", "orange"),
    ("jaune", "yellow"),
    ("vert", "green"),
    ("bleu", "blue"),
    ("violet", "violet"),
    ("gris", "grey"),
)
"""By the pin H to A of a register: the code of resistors, so that a wire's colour tells its pin."""
SLACK_MM = 60.0
"""For stripping both ends and a loop by which the sector board can be turned over."""


@dataclass(frozen=True, slots=True)
class Wire:
    """One wire from a reed to a register."""

    hole: str
    sector: int
    register: str
    pin: str
    pin_number: int
    number: int
    color: tuple[str, str]
    length_mm: int


def wires(board: BoardFile) -> Iterator[Wire]:
    """Yield the wire of every hole in the order of inputs."""
    places = {zone: sector_place(board, zone) for zone in range(board.zones)}
    numbers = inputs_of(board.shape)
    for hole, number in sorted(numbers.items(), key=lambda item: item[1]):
        pin = pin_of(number)
        here = board.hole(hole)
        length = dist((here.x_mm, here.y_mm), places[pin.board]) + SLACK_MM
        yield Wire(
            hole,
            pin.board,
            f"U{pin.register}",
            pin.letter,
            int(HC165.by_name[pin.letter].number),
            number,
            COLORS[number % len(COLORS)],
            10 * round(length / 10),
        )


def sector_place(board: BoardFile, zone: int) -> tuple[float, float]:
    """Locate a sector board: the centre of its zone's holes."""
    holes: list[DrilledHole] = [board.hole(name) for name in holes_of_board(board.shape, zone)]
    return sum(hole.x_mm for hole in holes) / len(holes), sum(hole.y_mm for hole in holes) / len(holes)


def wire_table(board: BoardFile) -> str:
    """Write the wires as CSV with headings in both languages."""
    heading = "trou / hole,secteur / sector,registre / register,broche / pin,n° de broche / pin number,entrée / input"
    lines = [f"{heading},couleur,colour,longueur / length (mm),fait / done"]
    lines += [
        f"{wire.hole},{wire.sector},{wire.register},{wire.pin},{wire.pin_number},{wire.number},"
        f"{wire.color[0]},{wire.color[1]},{wire.length_mm},"
        for wire in wires(board)
    ]
    return "\n".join(lines) + "\n"


def ground_mm(board: BoardFile) -> float:
    """Measure the bare ground wires, which run from hole to hole of a zone and on to its sector board."""
    total = 0.0
    for zone in range(board.zones):
        holes = [board.hole(name) for name in holes_of_board(board.shape, zone)]
        total += sum(dist((a.x_mm, a.y_mm), (b.x_mm, b.y_mm)) for a, b in pairwise(holes))
        total += SLACK_MM
    return total


def ribbon_mm(board: BoardFile) -> float:
    """Measure the ribbon from the microcontroller beside sector 0 through all sectors."""
    places = [sector_place(board, zone) for zone in range(board.zones)]
    steps = sum(dist(a, b) for a, b in pairwise(places))
    return steps + 200.0 + SLACK_MM * board.zones


def input_labels(board: BoardFile) -> dict[Hole, str]:
    """Map every hole to the label of its input on the underside: sector, register, pin (`0.2F`)."""
    labels: dict[Hole, str] = {}
    for hole, number in inputs_of(board.shape).items():
        pin = pin_of(number)
        labels[hole] = f"{number // INPUTS_PER_BOARD}.{pin.register}{pin.letter}"
    return labels
