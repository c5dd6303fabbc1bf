"""Matches between players: every deal is played twice with the sides swapped, on all cores."""

import math
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from typing import NamedTuple

from tock_companion.errors import BadInputError, quoted
from tock_companion.hints.computer_players import STRENGTHS
from tock_companion.hints.line_engine import Command, EngineError, LineEngine
from tock_rules import Ruleset, check_players, load_preset, own_files, ruleset_text, shape_for
from tock_rules.engine import CardGame, engine_for

MAX_ACTIONS = 20_000
"""A game this long counts as a draw: half a win."""
NORMAL_95 = 1.96


@dataclass(frozen=True)
class Form:
    """The players by seat; the first player takes the first, third … seat or team."""

    name: str
    zones: int
    seats: tuple[int, ...]
    teams: tuple[tuple[int, ...], ...] = ()

    def first(self) -> frozenset[int]:
        """Give the seats of the first player."""
        if self.teams:
            return frozenset(seat for team in self.teams[::2] for seat in team)
        return frozenset(self.seats[::2])


FORMS = {
    form.name: form
    for form in (
        Form("duel", 4, (0, 2)),
        Form("four", 4, (0, 1, 2, 3)),
        Form("teams", 4, (0, 1, 2, 3), ((0, 2), (1, 3))),
        Form("six", 6, (0, 1, 2, 3, 4, 5)),
        Form("six-pairs", 6, (0, 1, 2, 3, 4, 5), ((0, 3), (1, 4), (2, 5))),
        Form("six-threes", 6, (0, 1, 2, 3, 4, 5), ((0, 2, 4), (1, 3, 5))),
        Form("eight-fours", 8, tuple(range(8)), ((0, 2, 4, 6), (1, 3, 5, 7))),
        Form("eight-pairs", 8, tuple(range(8)), ((0, 4), (1, 5), (2, 6), (3, 7))),
    )
}
"""Forms of play; over the two games of a deal each player holds every seat once."""


def forms_of(rules: Ruleset) -> list[Form]:
    """List the forms that a ruleset allows."""
    allowed = []
    for form in FORMS.values():
        try:
            check_players(rules, len(form.seats))
        except BadInputError:
            continue
        allowed.append(form)
    return allowed


@dataclass(frozen=True)
class Match:
    """Two players, by name or as programs, and where they meet."""

    ruleset: str
    form: str
    one: str | Command
    two: str | Command
    seed: int = 0


@dataclass(frozen=True)
class Score:
    """The share of games won by the first player's side, with its 95 % interval, and by each seat."""

    pairs: tuple[float, ...]
    """The first player's share of the wins in each pair of games."""
    by_seat: tuple[int, ...]
    """Wins by the side of each seat, in seat order."""

    @property
    def games(self) -> int:
        """Number of games."""
        return 2 * len(self.pairs)

    @property
    def rate(self) -> float:
        """Share of games won."""
        return sum(self.pairs) / len(self.pairs)

    def interval(self) -> tuple[float, float]:
        """Compute the 95 % Wilson interval, widened where the two games of a deal tend to go the same way."""
        rate, games = self.rate, float(self.games)
        count = len(self.pairs)
        if count > 1 and 0 < rate < 1:
            spread = sum((pair - rate) ** 2 for pair in self.pairs) / (count - 1)
            games /= max(1.0, 2 * spread / (rate * (1 - rate)))
        z2 = NORMAL_95**2
        middle = (rate + z2 / (2 * games)) / (1 + z2 / games)
        half = NORMAL_95 / (1 + z2 / games) * math.sqrt(rate * (1 - rate) / games + z2 / (4 * games**2))
        return max(0.0, middle - half), min(1.0, middle + half)

    def to_json(self) -> dict[str, object]:
        """Give the figures under the names of docs/commands.md."""
        low, high = self.interval()
        return {"rate": round(self.rate, 4), "low": round(low, 4), "high": round(high, 4), "n": self.games}


class Deal(NamedTuple):
    """Two games with the same cards."""

    share: float
    """The first player's share of the wins."""
    winners: tuple[int, ...]
    """The seats that brought their pawns home."""
    faults: tuple[str, ...]
    """Why programs lost, a line for each game."""


def play(match: Match, deal: int) -> Deal:
    """Play one deal twice with the sides swapped."""
    one, two = (_play_game(match, deal, turned) for turned in (False, True))
    return Deal(one.share + two.share, one.winners + two.winners, one.faults + two.faults)


def _play_game(match: Match, deal: int, turned: bool) -> Deal:
    """Play one game of a deal, in which a win counts half; a program that fails has lost."""
    rules, form = load_preset(match.ruleset), FORMS[match.form]
    engine = engine_for(shape_for(rules, form.zones), rules, form.seats, form.teams)
    rng = random.Random(f"{match.seed} {deal}")
    game = CardGame(engine, form.seats[deal % len(form.seats)], rng.shuffle)
    choice = random.Random(f"{match.seed} {deal} {turned}")
    with ExitStack() as running:
        one, two = (
            running.enter_context(LineEngine(who)) if isinstance(who, Command) else STRENGTHS[who]
            for who in (match.one, match.two)
        )
        for action in range(1, MAX_ACTIONS + 1):
            mine = (game.to_move in form.first()) != turned
            try:
                game.do((one if mine else two)(game, choice))
            except EngineError as error:
                who = match.one if mine else match.two
                title = f"{match.ruleset} {match.form}, game {2 * deal + turned + 1}, action {action}"
                return Deal(0.0 if mine else 0.5, (), (f"{title}: {quoted(str(who))} loses: {error}",))
            winners = game.winners()
            if winners:
                return Deal(0.5 * ((winners[0] in form.first()) != turned), winners, ())
    return Deal(0.25, (), ())


def _play(job: tuple[Match, int]) -> Deal:
    return play(*job)


def run(
    match: Match,
    games: int,
    processes: int,
    progress: Callable[[int, int], None] | None = None,
    complain: Callable[[str], None] | None = None,
) -> Score:
    """Play a match of `games`, rounded up to whole pairs; `complain` gets a line for each game lost by a fault."""
    deals = max(1, (games + 1) // 2)
    jobs = [(match, deal) for deal in range(deals)]
    pairs: list[float] = []
    wins = dict.fromkeys(FORMS[match.form].seats, 0)
    for played in _results(jobs, processes):
        pairs.append(played.share)
        for seat in played.winners:
            wins[seat] += 1
        for fault in played.faults:
            if complain is not None:
                complain(fault)
        if progress is not None:
            progress(len(pairs), deals)
    return Score(tuple(pairs), tuple(wins.values()))


def _learn(files: list[str]) -> None:
    """Make rulesets of people known in another process."""
    for text in files:
        own_files.add_kept(text)


def _results(jobs: list[tuple[Match, int]], processes: int) -> Iterator[Deal]:
    if processes <= 1:
        yield from map(_play, jobs)
        return
    names = {match.ruleset for match, _ in jobs}
    files = [text for text in map(ruleset_text, sorted(names)) if text is not None]
    with ProcessPoolExecutor(processes, initializer=_learn, initargs=(files,)) as pool:
        yield from pool.map(_play, jobs, chunksize=1)
