"""Counts the touches of a finger that make a discovered board right: edits of the board maker, tried as a person would.

A person sees what is wrong, and of all touches makes the one that puts most right.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import dist
from typing import TypeVar

from tock_companion.rules import ZONE_LENGTH, Hole, HoleKind, Seat
from tock_vision.mending.edits import Add, Edit, Mistake, Move, Remove, Start, edited
from tock_vision.mending.sketch import CENTRE, Place, Sketch, SketchHole, Unnamed
from vision.training.discovery.board_comparison import SAME_PITCHES, same_rank

MAX_TOUCHES = 40
AnyHole = TypeVar("AnyHole", bound=SketchHole)


def touches_needed(sketch: Sketch, wanted: Mapping[Hole, Place]) -> int:
    """The touches needed until every hole lies where it should, on the plane of the sketch, under its name.

    Names count up to a turn by some zones, and which hole of a camp is the first does not matter. Where no touch helps
    any more, what is still wrong counts a touch each.
    """
    wrong = wrong_holes(sketch, wanted)
    for done in range(MAX_TOUCHES):
        if not wrong:
            return done
        tried = [edited(sketch, edit) for edit in _touches(sketch, wanted, wrong)]
        better = [one for one in tried if not isinstance(one, Mistake)]
        if not better:
            return done + len(wrong)
        sketch = min(better, key=lambda one: len(wrong_holes(one, wanted)))
        left = wrong_holes(sketch, wanted)
        if len(left) >= len(wrong):
            return done + len(wrong)
        wrong = left
    return MAX_TOUCHES


def wrong_holes(sketch: Sketch, wanted: Mapping[Hole, Place]) -> frozenset[SketchHole]:
    """True names of holes that lie elsewhere or are missing, and stray spots, by the turn with the fewest."""
    return min((_wrong(sketch, wanted, turns) for turns in range(sketch.zones)), key=len)


def _wrong(sketch: Sketch, wanted: Mapping[Hole, Place], turns: int) -> frozenset[SketchHole]:
    wrong: set[SketchHole] = {hole for hole in sketch.places() if isinstance(hole, Unnamed)}
    if (CENTRE in sketch.holes) != (CENTRE in wanted):
        wrong.add(CENTRE)
    for hole, place in wanted.items():
        if hole == CENTRE:
            continue
        name = sketch.turned(hole, turns)
        known = [sketch.holes[one] for one in same_rank(name) if one in sketch.holes]
        if not any(dist(place, there) < SAME_PITCHES for there in known):
            wrong.add(hole)
    return frozenset(wrong)


def _touches(sketch: Sketch, wanted: Mapping[Hole, Place], wrong: frozenset[SketchHole]) -> Iterator[Edit]:
    """The edits that a person may make next."""
    if CENTRE in wrong:
        yield (
            Remove(CENTRE, everywhere=False) if CENTRE in sketch.holes else Add((0.0, 0.0), everywhere=False)
        )
    start = sketch.nearest(wanted[Hole.track(0)])
    if start is not None and start[1] < SAME_PITCHES:
        yield Start(start[0], sketch.colors[0])
    true = [place for hole, place in wanted.items() if hole != CENTRE]
    known = sketch.places()
    stray = [
        hole
        for hole, place in known.items()
        if hole != CENTRE and min(dist(place, there) for there in true) > SAME_PITCHES
    ]
    lacking = [
        hole
        for hole in wanted.keys() & wrong - {CENTRE}
        if min(dist(wanted[hole], place) for place in known.values()) > SAME_PITCHES
    ]
    for everywhere in (True, False):
        yield from (Remove(hole, everywhere) for hole in _first_of_each(stray, everywhere=everywhere))
        for hole in _first_of_each(lacking, everywhere=everywhere):
            yield Add(wanted[hole], everywhere)
            if stray:
                nearest = min(stray, key=lambda one: dist(known[one], wanted[hole]))
                yield Move(nearest, wanted[hole], everywhere)


def _first_of_each(holes: Sequence[AnyHole], *, everywhere: bool) -> Sequence[AnyHole]:
    """One hole of those that lie alike in all zones, where a touch is for all zones."""
    if not everywhere:
        return holes
    kept: dict[SketchHole, AnyHole] = {}
    for hole in holes:
        kept.setdefault(of_all_zones(hole), hole)
    return list(kept.values())


def of_all_zones(hole: SketchHole) -> SketchHole:
    """The hole of the first zone that lies as this one does in its own."""
    if isinstance(hole, Unnamed) or hole.kind is HoleKind.CENTRE:
        return hole
    if hole.kind is HoleKind.TRACK:
        return Hole.track(hole.number % ZONE_LENGTH)
    return Hole(hole.kind, Seat.P0, hole.number)
