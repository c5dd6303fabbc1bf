"""Random whole games and move lists per second of CPU time, beside python-chess in the same run.

Both play in turn, a few games at a time, so that whatever else the machine does slows both alike. Games per second are
actions per second through the mean length of all games of the run: few long games do not blur the ratio.
"""

import importlib
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from tock_rules import load_preset, preset_names, shape_for
from tock_rules.engine import (
    CARD_CODES,
    CARDS,
    CardGame,
    Engine,
    State,
    engine_for,
    shuffle_by,
)

Figures = dict[str, object]
SEATS = (0, 1, 2, 3)
ROUNDS = 5
TURNS = 8
"""Turns that each side gets in a round."""
TURN_S = 0.05
MAX_PLIES = 100_000
WARM_UP = 10
"""Games played before the clock runs, so that the engine's tables are made."""


class Worker:
    """Something done again and again; `work` returns how many steps it took."""

    def __init__(self, work: Callable[[], int]) -> None:
        """Note the rates of every round; nothing is done yet."""
        self.work = work
        self.times = 0
        self.steps = 0
        self.rates: list[float] = []
        """Steps per second of CPU time, round by round."""
        self._round_steps = 0
        self._round_s = 0.0

    def turn(self, seconds: float = TURN_S) -> None:
        """Work for that long, once at least."""
        started = time.process_time()
        spent = 0.0
        while spent < seconds:
            self._round_steps += self.work()
            self.times += 1
            spent = time.process_time() - started
        self._round_s += spent

    def end_round(self) -> None:
        """Note the rate of this round."""
        self.rates.append(self._round_steps / self._round_s)
        self.steps += self._round_steps
        self._round_steps, self._round_s = 0, 0.0


@dataclass(frozen=True)
class Comparison:
    """One ruleset beside python-chess."""

    games: Worker
    """Steps are actions."""
    lists: Worker
    """Steps are moves listed."""
    chess: Worker | None
    """Steps are half-moves; None where python-chess is not installed."""

    def round(self) -> None:
        """Give everybody their turns."""
        workers = [worker for worker in (self.games, self.chess, self.lists) if worker]
        for _ in range(TURNS):
            for worker in workers:
                worker.turn()
        for worker in workers:
            worker.end_round()


def run(say: Callable[[str], None], rounds: int = ROUNDS) -> Figures:
    """Measure games and move lists per second; python-chess is null where it is not installed."""
    comparisons: dict[str, Comparison] = {}
    chess = _chess()
    for name in preset_names():
        say(f"{name}: making tables")
        rules = load_preset(name)
        engine = engine_for(shape_for(rules, 4), rules, SEATS, ())
        comparisons[name] = Comparison(
            Worker(_games(engine)), Worker(_lists(engine)), Worker(chess) if chess else None
        )
    for number in range(1, rounds + 1):
        for name, one in comparisons.items():
            say(f"round {number} of {rounds}: {name}")
            one.round()
    return _figures(comparisons, rounds)


def _figures(comparisons: dict[str, Comparison], rounds: int) -> Figures:
    chess = [one.chess for one in comparisons.values() if one.chess]
    chess_games = sum(worker.times for worker in chess)
    games_per_step = chess_games / max(1, sum(worker.steps for worker in chess))
    rulesets = {name: _entry(one, games_per_step) for name, one in comparisons.items()}
    chess_rates = [rate * games_per_step for worker in chess for rate in worker.rates]
    return {
        "compiled": False,
        "rounds": rounds,
        "python_chess_games_per_s": round(median(chess_rates), 1) if chess else None,
        "python_chess_games_n": chess_games,
        "rulesets": rulesets,
        "slowest_to_python_chess": min(e["to_python_chess"] for e in rulesets.values()) if chess else None,
        "slowest_lists_per_s": min(entry["lists_per_s"] for entry in rulesets.values()),
    }


def _entry(one: Comparison, chess_games_per_step: float) -> dict[str, float]:
    games, lists = one.games, one.lists
    rates = [rate * games.times / games.steps for rate in games.rates]
    entry = {
        "games_per_s": round(median(rates), 1),
        "games_n": games.times,
        "plies_per_game": round(games.steps / games.times, 1),
        "lists_per_s": round(median(lists.rates) * lists.times / lists.steps, 1),
        "lists_n": lists.times,
        "moves_per_list": round(lists.steps / lists.times, 1),
    }
    if one.chess:
        pairs = zip(rates, one.chess.rates, strict=True)
        ratios = [ours / (theirs * chess_games_per_step) for ours, theirs in pairs]
        entry["to_python_chess"] = round(median(ratios), 2)
        entry["to_python_chess_least"] = round(min(ratios), 2)
        entry["to_python_chess_most"] = round(max(ratios), 2)
    return entry


def _games(engine: Engine) -> Callable[[], int]:
    """Random games of four seats without teams."""
    rng = random.Random(20)
    for _ in range(WARM_UP):
        random_game(engine, rng)
    return lambda: random_game(engine, rng)


def random_game(engine: Engine, rng: random.Random) -> int:
    """Play one game at random and return the number of actions."""
    draw = rng.random
    game = CardGame(engine, engine.seats[-1], lambda cards: shuffle_by(cards, draw))
    return game.play_at_random(draw, MAX_PLIES)


def mid_game_hands(engine: Engine, count: int, seed: int = 21) -> list[tuple[State, int, tuple[int, ...]]]:
    """States from the middle of random games, each with the seat to move and the codes of a random full hand."""
    rng = random.Random(seed)
    deck = [number for number, card in enumerate(CARDS) if engine.rules.jokers or card.rank.text != "joker"]
    found: list[tuple[State, int, tuple[int, ...]]] = []
    while len(found) < count:
        game = CardGame(engine, engine.seats[-1], rng.shuffle)
        for ply in range(400):
            game.do(game.random_action(rng.random))
            if game.winners() or len(found) == count:
                break
            if ply > 100 and ply % 20 == 0:
                hand = tuple(CARD_CODES[number] for number in rng.sample(deck, 5))
                found.append((game.state, game.to_move, hand))
    return found


def _lists(engine: Engine) -> Callable[[], int]:
    """Moves of full five-card hands in the middle of games, one list per hand."""
    hands = mid_game_hands(engine, 500)
    place = -1

    def listing() -> int:
        nonlocal place
        place = (place + 1) % len(hands)
        state, seat, codes = hands[place]
        moves = 0
        for code in codes:
            moves += len(engine.moves(state, seat, code))
        return moves

    for _ in hands:
        listing()
    return listing


def _chess() -> Callable[[], int] | None:
    """Random games of python-chess; None where it is not installed."""
    try:
        chess = importlib.import_module("chess")
    except ImportError:
        return None
    rng = random.Random(22)

    def play() -> int:
        board = chess.Board()
        while not board.is_game_over():
            moves = list(board.legal_moves)
            board.push(moves[int(rng.random() * len(moves))])
        return board.ply()  # type: ignore[no-any-return]

    return play
