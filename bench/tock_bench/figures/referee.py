"""The referee in many noisy games over all rulesets and sources, the same for the same seed.

Every game is one job with its own seed. With a file to keep them in, jobs that are done are not done again, so that a
run that was stopped goes on where it was.
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import astuple, dataclass
from pathlib import Path

from tock_bench.noisy.mistakes import make_mistakes
from tock_bench.noisy.noise import KINDS, Noise
from tock_bench.noisy.repairs import optimal_share
from tock_bench.noisy.table import NoisyTable
from tock_bench.noisy.tally import GameTally, summary
from tock_rules import preset_names

GAME_TURNS = 200
TURNS = 2_000
"""Turns per source at nominal noise, over all rulesets; a tenth of it at twice and at four times as much."""
FACTORS = {1.0: 1.0, 2.0: 0.1, 4.0: 0.1}
WRONG_PER_GAME, MISTAKES_PER_GAME = 4, 6
CURVES_AFTER = 2
"""Games of every kind at nominal noise, before those at more noise."""
SCRAMBLES = 10_000
OTHER_TABLE, THIRD_TABLE = 100_000, 200_000
"""Added to a game's number: seeds of the tables for wrong boards and for mistakes."""
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Job:
    """One game of 200 turns, and some wrong boards and mistakes."""

    number: int
    factor: float
    kind: str
    ruleset: str


def run(progress: Progress, samples: int = TURNS, keep: Path | None = None) -> dict[str, object]:
    """Measure at nominal, double and fourfold noise; rates are fractions of 1.

    `keep` is a file to which every finished game is added, and whose games are not played again.
    """
    jobs = jobs_of(samples)
    done = _kept(keep)
    waiting = [job for job in jobs if job not in done]
    progress(f"{len(jobs) - len(waiting)} of {len(jobs)} games were done before")
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        playing = {pool.submit(play, job): job for job in waiting}
        for future in as_completed(playing):
            job = playing[future]
            tally = done[job] = future.result()
            if keep is not None:
                with keep.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"job": astuple(job), "tally": tally.to_json()}) + "\n")
            progress(f"{len(done)} of {len(jobs)}: {job}: {tally.right} of {tally.turns} turns right")
    figures = figures_of(jobs, done)
    figures["repair_optimal"] = optimal_share(SCRAMBLES)
    figures["repair_n"] = SCRAMBLES
    return figures


def jobs_of(samples: int) -> list[Job]:
    """Games of a run with `samples` turns per source, ordered so that a part of them already says much."""
    counts = {
        factor: max(1, round(samples * share / GAME_TURNS / len(preset_names())))
        for factor, share in FACTORS.items()
    }
    jobs = [
        Job(number, factor, kind, ruleset)
        for factor, count in counts.items()
        for number in range(count)
        for kind in KINDS
        for ruleset in preset_names()
    ]
    return sorted(jobs, key=lambda job: job.number if job.factor == 1 else job.number + CURVES_AFTER)


def play(job: Job) -> GameTally:
    """Play one game, then wrong boards and mistakes on other tables."""
    noise, tally = Noise().scaled(job.factor), GameTally()
    table = NoisyTable(job.ruleset, noise, job.number, job.kind)
    while tally.turns < GAME_TURNS:
        table.play(tally)
    table, rehearsal = NoisyTable(job.ruleset, noise, OTHER_TABLE + job.number, job.kind), GameTally()
    while tally.wrong_boards < WRONG_PER_GAME:
        table.play(rehearsal)
        table.play_wrong(tally)
    make_mistakes(job.ruleset, noise, job.kind, THIRD_TABLE + job.number, MISTAKES_PER_GAME, tally)
    return tally


def figures_of(jobs: Iterable[Job], done: dict[Job, GameTally]) -> dict[str, object]:
    """Figures of all finished games, by source and noise."""
    tallies: dict[str, list[GameTally]] = {}
    for job in jobs:
        name = job.kind if job.factor == 1 else f"{job.kind}_x{job.factor:g}"
        if job in done:
            tallies.setdefault(name, []).append(done[job])
    return {name: summary(found) for name, found in tallies.items()}


def _kept(keep: Path | None) -> dict[Job, GameTally]:
    if keep is None or not keep.exists():
        return {}
    done: dict[Job, GameTally] = {}
    for line in keep.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        tally = GameTally(**entry["tally"])
        tally.failures = Counter(entry["tally"]["failures"])
        done[Job(*entry["job"])] = tally
    return done
