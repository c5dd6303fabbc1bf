"""`tock bench hints`: how strong, how quick and how steady hints are; every figure with its number of samples."""

import os
import random
import time
from collections.abc import Callable, Iterator

from tock_companion.bench.hints_arena import FORMS, Match, forms_of
from tock_companion.bench.hints_arena import run as run_match
from tock_companion.hints.advice import Adviser
from tock_companion.hints.knowledge import Knowledge
from tock_companion.hints.players import noisy
from tock_companion.hints.search import FULL
from tock_companion.rules.cardgame import CardGame
from tock_companion.rules.engine import engine_for
from tock_companion.rules.position import shape_for
from tock_companion.rules.ruleset import load_preset, preset_names

Figures = dict[str, object]
CONTRACT_FORMS = ("duel", "four", "teams")
GAMES = 40
"""Games of each match on `mjc`; `tock arena` plays more, its tables are in `docs/hints.md`."""
OTHER_GAMES = 12
"""Games of each match on the other rulesets."""
MOMENTS = 60
"""Positions for times and steadiness."""


def run(say: Callable[[str], None], games: int = GAMES, moments: int = MOMENTS) -> Figures:
    """Return the figures of the contract."""
    say("times and steadiness")
    figures = _single_hints(moments)
    rates: dict[str, dict[str, object]] = {"random": {}, "greedy": {}}
    for opponent, forms in rates.items():
        for form in CONTRACT_FORMS:
            say(f"mjc {form} against {opponent}")
            score = run_match(Match("mjc", form, "strong", opponent), games, os.cpu_count() or 1)
            forms[form] = score.to_json()
    figures["win_rate"] = rates
    rulesets: dict[str, dict[str, object]] = {}
    for name in preset_names():
        allowed = [form.name for form in forms_of(load_preset(name)) if form.name in CONTRACT_FORMS]
        rulesets[name] = {}
        for form in allowed:
            if name == "mjc":
                rulesets[name][form] = rates["greedy"][form]
                continue
            say(f"{name} {form} against greedy")
            match = Match(name, form, "strong", "greedy")
            rulesets[name][form] = run_match(match, min(games, OTHER_GAMES), os.cpu_count() or 1).to_json()
    figures["rulesets"] = rulesets
    return figures


def moments_of(count: int, form: str = "teams", seed: int = 11) -> Iterator[Knowledge]:
    """Yield what the seat to move knows at moments of `mjc` games with something to choose."""
    rules, layout = load_preset("mjc"), FORMS[form]
    engine = engine_for(shape_for(rules, layout.zones), rules, layout.seats, layout.teams)
    player = noisy(0.4)
    found = number = 0
    while found < count:
        rng = random.Random(f"{seed} {number}")
        number += 1
        game = CardGame(engine, rng.choice(layout.seats), rng.shuffle)
        for _ in range(rng.randrange(4, 180)):
            game.do(player(game, rng))
            if game.winners():
                break
        if not game.winners() and len(game.actions()) > 1:
            found += 1
            yield Knowledge.of_game(game)


def _single_hints(moments: int) -> Figures:
    """Return times of the first and the refined answer, and how often another seed gives the same hint."""
    firsts: list[float] = []
    refined: list[float] = []
    same = 0
    for knowledge in moments_of(moments):
        began_s = time.perf_counter()
        adviser = Adviser(knowledge, seed=1)
        adviser.at_once()
        firsts.append((time.perf_counter() - began_s) * 1000)
        began_s = time.perf_counter()
        here = Adviser(knowledge, seed=1).further()
        refined.append((time.perf_counter() - began_s) * 1000)
        # Steadiness is a matter of the games that are drawn: the clock must not decide.
        one = Adviser(knowledge, seed=1).further(FULL, budget_ms=None)
        two = Adviser(knowledge, seed=2).further(FULL, budget_ms=None)
        same += one.best.choice.action == two.best.choice.action
        assert here.hints
    return {
        "ms_median": _percentile(refined, 50),
        "ms_p95": _percentile(refined, 95),
        "first_ms_median": _percentile(firsts, 50),
        "first_ms_p95": _percentile(firsts, 95),
        "n": moments,
        "stability": round(same / moments, 4),
        "stability_n": moments,
        "memory_mb": _memory_mb(),
    }


def _percentile(values: list[float], share: int) -> float:
    ordered = sorted(values)
    return round(ordered[min(len(ordered) - 1, len(ordered) * share // 100)], 1)


def _memory_mb() -> float:
    """Return the most memory that this process has held."""
    import resource

    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)
