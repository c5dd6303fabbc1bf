"""A seven shared by several pawns: every distinct result once (R004-18, open points A-20, A-21).

Four pawns share a seven in 120 ways, and in 916 when the order counts: one pawn may open the way for the next, close
it, or take a pawn that the next would have taken. Pawns that cannot meet are combined here, without playing their
parts; pawns that meet, and the last own pawn on its way home in a team, are left to `seven_search`.

By hand, where passing is free and both pawns belong to P0, A and B:

    T5  T6  T7  T8  T9  T10 T11 T12          A7       and A3 + B4 fill the same holes: A7 has fewer parts: listed
    A           B                            B7, A1 + B6, A2 + B5, A4 + B3
                                             A5 + B2  whoever comes to T10 second takes the other, a different result
                                             A6 + B1

A3 ends on B's hole, so its order with any part of B matters: A first would take B, which then cannot walk. A6 + B1 is
the board of A4 + B3 with the pawns swapped, and pawns of one seat are alike. Six moves remain of eight shares:

>>> from tock_rules import Position
>>> here = Position.parse("diagonale 4 P0 P0/P1/P2/P3 P0:T5,T8 P1: P2: P3:")
>>> for move in here.legal_moves("7H"):
...     print(move)
7H P0:T5>T12
7H P0:T8>T15
7H P0:T5>T6 + P0:T8>T14
7H P0:T5>T7 + P0:T8>T13
7H P0:T5>T9 + P0:T8>T11
7H P0:T5>T10 + P0:T8>T10

Where passing is forbidden, B blocks A's three steps and more, but A may take them once B has moved:

>>> here = Position.parse("joker-individuel 4 P0 P0/P1/P2/P3 P0:T5,T8 P1: P2: P3:")
>>> print(*[move for move in here.legal_moves("7H") if move.text.endswith("+ P0:T5>T8")])
7H P0:T8>T12 + P0:T5>T8
"""

from tock_rules.actions import FlatMove
from tock_rules.mechanics import Mechanics
from tock_rules.seven_search import TOTAL, Sharer, Sharing
from tock_rules.shared_steps import every_order
from tock_rules.state import State


def seven_moves(
    engine: Mechanics, state: State, seat: int, control: tuple[int, ...], no_line: int
) -> list[FlatMove]:
    """List one move per distinct result: fewest parts first, and pawns in board order where possible."""
    may_finish = engine.rest_matters and _may_finish(engine, state, seat)
    seats = control + engine.mates[seat] if may_finish else control
    pawns: list[Sharer] = []
    # Where a line takes the whole card, parts by lines may have equal ends for different steps.
    meet = may_finish or engine.repeats or engine.lines_end_card
    cells_before = 0
    centre = engine.centre
    for own in seats:
        for cell in state.pawns[engine.of_seat[own]]:
            # A pawn in the centre leaves it with a whole card only, so it gets no part.
            if 0 <= cell < centre or (cell > centre and not _settled(engine, state, own, cell)):
                parts = engine.tables.shares(own, cell, engine.lines and not no_line >> cell & 1)
                pawns.append((own, cell, parts))
                meet = meet or parts.reach & cells_before != 0
                cells_before |= parts.reach
    if not pawns:
        return []
    if engine.has_doors and (may_finish or engine.may_bump_to_door(state, pawns)):
        return every_order(engine, state, seat, control)
    if meet and (len(pawns) > 1 or may_finish or engine.repeats):
        return Sharing(engine, state, seats, pawns, seat if may_finish else -1).moves()
    out: list[FlatMove] = []
    if len(pawns) == 1:
        own, _, parts = pawns[0]
        engine.add_ways(out, state, own, parts.ways[TOTAL])
        return out
    options: list[list[list[FlatMove]]] = []
    decides, last = engine.deciding(state, seats[0]), seats[0]
    for own, _, parts in pawns:
        if own != last:
            decides, last = engine.deciding(state, own), own
        options.append(parts.options(*decides))
    for parts_of_pawn in options:
        out += parts_of_pawn[TOTAL]
    for count in range(2, min(len(pawns), engine.seven_pawns) + 1):
        _combine(out, options, 0, count, TOTAL, ())
    return out


def _combine(
    out: list[FlatMove],
    options: list[list[list[FlatMove]]],
    first: int,
    parts: int,
    rest: int,
    move: FlatMove,
) -> None:
    """Add every share of the rest in `parts` parts among the pawns from `first` on, none of which meet."""
    last = len(options)
    for index in range(first, last - parts + 1):
        for steps in range(1, rest - parts + 2):
            for part in options[index][steps]:
                begun = move + part if move else part
                # The last two parts are combined in place: a call for each would cost more than the loop.
                if parts > 2:
                    _combine(out, options, index + 1, parts - 1, rest - steps, begun)
                    continue
                for other in range(index + 1, last):
                    out += [begun + end for end in options[other][rest - steps]]


def _settled(engine: Mechanics, state: State, seat: int, cell: int) -> bool:
    """Whether all holes above a pawn at home are filled, so that it can never climb further."""
    place = cell - engine.centre - 1 - engine.per_seat * seat
    return state.occ[engine.first_home + seat] >> place == engine.full >> place


def _may_finish(engine: Mechanics, state: State, seat: int) -> bool:
    """Whether parts of the seven may bring the last own pawn home, so that the rest moves a mate's (open point A-21).

    A wrong yes costs only time: every way is taken for open.
    """
    if (
        engine.split.mates
        or not engine.split.mate_rest
        or not engine.rules.finished_plays_mates
        or engine.finished(state, seat)
    ):
        return False
    steps = 0
    for cell in state.pawns[engine.of_seat[seat]]:
        steps += engine.tables.to_home(seat, cell) if cell >= 0 else TOTAL
    return steps < TOTAL
