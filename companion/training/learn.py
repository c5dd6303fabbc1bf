"""Learns the weights of the estimate from games that the estimate plays against itself.

    nice -n 19 .venv/bin/python companion/training/learn.py --out build/training

Every ruleset and form is a family of its own. A generation plays games with the weights of the one before, with slips
so that it sees bad positions too, notes the terms of some positions, and fits them to who won: first one scale and bias
for the weights it had, so that chances are true, then the single weights, with a strong pull to the scaled ones. What
explains results need not choose well, so the single weights are taken only if they win a match on paired deals. Seeds
come from family, generation and game: the same call gives the same weights. A generation that is already in the folder
is not played again, so a stopped run goes on where it was.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tock_companion.hints.estimate import Estimate
from tock_companion.hints.learned import FORMS, load
from tock_companion.hints.policy import Scores, choose
from tock_companion.hints.terms import TERMS
from tock_companion.rules.cardgame import CARD_CODES, CardGame
from tock_companion.rules.engine import Engine, engine_for
from tock_companion.rules.position import shape_for
from tock_companion.rules.ruleset import load_preset, preset_names

WEIGHTS = Path(__file__).parents[1] / "tock_companion" / "hints" / "weights"
NOTED = 0.12
"""Share of the positions of a game that are learned from."""
SLIPS = 0.35
"""Spread of the slips, in log odds."""
PULL = 300.0
"""How strongly weights are pulled to where they were, in positions of one standard deviation."""
MATCH = 100
"""Games of the match that new weights must win."""
CHUNK = 50
MOST_PLIES = 3000

Array = npt.NDArray[np.float64]


def tables(ruleset: str, form: str) -> list[Engine]:
    """Return the tables that a family is learned at, larger boards and other numbers of players among them."""
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


def play(family: tuple[str, str], weights: list[float], generation: int, first: int) -> tuple[Array, Array]:
    """Play a chunk of games and return the terms of positions and whether their side won."""
    places = tables(*family)
    estimates = [Estimate(engine, weights) for engine in places]
    rows: list[list[float]] = []
    won: list[float] = []
    for number in range(first, first + CHUNK):
        rng = random.Random(f"{family} {generation} {number}")
        which = number % len(places)
        engine, estimate = places[which], estimates[which]
        game = CardGame(engine, rng.choice(engine.seats), rng.shuffle)
        spread = rng.choice((0.0, SLIPS, 2 * SLIPS))
        noted: list[tuple[int, list[float]]] = []
        for _ in range(MOST_PLIES):
            actions = game.actions()
            scores = Scores(estimate, game)
            game.do(max(actions, key=lambda action: scores.score(action) + rng.gauss(0.0, spread)))
            winners = game.winners()
            if winners:
                rows += [terms for _, terms in noted]
                won += [float(seat in winners) for seat, _ in noted]
                break
            if rng.random() < NOTED:
                seat = rng.choice(engine.seats)
                codes = [CARD_CODES[card] for card in game.hands[seat]]
                noted.append((seat, estimate.terms(game.state, seat, game.to_move, codes, game.stored)))
    return np.array(rows), np.array(won)


def fit(rows: Array, won: Array, start: Array, pull: float) -> Array:
    """Return the weights that explain best who won, pulled to where they start; nothing pulls the bias."""
    spread = rows.std(axis=0)
    scale = np.where(spread > 1e-9, spread, 1.0)
    pulls = np.where(spread > 1e-9, pull, 1e9)
    pulls[(spread <= 1e-9) & (rows[0] == 1)] = 1e-3
    scaled, origin = rows / scale, start * scale
    weights = origin.copy()
    for _ in range(12):
        chances = 1 / (1 + np.exp(-(scaled @ weights)))
        slope = scaled.T @ (won - chances) - pulls * (weights - origin)
        bend = (scaled * (chances * (1 - chances))[:, None]).T @ scaled + np.diag(pulls)
        step = np.linalg.solve(bend, slope)
        before = quality(scaled, won, weights)
        # A full step may overshoot where chances are near 0 and 1.
        while quality(scaled, won, weights + step) > before + 1e-3 and np.abs(step).max() > 1e-6:
            step = step / 2
        weights = weights + step
    return weights / scale


def scaled_to_truth(rows: Array, won: Array, weights: Array) -> Array:
    """Return the weights times one factor, with the bias that makes their chances true."""
    logits = rows @ weights
    factor, bias = fit(np.column_stack([logits, np.ones(len(won))]), won, np.array([0.5, 0.0]), 1e-3)
    found = weights * max(float(factor), 0.05)
    found[TERMS.index("bias")] += bias
    return found


def wins(job: tuple[tuple[str, str], list[float], list[float], int]) -> float:
    """Play one deal twice, new weights against old, and return the share of the new ones."""
    family, new, old, deal = job
    engine = tables(*family)[0]
    players = [Estimate(engine, new), Estimate(engine, old)]
    first = {seat for seat in engine.seats if engine.seats.index(seat) % 2 == 0}
    share = 0.0
    for turned in (False, True):
        rng = random.Random(f"{family} match {deal}")
        game = CardGame(engine, engine.seats[deal % len(engine.seats)], rng.shuffle)
        for _ in range(MOST_PLIES):
            game.do(choose(players[(game.to_move in first) == turned], game))
            if game.winners():
                share += 0.5 * ((game.winners()[0] in first) != turned)
                break
    return share


def quality(rows: Array, won: Array, weights: Array) -> float:
    """Return the mean surprise of the results, in bits: 1 for a coin."""
    chances = np.clip(1 / (1 + np.exp(-(rows @ weights))), 1e-6, 1 - 1e-6)
    return float(-np.mean(won * np.log2(chances) + (1 - won) * np.log2(1 - chances)))


def learn(family: tuple[str, str], options: argparse.Namespace, pool: ProcessPoolExecutor) -> None:
    """Play and fit every generation of one family that is not there yet."""
    ruleset, form = family
    weights = load(ruleset, form)
    for generation in range(1, options.generations + 1):
        path = options.out / f"{ruleset}-{form}-{generation}.json"
        if path.exists():
            named = json.loads(path.read_text(encoding="utf-8"))["weights"]
            weights = [float(named.get(term, 0.0)) for term in TERMS]
            continue
        began_s = time.monotonic()
        chunks = range(0, options.games, CHUNK)
        count = len(chunks)
        results = pool.map(play, [family] * count, [weights] * count, [generation] * count, chunks)
        parts = list(watched(results, f"{ruleset} {form} generation {generation}", count))
        rows, won = np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])
        old = scaled_to_truth(rows, won, np.array(weights))
        match = 0.0
        if not options.scale_only:
            new = fit(rows, won, old, PULL)
            jobs = [(family, new.tolist(), old.tolist(), deal) for deal in range(MATCH // 2)]
            match = float(np.mean(list(pool.map(wins, jobs))))
        taken = new if match > 0.5 else old
        weights = [round(float(weight), 4) for weight in taken]
        entry = {
            "ruleset": ruleset,
            "form": form,
            "generation": generation,
            "games": options.games,
            "positions": len(won),
            "bits_per_result": round(quality(rows, won, taken), 4),
            "match_of_single_weights": round(match, 3),
            "weights": dict(zip(TERMS, weights, strict=True)),
        }
        text = json.dumps(entry, indent=1) + "\n"
        path.write_text(text, encoding="utf-8")
        if options.install:
            (WEIGHTS / f"{ruleset}-{form}.json").write_text(text, encoding="utf-8")
        spent = time.monotonic() - began_s
        found = f"{entry['bits_per_result']} bits a result, match {match:.2f}, {spent:.0f} s"
        print(f"  {len(won)} positions, {found}", file=sys.stderr)


def watched(results: Iterator[tuple[Array, Array]], title: str, count: int) -> Iterator[tuple[Array, Array]]:
    """Show a bar on standard error while results come in."""
    for number, result in enumerate(results, 1):
        bar = "█" * (30 * number // count)
        print(f"\r{title:42} {bar:30} {number}/{count}", end="", file=sys.stderr, flush=True)
        yield result
    print(file=sys.stderr)


def main() -> None:
    """Learn the named families, all without a name."""
    parser = argparse.ArgumentParser(description="Learns the weights of the hints from self-play.")
    parser.add_argument("families", nargs="*", help="such as mjc-teams; all when none is named")
    parser.add_argument("--out", type=Path, default=Path("build/training"))
    parser.add_argument("--games", type=int, default=3000, help="games a generation")
    parser.add_argument("--generations", type=int, default=3)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--scale-only", action="store_true", help="only make the chances true")
    parser.add_argument(
        "--install", action="store_true", help="put each generation's weights into the package"
    )
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    families = [(ruleset, form) for form in FORMS for ruleset in preset_names()]
    wanted = [f for f in families if not options.families or f"{f[0]}-{f[1]}" in options.families]
    with ProcessPoolExecutor(options.processes) as pool:
        for family in wanted:
            learn(family, options, pool)


if __name__ == "__main__":
    main()
