"""Moves before a camera whose automatics wander, drawn, read and judged as at a table."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import dist
from pathlib import Path
from random import Random
from typing import Annotated

import cv2
import numpy as np

from tock_bench.drawn_table import FRAME_MS, STILL_MS, DrawnTable, End, Watched
from tock_bench.dry_table import dry_table_at
from tock_bench.noisy.noise import Noise
from tock_bench.noisy.person import Person, Shot, standing_on
from tock_bench.noisy.random_tables import random_table
from tock_bench.noisy.slow_moves import is_played
from tock_bench.places import BUILD
from tock_bench.results import Measured, Say, table
from tock_bench.wandering import Automatics, Way
from tock_companion.boardfile import COLOR_NAMES, BoardFile, generate
from tock_companion.referee.matching.candidates import one_of_each_kind
from tock_companion.rules import Move, Position, load_preset, preset_names
from tock_companion.table.core.requests import Role, parse_request
from tock_vision.capture import CaptureLoop
from tock_vision.reader import BoardReader
from tock_vision.rendering.appearance import Appearance, Color, named_color
from tock_vision.rendering.renderer import Renderer

FIRST_SEED = 90_000
MIN_APART = 28.0
"""Least distance of two seats' colours (CIE L*a*b*): no family plays with two that are closer."""
HEAD = ("", "n", *(end.value for end in End))
WOODS: dict[str, Color] = {
    "honey": (92.0, 156.0, 214.0),
    "pine": (118.0, 168.0, 206.0),
    "maple": (158.0, 194.0, 218.0),
    "cherry": (84.0, 118.0, 172.0),
    "oak": (96.0, 140.0, 178.0),
    "walnut": (58.0, 82.0, 112.0),
}
NEAR_WOOD = {
    "honey": "orange",
    "pine": "yellow",
    "maple": "white",
    "cherry": "orange",
    "oak": "orange",
    "walnut": "brown",
}
"""The colour of pawns that is easiest taken for the wood; every second board has such pawns."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one move."""

    case: int
    way: str
    wood: str
    colors: list[str]
    is_learned: bool
    end: str
    """The value of an `End`."""
    codes: list[str]
    """Everything that the table recorded."""
    misread: int
    """Holes that were read wrong in the last picture; unknown ones are no error."""
    unknown: int
    still: str = ""
    """What becomes of it before a camera that holds still, where it was not right; empty where it was."""


def run(
    say: Say,
    cases: int = 200,
    first: Annotated[int, "where to begin: cases that nothing was chosen by"] = 0,
    still: Annotated[bool, "the automatics hold still: what is wrong then is not theirs"] = False,
    keep: Annotated[Path, "goes on with what stands there"] = BUILD / "automatics.jsonl",
) -> Measured:
    """Make one move in each case, before boards of other wood and pawns of other colours."""
    keep.parent.mkdir(parents=True, exist_ok=True)
    lines = keep.read_text(encoding="utf-8").splitlines() if keep.exists() else []
    outcomes = [Outcome(**json.loads(line)) for line in lines]
    done = {one.case for one in outcomes}
    for case in range(first, first + cases):
        if case in done:
            continue
        new = play(case, is_still=still)
        if new.end != End.RIGHT.value and not still:
            new = replace(new, still=play(case, is_still=True).end)
        outcomes.append(new)
        with keep.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(new)) + "\n")
        say(f"{case}: {new.end}, {new.misread} misread, {new.unknown} unknown")
    # What is not right before a camera that holds still either is no fault of the automatics.
    counted = [one for one in outcomes if one.still in ("", End.RIGHT.value)]
    groups: dict[str, list[Outcome]] = {
        way.value: [one for one in counted if one.way == way.value] for way in Way
    }
    groups |= {wood: [one for one in counted if one.wood == wood] for wood in WOODS}
    groups["learned before"] = [one for one in counted if one.is_learned]
    groups["not learned"] = [one for one in counted if not one.is_learned]
    groups["all"] = counted
    failed = [asdict(one) for one in outcomes if one.end != End.RIGHT.value]
    rows = [_row(name, group) for name, group in groups.items() if group]
    return Measured(
        {"n": len(counted), "left_out": len(outcomes) - len(counted), "not_right": failed}, table(HEAD, rows)
    )


def _row(name: str, group: Sequence[Outcome]) -> tuple[object, ...]:
    ends = Counter(one.end for one in group)
    return (name, len(group), *(ends[end.value] for end in End))


def play(case: int, *, is_still: bool = False) -> Outcome:
    """Learn a board while the camera holds still, let its automatics go, and make a move."""
    rng = Random(FIRST_SEED + case)
    position, move = _turn(rng)
    wood = rng.choice(list(WOODS))
    board = _board(rng, position.shape.zones, NEAR_WOOD[wood] if case % 2 else None)
    way = list(Way)[case % 3]
    automatics = Automatics.random(rng, way)
    drawn = DrawnTable(Renderer(board, _appearance(rng, WOODS[wood], case)))
    loop = CaptureLoop("camera", drawn, BoardReader(board), 1000 / FRAME_MS)
    watched = Watched(loop, dry_table_at(board, position), drawn)
    is_learned = case % 4 != 0 and _learn(loop, drawn, board)
    if not is_still:
        watched.automatics = automatics
    standing = standing_on(position.board)
    watched.show(Shot(standing, frozenset(), STILL_MS))
    seat = watched.table.position.to_move
    watched.table.ask(parse_request("play_card", {"card": str(move.card)}, Role.SEAT, seat), watched.t_ms)
    for shot in Person(position.shape, Noise(**NO_MISTAKES), rng).make(move, standing):
        watched.show(shot)
    watched.wait()
    misread, unknown = watched.errors()
    colors = [board.colors[seat] for seat in board.seats]
    return Outcome(
        case, way.value, wood, colors, is_learned, watched.end(move).value, watched.codes, misread, unknown
    )


NO_MISTAKES = {"bump": 0.0, "changed_mind": 0.0, "beside": 0.0, "stops": 0.0, "slide": 0.0}
"""The person plays as people do who know how; what goes wrong here is the camera's."""


def _turn(rng: Random) -> tuple[Position, Move]:
    """A random position of a random ruleset, and a move there that can be seen."""
    while True:
        rules = load_preset(rng.choice(preset_names()))
        position = random_table(rng, rules, zones=rng.choice([4, 4, 6])).position(rules)
        if not is_played(position):
            continue
        card = rng.choice(one_of_each_kind(position))
        moves = [move for move in position.legal_moves(card) if not move.result.looks_like(position.board)]
        if moves:
            return position, rng.choice(moves)


def _board(rng: Random, zones: int, wanted: str | None) -> BoardFile:
    """A board whose seats have colours that differ enough, one of them the wanted one."""
    board = generate(zones, 110.0 * zones)
    while True:
        chosen = rng.sample(list(COLOR_NAMES), zones)
        if wanted is not None and wanted not in chosen:
            chosen[rng.randrange(zones)] = wanted
        labs = [_lab(color) for color in chosen]
        apart = min(dist(one, other) for n, one in enumerate(labs) for other in labs[n + 1 :])
        if apart >= MIN_APART:
            return replace(board, colors=dict(zip(board.seats, chosen, strict=True)))


def _lab(color: str) -> list[float]:
    bgr = np.array([[named_color(color)]], dtype=np.float32) / 255
    return [float(value) for value in cv2.cvtColor(bgr, cv2.COLOR_BGR2LAB)[0, 0]]


def _appearance(rng: Random, wood: Color, case: int) -> Appearance:
    shade = rng.uniform(0.9, 1.08)
    lamp = rng.choice([(1.0, 1.0, 1.0), (0.86, 0.95, 1.02), (1.04, 1.0, 0.94)])
    return Appearance(
        size_px=(960, 720),
        tilt_deg=rng.uniform(0, 25),
        turn_deg=rng.uniform(0, 360),
        board=tuple(min(255.0, value * shade) for value in wood),  # type: ignore[arg-type]
        grain=rng.uniform(0.05, 0.14),
        paint=rng.choice(["none", "ring", "ring"]),
        light=lamp,
        slope=(rng.uniform(-0.2, 0.2), rng.uniform(-0.2, 0.2)),
        noise=rng.uniform(1.5, 4.0),
        seed=case,
    )


def _learn(loop: CaptureLoop, drawn: DrawnTable, board: BoardFile) -> bool:
    """Set the camera up as a family does: the empty board, then all pawns in their camps; whether it worked."""
    drawn.standing = {}
    loop.step(0)
    empty = loop.learn("empty")
    drawn.standing = {hole.id: hole.seat for hole in board.holes if hole.seat is not None and hole.id.in_camp}
    for _ in range(3):
        loop.step(0)
        if empty["learned"] and loop.learn("camps")["learned"]:
            return True
    return False
