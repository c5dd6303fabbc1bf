"""`tock bench rules`: random whole games and move lists per second of CPU time, beside python-chess in the same run."""

import importlib
import random
import time
from collections.abc import Callable

from tock_companion.rules import engine as engine_module
from tock_companion.rules.cardgame import CARD_CODES, CARDS, CardGame, shuffle_by
from tock_companion.rules.engine import Engine, engine_for
from tock_companion.rules.position import shape_for
from tock_companion.rules.ruleset import load_preset, preset_names
from tock_companion.rules.state import State

Figures = dict[str, object]
SEATS = (0, 1, 2, 3)
SECONDS = 2.0
"""CPU time spent on each figure."""
MOST_PLIES = 100_000
WARM_UP = 10
"""Games played before the clock runs, so that the engine's tables are made."""


def run(say: Callable[[str], None], seconds: float = SECONDS) -> Figures:
    """Return the figures of the contract; python-chess is left out (null) where it is not installed."""
    say("python-chess")
    chess_rate, chess_games = _chess(seconds)
    rulesets: dict[str, dict[str, float]] = {}
    for name in preset_names():
        say(name)
        rules = load_preset(name)
        engine = engine_for(shape_for(rules, 4), rules, SEATS, ())
        games_rate, games, plies = _games(engine, seconds)
        lists_rate, lists, moves = _lists(engine, seconds)
        rulesets[name] = {
            "games_per_s": round(games_rate, 1),
            "games_n": games,
            "plies_per_game": round(plies / games, 1),
            "lists_per_s": round(lists_rate, 1),
            "lists_n": lists,
            "moves_per_list": round(moves / lists, 1),
        }
    slowest = min(entry["games_per_s"] for entry in rulesets.values())
    return {
        "compiled": not str(engine_module.__file__).endswith(".py"),
        "python_chess_games_per_s": None if chess_rate is None else round(chess_rate, 1),
        "python_chess_games_n": chess_games,
        "rulesets": rulesets,
        "slowest_to_python_chess": None if chess_rate is None else round(slowest / chess_rate, 2),
        "slowest_lists_per_s": min(entry["lists_per_s"] for entry in rulesets.values()),
    }


def _for_cpu_seconds(seconds: float, work: Callable[[], None]) -> tuple[float, int]:
    """Repeat the work and return how often per second of CPU time, and how often."""
    started = time.process_time()
    times = 0
    while True:
        work()
        times += 1
        spent = time.process_time() - started
        if spent >= seconds:
            return times / spent, times


def _games(engine: Engine, seconds: float) -> tuple[float, int, int]:
    """Play random games of four seats, everybody alone."""
    rng = random.Random(20)
    plies = 0

    def play() -> None:
        nonlocal plies
        plies += random_game(engine, rng)

    for _ in range(WARM_UP):
        play()
    plies = 0
    rate, games = _for_cpu_seconds(seconds, play)
    return rate, games, plies


def random_game(engine: Engine, rng: random.Random) -> int:
    """Play one game at random and return the number of actions."""
    chance = rng.random
    game = CardGame(engine, engine.seats[-1], lambda cards: shuffle_by(cards, chance))
    return game.play_at_random(chance, MOST_PLIES)


def mid_game_hands(engine: Engine, count: int, seed: int = 21) -> list[tuple[State, int, tuple[int, ...]]]:
    """Return states from the middle of random games, the seat to move and the codes of a random full hand."""
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


def _lists(engine: Engine, seconds: float) -> tuple[float, int, int]:
    """List all moves of full five-card hands in the middle of games."""
    hands = mid_game_hands(engine, 500)
    moves = 0

    def listing() -> None:
        nonlocal moves
        for state, seat, codes in hands:
            for code in codes:
                moves += len(engine.moves(state, seat, code))

    listing()
    moves = 0
    rate, times = _for_cpu_seconds(seconds, listing)
    return rate * len(hands), times * len(hands), moves


def _chess(seconds: float) -> tuple[float | None, int]:
    """Play random games with python-chess, if it is installed."""
    try:
        chess = importlib.import_module("chess")
    except ImportError:
        return None, 0
    rng = random.Random(22)

    def play() -> None:
        board = chess.Board()
        while not board.is_game_over():
            moves = list(board.legal_moves)
            board.push(moves[int(rng.random() * len(moves))])

    return _for_cpu_seconds(seconds, play)
