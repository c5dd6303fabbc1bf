"""`board.toml`: what a maker wants to build, read and checked."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import dist, isfinite
from pathlib import Path
from typing import TypeVar

from tock_companion.boardfile import BoardFile, PawnShape, generate
from tock_companion.errors import BadInputError
from tock_hardware.catalog import MAGNETS, SENSORS, Magnet, Sensor

NUMBERS = {
    "plate": {"hole_mm": (3.0, 30.0), "thickness_mm": (3.0, 40.0), "floor_mm": (0.3, 5.0)},
    "pawn": {
        "head_mm": (5.0, 40.0),
        "stem_mm": (3.0, 29.0),
        "height_mm": (15.0, 90.0),
        "skin_mm": (0.4, 3.0),
    },
    "sensor": {"gap_mm": (0.0, 10.0)},
    "leds": {"resistor_ohm": (220.0, 10000.0), "fuse_ma": (100.0, 5000.0)},
}
"""Every number of board.toml outside `boards`, with what is possible."""
TEXTS = {"pawn": ("camera",), "magnet": ("type",), "sensor": ("type",), "prices": ("file",)}
PLAY_MM = 0.4
"""A stem must be this much thinner than its hole, or printed pawns jam."""
WALL_MM = 0.8
"""Thinnest wall round a magnet: two lines of a 0.4 mm nozzle."""
POCKET_PLAY_MM = 0.2

T = TypeVar("T")


@dataclass(frozen=True)
class Project:
    """One read `board.toml`."""

    folder: Path
    sides_mm: Mapping[int, float]
    hole_mm: float
    plate_mm: float
    floor_mm: float
    head_mm: float
    stem_mm: float
    height_mm: float
    skin_mm: float
    camera_style: str
    magnet: Magnet
    sensor: Sensor
    gap_mm: float
    led_ohm: float
    fuse_ma: float
    prices: Path

    @cached_property
    def boards(self) -> tuple[BoardFile, ...]:
        """The boards, by number of zones."""
        pawn = PawnShape(
            self.camera_style, self.stem_mm / 2 if self.camera_style != "opaque" else self.head_mm / 2
        )
        return tuple(
            generate(zones, side_mm, hole_mm=self.hole_mm, pawn=pawn)
            for zones, side_mm in sorted(self.sides_mm.items())
        )

    @property
    def depth_mm(self) -> float:
        """From the magnet's lower face to the middle of the sensor under it."""
        return self.skin_mm + self.floor_mm + self.gap_mm + self.sensor.middle_mm

    @property
    def pocket_mm(self) -> float:
        """Width of the magnet's pocket in the stem."""
        return self.magnet.diameter_mm + POCKET_PLAY_MM


def load_project(path: Path) -> Project:
    """Read a project; BadInputError says which value cannot be built and what would do."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInputError(
            f"{path}: cannot be read ({error.strerror or error}); run this in the checkout or give --board FILE"
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInputError(f"{path}: not TOML ({error})") from error
    return _Reader(path).project(data)


class _Reader:
    """Checks one file; keeps its name for the messages."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def fail(self, message: str) -> BadInputError:
        return BadInputError(f"{self.path}: {message}")

    def project(self, data: Mapping[str, object]) -> Project:
        tables = ("boards", *dict.fromkeys([*NUMBERS, *TEXTS]))
        for name in data:
            if name not in tables:
                raise self.fail(f"unknown table [{name}]; known are {', '.join(tables)}")
        numbers: dict[str, float] = {}
        texts: dict[str, str] = {}
        for name in tables[1:]:
            table = self.table(data, name, (*NUMBERS.get(name, {}), *TEXTS.get(name, ())))
            for key, bounds in NUMBERS.get(name, {}).items():
                numbers[key] = self.number(table[key], f"[{name}] {key}", *bounds)
            for key in TEXTS.get(name, ()):
                texts[f"{name}.{key}"] = self.text(table[key], f"[{name}] {key}")
        project = Project(
            folder=self.path.parent,
            sides_mm=self.sides(data.get("boards")),
            hole_mm=numbers["hole_mm"],
            plate_mm=numbers["thickness_mm"],
            floor_mm=numbers["floor_mm"],
            head_mm=numbers["head_mm"],
            stem_mm=numbers["stem_mm"],
            height_mm=numbers["height_mm"],
            skin_mm=numbers["skin_mm"],
            camera_style=self.choice(
                texts["pawn.camera"], "[pawn] camera", {n: n for n in ("pion", "peg", "opaque")}
            ),
            magnet=self.choice(texts["magnet.type"], "[magnet] type", MAGNETS),
            sensor=self.choice(texts["sensor.type"], "[sensor] type", SENSORS),
            gap_mm=numbers["gap_mm"],
            led_ohm=numbers["resistor_ohm"],
            fuse_ma=numbers["fuse_ma"],
            prices=self.path.parent / texts["prices.file"],
        )
        self.fits(project)
        return project

    def table(self, data: Mapping[str, object], name: str, keys: tuple[str, ...]) -> Mapping[str, object]:
        table = data.get(name)
        if not isinstance(table, Mapping):
            raise self.fail(f"table [{name}] is missing; it has {', '.join(keys)}")
        for key in table:
            if key not in keys:
                raise self.fail(f"[{name}] has an unknown key {key!r}; known are {', '.join(keys)}")
        for key in keys:
            if key not in table:
                raise self.fail(f"[{name}] has no {key!r}")
        return table

    def number(self, value: object, where: str, low: float, high: float) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
            raise self.fail(f"{where} is {value!r}; give a number")
        if not low <= value <= high:
            raise self.fail(f"{where} is {value:g}; {low:g} to {high:g} can be built")
        return float(value)

    def text(self, value: object, where: str) -> str:
        if not isinstance(value, str) or not value:
            raise self.fail(f"{where} is {value!r}; give a text")
        return value

    def choice(self, value: str, where: str, known: Mapping[str, T]) -> T:
        if value not in known:
            raise self.fail(f"{where} is {value!r}; known are {', '.join(known)}")
        return known[value]

    def sides(self, value: object) -> Mapping[int, float]:
        if not isinstance(value, Mapping) or not value:
            raise self.fail("no board; write for example [boards.4] with side_mm = 400")
        sides: dict[int, float] = {}
        for zones, table in value.items():
            if zones not in ("4", "6", "8"):
                raise self.fail(f"[boards.{zones}]: boards have 4, 6 or 8 zones")
            row = self.table({"board": table}, "board", ("side_mm",))
            sides[int(zones)] = self.number(row["side_mm"], f"[boards.{zones}] side_mm", 100.0, 2000.0)
        return sides

    def fits(self, project: Project) -> None:
        """Refuse what cannot be put together."""
        if project.stem_mm > project.hole_mm - PLAY_MM:
            raise self.fail(
                f"[pawn] stem_mm is {project.stem_mm:g}; a hole of {project.hole_mm:g} takes "
                f"{project.hole_mm - PLAY_MM:g} at most"
            )
        thinnest = project.pocket_mm + 2 * WALL_MM
        if project.stem_mm < thinnest:
            raise self.fail(
                f"[pawn] stem_mm is {project.stem_mm:g}; the magnet {project.magnet.name} needs {thinnest:g} "
                f"with walls of {WALL_MM:g}"
            )
        for board in project.boards:
            nearest_mm = min(
                dist((a.x_mm, a.y_mm), (b.x_mm, b.y_mm)) for a, b in combinations(board.holes, 2)
            )
            if project.head_mm + 1 > nearest_mm:
                raise self.fail(
                    f"[pawn] head_mm is {project.head_mm:g}, but holes of the board with {board.zones} zones are "
                    f"only {nearest_mm:.1f} mm apart; pawns would touch"
                )
