"""Pawns that walk: steps, jumps between summits, dotted lines."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tock_companion.rules.actions import JUMP, LINE, STEP, FlatMove
from tock_companion.rules.tables import OWN, Row

if TYPE_CHECKING:
    from tock_companion.rules.engine import Engine


def walk(
    engine: "Engine",
    out: list[FlatMove],
    cells: Sequence[int],
    seat: int,
    rows: list[Row | None],
    occ: int,
    block: int,
    land: int,
    sweep: int,
) -> None:
    """Add the steps and jumps of these pawns of one seat.

    A pawn cannot pass `block`, cannot land on `land`, and takes the pawns of `sweep` that it passes.
    """
    for src in cells:
        if src < 0:
            continue
        row = rows[src]
        if row is None:
            continue
        dst, path, bit, more = row
        if more is None:
            if not block & path and not land & bit:
                out.append((STEP, seat, src, dst, -1, path & sweep))
            continue
        home, need, home_path, jump, jump_bit, may_stay, may_pass = more
        if home >= 0 and not occ & need and not block & home_path:
            out.append((STEP, seat, src, home, -1, home_path & sweep))
            if not may_pass:
                continue
        if dst < 0 or block & path or land & bit:
            continue
        if may_stay:
            out.append((STEP, seat, src, dst, -1, path & sweep))
        if jump >= 0 and not land & jump_bit:
            taken = path & sweep
            if sweep or engine.takes_first:
                taken |= bit & occ
            out.append((JUMP, seat, src, jump, dst, taken))
            if engine.rules.jump_chain:
                _chain(engine, out, out[-1], occ)


def _chain(engine: "Engine", out: list[FlatMove], first: FlatMove, occ: int) -> None:
    """Add the jumps that go on from the one just added, if the house allows them (SPEC A-25)."""
    _, seat, src, jump, via, taken = first
    shape = engine.shape
    span = jump - via
    ahead = span % shape.track_length <= shape.track_length // 2
    while True:
        if engine.takes_first:
            taken |= occ & 1 << jump
        crosses = ahead and shape.progress(seat, jump) + 18 >= shape.track_length
        jump = (jump + span) % shape.track_length
        if jump == via or (crosses and not engine.rules.jump_over_own_start):
            return
        out.append((JUMP, seat, src, jump, via, taken))


def walk_lines(
    engine: "Engine",
    out: list[FlatMove],
    cells: Sequence[int],
    seat: int,
    steps: int,
    occ: int,
    bars: tuple[int, int, int],
    no_line: int,
    mode: int = OWN,
) -> None:
    """Add the steps of these pawns where dotted lines may be used (R000-18, R000-36 to R000-38)."""
    block, land, sweep = bars
    rows = engine.tables.rows(seat, steps, mode)
    routes = engine.tables.routes(seat, steps)
    centre = engine.shape.centre
    for src in cells:
        found: list[FlatMove] = []
        walk(engine, found, (src,), seat, rows, occ, block, land, sweep)
        past_entrance: list[FlatMove] = []
        enters = any(move[3] > centre for move in found)
        if src in routes and not no_line >> src & 1:
            for via, landing, passed, need, past in routes[src]:
                if block & passed or land >> landing & 1 or occ & need:
                    continue
                enters = enters or landing > centre
                line = (LINE, seat, src, landing, via, passed & sweep)
                (past_entrance if past else found).append(line)
        # A pawn that could go home with this card may not walk past its entrance (SPEC A-03).
        if enters and not engine.rules.voluntary_bypass:
            out += [move for move in found if move[3] > centre or not engine.tables.passes(seat, move)]
        else:
            out += found + past_entrance
