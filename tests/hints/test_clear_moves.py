"""Positions with one clearly best move, from the advice in the rule texts and from endgames that are won at once."""

import json
from pathlib import Path

import pytest

from tock_app.cli.commands.hint import knowledge_of
from tock_companion.hints.advice import Adviser
from tock_companion.hints.search import Effort

pytestmark = pytest.mark.whole

POSITIONS = Path(__file__).parents[1] / "data" / "hints" / "clear.jsonl"
WANTED = 0.95


def test_the_clearly_best_move_is_found() -> None:
    missed = []
    lines = POSITIONS.read_text(encoding="utf-8").splitlines()
    for line in lines:
        request = json.loads(line)
        advice = Adviser(knowledge_of(request)).further(Effort(32), budget_ms=None)
        best = advice.best
        if best.move is None or best.move.text not in request["best"]:
            missed.append(f"{request['id']} {request['why']}: {best.move and best.move.text}")
    assert len(lines) == 60
    assert 1 - len(missed) / len(lines) >= WANTED, "\n".join(missed)
