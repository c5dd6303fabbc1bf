"""Board files of others: lengths that no wooden board has are refused, and none that is taken costs much."""

import json
from pathlib import Path

import cv2
import pytest

from tests.support.worst_boards import COSTLY, IMPOSSIBLE
from tock_bench.fuzz.child import trial
from tock_bench.fuzz.doors import draw_and_read, in_one_line, print_board
from tock_companion.boardfile import load, parse
from tock_companion.errors import BadInputError

QUICK = ("the largest parts", "the smallest board")
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_lengths_that_do_not_belong_together_are_refused_in_a_line(name: str) -> None:
    make, in_one_line = IMPOSSIBLE[name]
    with pytest.raises(BadInputError) as caught:
        parse(json.dumps(make()))
    assert in_one_line in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in QUICK else pytest.mark.slow) for name in COSTLY]
)
def test_a_board_that_is_taken_is_drawn_and_read_in_little_memory(name: str, tmp_path: Path) -> None:
    # A forked child has none of the threads of its parent.
    cv2.setNumThreads(0)
    (tmp_path / "board.json").write_text(json.dumps(COSTLY[name]()), encoding="utf-8")
    outcome = trial(draw_and_read, tmp_path)
    assert not outcome.faults(), (outcome.stderr, outcome.memory_mb)
    assert outcome.code == 0, outcome.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", COSTLY)
def test_a_board_that_is_taken_is_printed_in_little_memory(name: str, tmp_path: Path) -> None:
    cv2.setNumThreads(0)
    (tmp_path / "board.json").write_text(json.dumps(COSTLY[name]()), encoding="utf-8")
    outcome = trial(in_one_line(print_board), tmp_path)
    assert not outcome.faults(), (outcome.stderr, outcome.memory_mb)


@pytest.mark.parametrize(
    "path", sorted((ROOT / "hardware" / "boards").glob("*.json")), ids=lambda path: path.stem
)
def test_boards_that_were_built_open(path: Path) -> None:
    assert load(path).holes
