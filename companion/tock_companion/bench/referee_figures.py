"""The figures of `tock bench referee`: many turns over all rulesets, on all cores, the same for the same seed."""

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat

from tock_companion.bench.noise import Noise
from tock_companion.bench.referee import NoisyTable, Tally
from tock_companion.bench.summary import percentile
from tock_companion.rules.ruleset import preset_names

GAME_TURNS = 200
GAMES = {1.0: 10, 2.0: 3, 4.0: 3}
"""Games on each ruleset by noise: 10,000 turns at the nominal one, 3,000 at twice and at four times as much."""
WRONG_PER_RULESET = 100
Progress = Callable[[str], None]


def run(progress: Progress) -> dict[str, object]:
    """Return the figures at nominal, double and fourfold noise; rates are fractions of 1."""
    figures: dict[str, object] = {}
    with ProcessPoolExecutor() as pool:
        for factor, games in GAMES.items():
            tallies = []
            jobs = pool.map(_games, preset_names(), repeat(factor), repeat(games))
            for name, tally in zip(preset_names(), jobs, strict=True):
                progress(f"camera, noise x{factor:g}, {name}: {tally.right} of {tally.turns} turns right")
                tallies.append(tally)
            figures["camera" if factor == 1 else f"camera_x{factor:g}"] = _summary(
                tallies, games * len(tallies)
            )
    return figures


def _games(ruleset: str, factor: float, games: int) -> Tally:
    """Play games of 200 turns on one ruleset, then wrong moves on one more table."""
    tally = Tally()
    for number in range(games):
        table = NoisyTable(ruleset, Noise().scaled(factor), number)
        helped = tally.turns - tally.right
        goal = tally.turns + GAME_TURNS
        while tally.turns < goal:
            table.play(tally)
        if tally.turns - tally.right > helped:
            tally.spoiled.add(number)
    table = NoisyTable(ruleset, Noise().scaled(factor), games)
    rehearsal = Tally()
    while tally.wrong_boards < WRONG_PER_RULESET:
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
