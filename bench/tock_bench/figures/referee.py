"""The referee in many noisy games over all rulesets and sources, the same for the same seed.

Every game is one job with its own seed. With a file that keeps finished jobs, an interrupted run continues.
"""

import json
import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from typing import Annotated

from tock_bench.noisy.mistakes import make_mistakes
from tock_bench.noisy.noise import KINDS, Noise
from tock_bench.noisy.repairs import optimal_share
from tock_bench.noisy.table import SLOW_KINDS, NoisyTable
from tock_bench.noisy.tally import GameTally, SlowTally, summary
from tock_bench.results import Figures, Say
from tock_rules import TEXTS

FACTORS = (1.0, 2.0, 4.0)
CURVE_SHARE = 0.1
"""Share of the turns at other multiples of the nominal noise."""
CURVES_AFTER = 2
"""Games of every kind at nominal noise, before those at more noise."""
WRONG_TABLE, MISTAKES_TABLE, SLOW_TABLE = 100_000, 200_000, 300_000
"""Added to a game's number: seeds of the other tables."""


@dataclass(frozen=True, slots=True)
class Job:
    """One game, some wrong boards and mistakes, and slow moves of every kind."""

    number: int
    factor: float
    kind: str
    ruleset: str
    turns: int
    others: int
    slow: int


def run(
    say: Say,
    samples: Annotated[int, "turns per source at nominal noise, over all rulesets"] = 2_000,
    keep: Annotated[
        Path | None, "a file to which finished games are added, and whose games are not repeated"
    ] = None,
    factors: Annotated[tuple[float, ...], "multiples of the nominal noise"] = FACTORS,
    game_turns: int = 200,
    others: Annotated[int, "wrong boards and mistakes per game"] = 5,
    slow: Annotated[int, "slow moves of every kind per game"] = 5,
    scrambles: Annotated[int, "boards whose repair plans are compared with a search"] = 10_000,
) -> Figures:
    """Measure at several multiples of the noise; rates are fractions of 1."""
    jobs = [
        Job(number, factor, kind, ruleset, game_turns, others, slow)
        for factor in factors
        for number in range(_games(samples * (1 if factor == 1 else CURVE_SHARE), game_turns))
        for kind in KINDS
        for ruleset in TEXTS
    ]
    # A part of the run already covers every kind.
    jobs.sort(key=lambda job: job.number if job.factor == 1 else job.number + CURVES_AFTER)
    done = _kept(keep)
    waiting = [job for job in jobs if job not in done]
    say(f"{len(jobs) - len(waiting)} of {len(jobs)} games were done before")
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        playing = {pool.submit(_play, job): job for job in waiting}
        for future in as_completed(playing):
            job = playing[future]
            tally = done[job] = future.result()
            if keep is not None:
                with keep.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"job": astuple(job), "tally": asdict(tally)}) + "\n")
            say(f"{len(done)} of {len(jobs)}: {job}: {tally.right} of {tally.turns} turns right")
    tallies: dict[str, list[GameTally]] = {}
    for job in jobs:
        name = job.kind if job.factor == 1 else f"{job.kind}_x{job.factor:g}"
        tallies.setdefault(name, []).append(done[job])
    return {
        **{name: summary(found) for name, found in tallies.items()},
        "repair_optimal": optimal_share(scrambles),
        "repair_n": scrambles,
    }


def _games(turns: float, game_turns: int) -> int:
    """Games of each ruleset for a number of turns over all of them."""
    return max(1, round(turns / game_turns / len(TEXTS)))


def _play(job: Job) -> GameTally:
    """Play one game, then wrong boards, mistakes and slow moves on other tables."""
    noise, tally = Noise().scaled(job.factor), GameTally()
    table = NoisyTable(job.ruleset, noise, job.number, job.kind)
    while tally.turns < job.turns:
        table.play(tally)
    table = NoisyTable(job.ruleset, noise, WRONG_TABLE + job.number, job.kind)
    while tally.wrong_boards < job.others:
        table.play(GameTally())
        table.play_wrong(tally)
    make_mistakes(job.ruleset, noise, job.kind, MISTAKES_TABLE + job.number, job.others, tally)
    table = NoisyTable(job.ruleset, noise.of_sources(), SLOW_TABLE + job.number, job.kind)
    for kind in SLOW_KINDS if job.slow else ():
        slow = GameTally()
        for _ in range(job.slow):
            table.play_slowly(slow, kind)
        tally.slow.setdefault(kind, SlowTally()).add(slow)
        tally.failures.update(slow.failures)
    return tally


def _kept(keep: Path | None) -> dict[Job, GameTally]:
    if keep is None or not keep.exists():
        return {}
    done: dict[Job, GameTally] = {}
    for line in keep.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        tally = GameTally(**entry["tally"])
        tally.failures = Counter(tally.failures)
        tally.slow = {kind: SlowTally(**counts) for kind, counts in entry["tally"]["slow"].items()}
        done[Job(*entry["job"])] = tally
    return done
