"""Measures what discovery says of boards of other games, and whether it still finds boards of Tock.

`python -m vision.training.discovery.other_boards_report --first 7000 --others 200 --true 60` prints a line for each
board and the table. Boards of other games have the numbers from `--first` on, those of Tock the same.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from time import process_time
from typing import Any

import cv2
import numpy as np

from tock_bench.results import origin
from tock_companion.boardfile import BoardFile
from tock_companion.rules import ZONE_LENGTH
from tock_vision.discovery.pipeline import discover
from tock_vision.discovery.refusals import NoBoard
from vision.training.pictures.other_boards import OtherBoard, other_board, photograph, true_board

Row = dict[str, Any]
TRUE_OF_OTHERS = ("other_ring", "other_game", "no_board")
"""What is true of another game of which the picture shows all: it is not cut off, blurred or hidden by a reflection."""
HEAD = """\
| boards | n | taken for Tock | ring named | of these right | another game | none recognised | other reasons | true \
| CPU s, median / most |
|---|---|---|---|---|---|---|---|---|---|"""
SIZES = ((5, 8), (9, 13), (14, 17), (18, 24))


def of_other(seed: int) -> Row:
    """The answer to a picture of another game, and whether that is true."""
    made = other_board(seed)
    row: Row = {"seed": seed, "game": made.game, "zones": made.zones, "length": made.length} | _answer(
        made.board, seed
    )
    return row | {"is_true": _is_true(made, row["answer"])}


def of_tock(seed: int) -> Row:
    """The answer to a picture of a board of Tock."""
    board = true_board(seed)
    return {"seed": seed, "game": "tock", "zones": board.zones, "length": ZONE_LENGTH} | _answer(board, seed)


def _answer(board: BoardFile, seed: int) -> Row:
    frame = photograph(board, seed)
    begun = process_time()
    found = discover([frame], "any")
    seconds = round(process_time() - begun, 2)
    if isinstance(found, NoBoard):
        answer = {key: value for key, value in found.to_json().items() if key != "message"}
        return {"answer": answer, "seconds": seconds}
    score = round(found.joined.sighting.layout.score, 2)
    return {"answer": {"found": True, "zones": found.board.zones, "score": score}, "seconds": seconds}


def _is_true(made: OtherBoard, answer: Row) -> bool:
    if answer["found"] or answer["reason"] not in TRUE_OF_OTHERS:
        return False
    return answer["reason"] != "other_ring" or (answer["ring"], answer["zones"]) == (
        made.length * made.zones,
        made.zones,
    )


def table(rows: Iterable[Row]) -> Iterable[str]:
    """Yield a row for each kind of board."""
    kinds: dict[str, list[Row]] = {}
    for row in rows:
        for kind in _kinds(row):
            kinds.setdefault(kind, []).append(row)
    yield HEAD
    for kind, some in kinds.items():
        reasons = Counter(row["answer"].get("reason", "found") for row in some)
        named = [row for row in some if row["answer"].get("reason") == "other_ring"]
        others = {key: count for key, count in reasons.items() if key not in ("found", *TRUE_OF_OTHERS)}
        seconds = [row["seconds"] for row in some]
        right = sum(row.get("is_true", False) for row in named)
        yield (
            f"| {kind} | {len(some)} | {reasons['found']} | {len(named)} | {right} | {reasons['other_game']} "
            f"| {reasons['no_board']} | {', '.join(f'{key} {n}' for key, n in others.items()) or '–'} "
            f"| {sum(row.get('is_true', row['answer']['found']) for row in some)} "
            f"| {np.median(seconds):.1f} / {max(seconds):.1f} |"
        )


def _kinds(row: Row) -> Iterable[str]:
    if row["game"] == "tock":
        yield "Tock (found is right)"
        return
    if row["game"] == "ring":
        least, most = next((least, most) for least, most in SIZES if least <= row["length"] <= most)
        yield f"rings of {least} to {most} a zone"
        yield f"rings of {row['zones']} zones"
    else:
        yield "grids, stars, other games"
    yield "all other games"


def main() -> None:
    """Measure, print the lines and then the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=7000)
    parser.add_argument("--others", type=int, default=200)
    parser.add_argument("--true", type=int, default=60)
    parser.add_argument("--lines", type=Path, help="goes on from the lines in this file, and adds to it")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    rows = (
        [json.loads(line) for line in args.lines.read_text().splitlines()]
        if args.lines and args.lines.exists()
        else []
    )
    done = {(row["game"] == "tock", row["seed"]) for row in rows}
    # Both kinds in turn, so that what is measured when time runs out is a fair part of both.
    turns = [(of_other, args.first + number) for number in range(args.others)]
    every = max(1, args.others // max(1, args.true))
    for number in range(args.true):
        turns.insert(min(len(turns), number * (every + 1) + every), (of_tock, args.first + number))
    for measure, seed in turns:
        if (measure is of_tock, seed) in done:
            continue
        row = measure(seed)
        rows.append(row)
        line = json.dumps(row)
        sys.stderr.write(f"{line}\n")
        if args.lines:
            with args.lines.open("a") as log:
                log.write(f"{line}\n")
    sys.stdout.write(f"{origin('python -m vision.training.discovery.other_boards_report')}\n\n")
    for line in table(sorted(rows, key=lambda row: (row["length"], row["zones"], row["seed"]))):
        sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
