"""Requests of the director, the tables and the players: each gives the facts that follow, or a refusal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tock_companion.language import folded
from tock_companion.tournament.facts import (
    Closed,
    Corrected,
    Entered,
    Fact,
    GameKey,
    Proposed,
    Rejected,
    Reported,
    Result,
    Returned,
    RoundBegan,
    RoundDropped,
    Withdrew,
)
from tock_companion.tournament.next_round import NotNow, next_round
from tock_companion.tournament.plan import Form
from tock_companion.tournament.state import Tournament

PAWNS = 4
MAX_ENTRANTS = 2_000


@dataclass(frozen=True, slots=True)
class Refused:
    """Why something cannot be; `code` is that of a sentence, `params` fill it."""

    code: str
    params: Mapping[str, str] = field(default_factory=dict)


Decision = tuple[Fact, ...] | Refused
"""No facts at all: that has been so already."""


def enter(now: Tournament, names: Sequence[str]) -> Decision:
    """Enter a person or pair, even late: they play from the next round on."""
    if now.is_closed:
        return Refused("club/closed")
    if now.groups:
        return Refused("club/groups-drawn")
    if len(now.entrants) >= MAX_ENTRANTS:
        return Refused("club/full", {"most": str(MAX_ENTRANTS)})
    if len(names) != now.plan.people_of_entrant:
        code = "club/two-names" if now.plan.form is Form.FIXED_PAIRS else "club/one-name"
        return Refused(code, {"names": ", ".join(names)})
    known = {folded(name): name for entrant in now.entrants.values() for name in entrant.names}
    for index, name in enumerate(names):
        if folded(name) in known or folded(name) in map(folded, names[:index]):
            return Refused("club/twice", {"name": known.get(folded(name), name)})
    return (Entered(max(now.entrants, default=0) + 1, tuple(names)),)


def withdraw(now: Tournament, entrant: int, why: str = "") -> Decision:
    if entrant not in now.entrants:
        return Refused("club/nobody")
    return (Withdrew(entrant, why),) if now.entrants[entrant].is_active else ()


def come_back(now: Tournament, entrant: int) -> Decision:
    if entrant not in now.entrants:
        return Refused("club/nobody")
    return () if now.entrants[entrant].is_active else (Returned(entrant),)


def pair(now: Tournament) -> Decision:
    """Pair the next round; the present one has to be complete."""
    if now.is_closed:
        return Refused("club/closed")
    if now.open_games:
        return Refused("club/round-open", {"games": str(len(now.open_games))})
    found = next_round(now)
    return Refused(found.code) if isinstance(found, NotNow) else found


def drop_round(now: Tournament) -> Decision:
    present = now.present_round
    if present is None or present.has_begun:
        return Refused("club/begun")
    return (RoundDropped(present.number),)


def begin_round(now: Tournament) -> Decision:
    present = now.present_round
    if present is None:
        return Refused("club/not-paired")
    return () if present.has_begun else (RoundBegan(present.number),)


def report(now: Tournament, key: GameKey, result: Result) -> Decision:
    """Take a result; repeating the same one changes nothing, and a different one needs the director."""
    found = _playable(now, key, result)
    if found is not None:
        return found
    counted = now.results.get(key)
    if counted is None:
        return (Reported(key, result),)
    if counted.id == result.id or result.id in _former(now, key):
        return ()
    return Refused("club/counted", {"table": str(key.table), "round": str(key.round)})


def propose(now: Tournament, key: GameKey, side: int, result: Result) -> Decision:
    """One side enters a result on a phone."""
    found = _playable(now, key, result)
    if found is not None:
        return found
    if key in now.results:
        return Refused("club/counted", {"table": str(key.table), "round": str(key.round)})
    return (Proposed(key, result, side),)


def confirm(now: Tournament, key: GameKey, side: int, result_id: str, *, agrees: bool) -> Decision:
    """Confirm the result that another side entered, or take any back; `result_id` is the one they were shown."""
    proposed = now.proposals.get(key)
    if proposed is None or proposed.result.id != result_id:
        return () if key in now.results and now.results[key].id == result_id else Refused("club/not-proposed")
    if agrees and side == proposed.side:
        return Refused("club/own-result")
    return (Reported(key, proposed.result),) if agrees else (Rejected(key),)


def correct(now: Tournament, key: GameKey, result: Result, why: str) -> Decision:
    if not why.strip():
        return Refused("club/why")
    return _playable(now, key, result) or (Corrected(key, result, why.strip()),)


def close(now: Tournament) -> Decision:
    """The tournament is over."""
    if now.open_games:
        return Refused("club/round-open", {"games": str(len(now.open_games))})
    return () if now.is_closed else (Closed(),)


def _former(now: Tournament, key: GameKey) -> set[str]:
    """The results of a game that the director has set right: a table may tell them again."""
    return {each.before.id for each in now.corrections if each.key == key and each.before is not None}


def _playable(now: Tournament, key: GameKey, result: Result) -> Refused | None:
    """Why a game cannot have such a result."""
    game = now.game(key)
    if game is None or not now.rounds[key.round - 1].has_begun:
        return Refused("club/not-paired-game", {"table": str(key.table), "round": str(key.round)})
    sides, people = len(game.sides), now.plan.seats // now.plan.sides_at_table
    fits = len(result.scores) == sides and (result.winner is None or 0 <= result.winner < sides)
    if not fits or any(not 0 <= score.home <= PAWNS * people for score in result.scores):
        return Refused("club/impossible-result", {"table": str(key.table), "round": str(key.round)})
    return None
