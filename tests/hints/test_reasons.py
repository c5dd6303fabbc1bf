"""Every reason that a hint gives is true: each code is proved again from the position and the move, by plain means."""

from collections import Counter
from collections.abc import Callable

import pytest

from tests.support.games import moments
from tock_companion.hints.advice import Advice, Adviser, Hint
from tock_companion.hints.knowledge import Knowledge
from tock_companion.hints.reasons import Reason
from tock_companion.hints.tactics import RANK_OF_CODE
from tock_companion.language import catalog
from tock_companion.views.names import Names
from tock_rules import Board, Card, Kind, Move, Part, Position, Rank, Seat

pytestmark = pytest.mark.whole

LENGTH = 72
Check = Callable[[Knowledge, Advice, Hint, Reason], bool]


def position_after(knowledge: Knowledge, move: Move) -> Position:
    return knowledge.position.play(move)


def camps(board: Board, seat: Seat) -> int:
    return board.camp_count(seat)


def homes(board: Board, seat: Seat) -> int:
    return sum(cell > LENGTH for cell in board.cells_of(seat))


def moved(hint: Hint) -> Move:
    assert hint.move is not None
    return hint.move


def sides(knowledge: Knowledge) -> tuple[Seat, ...]:
    return knowledge.position.team_of(knowledge.seat)


def wins(knowledge: Knowledge, advice: Advice, hint: Hint, reason: Reason) -> bool:
    outcome = position_after(knowledge, moved(hint)).outcome()
    return outcome is not None and knowledge.seat in outcome.winners


def sends_home(knowledge: Knowledge, advice: Advice, hint: Hint, reason: Reason) -> bool:
    before, after = knowledge.position.board, moved(hint).result
    sent = Counter(reason.pawns)
    return all(
        seat not in sides(knowledge) and camps(after, seat) - camps(before, seat) == count
        for seat, count in sent.items()
    )


def goes_home(knowledge: Knowledge, advice: Advice, hint: Hint, reason: Reason) -> bool:
    before, after = knowledge.position.board, moved(hint).result
    return all(homes(after, s) - homes(before, s) == n for s, n in Counter(reason.pawns).items())


def comes_out(knowledge: Knowledge, advice: Advice, hint: Hint, reason: Reason) -> bool:
    return any(part.from_cell < 0 and (part.seat,) == reason.pawns for part in moved(hint).parts)


def walking(part: Part) -> bool:
    return part.kind is not Kind.SWAP and 0 <= part.from_cell < LENGTH and 0 <= part.to_cell < LENGTH


def gone(seat: Seat, cell: int) -> int:
    return (cell - 18 * seat) % LENGTH


def saves_lap(knowledge: Knowledge, advice: Advice, hint: Hint, reason: Reason) -> bool:
    return any(
        walking(part) and gone(part.seat, part.from_cell) <= 3 and 57 <= gone(part.seat, part.to_cell) <= 70
        for part in moved(hint).parts
    )


def enters(knowledge: Knowledge, advice: Advice, hint: Hint, reason: Reason) -> bool:
    """Play every named card in the position after the move: each must bring a pawn home."""
    after = moved(hint).result
    turn = Position.of(knowledge.position.ruleset, after, knowledge.seat, knowledge.position.teams)
    rest = list(knowledge.hand)
    if hint.card is not None:
        rest.remove(hint.card)
    for rank in reason.ranks:
        cards = [card for card in rest if card.rank is rank]
        if reason.code == "hand_enters" and not cards:
            return False
        cards = cards or [card for card in knowledge.plan.deck if card.rank is rank]
        if not any(
            homes(move.result, knowledge.seat) > homes(after, knowledge.seat)
            for card in cards
            for move in turn.legal_moves(card)
        ):
            return False
    return True


def hitting(position: Position, seat: Seat, cell: int) -> set[Rank]:
    """The ranks with which a seat's own pawns send the pawn on a cell back, found by playing every card."""
    turn = Position.of(position.ruleset, position.board, seat, position.teams)
    found = set()
    own = {c for c in position.board.cells_of(seat) if 0 <= c < LENGTH or c == position.shape.centre}
    for card in set(Knowledge(turn, ()).plan.deck):
        for move in turn.legal_moves(card):
            walked = all(part.kind is not Kind.SWAP and part.from_cell >= 0 for part in move.parts)
            if walked and {p.from_cell for p in move.parts} & own and taken(move, cell):
                found.add(card.rank)
    return found


def taken(move: Move, cell: int) -> bool:
    return any(hole == move.before.shape.hole_id(cell) for _, hole in move.captures)


def danger(knowledge: Knowledge, advice: Advice, hint: Hint, reason: Reason) -> bool:
    after = position_after(knowledge, moved(hint))
    others = [seat for seat in after.seats if seat not in sides(knowledge)]
    for part in moved(hint).parts:
        if not walking(part) and part.kind is not Kind.SWAP:
            continue
        now = set().union(*(hitting(after, seat, part.to_cell) for seat in others))
        before = set().union(*(hitting(knowledge.position, seat, part.from_cell) for seat in others))
        if reason.code == "safe" and before and not now:
            return True
        if reason.code == "only_four" and before and now == {Rank.FOUR}:
            return True
        counts = reason.numbers
        if reason.code == "fewer_hit" and (len(before), len(now)) == (counts["before"], counts["after"]):
            return True
    return False


def hit_next(knowledge: Knowledge, advice: Advice, hint: Hint, reason: Reason) -> bool:
    after = moved(hint).result
    turn = Position.of(knowledge.position.ruleset, after, knowledge.seat, knowledge.position.teams)
    rest = list(knowledge.hand)
    if hint.card is not None:
        rest.remove(hint.card)
    return any(
        seat in reason.pawns
        for card in rest
        if card.rank in reason.ranks
        for move in turn.legal_moves(card)
        for seat, _ in move.captures
    )


def drives_past(knowledge: Knowledge, advice: Advice, hint: Hint, reason: Reason) -> bool:
    return any(
        part.seat in reason.pawns
        and part.seat not in sides(knowledge)
        and gone(part.seat, part.from_cell) <= 70
        and (
            gone(part.seat, part.to_cell) == 71
            or gone(part.seat, part.to_cell) < gone(part.seat, part.from_cell)
        )
        for part in moved(hint).parts
    )


def swap(knowledge: Knowledge, advice: Advice, hint: Hint, reason: Reason) -> bool:
    (part,) = moved(hint).parts
    (pawn,) = reason.pawns
    source, target = (part.from_cell, part.to_cell) if pawn is part.seat else (part.to_cell, part.from_cell)
    ahead = gone(pawn, target) - gone(pawn, source)
    mine = pawn in sides(knowledge)
    return ahead * (1 if reason.code == "swap_gains" else -1) == reason.numbers["holes"] > 0 and mine == (
        reason.code == "swap_gains"
    )


def blocks(knowledge: Knowledge, advice: Advice, hint: Hint, reason: Reason) -> bool:
    starts = [part.to_cell for part in moved(hint).parts if part.kind is Kind.START]
    after = moved(hint).result
    return all(
        any(
            0 < (start - cell) % LENGTH <= 13
            for start in starts
            for cell in after.cells_of(seat)
            if 0 <= cell < LENGTH
        )
        for seat in reason.pawns
    )


def keeps(knowledge: Knowledge, advice: Advice, hint: Hint, reason: Reason) -> bool:
    rest = list(knowledge.hand)
    if hint.card is not None:
        rest.remove(hint.card)
    other = {one.card.rank for one in advice.moves if one.card is not None and one is not hint}
    return all(any(card.rank is rank for card in rest) and rank in other for rank in reason.ranks)


def looks_best(knowledge: Knowledge, advice: Advice, hint: Hint, reason: Reason) -> bool:
    values = sorted((one.value for one in advice.hints if one.choice.samples >= 16), reverse=True)
    return (
        hint is advice.best and reason.numbers["best"] >= reason.numbers["next"] and hint.value == values[0]
    )


def forward(knowledge: Knowledge, advice: Advice, hint: Hint, reason: Reason) -> bool:
    return any(
        walking(part) and (part.to_cell - part.from_cell) % LENGTH == reason.numbers["holes"]
        for part in moved(hint).parts
    )


def least_needed(knowledge: Knowledge, advice: Advice, hint: Hint, reason: Reason) -> bool:
    return hint is advice.best and any(card.rank in reason.ranks for card in knowledge.hand)


def legal(knowledge: Knowledge, advice: Advice, hint: Hint, reason: Reason) -> bool:
    return advice.hints.index(hint) == reason.numbers["rank"]


CHECKS: dict[str, Check] = {
    "wins": wins,
    "sends_home": sends_home,
    "goes_home": goes_home,
    "comes_out": comes_out,
    "saves_lap": saves_lap,
    "hand_enters": enters,
    "card_enters": enters,
    "safe": danger,
    "only_four": danger,
    "fewer_hit": danger,
    "hit_next": hit_next,
    "drives_past": drives_past,
    "swap_gains": swap,
    "swap_costs": swap,
    "blocks": blocks,
    "keeps": keeps,
    "looks_best": looks_best,
    "forward": forward,
    "least_needed": least_needed,
    "legal": legal,
    "only_move": lambda knowledge, advice, hint, reason: len(advice.hints) == 1,
    "no_move": lambda knowledge, advice, hint, reason: not advice.moves,
    "first": lambda knowledge, advice, hint, reason: hint is advice.best,
    "climbs": lambda knowledge, advice, hint, reason: any(p.from_cell > LENGTH for p in moved(hint).parts),
    "second_move": lambda knowledge, advice, hint, reason: (
        hint.card is not None and hint.card.rank is Rank.JOKER
    ),
    "keeps_second": lambda knowledge, advice, hint, reason: hint.doing == "keep_second",
    "into_centre": lambda knowledge, advice, hint, reason: any(
        p.to_cell == LENGTH for p in moved(hint).parts
    ),
}


def check(count: int, seed: int) -> Counter[str]:
    seen: Counter[str] = Counter()
    for game in moments(count, seed):
        knowledge = Knowledge.of_game(game)
        names = Names(knowledge.position.shape, {}, {})
        advice = Adviser(knowledge).at_once()
        for hint in advice.hints[:6]:
            assert 1 <= len(hint.reasons) <= 3
            for reason in hint.reasons:
                text = reason.text(names)
                assert "{" not in text["fr"] + text["en"]
                seen[reason.code] += 1
                what = f"{text['en']} {hint.move and hint.move.text} {knowledge.position.board.to_pawns()}"
                assert CHECKS[reason.code](knowledge, advice, hint, reason), f"{game.rules.name}: {what}"
    return seen


def test_every_reason_is_true_at_random_moments() -> None:
    seen = check(60, seed=21)
    assert len(seen) >= 12


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_every_reason_is_true_at_many_moments() -> None:
    assert len(check(4000, seed=22)) >= 20


def test_reasons_of_a_search_hold_too() -> None:
    for game in moments(4, seed=23):
        knowledge = Knowledge.of_game(game)
        advice = Adviser(knowledge).further(budget_ms=None)
        for reason in advice.best.reasons:
            assert CHECKS[reason.code](knowledge, advice, advice.best, reason)


def test_every_code_has_a_check() -> None:
    worded = {code.removeprefix("reasons.") for code in catalog("hints") if code.startswith("reasons.")}
    assert worded - {"_and", "_or"} == set(CHECKS)
    assert set(RANK_OF_CODE.values()) == set(Rank)
    assert Card.parse("7H").rank is Rank.SEVEN
