"""A tournament at one moment: the fold of its facts."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations

from tock_companion.errors import BadInputError
from tock_companion.tournament.facts import (
    Closed,
    Corrected,
    Entered,
    Fact,
    Game,
    GameKey,
    GroupsDrawn,
    Opened,
    Proposed,
    Rejected,
    Reported,
    Result,
    Returned,
    RoundBegan,
    RoundDropped,
    RoundPaired,
    Withdrew,
)
from tock_companion.tournament.plan import Plan


@dataclass(frozen=True, slots=True)
class Entrant:
    """A person or a fixed pair."""

    number: int
    names: tuple[str, ...]
    is_active: bool = True

    @property
    def name(self) -> str:
        return " & ".join(self.names)


@dataclass(frozen=True, slots=True)
class Round:
    number: int
    games: tuple[Game, ...]
    byes: tuple[int, ...]
    has_begun: bool = False


@dataclass(frozen=True, slots=True)
class Correction:
    """Corrections of the director, with reasons."""

    key: GameKey
    before: Result | None
    after: Result
    why: str


@dataclass(frozen=True, slots=True)
class Tournament:
    """People, rounds and results up to now."""

    plan: Plan
    entrants: Mapping[int, Entrant] = field(default_factory=dict)
    groups: tuple[tuple[int, ...], ...] = ()
    rounds: tuple[Round, ...] = ()
    results: Mapping[GameKey, Result] = field(default_factory=dict)
    proposals: Mapping[GameKey, Proposed] = field(default_factory=dict)
    corrections: tuple[Correction, ...] = ()
    is_closed: bool = False

    @property
    def active(self) -> tuple[int, ...]:
        """Everybody who plays the next round, by number."""
        return tuple(number for number, entrant in self.entrants.items() if entrant.is_active)

    @property
    def present_round(self) -> Round | None:
        """The round that was paired last."""
        return self.rounds[-1] if self.rounds else None

    @property
    def open_games(self) -> tuple[Game, ...]:
        """Games of the present round without a result."""
        now = self.present_round
        return () if now is None else tuple(game for game in now.games if game.key not in self.results)

    def game(self, key: GameKey) -> Game | None:
        if not 1 <= key.round <= len(self.rounds):
            return None
        return next((game for game in self.rounds[key.round - 1].games if game.key == key), None)

    def games(self) -> Iterable[Game]:
        """All games of all rounds, in their order."""
        return (game for each in self.rounds for game in each.games)

    def meetings(self) -> Counter[tuple[int, int]]:
        """Number of times that two entrants (the smaller number first) were paired at one table."""
        return Counter(pair for game in self.games() for pair in combinations(sorted(game.entrants), 2))

    def byes(self) -> Counter[int]:
        """Number of times that each entrant sat out."""
        return Counter(entrant for each in self.rounds for entrant in each.byes)


def fold(facts: Iterable[Fact]) -> Tournament:
    """The tournament after these facts; raises BadInputError for facts that do not belong together."""
    steps = iter(facts)
    first = next(steps, None)
    if not isinstance(first, Opened):
        raise BadInputError("a tournament begins with its plan; restore the copy that has it")
    now = Tournament(first.plan)
    for fact in steps:
        now = after(now, fact)
    return now


def after(now: Tournament, fact: Fact) -> Tournament:
    """Fold one fact into a tournament."""
    match fact:
        case Entered(entrant=number, names=names):
            return replace(now, entrants={**now.entrants, number: Entrant(number, names)})
        case Withdrew(entrant=number):
            return _with_active(now, number, is_active=False)
        case Returned(entrant=number):
            return _with_active(now, number, is_active=True)
        case GroupsDrawn(groups=groups):
            return replace(now, groups=groups)
        case RoundPaired(round=number, games=games, byes=byes):
            return replace(now, rounds=(*now.rounds, Round(number, games, byes)))
        case RoundDropped():
            groups = now.groups if len(now.rounds) > 1 else ()
            return replace(now, rounds=now.rounds[:-1], groups=groups)
        case RoundBegan():
            return replace(now, rounds=(*now.rounds[:-1], replace(now.rounds[-1], has_begun=True)))
        case Proposed(key=key):
            return replace(now, proposals={**now.proposals, key: fact})
        case Rejected(key=key):
            return replace(now, proposals=_without(now.proposals, key))
        case Reported(key=key, result=result):
            results = {**now.results, key: result}
            return replace(now, results=results, proposals=_without(now.proposals, key))
        case Corrected(key=key, result=result, why=why):
            noted = Correction(key, now.results.get(key), result, why)
            results = {**now.results, key: result}
            proposals = _without(now.proposals, key)
            return replace(now, results=results, proposals=proposals, corrections=(*now.corrections, noted))
        case Closed():
            return replace(now, is_closed=True)
        case Opened():
            raise BadInputError("a tournament is opened once; restore the copy before this")


def _with_active(now: Tournament, number: int, *, is_active: bool) -> Tournament:
    entrant = replace(now.entrants[number], is_active=is_active)
    return replace(now, entrants={**now.entrants, number: entrant})


def _without(kept: Mapping[GameKey, Proposed], key: GameKey) -> Mapping[GameKey, Proposed]:
    return {other: proposed for other, proposed in kept.items() if other != key}
