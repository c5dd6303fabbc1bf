"""The views of an evening: for the hall's screen, the players and the director."""

import csv
import io
from collections.abc import Sequence

from typing_extensions import TypedDict

from tock_companion.club.desk import Desk, DeskState, JoinedTable
from tock_companion.club.notes import names_of
from tock_companion.language import Text
from tock_companion.names import no_formula
from tock_companion.tournament.facts import Game, Result
from tock_companion.tournament.standings import Row, standings
from tock_companion.tournament.state import Tournament
from tock_companion.views.phrases import phrase
from tock_companion.views.wording.games import title
from tock_rules import load_preset, preset_names, seats_for, usual_teams

FOUR = seats_for(4, 4)


class SideRow(TypedDict):
    """The score of one side."""

    home: int
    distance: int | None


class ResultRow(TypedDict):
    """The result of a game; `winner` is the index of a side."""

    id: str
    winner: int | None
    scores: Sequence[SideRow]
    by: str


class HallGame(TypedDict):
    """One table of a round."""

    table: int
    sides: Sequence[Sequence[str]]
    home: Sequence[int] | None
    """Pawns at home of each side, while the table tells them."""
    result: ResultRow | None
    proposed: bool
    """One side has entered a result, and another one has not confirmed it."""
    device: str | None
    """The name of the table with sensors that plays it."""
    online: bool


class CorrectionRow(TypedDict):
    """A correction by the director."""

    round: int
    table: int
    why: str


class HallView(TypedDict):
    """The public view of the evening."""

    revision: int
    club: str
    tournament: str | None
    form: str
    system: str
    seats: int
    round: int
    rounds: int | None
    """None where the knock-out decides how many there will be."""
    begun: bool
    closed: bool
    left_s: float | None
    games: Sequence[HallGame]
    byes: Sequence[str]
    corrections: Sequence[CorrectionRow]
    groups: Sequence[Sequence[str]]


class TablesView(TypedDict):
    """The tables of the present round that have changed since a screen last received them."""

    revision: int
    left_s: float | None
    games: Sequence[HallGame]


class StandingRow(TypedDict):
    """One line of the standings; points are in halves."""

    place: int
    name: str
    halves: int
    buchholz: int
    direct: int
    pawns: int
    played: int
    before_next: str | None


class StandingsView(TypedDict):
    """Everybody, best first."""

    rows: Sequence[StandingRow]


class EntrantRow(TypedDict):
    """One entrant."""

    number: int
    name: str
    active: bool


class TableRow(TypedDict):
    """A table with sensors that has joined."""

    name: str
    place: int
    online: bool


class RulesetChoice(TypedDict):
    """Rules that a tournament may be played by."""

    name: str
    title: Text
    teams: bool
    """Whether four people usually play two against two."""


class DirectorView(TypedDict):
    """The part that only the director needs."""

    broker: bool
    trouble: Text | None
    people: int
    """Names that an entry has."""
    entrants: Sequence[EntrantRow]
    tables: Sequence[TableRow]
    open_games: int
    rulesets: Sequence[RulesetChoice]


def hall_view(desk: Desk) -> HallView:
    """Make the view of everybody in the hall."""
    state = desk.state
    now = state.tournament
    present = None if now is None else now.present_round
    plan = None if now is None else now.plan
    return {
        "revision": state.revision,
        "club": desk.name,
        "tournament": None if plan is None else plan.name,
        "form": "" if plan is None else plan.form.value,
        "system": "" if plan is None else plan.system.value,
        "seats": 0 if plan is None else plan.seats,
        "round": 0 if present is None else present.number,
        "rounds": None if plan is None or plan.system.value == "groups" else plan.rounds,
        "begun": present is not None and present.has_begun,
        "closed": now is not None and now.is_closed,
        "left_s": desk.left_s if present is not None and present.has_begun else None,
        "games": [] if now is None or present is None else _games(state, now, present.games),
        "byes": [] if now is None or present is None else [now.entrants[out].name for out in present.byes],
        "corrections": [] if now is None else _corrections(now),
        "groups": [] if now is None else [[now.entrants[one].name for one in group] for group in now.groups],
    }


def game_row(state: DeskState, now: Tournament, game: Game, table: JoinedTable | None = None) -> HallGame:
    """One table of a round; `table` is the one with sensors that plays it."""
    result = now.results.get(game.key)
    return {
        "table": game.key.table,
        "sides": names_of(now, game),
        "home": state.progress.get(game.key),
        "result": None if result is None else result_row(result),
        "proposed": game.key in now.proposals,
        "device": None if table is None else table.name,
        "online": table is not None and table.online,
    }


def result_row(result: Result) -> ResultRow:
    return {
        "id": result.id,
        "winner": result.winner,
        "scores": [{"home": score.home, "distance": score.distance} for score in result.scores],
        "by": result.by.value,
    }


def standings_view(now: Tournament | None) -> StandingsView:
    return {"rows": [] if now is None else [_standing(now, row) for row in standings(now)]}


def director_view(state: DeskState) -> DirectorView:
    """Make the part of the view that only the director gets."""
    now = state.tournament
    trouble = state.trouble
    return {
        "broker": state.broker,
        "trouble": None if trouble is None else phrase(trouble.code, **trouble.params),
        "people": 1 if now is None else now.plan.people_of_entrant,
        "entrants": []
        if now is None
        else [
            {"number": entrant.number, "name": entrant.name, "active": entrant.is_active}
            for entrant in now.entrants.values()
        ],
        "tables": [
            {"name": table.name, "place": table.place, "online": table.online}
            for table in sorted(state.tables.values(), key=lambda table: table.place)
        ],
        "open_games": 0 if now is None else len(now.open_games),
        "rulesets": [
            {"name": name, "title": title(name), "teams": bool(usual_teams(load_preset(name), FOUR))}
            for name in preset_names()
        ],
    }


def standings_csv(now: Tournament) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["place", "name", "points", "buchholz", "direct", "pawns", "played"])
    for row in standings(now):
        points = [halves / 2 for halves in (row.halves, row.buchholz, row.direct)]
        name = now.entrants[row.entrant].name
        writer.writerow([row.place, no_formula(name), *points, row.pawns, row.played])
    return out.getvalue()


def _games(state: DeskState, now: Tournament, games: Sequence[Game]) -> list[HallGame]:
    tables = {table.place: table for table in state.tables.values()}
    return [game_row(state, now, game, tables.get(game.key.table)) for game in games]


def _corrections(now: Tournament) -> list[CorrectionRow]:
    return [{"round": each.key.round, "table": each.key.table, "why": each.why} for each in now.corrections]


def _standing(now: Tournament, row: Row) -> StandingRow:
    return {
        "place": row.place,
        "name": now.entrants[row.entrant].name,
        "halves": row.halves,
        "buchholz": row.buchholz,
        "direct": row.direct,
        "pawns": row.pawns,
        "played": row.played,
        "before_next": None if row.before_next is None else row.before_next.value,
    }
