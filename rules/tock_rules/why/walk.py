"""Why a pawn may not walk as it did: direction, count, obstacles, landing."""

from tock_rules.board import Board
from tock_rules.geometry import BoardShape
from tock_rules.parts import Kind, Part
from tock_rules.paths import distance, path
from tock_rules.start_holes import (
    crosses_own_start,
    forbids_crossing_own_start,
    forbids_jumping_over_own_start,
)
from tock_rules.violations import Param, Violation
from tock_rules.why.case import Case, protected_things


def why_walk(case: Case, board: Board, part: Part, value: int) -> Violation:
    """The mistake in one pawn's walk of `value` holes on that board; a part of a seven has its own value."""
    shape = case.shape
    whose = _why_whose(case, board, part)
    if whose is not None:
        return whose
    if case.action.swap and not value:
        return case.blame("move/jack_does_not_walk", ("jack_advance",), part)
    inside = shape.home_of(part.from_cell)
    if inside is not None and part.to_cell <= shape.centre:
        return case.blame("move/left_home", ("home_leaving",), part)
    walked = distance(shape, part)
    if walked is None:
        return case.blame("move/not_of_this_card", case.counting, part)
    if shape.home_of(part.to_cell) is not None and value < 0 < walked and walked > 8:
        return case.blame("move/backwards_home", ("home_backwards", "four"), part)
    if inside is not None and walked < 0:
        return case.blame("move/back_in_home", ("home_back",), part)
    if case.action.start and not value:
        return case.blame("move/only_starts", case.counting, part)
    if walked != value:
        return _why_count(case, part, walked, value)
    return _why_way(case, board, part, value)


def _why_whose(case: Case, board: Board, part: Part) -> Violation | None:
    mine = part.seat in case.control(board)
    if case.action.push and not (mine and case.action.steps):
        if mine or (
            case.action.pushes == "opponent" and part.seat not in case.engine.opponents[case.to_move]
        ):
            mates = part.seat in case.engine.mates[case.to_move]
            code = "move/five_partners_pawn" if mates else "move/five_own_pawn"
            return case.blame(code, ("five_own",), part)
        if part.from_cell > case.shape.centre:
            return case.blame("move/home_untouchable", ("home_untouchable", "five"), part)
        if case.rules.start_push_immune and case.engine.protected_cells(board.state) >> part.from_cell & 1:
            return case.blame("move/pushed_protected", ("protected_pushed", "five"), part)
        if part.to_cell > case.shape.centre and case.rules.five_into_home == "never":
            return case.blame("move/five_into_home", ("five_home",), part)
        return None
    return None if mine else case.not_mine(part)


def _why_count(case: Case, part: Part, walked: int, value: int) -> Violation:
    if value < 0 < walked:
        code = "move/four_forwards" if value == -4 else "move/card_forwards"
        return case.blame(code, ("not_backwards", case.card_thing), part, moved=walked)
    if walked < 0 < value:
        things = ("seven_backwards",) if case.action.seven else ("backwards", case.card_thing)
        return case.blame(case.backwards, things, part, moved=-walked)
    moved, wanted = abs(walked), abs(value)
    far = moved > wanted
    if case.action.seven and not far:
        return case.blame(
            "move/seven_not_used_up", ("seven", "value"), part, moved=moved, left=wanted - moved
        )
    if case.shape.home_of(part.to_cell) is not None:
        code = "move/too_far_home" if far else "move/too_short_home"
        return case.blame(code, ("home_exact", *case.counting), part, moved=moved)
    back: dict[str, Param] = {"back": 1} if walked < 0 else {}
    # Players who count the hole the pawn stands on end one hole short.
    code = "move/too_far" if far else "move/counted_start_hole" if wanted - moved == 1 else "move/too_short"
    return case.blame(code, case.counting, part, moved=moved, **back)


def _why_way(case: Case, board: Board, part: Part, value: int) -> Violation:
    """The count is right: look along the way, then at the landing, then at the short ways and the entrance."""
    shape, state = case.shape, board.state
    if part.kind is Kind.LINE:
        line = _why_line(case, part, value)
        if line is not None:
            return line
        target, cells = part.to_cell, _line_path(shape, part, value)
    else:
        target = part.via if part.kind is Kind.JUMP and part.via is not None else part.to_cell
        cells = path(shape, part.seat, part.from_cell, value, target)
    block, land = case.engine.barriers(state, case.action.sweep)
    protected = case.engine.protected_cells(state)
    own = case.control(board) if case.engine.own_bars and not case.action.sweep else ()
    for cell in cells[:-1]:
        if board.owners.get(cell) in own and cell < shape.centre:
            return case.blame("move/passed_own_pawn", ("own_passed",), part, cell)
        if shape.home_of(cell) is not None:
            if cell in board.owners:
                return case.blame("move/passed_in_home", ("home_passing",), part, cell)
        elif block >> cell & 1 and protected >> cell & 1:
            owner = board.owners[cell].name
            return case.blame(
                "move/passed_protected", protected_things(board, cell, "passed"), part, cell, blocker=owner
            )
        elif block >> cell & 1:
            thing = "passing" if value > 0 else "passing_back"
            return case.blame("move/passed_pawn", (thing,), part, cell, blocker=board.owners[cell].name)
    if board.owners.get(target) in own and target < shape.centre:
        return case.blame("move/landed_own_pawn", ("own_landed",), part, target)
    if shape.home_of(target) is not None and target in board.owners:
        return case.blame("move/home_occupied", ("home_occupied",), part)
    if land >> target & 1:
        owner = board.owners[target].name
        return case.blame(
            "move/landed_protected", protected_things(board, target, "taken"), part, target, blocker=owner
        )
    if case.engine.partner_cells(state, part.seat) >> target & 1:
        code = "move/door_occupied" if case.engine.bumps_to_door else "move/landed_partner"
        return case.blame(code, ("door_taken", "capture"), part, blocker=board.owners[target].name)
    if shape.home_of(target) is not None and board.is_fresh(part.from_cell) and not case.rules.fresh_enters:
        return case.blame("move/fresh_into_home", ("fresh_home",), part)
    return _why_short_way(case, board, part, value)


def _why_short_way(case: Case, board: Board, part: Part, value: int) -> Violation:
    """Without an obstacle the mistake is the jump, the crossing of its own start, or the home passed by."""
    shape, rules = case.shape, case.rules
    if part.kind is Kind.JUMP and part.via is not None:
        span = (part.to_cell - part.via) % shape.track_length
        right = span == (shape.zone_length if value > 0 else shape.track_length - shape.zone_length)
        if not rules.summit_jump or not shape.is_summit(part.via) or not right:
            return case.blame("move/no_such_jump", ("jump",), part)
        if forbids_jumping_over_own_start(rules, pushed=False) and value > 0:
            return case.blame("move/jumped_own_start", ("jump_own_start",), part, shape.start(part.seat))
        return case.blame("move/no_such_jump", ("jump",), part)
    crosses = crosses_own_start(shape, part.seat, part.from_cell, value)
    if crosses and forbids_crossing_own_start(rules, pushed=False):
        return case.blame("move/crossed_own_start", ("own_start",), part, shape.start(part.seat))
    passes = value > 0 and part.from_cell < shape.centre and value > shape.to_door(part.seat, part.from_cell)
    if passes and rules.past_door == "stops" and not case.pushes(board, part):
        return case.blame("move/passed_door", ("past_door", "own_start"), part, shape.entrance(part.seat))
    if passes and not rules.voluntary_bypass:
        return case.blame("move/must_go_home", ("bypass",), part, shape.entrance(part.seat))
    if rules.summit_jump and not rules.jump_optional and shape.is_summit(part.to_cell):
        return case.blame("move/must_jump", ("jump",), part)
    return case.blame("move/not_of_this_card", case.counting, part)


def _line_path(shape: BoardShape, part: Part, value: int) -> list[int]:
    via = part.from_cell if part.via is None else part.via
    rest = value - (1 if value > 0 else -1)
    return [via, *(path(shape, part.seat, via, rest, part.to_cell) if rest else [])]


def _why_line(case: Case, part: Part, value: int) -> Violation | None:
    """The mistake in taking this dotted line, None if it may be taken (docs/rules/board.md)."""
    shape, rules = case.shape, case.rules
    via = part.from_cell if part.via is None else part.via
    zones = ((via - part.from_cell) % shape.track_length) // shape.zone_length
    span = min(zones, shape.zones - zones)
    on_summits = shape.is_summit(part.from_cell) and shape.is_summit(via)
    if rules.dotted_lines and shape.zones == 4:
        return case.blame("move/no_line", ("line_board", "line"), part)
    if not rules.dotted_lines or not on_summits:
        return case.blame("move/no_line", ("line" if value > 0 else "line_back",), part)
    if span > 2 or (span == 2 and (shape.zones < 8 or rules.dotted_double == "off")):
        return case.blame("move/no_double_line", ("line_double",), part)
    if case.arrived >> part.from_cell & 1:
        return case.blame("move/line_too_soon", ("line",), part)
    return None
