"""Pawns between and beside holes, drawn and read as a camera does: how soon people learn where one lies.

The figures name each pawn that nobody heard of in time; with the same file a run that was stopped goes on.
"""

import json
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import pairwise
from math import cos, sin, tau
from pathlib import Path
from random import Random
from typing import Annotated

from tock_bench.dry_table import dry_table_at
from tock_bench.noisy.random_tables import random_table
from tock_bench.noisy.slow_moves import is_played
from tock_bench.places import BUILD
from tock_bench.results import Measured, Say, table
from tock_companion.boardfile import BoardFile, generate
from tock_companion.events.facts import ViolationFound
from tock_companion.observation import Edge, HoleReading, HoleState, Observation
from tock_companion.referee.matching.candidates import one_of_each_kind
from tock_companion.rules import Hole, HoleKind, Position, load_preset, preset_names
from tock_companion.sources.scene import Scene
from tock_companion.table.core.requests import Role, parse_request
from tock_companion.table.runtime.replaying import DryTable
from tock_vision.arrays import Frame
from tock_vision.reader import BoardReader
from tock_vision.rendering.appearance import Appearance, DrawnPawn, named_color
from tock_vision.rendering.renderer import Renderer

FIRST_SEED = 5000
KINDS = ("camera", "reed", "both")
PLACES = ("halfway between two holes", "beside a hole", "on open wood")
RIMS = ("over the rim of a hole", "outside the outermost holes")
RIM_PITCHES = 0.42
"""Nearer to the middle of a hole a pawn lies over its rim, and counts as standing in it."""
EDGE_PITCHES = 0.6
"""Nearer to the edge of the board no pawn lies for long."""
FRAME_MS = 600
"""Interval between frames, long because reading takes the time: a pawn named at one frame was unnamed at the last."""
BEFORE_FRAMES = 2
STILL_MS = 4200
"""Time for which the board stands still before: holes out of sight by then have nothing to do with the pawn."""
AWAY_MM = (-60.0, -60.0)
PATIENCE_MS = 3600
AIM_MS = 3000
HEAD = ("", "place", "n", "named within 3 s", "not named at all", "median, longest")
APPEARANCES = (
    Appearance(size_px=(960, 720)),
    Appearance(size_px=(960, 720), tilt_deg=25, turn_deg=40, light=(0.8, 0.9, 1.1)),
    Appearance(size_px=(960, 720), tilt_deg=15, turn_deg=200, light=(0.55, 0.55, 0.55), noise=5.0),
    Appearance(size_px=(960, 720), tilt_deg=20, turn_deg=110, board=(70.0, 110.0, 150.0)),
)


@dataclass(frozen=True, slots=True)
class Notice:
    """The time and form of the first message about a pawn before one kind of source; `after_ms` is None if they never
    did."""

    case: int
    kind: str
    place: str
    after_ms: int | None
    code: str
    """The code that named it; else that of another message, or nothing if there was silence."""


def run(
    _say: Say,
    cases: int = 120,
    first: Annotated[int, "where to begin: cases that nothing was chosen by"] = 0,
    away: Annotated[bool, "the pawn is in a hand beside the board: who finds one errs"] = False,
    rims: Annotated[bool, "the pawn lies over a rim or at the edge"] = False,
    keep: Annotated[Path, "goes on with what stands there"] = BUILD / "loose-pawns.jsonl",
) -> Measured:
    """Put down a pawn in each case, and wait until each kind of source has led to a sentence."""
    keep.parent.mkdir(parents=True, exist_ok=True)
    lines = keep.read_text(encoding="utf-8").splitlines() if keep.exists() else []
    notices = [Notice(**json.loads(line)) for line in lines]
    places = RIMS if rims else PLACES
    for case in range(first, first + cases):
        if any(one.case == case for one in notices):
            continue
        new = list(drop(case, places, away=away))
        notices += new
        with keep.open("a", encoding="utf-8") as file:
            file.writelines(
                json.dumps({name: getattr(one, name) for name in Notice.__slots__}) + "\n" for one in new
            )
    groups = {
        (kind, place): [one for one in notices if (one.kind, one.place) == (kind, place)]
        for kind in KINDS
        for place in places
    }
    rows = [row(kind, place, group) for (kind, place), group in groups.items() if group]
    late = [asdict(one) for one in notices if one.after_ms is None or one.after_ms > AIM_MS]
    return Measured({"n": len(notices), "late_or_never": late}, table(HEAD, rows))


def drop(case: int, places: Sequence[str] = PLACES, *, away: bool = False) -> Iterator[Notice]:
    """Put a random pawn of a random game beside its hole, and wait until each kind of source has led to a sentence.

    With `away` it is taken off the board instead.
    """
    rng, place, appearance = (
        Random(FIRST_SEED + case),
        places[case % len(places)],
        APPEARANCES[case // len(places) % len(APPEARANCES)],
    )
    position = _position(rng)
    zones = position.shape.zones
    board = generate(zones, 110.0 * zones)
    scene = Scene(board)
    scene.set_up(position.board.to_pawns())
    pawn = rng.choice([pawn for pawn in scene.state.pawns if "-C" not in str(scene.hole_of(pawn))])
    before = scene.hole_of(pawn)
    assert before is not None
    empty = {hole.id for hole in board.holes} - {scene.hole_of(one) for one in scene.state.pawns}
    spot_mm = _spot(rng, board, place, empty | {before})
    tables = {kind: _table(board, position, rng.random() < 0.5, rng) for kind in KINDS}
    reader, renderer = BoardReader(board), drawer(zones, appearance)
    for t_ms in range(0, STILL_MS, FRAME_MS):
        if t_ms < BEFORE_FRAMES * FRAME_MS:
            seen = reader.read_frame(_frame(renderer, scene), t_ms).observation("camera")
        # The same picture is not drawn and read over and over.
        _take(tables, replace(seen, t_ms=t_ms), scene)
    began_ms = STILL_MS
    scene.move_pawn(pawn.id, *(AWAY_MM if away else spot_mm))
    edge = Edge(began_ms, before, HoleState.EMPTY)
    waits = set(KINDS)
    for t_ms in range(began_ms, began_ms + PATIENCE_MS, FRAME_MS):
        seen = reader.read_frame(_frame(renderer, scene), t_ms).observation("camera")
        _take(tables, seen, scene, edge if t_ms == began_ms else None)
        for kind in sorted(waits):
            code = _named(tables[kind], kind)
            if code:
                waits.remove(kind)
                yield Notice(case, kind, place, t_ms - began_ms, code)
        if not waits:
            return
    for kind in sorted(waits):
        yield Notice(case, kind, place, None, _reported(tables[kind]))


@cache
def drawer(zones: int, appearance: Appearance) -> Renderer:
    """Draws a board with this number of zones; its empty board takes long to draw."""
    return Renderer(generate(zones, 110.0 * zones), appearance)


def _position(rng: Random) -> Position:
    """A random position of a random ruleset that fits on a board, with a pawn outside the camps."""
    while True:
        rules = load_preset(rng.choice(preset_names()))
        position = random_table(rng, rules, zones=rng.choice([4, 4, 6])).position(rules)
        places = [place for pawns in position.board.to_pawns().values() for place in pawns]
        if is_played(position) and any(place != "camp" for place in places):
            return position


def _table(board: BoardFile, position: Position, lays: bool, rng: Random) -> DryTable:
    """A table in that position, where the seat to move may have laid a card."""
    table = dry_table_at(board, position)
    cards = [card for card in one_of_each_kind(table.position) if table.position.legal_moves(card)]
    if lays and cards:
        card = str(rng.choice(cards))
        table.ask(parse_request("play_card", {"card": card}, Role.SEAT, position.to_move), 0)
    return table


def _spot(rng: Random, board: BoardFile, place: str, empty: set[Hole]) -> tuple[float, float]:
    """A place of that kind, clear of all pawns."""
    if place in RIMS:
        return _rim_spot(rng, board, place, empty)
    pitch_mm = board.pitch_mm
    track = [Hole.track(number) for number in range(18 * board.zones)]
    pairs = [pair for pair in pairwise(track) if set(pair) <= empty]
    standing = [hole for hole in board.holes if hole.id not in empty]
    while True:
        one, other = (board.hole(hole_id) for hole_id in rng.choice(pairs))
        if place == PLACES[0]:
            x_mm, y_mm = (one.x_mm + other.x_mm) / 2, (one.y_mm + other.y_mm) / 2
        elif place == PLACES[1]:
            side = rng.choice([-1, 1]) * rng.uniform(0.5, 0.9)
            x_mm, y_mm = one.x_mm - side * (other.y_mm - one.y_mm), one.y_mm + side * (other.x_mm - one.x_mm)
        else:
            width_mm, height_mm = board.size_mm
            x_mm = rng.uniform(1.5 * pitch_mm, width_mm - 1.5 * pitch_mm)
            y_mm = rng.uniform(1.5 * pitch_mm, height_mm - 1.5 * pitch_mm)
            if board.nearest(x_mm, y_mm)[1] < 1.2 * pitch_mm:
                continue
        gap_mm = board.nearest(x_mm, y_mm)[1]
        inward_mm = min(x_mm, y_mm, board.size_mm[0] - x_mm, board.size_mm[1] - y_mm)
        near = min((_gap_mm(x_mm, y_mm, one) for one in standing), default=pitch_mm)
        markers = min((_gap_mm(x_mm, y_mm, one) for one in board.markers), default=board.size_mm[0])
        if (
            gap_mm >= RIM_PITCHES * pitch_mm
            and inward_mm >= EDGE_PITCHES * pitch_mm
            and near >= pitch_mm
            and markers >= 2 * pitch_mm
        ):
            return x_mm, y_mm


def _rim_spot(rng: Random, board: BoardFile, place: str, empty: set[Hole]) -> tuple[float, float]:
    """A place over the rim of an empty hole of the track, or between the outermost of these and the board's edge."""
    pitch_mm, (width_mm, height_mm) = board.pitch_mm, board.size_mm
    track = [hole for hole in board.holes if hole.id in empty and hole.kind is HoleKind.TRACK]
    standing = [hole for hole in board.holes if hole.id not in empty]

    def inward_mm(x_mm: float, y_mm: float) -> float:
        return min(x_mm, y_mm, width_mm - x_mm, height_mm - y_mm)

    outermost = sorted(track, key=lambda hole: inward_mm(hole.x_mm, hole.y_mm))[:16]
    while True:
        is_rim = place == RIMS[0]
        hole, angle = rng.choice(track if is_rim else outermost), rng.uniform(0, tau)
        away_mm = pitch_mm * (rng.uniform(0.25, RIM_PITCHES) if is_rim else rng.uniform(0.5, 0.9))
        x_mm, y_mm = hole.x_mm + away_mm * cos(angle), hole.y_mm + away_mm * sin(angle)
        is_outside = inward_mm(x_mm, y_mm) < inward_mm(hole.x_mm, hole.y_mm) - 0.3 * pitch_mm
        if not is_rim and (
            not is_outside
            or inward_mm(x_mm, y_mm) < 0.15 * pitch_mm
            or board.nearest(x_mm, y_mm)[1] < RIM_PITCHES * pitch_mm
        ):
            continue
        near = min((_gap_mm(x_mm, y_mm, one) for one in standing), default=pitch_mm)
        markers = min((_gap_mm(x_mm, y_mm, one) for one in board.markers), default=width_mm)
        if near >= pitch_mm and markers >= 1.5 * pitch_mm:
            return x_mm, y_mm


def _gap_mm(x_mm: float, y_mm: float, other: object) -> float:
    return float(((x_mm - other.x_mm) ** 2 + (y_mm - other.y_mm) ** 2) ** 0.5)  # type: ignore[attr-defined]


def _frame(renderer: Renderer, scene: Scene) -> Frame:
    """A camera's picture of the scene."""
    colors = renderer.board.colors
    pawns = [DrawnPawn(one.x_mm, one.y_mm, named_color(colors[one.seat])) for one in scene.state.pawns]
    return renderer.frame(pawns)


def _take(tables: dict[str, DryTable], seen: Observation, scene: Scene, edge: Edge | None = None) -> None:
    """Give every table what its sources say at one moment; `seen` is what a camera says."""
    t_ms = seen.t_ms
    standing = {scene.hole_of(pawn) for pawn in scene.state.pawns}
    states = {True: HoleReading(HoleState.PAWN), False: HoleReading(HoleState.EMPTY)}
    holes = {hole.id: states[hole.id in standing] for hole in scene.board.holes}
    felt = Observation(t_ms, "reed", holes, (edge,) if edge is not None else ())
    for kind, dry in tables.items():
        # A reed board says only what changes, and once a second that it lives; then the table's own clock goes on.
        if kind != "camera" and (edge is not None or t_ms % 1200 == 0):
            dry.take(felt)
        if kind != "reed":
            dry.take(seen)
        if dry.deadline_ms is not None and dry.deadline_ms <= t_ms:
            dry.tick(t_ms)


def _named(table: DryTable, kind: str) -> str:
    """The code of the sentence about the pawn: where it lies, or before reeds alone that it is missing."""
    guidance = table.state.guidance
    if guidance is not None and (guidance.spots or guidance.code.startswith("hidden/")):
        return guidance.code
    return _reported(table) if kind == "reed" else ""


def _reported(table: DryTable) -> str:
    """The table's present message."""
    guidance, warning, question = table.state.guidance, table.game.warning, table.game.question
    if guidance is not None:
        return guidance.code
    if isinstance(warning, ViolationFound):
        return warning.code
    if warning is not None:
        return warning.KIND
    return question.KIND if question is not None else ""


def row(kind: str, place: str, notices: list[Notice]) -> tuple[object, ...]:
    """One kind of source and place: cases, named soon, silence, and the times."""
    silent = sum(one.after_ms is None and not one.code for one in notices)
    soon = [one.after_ms for one in notices if one.after_ms is not None and one.after_ms <= AIM_MS]
    times = sorted(one.after_ms for one in notices if one.after_ms is not None)
    spread = f"{statistics.median(times):.0f}, {times[-1]} ms" if times else "–"
    return kind, place, len(notices), len(soon), silent, spread
