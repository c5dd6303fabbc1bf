"""The referee's figures: jobs that are done are not done again, and mistakes before a source are counted."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tock_bench.figures import referee as referee_figures
from tock_bench.figures.referee import Job, jobs_of, run
from tock_bench.noisy.mistakes import make_mistakes, steps
from tock_bench.noisy.noise import Noise
from tock_bench.noisy.table import NoisyTable
from tock_bench.noisy.tally import GameTally, summary
from tock_rules import Board, BoardShape, Hole

QUIET = replace(Noise().scaled(0), stops=0.5)


def test_a_full_run_has_ten_thousand_turns_of_every_source() -> None:
    nominal = Counter(job.kind for job in jobs_of(10_000) if job.factor == 1)
    assert nominal == {"camera": 50, "reed": 50, "both": 50}
    assert len({*jobs_of(10_000)}) == len(jobs_of(10_000))


def test_games_that_were_kept_are_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee_figures, "SCRAMBLES", 3)
    kept = GameTally(
        turns=200, right=199, asked=1, decision_ms=[300, 310], wrong_boards=1, explanation_ms=[900]
    )
    kept.failures["P0:T1>T2: []"] += 1
    file = tmp_path / "games.jsonl"
    with file.open("w", encoding="utf-8") as lines:
        for job in jobs_of(200):
            row = [job.number, job.factor, job.kind, job.ruleset]
            lines.write(json.dumps({"job": row, "tally": kept.to_json()}) + "\n")
    progress: list[str] = []
    figures = run(progress.append, samples=200, keep=file)
    assert progress == ["45 of 45 games were done before"]
    assert figures["reed"] == summary([kept] * 5)
    assert figures["repair_optimal"] == 1.0


@pytest.mark.whole
def test_a_job_gives_the_same_tally_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, number in (("GAME_TURNS", 3), ("WRONG_PER_GAME", 1), ("MISTAKES_PER_GAME", 1)):
        monkeypatch.setattr(referee_figures, name, number)
    job = Job(4, 4.0, "reed", "parteu")
    assert referee_figures.play(job) == referee_figures.play(job)


@pytest.mark.whole
@pytest.mark.parametrize("kind", ["camera", "reed"])
def test_mistakes_before_a_quiet_source_are_named_by_their_statement(kind: str) -> None:
    tally = GameTally()
    make_mistakes("mjc", QUIET, kind, 1, 5, tally)
    assert (tally.mistakes, tally.rule_named, tally.mistakes_silent) == (5, 5, 0)
    assert max(tally.mistake_ms) <= 1500


def test_a_move_out_of_turn_is_reported_and_the_turn_goes_on() -> None:
    tally = GameTally()
    table = NoisyTable("mjc", replace(QUIET, out_of_turn=1.0), 3, "reed")
    while tally.out_of_turn < 4:
        table.play(tally)
    assert tally.out_of_turn_named == 4
    assert tally.right == tally.turns


def test_a_board_is_changed_pawn_by_pawn() -> None:
    shape = BoardShape(4)
    camp = {name: ["camp"] * 4 for name in ("P1", "P2", "P3")}
    before = Board.from_pawns(shape, {"P0": ["camp", "camp", "T5", "T9"], **camp})
    after = Board.from_pawns(shape, {"P0": ["camp", "T0*", "T6", "T9"], **camp})
    film = steps(before, after)
    assert len(film) == 4
    assert sum(seat.name == "P0" for seat in film[0].values()) == 3
    assert {hole for hole in film[-1] if not Hole.parse(hole).in_camp} == {"T0", "T6", "T9"}
