"""Names the mistake behind a board that no legal move explains.

A legal move that was only not finished comes first: a captured pawn left on the board. Otherwise the pawns that left
and the holes that filled suggest an attempt, and the rules name its fault.
Several attempts may fit one board, and without a card every card is tried: the ranks below say which finding to
believe.
"""

from collections.abc import Iterator, Sequence

from tock_companion.referee.diagnosis.attempts import SeatChange, attempts, changes_of
from tock_companion.referee.diagnosis.incomplete import find_capture_left, find_incomplete
from tock_rules import (
    CAMP,
    CAMP_PLACE,
    Card,
    Kind,
    Move,
    Param,
    Part,
    Position,
    Setup,
    SetupFault,
    Violation,
    distance,
)
from tock_rules.engine import code_of

_COUNTED_RIGHT = frozenset(
    {
        "move/landed_protected",
        "move/landed_own_pawn",
        "move/passed_protected",
        "move/passed_pawn",
        "move/passed_in_home",
        "move/home_occupied",
        "move/must_go_home",
        "move/crossed_own_start",
        "move/jumped_own_start",
        "move/swap_protected",
        "move/swap_home",
        "move/swap_own",
        "move/start_occupied",
        "move/pushed_protected",
        "move/five_into_home",
        "move/backwards_home",
        "move/must_jump",
        "move/left_home",
        "move/back_in_home",
        "move/home_untouchable",
        "move/centre_not_from_seven",
        "move/centre_exit",
        "move/line_too_soon",
    }
)
"""The count is right and something else forbids the move: surer than any wrong count."""
_TYPICAL = frozenset(
    {
        "move/seven_not_used_up",
        "move/seven_too_far",
        "move/four_forwards",
        "move/no_starter",
        "move/five_own_pawn",
        "move/jack_does_not_walk",
        "move/backwards",
    }
)
"""Mistakes that people make with these very cards."""
_WRONG_OWNER = frozenset({"move/not_your_pawn", "move/partners_pawn"})
_VAGUE = frozenset(
    {
        "move/not_of_this_card",
        "move/nobody_there",
        "move/swap_without_jack",
        "move/no_swap",
        "move/centre_card",
    }
)
"""Little more than that the move is not legal."""
_IMPOSSIBLE = {
    SetupFault.NO_SUCH_HOLE: "board/foreign_home",
    SetupFault.FOREIGN_HOME: "board/foreign_home",
    SetupFault.NOT_PLAYING: "board/too_many_pawns",
    SetupFault.MISSING: "board/pawn_missing",
    SetupFault.TOO_MANY: "board/too_many_pawns",
}
MAX_WALKED = 13
"""Holes that a pawn walks with one card: a King's."""
_RANK_TYPICAL, _RANK_OTHER, _RANK_VAGUE = 1, 2, 99


def find_mistake(
    position: Position, card: Card | None, cards: Sequence[Card], moves: Sequence[Move], setup: Setup
) -> Violation:
    """The likeliest mistake. `cards` may have been played (`card` alone when it is known), `moves` are legal."""
    finding = find_capture_left(position, moves, setup) or _impossible(position, card, setup)
    if finding is not None:
        return finding
    changes = changes_of(position.board, setup)
    if not changes:
        return _nothing_moved(position, card)
    if card is None and _is_out_of_turn(position, changes):
        return _out_of_turn(position, changes[0])
    finding = _attempted(position, card, cards, changes)
    # With several pawns moved a far-fetched finding is worse than a legal move that was made with something besides.
    if finding is not None and (_arrivals(changes) == 1 or _rank(finding) < _RANK_OTHER):
        return finding
    return find_incomplete(position, moves, setup) or finding or _several(position, card, changes)


def _nothing_moved(position: Position, card: Card | None) -> Violation:
    code = "board/nothing_moved_no_card" if card is None else "board/nothing_moved"
    return Violation(code, position.ruleset.refs("must_move"), position.to_move, card)


def _is_out_of_turn(position: Position, changes: Sequence[SeatChange]) -> bool:
    """Whether all that changed is that one pawn of a seat that is not to move went from one hole to another."""
    if len(changes) != 1 or changes[0].seat in position.played_seats():
        return False
    return len(changes[0].gained) == len(changes[0].lost) == 1


def _out_of_turn(position: Position, change: SeatChange) -> Violation:
    """The violation by a pawn out of turn: says whose turn it is and how far whose pawn walked; no card needs to be
    known."""
    shape, source, target = position.shape, change.lost[0], change.gained[0]
    params: dict[str, Param] = {"pawn": change.seat.name, "to": shape.hole_id(target)}
    params["from"] = CAMP_PLACE if source == CAMP else shape.hole_id(source)
    kind = Kind.START if source == CAMP else Kind.STEP
    walked = distance(shape, Part(kind, change.seat, source, target)) if kind is Kind.STEP else None
    # Nobody counts further than a card goes.
    if walked is not None and abs(walked) <= MAX_WALKED:
        params["moved"] = walked
    holes = tuple(shape.hole_id(cell) for cell in (target, source) if cell >= 0)
    refs = position.ruleset.refs("turn", "whose")
    return Violation("turn/not_your_turn", refs, position.to_move, None, holes, params)


def _several(position: Position, card: Card | None, changes: Sequence[SeatChange]) -> Violation:
    if _arrivals(changes) == 0 and len(changes) == 1 and len(changes[0].lost) == 1:
        landed = None if card is None else _landed_on_own(position, card, changes[0])
        if landed is not None:
            return landed
        hole = position.shape.hole_id(changes[0].lost[0])
        taken: dict[str, Param] = {"captured": changes[0].seat.name, "captured_from": hole}
        refs = position.ruleset.refs("no_capture")
        return Violation("board/sent_home_wrongly", refs, position.to_move, card, (hole,), taken)
    moved = [change.seat.name for change in changes if change.gained] or [position.to_move.name]
    refs = position.ruleset.refs("value", "whose")
    return Violation("board/several_pawns", refs, position.to_move, card, (), {"pawn": moved[0]})


def _landed_on_own(position: Position, card: Card, change: SeatChange) -> Violation | None:
    """The reason why a pawn may not land where one of the same seat stood, which has gone to its camp for it."""
    source = change.lost[0]
    others = [cell for cell in position.board.cells_of(change.seat) if cell not in (CAMP, source)]
    found = [
        position.explain(card, (Part(Kind.STEP, change.seat, source, cell),))
        for cell in (others if source != CAMP else ())
    ]
    return next((one for one in found if one.code in _COUNTED_RIGHT), None)


def _arrivals(changes: Sequence[SeatChange]) -> int:
    return sum(len(change.gained) for change in changes)


def _impossible(position: Position, card: Card | None, setup: Setup) -> Violation | None:
    """The violation of a board that cannot be: a pawn missing, one too many, one in another seat's home."""
    for problem in setup.problems():
        pawn = problem.seat.name
        gone = [
            hole
            for hole, owner in position.board.occupied().items()
            if owner is problem.seat and setup.holes.get(hole) is not owner
        ]
        params: dict[str, Param] = {"pawn": pawn, "from": gone[0] if gone else "camp"}
        refs = position.ruleset.refs("home_others" if problem.fault is SetupFault.FOREIGN_HOME else "capture")
        code = _IMPOSSIBLE[problem.fault]
        swaps = card is not None and position.engine.actions[code_of(card)].swap
        if swaps and problem.hole in position.board.occupied():
            code, refs = "move/swap_home", position.ruleset.refs("home_untouchable", "jack_camp")
        return Violation(code, refs, position.to_move, card, tuple(gone[:1]), params)
    return None


def _attempted(
    position: Position, card: Card | None, cards: Sequence[Card], changes: Sequence[SeatChange]
) -> Violation | None:
    """The likeliest finding about the player's attempt, None if none fits."""
    # The first of the likeliest: cards and attempts come with the plainer ones first.
    best = min(_findings(position, cards, changes), key=_rank, default=None)
    if card is not None or best is None or best.code in _COUNTED_RIGHT:
        return best
    return _without_card(position, best)


def _findings(
    position: Position, cards: Sequence[Card], changes: Sequence[SeatChange]
) -> Iterator[Violation]:
    for card in cards:
        for parts in attempts(position, card, changes, card_known=len(cards) == 1):
            if position.find(card, parts) is None:
                yield position.explain(card, parts)


def _rank(finding: Violation) -> int:
    """Rank of a finding; the smaller the likelier."""
    if finding.code in _COUNTED_RIGHT:
        return 0
    backwards = finding.code == "move/backwards" and finding.params.get("moved") != finding.params.get(
        "value"
    )
    if finding.code in _TYPICAL and not backwards:
        return _RANK_TYPICAL
    if finding.code in _WRONG_OWNER:
        return _RANK_OTHER
    if finding.code in _VAGUE:
        return _RANK_VAGUE
    if "value" in finding.params and "moved" in finding.params:
        # A wrong count, the likelier the less it is off.
        return _RANK_OTHER + abs(int(finding.params["moved"]) - int(finding.params["value"]))
    return _RANK_OTHER


def _without_card(position: Position, finding: Violation) -> Violation:
    """Reduce a finding to what holds without a card: whose pawn it was, or that no card does this."""
    seat = str(finding.params.get("pawn", position.to_move.name))
    params: dict[str, Param] = {
        key: value for key, value in finding.params.items() if key in ("pawn", "from", "to")
    }
    if finding.code in _WRONG_OWNER:
        refs = position.ruleset.refs("turn", "whose")
        return Violation("turn/not_your_turn", refs, position.to_move, None, finding.holes, params)
    params["pawn"] = seat
    refs = position.ruleset.refs("value")
    return Violation("board/no_card_does_this", refs, position.to_move, None, finding.holes, params)
