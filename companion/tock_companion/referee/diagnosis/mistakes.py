"""Recognises the slip behind a board that no legal move explains.

First come legal moves that were only not finished (a taken pawn left on the board). Otherwise the pawns that
left and the holes
that filled say what the player seems to have done, and the rules say what is wrong with that.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tock_companion.referee.diagnosis.attempts import Change, changes_of, readings
from tock_companion.referee.diagnosis.incomplete import leftover
from tock_companion.rules.board import Setup
from tock_companion.rules.cards import Card
from tock_companion.rules.engine import FlatMove, code_of
from tock_companion.rules.judge import explain_parts
from tock_companion.rules.position import Position
from tock_companion.rules.state import State
from tock_companion.rules.violations import Param, Violation

_RIGHT_COUNT = (
    "landed_protected passed_protected passed_pawn passed_in_home home_occupied must_go_home crossed_own_start "
    "jumped_own_start swap_protected swap_home swap_own start_occupied pushed_protected five_into_home "
    "backwards_home must_jump left_home back_in_home home_untouchable centre_not_from_seven centre_exit line_too_soon"
)
_TELLING = frozenset(f"move/{code}" for code in _RIGHT_COUNT.split())
"""The count was right: such a finding is surer than any wrong count."""
_PLAIN = frozenset(
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
_WHOSE = frozenset({"move/not_your_pawn", "move/partners_pawn"})
_VAGUE = frozenset(
    {"move/not_of_this_card", "move/nobody_there", "move/swap_without_jack", "move/centre_card"}
)


@dataclass(frozen=True)
class Candidate:
    """A legal move on flat integers with the state it leads to."""

    card: Card
    flat: FlatMove
    after: State


def candidates_of(position: Position, cards: Sequence[Card]) -> list[Candidate]:
    """Return every legal move of these cards with its result."""
    engine, state = position.engine, position.board.state
    return [
        Candidate(card, flat, engine.apply(state, flat))
        for card in cards
        for flat in engine.moves(state, position.to_move, code_of(card), position.arrived)
    ]


def find_slip(
    position: Position, card: Card | None, candidates: Sequence[Candidate], setup: Setup
) -> Violation:
    """Return the likeliest mistake; `candidates` are the legal moves of the cards that may have been played."""
    made = [(c.card, c.flat, c.after) for c in candidates]
    unfinished = leftover(position, made, setup, only_captures=True)
    if unfinished is not None:
        return unfinished
    impossible = _impossible(position, card, setup)
    if impossible is not None:
        return impossible
    changes = changes_of(position.board, setup)
    if not changes:
        return _nothing_moved(position, card)
    finding = _finding(position, card, changes)
    if finding is not None and (_movers(changes) == 1 or _rank(finding) < 2):
        return finding
    return (
        leftover(position, made, setup, only_captures=False) or finding or _several(position, card, changes)
    )


def _nothing_moved(position: Position, card: Card | None) -> Violation:
    code = "board/nothing_moved_no_card" if card is None else "board/nothing_moved"
    return Violation(code, position.ruleset.refs("must_move"), position.to_move, card)


def _several(position: Position, card: Card | None, changes: Sequence[Change]) -> Violation:
    if _movers(changes) == 0 and len(changes) == 1 and len(changes[0].lost) == 1:
        hole = position.shape.hole_id(changes[0].lost[0])
        taken: dict[str, Param] = {"captured": changes[0].seat.name, "captured_from": hole}
        refs = position.ruleset.refs("no_capture")
        return Violation("board/sent_home_wrongly", refs, position.to_move, card, (hole,), taken)
    moved = [change.seat.name for change in changes if change.gained] or [position.to_move.name]
    refs = position.ruleset.refs("value", "whose")
    return Violation("board/several_pawns", refs, position.to_move, card, (), {"pawn": moved[0]})


def _movers(changes: Sequence[Change]) -> int:
    return sum(len(change.gained) for change in changes)


def _impossible(position: Position, card: Card | None, setup: Setup) -> Violation | None:
    """Return the violation of a board that cannot be: a pawn missing, one too many, one in a foreign home."""
    codes = {
        "missing": "board/pawn_missing",
        "too_many": "board/too_many_pawns",
        "not_playing": "board/too_many_pawns",
        "foreign_home": "board/foreign_home",
        "no_such_hole": "board/foreign_home",
    }
    for problem in setup.problems():
        kind, _, place = problem.partition(":")
        seat = setup.holes.get(place, position.to_move)
        params: dict[str, Param] = {
            "pawn": place if kind in ("missing", "too_many", "not_playing") else seat.name
        }
        gone = [
            hole
            for hole, owner in position.board.occupied().items()
            if owner.name == params["pawn"] and setup.holes.get(hole) is not owner
        ]
        params["from"] = gone[0] if gone else "camp"
        refs = position.ruleset.refs("home_others" if kind == "foreign_home" else "capture")
        return Violation(codes[kind], refs, position.to_move, card, tuple(gone[:1]), params)
    return None


def _finding(position: Position, card: Card | None, changes: Sequence[Change]) -> Violation | None:
    """Return the likeliest finding about what the player seems to have done, None when nothing fits."""
    from tock_companion.referee.diagnosis.explain import kinds_of_card

    kinds = (card,) if card is not None else kinds_of_card(position)
    best: Violation | None = None
    for finding in _findings(position, kinds, changes):
        if best is None or _rank(finding) < _rank(best):
            best = finding
    if card is not None or best is None or best.code in _TELLING:
        return best
    return _without_card(position, best)


def _findings(position: Position, kinds: Sequence[Card], changes: Sequence[Change]) -> Iterator[Violation]:
    for kind in kinds:
        for parts in readings(position, kind, changes, card_known=len(kinds) == 1):
            if position.find_parts(kind, parts) is None:
                yield explain_parts(position, kind, parts)


def _rank(finding: Violation) -> int:
    """Return how far-fetched a finding is; the smaller the likelier."""
    if finding.code in _TELLING:
        return 0
    backwards = finding.code == "move/backwards" and finding.params.get("moved") != finding.params.get(
        "value"
    )
    if finding.code in _PLAIN and not backwards:
        return 1
    if finding.code in _WHOSE:
        return 2
    if finding.code in _VAGUE:
        return 99
    if "value" in finding.params and "moved" in finding.params:
        return 2 + abs(int(finding.params["moved"]) - int(finding.params["value"]))
    return 2


def _without_card(position: Position, finding: Violation) -> Violation:
    """Return the finding as one can say it when no card is known: whose pawn it was, or that no card does this."""
    seat = str(finding.params.get("pawn", position.to_move.name))
    params: dict[str, Param] = {
        key: value for key, value in finding.params.items() if key in ("pawn", "from", "to")
    }
    if finding.code in _WHOSE:
        refs = position.ruleset.refs("turn", "whose")
        return Violation("turn/not_your_turn", refs, position.to_move, None, finding.holes, params)
    params["pawn"] = seat
    refs = position.ruleset.refs("value")
    return Violation("board/no_card_does_this", refs, position.to_move, None, finding.holes, params)
