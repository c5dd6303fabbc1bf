"""Measures how strong, how quick and how steady hints are; every figure with its number of samples."""

import os
import random
import resource
import time
from collections.abc import Iterator

from tock_bench.results import Figures, Say, spread
from tock_companion.hints.advice import Adviser
from tock_companion.hints.arena import FORMS, Form, Match, forms_of
from tock_companion.hints.arena import run as run_match
from tock_companion.hints.computer_players import noisy
from tock_companion.hints.knowledge import Knowledge
from tock_companion.hints.search import FULL
from tock_rules import TEXTS, Ruleset, load_preset, shape_for
from tock_rules.engine import CardGame, engine_for

CONTRACT_FORMS = ("duel", "four", "teams")
PLAYER = "medium"
"""Plays the first answer of a hint, which is quick enough for many games."""
GAMES = 400
"""Games of each match on `mjc`; `tock arena` plays more, its tables are in `docs/measurements/hints.md`."""
OTHER_GAMES = 100
"""Games of each match against a careless player and on the other rulesets."""
SEARCHED = 10
"""Games in which the player looks ahead."""
MOMENTS = 60
"""Positions for times and steadiness."""


def run(say: Say, samples: int = GAMES, moments: int = MOMENTS) -> Figures:
    """Measure strength and speed; `samples` is the number of games of a match on `mjc` against the greedy player."""
    say("times and steadiness")
    figures = dict(_single_hints(moments))
    few = min(samples, OTHER_GAMES)

    def match(ruleset: str, form: str, one: str, opponent: str, games: int) -> dict[str, object]:
        say(f"{ruleset} {form}: {one} against {opponent}")
        score = run_match(Match(ruleset, form, one, opponent), games, os.cpu_count() or 1)
        return {**score.to_json(), "player": one, "by_seat": score.by_seat}

    greedy = {form: match("mjc", form, PLAYER, "greedy", samples) for form in CONTRACT_FORMS}
    careless = {form: match("mjc", form, PLAYER, "random", few) for form in CONTRACT_FORMS}
    figures["win_rate"] = {"random": careless, "greedy": greedy}
    figures["rulesets"] = {
        name: {
            form.name: greedy[form.name] if name == "mjc" else match(name, form.name, PLAYER, "greedy", few)
            for form in _reported_forms(load_preset(name))
        }
        for name in TEXTS
    }
    figures["looking_ahead"] = {
        form: match("mjc", form, "strong", "greedy", min(samples, SEARCHED)) for form in CONTRACT_FORMS
    }
    return figures


def _reported_forms(rules: Ruleset) -> list[Form]:
    """The usual forms, and every form with teams that the ruleset's text describes."""
    teams = rules.teams != "individual"
    return [form for form in forms_of(rules) if form.name in CONTRACT_FORMS or (teams and form.teams)]


def _moments_of(count: int, form: str = "teams", seed: int = 29) -> Iterator[Knowledge]:
    """Yield the knowledge of the seat to move at moments of `mjc` games with a choice."""
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
    """Times of the first and of the refined answer, and how often another seed gives the same hint.

    Times are of the processor, so that other work on the machine does not count.
    """
    firsts: list[float] = []
    refined: list[float] = []
    same = 0
    for knowledge in _moments_of(moments):
        began_s = time.process_time()
        Adviser(knowledge, seed=1).at_once()
        firsts.append((time.process_time() - began_s) * 1000)
        began_s = time.process_time()
        Adviser(knowledge, seed=1).further(clock=time.process_time)
        refined.append((time.process_time() - began_s) * 1000)
        # Steadiness is a matter of the games that are drawn: the clock must not decide.
        one = Adviser(knowledge, seed=1).further(FULL, budget_ms=None)
        two = Adviser(knowledge, seed=2).further(FULL, budget_ms=None)
        same += one.best.choice.action == two.best.choice.action
    return {
        **spread("ms", refined),
        **spread("first_ms", firsts),
        "n": moments,
        "stability": round(same / moments, 4),
        "stability_n": moments,
        "memory_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
    }
