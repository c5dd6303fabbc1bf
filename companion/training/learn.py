"""Searches for better weights by matches, and calibrates the chances they give.

    nice -n 19 .venv/bin/python -m companion.training.learn --out build/training

Every ruleset and form of play is a family. The first steps fit the weights to what playouts find (`fit.py`) and are
kept unless they win clearly less. Later steps change a group of weights (all that concern danger, the value of kept
cards, …) by a factor, or a single one by an amount. Each change plays the same deals as before against the greedy
player; if it wins more it is tried again on new deals and must hold its own against the previous weights, and only then
is it kept. Finally, games of the evaluation against itself give the factor and bias that calibrate its chances without
changing any choice. Seeds derive from family and step, so the same call gives the same weights. Each step is written
down before the next begins, so a stopped run resumes where it was.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from companion.training import fit
from companion.training.fit import MAX_PLIES, Array
from tock_companion.hints.computer_players import greedy
from tock_companion.hints.estimate import Estimate
from tock_companion.hints.features import FEATURES
from tock_companion.hints.move_ordering import Scores, choose
from tock_companion.hints.weights import FORMS, load
from tock_rules import load_preset, preset_names, shape_for
from tock_rules.engine import CARD_CODES, CardGame, Engine, engine_for

WEIGHTS = Path(__file__).parents[1] / "tock_companion" / "hints" / "weights"
GROUPS = (
    "danger",
    "keeps",
    "home",
    "way",
    "near",
    "start",
    "behind",
    "other_",
    "mate_",
    "stored",
    "blocked",
    "jam",
)
"""Parts of feature names; the weights of all that match are changed together."""
FACTORS = (0.4, 0.7, 1.4, 2.5)
SURE_STANDARD_ERRORS = 1.5
"""Standard errors by which a change must win more games before it gets a second trial."""
SAMPLED_SHARE = 0.12
"""Share of a game's positions that calibration samples."""
NOISE_LOG_ODDS = 0.35
"""Spread of the noise in the games' play."""
CHUNK = 50

Family = tuple[str, str]
Weights = dict[str, float]


def tables(ruleset: str, form: str) -> list[Engine]:
    """List the tables of a family, with larger boards and other numbers of players among them."""
    rules = load_preset(ruleset)
    layouts: list[tuple[int, tuple[int, ...], tuple[tuple[int, ...], ...]]]
    if form == "duel":
        layouts = [(4, (0, 2), ())]
    elif form == "alone":
        layouts = [(4, (0, 1, 2, 3), ())]
        if rules.odd_players:
            layouts += [(4, (0, 1, 2), ()), (4, (0, 1, 2, 3), ())]
        if rules.most_players > 4:
            layouts += [(6, (0, 1, 2, 3, 4, 5), ())]
    else:
        layouts = [(4, (0, 1, 2, 3), ((0, 2), (1, 3)))] * 3
        if rules.most_players > 4:
            layouts += [(6, (0, 1, 2, 3, 4, 5), ((0, 3), (1, 4), (2, 5)))]
            layouts += [(6, (0, 1, 2, 3, 4, 5), ((0, 2, 4), (1, 3, 5)))]
    return [engine_for(shape_for(rules, zones), rules, seats, teams) for zones, seats, teams in layouts]


def refitted(pool: Executor, family: Family, weights: Weights, step: int, games: int) -> Weights:
    """Fit the weights to positions of `games` games."""
    first = step * 1_000_000
    jobs = [(family, weights, number) for number in range(first, first + games, fit.CHUNK)]
    parts = [part for part in pool.map(moments, jobs) if len(part[1])]
    rows, worth = np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])
    return fit.fitted(weights, rows, worth)


def moments(job: tuple[Family, Weights, int]) -> tuple[Array, Array]:
    """Collect the samples for a fit from a chunk of games."""
    family, weights, first = job
    return fit.moments(tables(*family)[0], list(weights.values()), first)


def changed(family: Family, weights: Weights, step: int) -> tuple[str, Weights]:
    """Make the change that a step tries: its name and the weights."""
    rng = random.Random(f"{family} step {step}")
    new = dict(weights)
    if rng.random() < 0.5:
        part, factor = rng.choice(GROUPS), rng.choice(FACTORS)
        for feature in FEATURES:
            if part in feature:
                new[feature] *= factor
        return f"{part} times {factor}", new
    feature = rng.choice([feature for feature in FEATURES if feature not in ("bias", "turns_to_wait")])
    amount = rng.choice((-0.2, -0.1, 0.1, 0.2)) * abs(weights["me_home4"])
    new[feature] += amount
    return f"{feature} {amount:+.3f}", new


def share(job: tuple[Family, Weights, Weights | None, int]) -> float:
    """Play one deal twice with the sides swapped; return the share won by the first weights (None: against greedy)."""
    family, one, two, deal = job
    engine = tables(*family)[0]
    first = engine.seats[::2]
    mine = Estimate(engine, list(one.values()))
    other = None if two is None else Estimate(engine, list(two.values()))
    won = 0.0
    for turned in (False, True):
        rng = random.Random(f"{family} deal {deal}")
        deal_rng = random.Random(f"{family} deal {deal} {turned}")
        game = CardGame(engine, engine.seats[deal % len(engine.seats)], rng.shuffle)
        for _ in range(MAX_PLIES):
            if (game.to_move in first) != turned:
                game.do(choose(mine, game))
            else:
                game.do(greedy(game, deal_rng) if other is None else choose(other, game))
            if game.winners():
                won += 0.5 * ((game.winners()[0] in first) != turned)
                break
    return won


def results(pool: Executor, family: Family, one: Weights, two: Weights | None, deals: Iterable[int]) -> Array:
    """Play these deals; return the shares won by the first weights."""
    return np.array(list(pool.map(share, [(family, one, two, deal) for deal in deals], chunksize=4)))


def not_worse(pool: Executor, family: Family, new: Weights, old: Weights, step: int, deals: int) -> bool:
    """Whether the new weights do not win clearly less against the greedy player."""
    these = range(2 * step * deals, 2 * (step + 1) * deals)
    gain = results(pool, family, new, None, these) - results(pool, family, old, None, these)
    return bool(gain.mean() > -SURE_STANDARD_ERRORS * gain.std() / (2 * deals) ** 0.5)


def better(pool: Executor, family: Family, new: Weights, old: Weights, step: int, deals: int) -> bool:
    """Whether the new weights win more against the greedy player, twice, and at least half against the old ones."""
    for part in range(2):
        first = (2 * step + part) * deals
        these = range(first, first + deals)
        gain = results(pool, family, new, None, these) - results(pool, family, old, None, these)
        needed = SURE_STANDARD_ERRORS * float(gain.std()) / deals**0.5 if part == 0 else 0.0
        if float(gain.mean()) <= needed:
            return False
    return float(results(pool, family, new, old, these).mean()) >= 0.5


def play(family: tuple[str, str], weights: list[float], first: int) -> tuple[Array, Array]:
    """Play a chunk of games; return the features of sampled positions and whether their side won."""
    engines = tables(*family)
    estimates = [Estimate(engine, weights) for engine in engines]
    rows: list[list[float]] = []
    won: list[float] = []
    for number in range(first, first + CHUNK):
        rng = random.Random(f"{family} {number}")
        which = number % len(engines)
        engine, estimate = engines[which], estimates[which]
        game = CardGame(engine, rng.choice(engine.seats), rng.shuffle)
        spread = rng.choice((0.0, NOISE_LOG_ODDS, 2 * NOISE_LOG_ODDS))
        noted: list[tuple[int, list[float]]] = []
        for _ in range(MAX_PLIES):
            actions = game.actions()
            scores = Scores(estimate, game)
            game.do(max(actions, key=lambda action: scores.score(action) + rng.gauss(0.0, spread)))
            winners = game.winners()
            if winners:
                rows += [features for _, features in noted]
                won += [float(seat in winners) for seat, _ in noted]
                break
            if rng.random() < SAMPLED_SHARE:
                seat = rng.choice(engine.seats)
                codes = [CARD_CODES[card] for card in game.hands[seat]]
                noted.append((seat, estimate.features(game.state, seat, game.to_move, codes, game.stored)))
    return np.array(rows), np.array(won)


def scaled_to_truth(rows: Array, won: Array, weights: Weights) -> Weights:
    """Scale the weights by one factor and shift the bias so that the chances are calibrated."""
    values = np.array(list(weights.values()))
    columns = np.column_stack([rows @ values, np.ones(len(won))])
    found = np.array([0.5, 0.0])
    for _ in range(25):
        chances = 1 / (1 + np.exp(-(columns @ found)))
        bend = (columns * (chances * (1 - chances))[:, None]).T @ columns + 1e-3 * np.eye(2)
        found = found + np.clip(np.linalg.solve(bend, columns.T @ (won - chances)), -0.5, 0.5)
    values = values * max(float(found[0]), 0.05)
    values[FEATURES.index("bias")] += found[1]
    return dict(zip(FEATURES, (round(float(value), 4) for value in values), strict=True))


def learn(family: Family, options: argparse.Namespace, pool: Executor) -> None:
    """Take one family's remaining steps, then calibrate its weights."""
    ruleset, form = family
    path = options.out / f"{ruleset}-{form}.json"
    entry: dict[str, Any] = {"ruleset": ruleset, "form": form, "step": 0, "kept": []}
    entry["weights"] = dict(zip(FEATURES, load(ruleset, form), strict=True))
    if path.exists():
        entry = json.loads(path.read_text(encoding="utf-8"))
    for step in watched(range(entry["step"], options.steps), f"{ruleset} {form}", options.steps):
        old = entry["weights"]
        if step < options.fits:
            name, new = "fitted", refitted(pool, family, old, step, options.moments)
            keep = not_worse(pool, family, new, old, step, options.deals)
        else:
            name, new = changed(family, old, step)
            keep = better(pool, family, new, old, step, options.deals)
        if keep:
            entry["weights"] = new
            entry["kept"].append(name)
        entry["step"] = step + 1
        path.write_text(json.dumps(entry, indent=1) + "\n", encoding="utf-8")
    chunks = range(0, options.games, CHUNK)
    values = list(entry["weights"].values())
    parts = list(pool.map(play, [family] * len(chunks), [values] * len(chunks), chunks))
    rows, won = np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])
    entry["weights"] = scaled_to_truth(rows, won, entry["weights"])
    print(f"  kept: {', '.join(entry['kept']) or 'nothing'}", file=sys.stderr)
    if options.install:
        text = json.dumps(entry, indent=1) + "\n"
        (WEIGHTS / f"{ruleset}-{form}.json").write_text(text, encoding="utf-8")


def watched(steps: range, title: str, count: int) -> Iterator[int]:
    """Show progress on standard error."""
    began_s = time.monotonic()
    for done, step in enumerate(steps):
        bar = "█" * (30 * step // count)
        left_min = (time.monotonic() - began_s) / max(1, done) * (count - step) / 60
        print(f"\r{title:28} {bar:30} {step}/{count}, {left_min:.0f} min left ", end="", file=sys.stderr)
        yield step
    print(file=sys.stderr)


def main(arguments: list[str] | None = None) -> None:
    """Train the named families, or all of them."""
    parser = argparse.ArgumentParser(description="Searches better weights of the hints by matches.")
    parser.add_argument("families", nargs="*", help="such as mjc-teams; all when none is named")
    parser.add_argument("--out", type=Path, default=Path("build/training"))
    parser.add_argument("--steps", type=int, default=60, help="changes to try")
    parser.add_argument("--fits", type=int, default=4, help="steps that fit, before those that change")
    parser.add_argument("--moments", type=int, default=100, help="games that a fit learns from")
    parser.add_argument("--deals", type=int, default=150, help="deals of a match, each played twice")
    parser.add_argument("--games", type=int, default=300, help="games that the chances are judged by")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--install", action="store_true", help="put the weights into the package")
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    families = [(ruleset, form) for form in FORMS for ruleset in preset_names()]
    wanted = [f for f in families if not options.families or f"{f[0]}-{f[1]}" in options.families]
    with ProcessPoolExecutor(options.processes) as pool:
        for family in wanted:
            learn(family, options, pool)


if __name__ == "__main__":
    main()
