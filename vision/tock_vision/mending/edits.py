"""The edits of a board with a finger: each makes a new sketch, or says in a word why it cannot be."""

from dataclasses import dataclass, replace
from enum import Enum
from math import dist, hypot

from tock_companion.boardfile import home_hole, track_hole
from tock_rules import Hole, HoleKind, Seat
from tock_vision.mending.naming import find_names
from tock_vision.mending.sketch import (
    CENTRE,
    Place,
    Sketch,
    SketchHole,
    Unnamed,
    expected,
    is_at_centre,
    owner_of,
    spun,
)

MIN_GAP_PITCHES = 0.45
"""Two holes never lie nearer to each other."""
MAX_DISTANCE_PITCHES = 20.0
"""No hole of a board lies farther from its centre."""
FILLS_PITCHES = 0.8
"""A hole that is added takes the name of a missing one that is expected this near."""
HOME_MOVES_PITCHES = 1.0
MAX_UNNAMED_HOLES = 208
"""All holes but the track of one zone and the starts: a board may be drawn hole by hole."""


class Question(Enum):
    """A question about a discovered board that only a person can answer, by its stable code."""

    START = "discover/ask_start"
    HOLES = "discover/ask_holes"
    CAMP = "discover/ask_camp"
    CENTRE = "discover/ask_centre"
    COLORS = "discover/ask_colors"


class Mistake(Enum):
    """Why an edit cannot be."""

    NO_HOLE = "no_hole"
    CLOSE = "close"
    FAR = "far"
    MANY = "many"
    NO_START = "no_start"


@dataclass(frozen=True, slots=True)
class Add:
    """There is a hole here; `everywhere`: in all zones alike."""

    place: Place
    everywhere: bool


@dataclass(frozen=True, slots=True)
class Remove:
    """This is no hole."""

    hole: SketchHole
    everywhere: bool


@dataclass(frozen=True, slots=True)
class Move:
    """This hole lies there."""

    hole: SketchHole
    place: Place
    everywhere: bool


@dataclass(frozen=True, slots=True)
class Start:
    """This hole is the start of the player of this colour."""

    hole: SketchHole
    color: str


@dataclass(frozen=True, slots=True)
class Own:
    """This home, camp or part of the way belongs to the player of this colour."""

    hole: SketchHole
    color: str


Edit = Add | Remove | Move | Start | Own


def edited(sketch: Sketch, edit: Edit) -> Sketch | Mistake:
    """The sketch after an edit; a mistake changes nothing."""
    if not isinstance(edit, Add) and sketch.place(edit.hole) is None:
        return Mistake.NO_HOLE
    match edit:
        case Add(place, everywhere):
            return _added(sketch, place, everywhere=everywhere)
        case Remove(hole, everywhere):
            return _removed(sketch, hole, everywhere=everywhere)
        case Move(hole, place, everywhere):
            return _moved(sketch, hole, place, everywhere=everywhere)
        case Start(hole, color):
            return _started(sketch, hole, color)
        case Own(hole, color):
            seat = owner_of(sketch, hole)
            return Mistake.NO_HOLE if seat is None else sketch.with_color(seat, color)


def answered(sketch: Sketch, question: Question, *, yes: bool) -> Sketch:
    """The sketch after an answer: most only tell a person what to mend by finger, or that there is nothing to mend."""
    match question:
        case Question.CENTRE:
            others = {hole: place for hole, place in sketch.holes.items() if hole != CENTRE}
            return replace(sketch, holes={**others, CENTRE: (0.0, 0.0)} if yes else others)
        case Question.HOLES if yes:
            return replace(sketch, doubtful=frozenset())
        case _:
            return sketch


def _images(sketch: Sketch, *, everywhere: bool) -> range:
    return range(sketch.zones if everywhere else 1)


def _added(sketch: Sketch, place: Place, *, everywhere: bool) -> Sketch | Mistake:
    if hypot(*place) > MAX_DISTANCE_PITCHES:
        return Mistake.FAR
    if is_at_centre(place):
        if CENTRE in sketch.holes:
            return Mistake.CLOSE
        return replace(sketch, holes={**sketch.holes, CENTRE: (0.0, 0.0)})
    if _is_taken(sketch, place):
        return Mistake.CLOSE
    for turns in _images(sketch, everywhere=everywhere):
        image = spun(place, turns, sketch.zones)
        # Another zone may have its hole already.
        if not _is_taken(sketch, image):
            sketch = _put(sketch, image)
    if len(sketch.unnamed) > MAX_UNNAMED_HOLES:
        return Mistake.MANY
    return _renamed(sketch) if sketch.unnamed else sketch


def _is_taken(sketch: Sketch, place: Place) -> bool:
    near = sketch.nearest(place)
    return near is not None and near[1] < MIN_GAP_PITCHES


def _put(sketch: Sketch, place: Place) -> Sketch:
    """Add a hole under the name of the missing one that is expected here, or without a name."""
    gaps = [
        (dist(there, place), hole) for hole in sketch.missing if (there := expected(sketch, hole)) is not None
    ]
    if gaps and min(gaps)[0] < FILLS_PITCHES:
        return replace(sketch, holes={**sketch.holes, min(gaps)[1]: place})
    return replace(sketch, unnamed=(*sketch.unnamed, place))


def _renamed(sketch: Sketch, start: Place | None = None) -> Sketch:
    """Name all holes again if that names those without a name; else leave them as they were."""
    places = [place for hole, place in sketch.places().items() if hole != CENTRE]
    names = find_names(places, sketch.zones, start or _known_start(sketch), sketch.form)
    if names is None:
        return sketch
    used = set(names.values())
    if any(place not in used for place in sketch.unnamed):
        return sketch
    centre = {CENTRE: sketch.holes[CENTRE]} if CENTRE in sketch.holes else {}
    doubtful = {place for hole, place in sketch.holes.items() if hole in sketch.doubtful}
    names = _counted_as_before(names, sketch)
    return replace(
        sketch,
        holes={**names, **centre},
        unnamed=(),
        doubtful=frozenset(hole for hole, place in names.items() if place in doubtful),
    )


def _known_start(sketch: Sketch) -> Place | None:
    """T0 where a person touched it and nothing else of the way has a name yet."""
    return sketch.holes.get(track_hole(0)) if track_hole(1) in sketch.missing else None


def _counted_as_before(names: dict[Hole, Place], before: Sketch) -> dict[Hole, Place]:
    """The zones keep their numbers, and so their colours: each home lies where it lay."""
    home = home_hole(Seat.P0, 0)
    hole = home if home in before.holes else track_hole(0)
    old = before.holes.get(hole)
    for turns in range(before.zones):
        if old is not None and dist(old, names[before.turned(hole, turns)]) < HOME_MOVES_PITCHES:
            return {before.turned(hole, -turns): place for hole, place in names.items()}
    return names


def _removed(sketch: Sketch, hole: SketchHole, *, everywhere: bool) -> Sketch:
    if isinstance(hole, Unnamed):
        place = sketch.place(hole)
        assert place is not None
        gone = [spun(place, turns, sketch.zones) for turns in _images(sketch, everywhere=everywhere)]
        kept = tuple(
            other for other in sketch.unnamed if all(dist(other, one) > MIN_GAP_PITCHES for one in gone)
        )
        return replace(sketch, unnamed=kept)
    names = {sketch.turned(hole, turns) for turns in _images(sketch, everywhere=everywhere)}
    kept_holes = {name: place for name, place in sketch.holes.items() if name not in names}
    return replace(sketch, holes=kept_holes, doubtful=sketch.doubtful - names)


def _moved(sketch: Sketch, hole: SketchHole, place: Place, *, everywhere: bool) -> Sketch | Mistake:
    before = sketch.place(hole)
    assert before is not None
    if hypot(*place) > MAX_DISTANCE_PITCHES:
        return Mistake.FAR
    step = (place[0] - before[0], place[1] - before[1])
    if isinstance(hole, Unnamed):
        unnamed = (*sketch.unnamed[: hole.number], place, *sketch.unnamed[hole.number + 1 :])
        return replace(sketch, unnamed=unnamed)
    holes = dict(sketch.holes)
    names = set()
    for turns in _images(sketch, everywhere=everywhere and hole != CENTRE):
        name = sketch.turned(hole, turns)
        if name in holes:
            dx, dy = spun(step, turns, sketch.zones)
            holes[name] = (holes[name][0] + dx, holes[name][1] + dy)
            names.add(name)
    moved = replace(sketch, holes=holes, doubtful=sketch.doubtful - names)
    others = [there for name, there in moved.places().items() if name != hole]
    if any(dist(there, place) < MIN_GAP_PITCHES for there in others):
        return Mistake.CLOSE
    return moved


def _started(sketch: Sketch, hole: SketchHole, color: str) -> Sketch | Mistake:
    """Number the board from this start: by its layout, or else along the way."""
    place = sketch.place(hole)
    assert place is not None
    seat = _starts_at(sketch, hole)
    if seat is None:
        sketch = _renamed(sketch, place)
        near = sketch.nearest(place)
        seat = _starts_at(sketch, near[0]) if near is not None and near[1] <= MIN_GAP_PITCHES else None
    return Mistake.NO_START if seat is None else sketch.with_color(seat, color)


def _starts_at(sketch: Sketch, hole: SketchHole) -> Seat | None:
    """The seat whose start a hole is, if it is one."""
    if isinstance(hole, Unnamed) or hole.kind is not HoleKind.TRACK or hole.number % sketch.form.length:
        return None
    return Seat(hole.number // sketch.form.length)
