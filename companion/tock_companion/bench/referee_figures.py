"""The figures of `tock bench referee`: many turns over all rulesets, on all cores, the same for the same seed."""

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product, repeat

from tock_companion.bench.noise import Noise
from tock_companion.bench.referee import NoisyTable, Tally
from tock_companion.bench.repairs import optimal_share
from tock_companion.bench.sensing import KINDS
from tock_companion.bench.summary import percentile
from tock_companion.rules.ruleset import preset_names

GAME_TURNS = 200
TURNS = 10_000
"""Turns per source at nominal noise, over all rulesets; a fifth of it at twice and at four times as much."""
FACTORS = {1.0: 1.0, 2.0: 0.2, 4.0: 0.2}
WRONG_PER_RULESET = 100
SCRAMBLES = 10_000
Progress = Callable[[str], None]


def run(progress: Progress, samples: int = TURNS) -> dict[str, object]:
    """Return the figures at nominal, double and fourfold noise; rates are fractions of 1."""
    figures: dict[str, object] = {}
    with ProcessPoolExecutor() as pool:
        for (factor, share), kind in product(FACTORS.items(), KINDS):
            games = max(1, round(samples * share / GAME_TURNS / len(preset_names())))
            tallies = []
            jobs = pool.map(_games, preset_names(), repeat(kind), repeat(factor), repeat(games))
            for name, tally in zip(preset_names(), jobs, strict=True):
                progress(
                    f"{kind}, noise x{factor:g}, {name}: {tally.right} of {tally.turns} turns right, "
                    f"{len(tally.spoiled)} of {games} games needed help"
                )
                tallies.append(tally)
            name = kind if factor == 1 else f"{kind}_x{factor:g}"
            figures[name] = _summary(tallies, games * len(tallies))
            progress(f"{name}: {figures[name]}")
    figures["repair_optimal"] = optimal_share(SCRAMBLES)
    figures["repair_n"] = SCRAMBLES
    return figures


def _games(ruleset: str, kind: str, factor: float, games: int) -> Tally:
    """Play games of 200 turns on one ruleset, then wrong moves on one more table."""
    tally = Tally()
    for number in range(games):
        table = NoisyTable(ruleset, Noise().scaled(factor), number, kind)
        helped = tally.turns - tally.right
        goal = tally.turns + GAME_TURNS
        while tally.turns < goal:
            table.play(tally)
        if tally.turns - tally.right > helped:
            tally.spoiled.add(number)
    table = NoisyTable(ruleset, Noise().scaled(factor), games, kind)
    rehearsal = Tally()
    while tally.wrong_boards < min(WRONG_PER_RULESET, 10 * games):
        table.play(rehearsal)
        table.play_wrong(tally)
    return tally


def _summary(tallies: Sequence[Tally], games: int) -> dict[str, object]:
    turns = sum(tally.turns for tally in tallies)
    decisions = [delay for tally in tallies for delay in tally.decision_ms]
    explanations = [delay for tally in tallies for delay in tally.explanation_ms]

    def rate(field: str) -> float:
        return round(sum(int(getattr(tally, field)) for tally in tallies) / turns, 5)

    return {
        "n": turns,
        "right": rate("right"),
        "silently_wrong": rate("silently_wrong"),
        "asked": rate("asked"),
        "warned": rate("warned"),
        "false_alarms": rate("false_alarms"),
        "decision_ms_p95": percentile(decisions, 0.95),
        "games": games,
        "games_without_fix": round(1 - sum(len(tally.spoiled) for tally in tallies) / games, 3),
        "wrong_boards": sum(tally.wrong_boards for tally in tallies),
        "wrong_boards_silent": sum(tally.silent for tally in tallies),
        "explanation_ms_p95": percentile(explanations, 0.95),
    }
