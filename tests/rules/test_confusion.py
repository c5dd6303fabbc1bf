"""For every statement that a player can break: is it the one that is named?"""

import random
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

import pytest

from tests.support.tabletop import Tabletop, WrongBoard
from tests.support.wrong_boards import MAKERS, Maker
from tock_companion.referee.diagnosis.explain import explain
from tock_companion.views.wording import message
from tock_rules import TEXTS, Hole, Kind, Part, Seat, Violation, distance, load_preset

pytestmark = pytest.mark.whole

BADLY_JOINED = re.compile(r"\b(?:de|à) les?\b|\b(?:de|que) une?\b|\bde 1 case\b|\b1 (?:cases|holes)\b")
"""Words that French and English do not put side by side."""
COUNTED = {"move/too_far", "move/too_short", "move/counted_start_hole"}
Confusion = Counter[tuple[str, str, str, str]]
"""Ruleset, mistake, true statement, named statement -> how often."""
MAX_TRIES = 4000
COLORS = ("yellow", "blue", "red", "green", "black", "white", "brown", "orange")


def confusion(ruleset: str, maker: Maker, wanted: int, seed: int, tries: int = MAX_TRIES) -> Confusion:
    """Count the mistakes named for up to `wanted` such boards; those that a legal move explains do not count."""
    rng = random.Random(seed)
    rules = load_preset(ruleset)
    found: Confusion = Counter()
    for _ in range(tries):
        wrong = maker(Tabletop(rng, rules))
        if wrong is None or wrong.position.to_move not in wrong.position.played_seats():
            continue
        explained = explain(wrong.position, wrong.card, wrong.seen)
        if explained.violation is None:
            continue
        found[ruleset, maker.__name__, wrong.truth, explained.violation.breaks[0]] += 1
        if found.total() >= wanted:
            break
    return found


def named_mistakes(ruleset: str, each: int, seed: int) -> Iterator[tuple[WrongBoard, Violation]]:
    """Boards of every kind, with the mistake that is named for each."""
    rng, rules = random.Random(seed), load_preset(ruleset)
    for maker in MAKERS:
        made = (maker(Tabletop(rng, rules)) for _ in range(40 * each))
        ours = (wrong for wrong in made if wrong and wrong.position.to_move in wrong.position.played_seats())
        found = ((wrong, explain(wrong.position, wrong.card, wrong.seen).violation) for wrong in ours)
        yield from islice(((wrong, named) for wrong, named in found if named is not None), each)


def misfits(wrong: WrongBoard, named: Violation) -> list[str]:
    """Everything in which a sentence contradicts the hand: pawn, hole, count, direction, grammar."""
    shape, params = wrong.position.shape, named.params
    before, after = wrong.position.board.occupied(), wrong.seen.holes
    changed = {hole for hole in {*before, *after} if before.get(hole) is not after.get(hole)}
    moved = {holes[hole].name for holes in (before, after) for hole in changed if hole in holes}
    left = {"camp", *(str(hole) for hole in changed if hole in before)}
    words = message(named, shape, dict(zip(Seat, COLORS, strict=True)), {})
    texts = [*words.whole.values(), *words.others.values()]
    found = [f"joined: {text}" for text in texts if BADLY_JOINED.search(text)]
    if moved and "captured" not in params and str(params["pawn"]) not in moved:
        found.append("a pawn that stayed")
    if str(params.get("from", "camp")) not in left:
        found.append("a hole that nobody left")
    if named.code in COUNTED:
        source, target = (shape.cells_by_hole[Hole.parse(str(params[end]))] for end in ("from", "to"))
        walked = distance(shape, Part(Kind.STEP, Seat[str(params["pawn"])], source, target)) or 0
        if int(params["moved"]) != abs(walked) or ("reculé" in words.whole["fr"]) is not (walked < 0):
            found.append(f"not {walked} holes")
    return [f"{named.code}: {one}" for one in found]


@pytest.mark.parametrize("ruleset", TEXTS)
def test_a_sentence_fits_what_the_hand_did_on_a_sample(ruleset: str) -> None:
    found = list(named_mistakes(ruleset, each=2, seed=5))
    assert len(found) > len(MAKERS)
    assert [misfit for wrong, named in found for misfit in misfits(wrong, named)] == []


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", TEXTS)
def test_a_sentence_fits_what_the_hand_did_on_a_thousand_boards(ruleset: str) -> None:
    found = list(named_mistakes(ruleset, each=12, seed=6))
    assert len(found) >= 200
    assert [misfit for wrong, named in found for misfit in misfits(wrong, named)] == []


def right(found: Confusion) -> float:
    """The share of boards whose true statement was named."""
    return sum(n for (_, _, true, named), n in found.items() if true == named) / max(found.total(), 1)


@pytest.mark.parametrize("ruleset", TEXTS)
def test_true_statement_is_named_on_a_sample(ruleset: str) -> None:
    found: Confusion = Counter()
    for maker in MAKERS:
        found += confusion(ruleset, maker, wanted=6, seed=2, tries=60)
    assert right(found) >= 0.95, [entry for entry in found.items() if entry[0][2] != entry[0][3]]


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: maker.__name__)
def test_true_statement_is_named_in_98_of_100(maker: Maker) -> None:
    for ruleset in TEXTS:
        found = confusion(ruleset, maker, wanted=200, seed=3)
        assert not found or right(found) >= 0.98, found
