"""Reads and checks `board.toml`, a maker's wishes."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from math import dist
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from tock_companion.boardfile import BoardFile, PawnShape, generate
from tock_companion.boardfile.model import ZONES, ZONES_TEXT
from tock_companion.errors import BadInputError, printable, quoted
from tock_companion.files import read_text_bounded
from tock_companion.schema import Mistake, Schema, check, parse_toml, refuse, toml_line
from tock_hardware.catalog import MAGNETS, SENSORS, Magnet, Sensor
from tock_rules import BoardShape, load_preset, preset_names, shape_for

MAX_BYTES = 200_000
PLAY_MM = 0.4
"""A stem must be this much thinner than its hole, or printed pawns jam."""
WALL_MM = 0.8
"""Thinnest wall round a magnet: two lines of a 0.4 mm nozzle."""
POCKET_PLAY_MM = 0.2

_Text: TypeAlias = Annotated[str, Field(min_length=1, max_length=1000)]


class _Board(Schema):
    side_mm: Annotated[float, Field(ge=100.0, le=2000.0)]
    game: str = ""
    """The ruleset that the board is made for; empty: a Tock board."""


class Plate(Schema):
    """The wood: holes in the plate, and the floor under them."""

    hole_mm: Annotated[float, Field(ge=3.0, le=30.0)]
    thickness_mm: Annotated[float, Field(ge=3.0, le=40.0)]
    floor_mm: Annotated[float, Field(ge=0.3, le=5.0)]


class Pawn(Schema):
    """The printed pawn; `skin_mm` is the plastic under its magnet."""

    head_mm: Annotated[float, Field(ge=5.0, le=40.0)]
    stem_mm: Annotated[float, Field(ge=3.0, le=29.0)]
    height_mm: Annotated[float, Field(ge=15.0, le=90.0)]
    skin_mm: Annotated[float, Field(ge=0.4, le=3.0)]
    camera: Literal["pion", "peg", "opaque"]


class _Magnet(Schema):
    type: _Text


class _Sensor(Schema):
    type: _Text
    gap_mm: Annotated[float, Field(ge=0.0, le=10.0)]


class Leds(Schema):
    """The lights beside the holes."""

    resistor_ohm: Annotated[float, Field(ge=220.0, le=10000.0)]
    fuse_ma: Annotated[float, Field(ge=100.0, le=5000.0)]


class _Prices(Schema):
    file: _Text


class _Document(Schema):
    """`board.toml` as it is written."""

    boards: Annotated[dict[str, _Board], Field(min_length=1)]
    plate: Plate
    pawn: Pawn
    magnet: _Magnet
    sensor: _Sensor
    leds: Leds
    prices: _Prices


@dataclass(frozen=True)
class Project:
    """One read `board.toml`."""

    folder: Path
    boards: tuple[BoardFile, ...]
    """By number of zones."""
    plate: Plate
    pawn: Pawn
    leds: Leds
    magnet: Magnet
    sensor: Sensor
    gap_mm: float
    prices: Path

    @property
    def depth_mm(self) -> float:
        """From the magnet's lower face to the middle of the sensor under it."""
        return self.pawn.skin_mm + self.plate.floor_mm + self.gap_mm + self.sensor.middle_mm

    @property
    def pocket_mm(self) -> float:
        """Width of the magnet's pocket in the stem."""
        return self.magnet.diameter_mm + POCKET_PLAY_MM


def load_project(path: Path) -> Project:
    """Read a project; BadInputError says which value cannot be built and what would do."""
    if not path.exists():
        raise BadInputError(f"{path}: there is no such file; run this in the checkout or give --board FILE")
    text = read_text_bounded(path, MAX_BYTES, "board.toml")
    where, find_line = printable(str(path)), partial(toml_line, text)
    document = check(_Document, parse_toml(text, where), where, find_line)
    refuse(where, _unknown_names(document), find_line)
    pawn = document.pawn
    shape = PawnShape(pawn.camera, (pawn.head_mm if pawn.camera == "opaque" else pawn.stem_mm) / 2)
    project = Project(
        folder=path.parent,
        boards=tuple(
            generate(_holes(int(zones), board), board.side_mm, hole_mm=document.plate.hole_mm, pawn=shape)
            for zones, board in sorted(document.boards.items())
        ),
        plate=document.plate,
        pawn=pawn,
        leds=document.leds,
        magnet=MAGNETS[document.magnet.type],
        sensor=SENSORS[document.sensor.type],
        gap_mm=document.sensor.gap_mm,
        prices=path.parent / document.prices.file,
    )
    refuse(where, _misfits(project), find_line)
    return project


def _holes(zones: int, board: _Board) -> BoardShape | int:
    return shape_for(load_preset(board.game), zones) if board.game else zones


def _unknown_names(document: _Document) -> Iterator[Mistake]:
    for zones, board in document.boards.items():
        if zones not in map(str, ZONES):
            yield ("boards", zones), f"'boards.{zones}': boards have {ZONES_TEXT} zones"
        elif board.game and board.game not in preset_names():
            listed = ", ".join(preset_names())
            yield (
                ("boards", zones, "game"),
                f"'boards.{zones}.game' is {quoted(board.game)}; known are {listed}",
            )
        elif board.game and int(zones) not in load_preset(board.game).zones:
            yield ("boards", zones, "game"), f"'boards.{zones}': {board.game} has no board of {zones} zones"
    for table, name, known in (
        ("magnet", document.magnet.type, MAGNETS),
        ("sensor", document.sensor.type, SENSORS),
    ):
        if name not in known:
            listed = ", ".join(known)
            yield (table, "type"), f"'{table}.type' is {quoted(name)}; known are {listed}"


def _misfits(project: Project) -> Iterator[Mistake]:
    """Find what cannot be put together, though each value by itself can be made."""
    stem, head = ("pawn", "stem_mm"), ("pawn", "head_mm")
    if project.pawn.stem_mm > project.plate.hole_mm - PLAY_MM:
        yield (
            stem,
            f"'pawn.stem_mm' is {project.pawn.stem_mm:g}; a hole of {project.plate.hole_mm:g} takes "
            f"{project.plate.hole_mm - PLAY_MM:g} at most",
        )
    thinnest_mm = project.pocket_mm + 2 * WALL_MM
    if project.pawn.stem_mm < thinnest_mm:
        yield (
            stem,
            f"'pawn.stem_mm' is {project.pawn.stem_mm:g}; the magnet {project.magnet.name} needs {thinnest_mm:g} "
            f"with walls of {WALL_MM:g}",
        )
    for board in project.boards:
        nearest_mm = min(dist((a.x_mm, a.y_mm), (b.x_mm, b.y_mm)) for a, b in combinations(board.holes, 2))
        if project.pawn.head_mm + 1 > nearest_mm:
            yield (
                head,
                f"'pawn.head_mm' is {project.pawn.head_mm:g}, but holes of the board with {board.zones} zones are "
                f"only {nearest_mm:.1f} mm apart; pawns would touch",
            )
