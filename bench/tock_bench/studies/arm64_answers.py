"""Questions that an emulated Raspberry Pi and this machine are asked alike: rules, hints, boards, cards, recordings."""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from tests.support.checkout import DATA
from tests.support.games import moments
from tests.support.pictures import BOARDS, CARDS
from tests.support.recordings import FOLDER as RECORDINGS
from tests.support.recordings import NAMES
from tock_rules.engine import CARDS as CARD_OF
from tock_rules.engine import position_of

CLEAR = DATA / "hints" / "clear.jsonl"
HINTS = 100
PICTURES = 20
WORLDS = 2
"""Games in which a move is played out, as many on every machine."""
FOR_EVER_MS = 10**9
TOLERANCE = 0.002
"""Of numbers read from pictures: processors add floats in different orders."""
STEP_PX = 0.11
"""Places of cards are rounded to tenths of a pixel."""


@dataclass(frozen=True)
class Question:
    """One call of `tock`, answered in JSON lines."""

    arguments: tuple[str, ...]
    given: Path | None = None


@dataclass
class Likeness:
    """The number of equal answers, and the distance of numbers in the others."""

    answers: int = 0
    same: int = 0
    furthest: float = 0.0
    alike: int = 0
    """Answers that say the same, with numbers that differ by more than the tolerance."""
    widest: float = 0.0
    first: str = ""
    """The subject of the first answer that differs."""

    def __str__(self) -> str:
        """For the table."""
        apart = f", numbers ±{self.furthest:.4f}" if self.furthest else ""
        alike = f"; {self.alike} more but for numbers ±{self.widest:.4f}" if self.alike else ""
        return f"{self.same} of {self.answers}{apart}{alike}{'; not ' + self.first if self.first else ''}"


def questions(folder: Path) -> dict[str, list[Question]]:
    """All questions by their subject; `folder` takes the requests that are made here."""
    return {
        "judge, lines": [Question(("judge",), DATA / "rules" / "examples.jsonl")],
        "hints by estimate": [Question(("hint", "--ms", "0"), _hint_requests(folder))],
        f"hints that play out {WORLDS} games a move": [
            Question(("hint", "--ms", str(FOR_EVER_MS), "--worlds", str(WORLDS)), _hint_requests(folder))
        ],
        "card photographs": [Question(("cards", "read", *map(str, _card_pictures())))],
        **{f"events of {name}": [Question(("replay", str(RECORDINGS / name)))] for name in NAMES},
        "board stills with markers": list(_board_questions(markers=True)),
        "board stills without markers": list(_board_questions(markers=False)),
    }


def compare(here: str, there: str, tolerance: float) -> Likeness:
    """Compare JSON lines; times are left out, and numbers may differ by the tolerance."""
    likeness = Likeness()
    ours, theirs = here.splitlines(), there.splitlines()
    likeness.answers = max(len(ours), len(theirs))
    for mine, other in zip(ours, theirs, strict=False):
        if mine == other:
            likeness.same += 1
            continue
        apart = _apart(json.loads(mine), json.loads(other))
        if apart <= tolerance:
            likeness.same += 1
            likeness.furthest = max(likeness.furthest, apart)
        elif isfinite(apart):
            likeness.alike += 1
            likeness.widest = max(likeness.widest, apart)
        elif not likeness.first:
            likeness.first = mine[:80]
    return likeness


def _apart(mine: Any, other: Any) -> float:
    """The largest difference of two numbers at the same place; infinite where anything else differs."""
    if isinstance(mine, dict) and isinstance(other, dict):
        if [*mine] != [*other]:
            return float("inf")
        return max((_apart_at(key, mine[key], other[key]) for key in mine if key != "ms"), default=0.0)
    if isinstance(mine, list) and isinstance(other, list) and len(mine) == len(other):
        return max(map(_apart, mine, other), default=0.0)
    if isinstance(mine, float | int) and isinstance(other, float | int):
        return abs(mine - other)
    return 0.0 if mine == other else float("inf")


def _apart_at(key: str, mine: Any, other: Any) -> float:
    apart = _apart(mine, other)
    return 0.0 if key == "box" and apart < STEP_PX else apart


def _hint_requests(folder: Path) -> Path:
    """Write the clear positions, and as many more from games as make a hundred."""
    lines = CLEAR.read_text(encoding="utf-8").splitlines()
    for number, game in enumerate(moments(HINTS - len(lines), seed=23)):
        position = position_of(game)
        teams = position.teams and [[seat.name for seat in team] for team in position.teams]
        request = {
            "id": f"game-{number}",
            "ruleset": position.ruleset.name,
            "board_zones": position.shape.zones,
            "teams": teams or None,
            "to_move": position.to_move.name,
            "pawns": position.board.to_pawns(),
            "hand": [str(CARD_OF[card]) for card in game.hands[game.to_move]],
        }
        lines.append(json.dumps(request))
    path = folder / "hints.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _card_pictures() -> list[Path]:
    pictures = sorted((CARDS / "img").iterdir())
    return pictures[:: len(pictures) // PICTURES][:PICTURES]


def _board_questions(*, markers: bool) -> Iterator[Question]:
    stills = [json.loads(line) for line in (BOARDS / "stills.jsonl").read_text().splitlines()]
    by_board = defaultdict(list)
    for still in stills[:: len(stills) // PICTURES][:PICTURES]:
        if still["markers"] == markers:
            by_board[still["board"]].append(str(BOARDS / still["image"]))
    for board, images in by_board.items():
        yield Question(("board", "read", "--board", str(BOARDS / board), *images))
