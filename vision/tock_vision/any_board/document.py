"""The file that lists the holes of any board (docs/formats.md): every mistake is one line that says where it is."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import dist, hypot
from pathlib import Path
from statistics import median
from typing import Annotated, Literal, TypeAlias

import numpy as np
from pydantic import Field

from tock_companion.boardfile import COLOR_NAMES
from tock_companion.errors import quoted
from tock_companion.files import read_text_bounded
from tock_companion.schema import A_SEEN_NAME, Mistake, Schema, check, parse_json, refuse

MAX_BYTES = 2_000_000
MIN_HOLES, MAX_HOLES = 2, 1000
MAX_PLACE = 100_000.0
MIN_APART = {"mm": 4.0, "px": 6.0}
"""From one hole to the next, usually."""
MAX_PITCHES = 200.0
"""The longer side of all holes together."""
MIN_PATTERN_HOLES, MIN_PATTERN_WIDE = 8, 0.75
"""Fewest holes, and least spread across their row, in pitches, from which a board can be found in a picture."""
MIN_APART_PITCHES = 0.25
MAX_DIAMETER_PITCHES = 2.0
USUAL_DIAMETER_PITCHES = 0.5

Unit = Literal["mm", "px"]
Kind = Literal["track", "start", "camp", "home", "centre"]
_Place: TypeAlias = Annotated[float, Field(ge=-MAX_PLACE, le=MAX_PLACE)]
_Id: TypeAlias = Annotated[str, Field(min_length=1, max_length=40), A_SEEN_NAME]


class _HoleEntry(Schema):
    id: _Id
    x: _Place
    y: _Place
    d: Annotated[float, Field(gt=0.0, le=MAX_PLACE)] | None = None
    kind: Kind = "track"
    color: str | None = None


class _Document(Schema):
    unit: Unit
    holes: Annotated[list[_HoleEntry], Field(min_length=MIN_HOLES, max_length=MAX_HOLES)]
    colors: Annotated[list[str], Field(min_length=1, max_length=len(COLOR_NAMES))] | None = None
    most_of_a_color: Annotated[int, Field(ge=1, le=MAX_HOLES)] | None = None


@dataclass(frozen=True, slots=True)
class ListedHole:
    """One hole of the list; lengths are in its unit."""

    id: str
    x: float
    y: float
    d: float
    kind: Kind
    color: str | None
    """Of the seat whose camp, home or start it is."""


@dataclass(frozen=True)
class HoleList:
    """The holes of a board, of which nothing else is known."""

    unit: Unit
    holes: tuple[ListedHole, ...]
    colors: tuple[str, ...]
    """The colours that pawns may have."""
    most_of_a_color: int | None
    """Most pawns of one colour, where a game bounds them."""
    pitch: float
    """Median distance from a hole to the nearest other one."""

    @property
    def places(self) -> list[tuple[float, float]]:
        """The places of the holes in their order."""
        return [(hole.x, hole.y) for hole in self.holes]


def load_holes(path: Path) -> HoleList:
    """Read such a file; BadInputError when it is missing, unreadable or wrong."""
    label = f"holes {path}"
    text = read_text_bounded(path, MAX_BYTES, "holes")
    document = check(_Document, parse_json(text, label, "the JSON file of a board's holes"), label)
    refuse(label, _doubles(document))
    refuse(label, _unknown_colors(document))
    pitch = _pitch([(hole.x, hole.y) for hole in document.holes])
    refuse(label, _wrong_lengths(document, pitch))
    if document.unit == "mm":
        refuse(label, _no_pattern(document, pitch))
    usual_d = USUAL_DIAMETER_PITCHES * pitch
    return HoleList(
        document.unit,
        tuple(
            ListedHole(hole.id, hole.x, hole.y, usual_d if hole.d is None else hole.d, hole.kind, hole.color)
            for hole in document.holes
        ),
        _pawn_colors(document),
        document.most_of_a_color,
        pitch,
    )


def _pawn_colors(document: _Document) -> tuple[str, ...]:
    """The colours given, else those of camps, homes and starts, else all."""
    if document.colors is not None:
        return tuple(document.colors)
    return tuple(dict.fromkeys(hole.color for hole in document.holes if hole.color)) or tuple(COLOR_NAMES)


def _doubles(document: _Document) -> Iterator[Mistake]:
    for hole_id, count in Counter(hole.id for hole in document.holes).items():
        if count > 1:
            yield ("holes",), f"hole {quoted(hole_id)} is listed {count} times; every hole needs its own id"


def _unknown_colors(document: _Document) -> Iterator[Mistake]:
    known = ", ".join(COLOR_NAMES)
    for number, hole in enumerate(document.holes):
        if hole.color is not None and hole.color not in COLOR_NAMES:
            place = ("holes", number, "color")
            yield place, f"'holes[{number}].color' is {quoted(hole.color)}; known are {known}"
    for number, color in enumerate(document.colors or ()):
        if color not in COLOR_NAMES:
            yield ("colors", number), f"'colors[{number}]' is {quoted(color)}; known are {known}"
        elif color in (document.colors or ())[:number]:
            yield ("colors", number), f"'colors' has {color} twice; keep one"


def _wrong_lengths(document: _Document, pitch: float) -> Iterator[Mistake]:
    """Find lengths that no board has, which also bounds what reading a list costs."""
    unit, holes = document.unit, document.holes
    xs, ys = [hole.x for hole in holes], [hole.y for hole in holes]
    span = hypot(max(xs) - min(xs), max(ys) - min(ys))
    least = max(MIN_APART[unit], span / MAX_PITCHES)
    if pitch < least:
        yield (
            ("holes",),
            f"it is {pitch:.3g} {unit} from one hole to the next; {least:.3g} {unit} is the least that can be read",
        )
        return
    ordered = sorted(holes, key=lambda hole: hole.x)
    for place, first in enumerate(ordered):
        for second in ordered[place + 1 :]:
            if second.x - first.x >= MIN_APART_PITCHES * pitch:
                break
            gap = dist((first.x, first.y), (second.x, second.y))
            if gap < MIN_APART_PITCHES * pitch:
                names = f"holes {quoted(first.id)} and {quoted(second.id)}"
                yield ("holes",), f"{names} are at one place ({gap:.3g} {unit} apart); correct x or y of one"
    for number, hole in enumerate(holes):
        if hole.d is not None and hole.d > MAX_DIAMETER_PITCHES * pitch:
            most = f"at most {MAX_DIAMETER_PITCHES * pitch:.3g} {unit}"
            yield (
                ("holes", number, "d"),
                f"hole {quoted(hole.id)} is {hole.d:g} {unit} wide; it may have {most}",
            )


def _no_pattern(document: _Document, pitch: float) -> Iterator[Mistake]:
    """Find lists whose holes cannot be found in a picture, which would take any dots for them."""
    places = np.array([(hole.x, hole.y) for hole in document.holes])
    across = float(np.linalg.svd(places - places.mean(axis=0), compute_uv=False)[-1]) / len(places) ** 0.5
    if len(places) >= MIN_PATTERN_HOLES and across >= MIN_PATTERN_WIDE * pitch:
        return
    few = f"{len(places)} holes" if len(places) < MIN_PATTERN_HOLES else "holes in one row"
    yield (
        ("holes",),
        f"{few} make no pattern that can be found in a picture; list {MIN_PATTERN_HOLES} or more, not in one row, "
        "or give places in px",
    )


def _pitch(places: list[tuple[float, float]]) -> float:
    """Median distance from a hole to the nearest other one."""
    return median(
        min(dist(place, other) for at, other in enumerate(places) if at != number)
        for number, place in enumerate(places)
    )
