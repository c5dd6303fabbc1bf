"""Converts an evening into messages for tables, and their messages into results."""

import re

from tock_companion.club.desk import DeskState
from tock_companion.mqtt.club_notes import PUBLIC, GameNote, ResultNote
from tock_companion.strict_json import encode
from tock_companion.tournament.facts import Game, GameKey, Reporter, Result, SideScore
from tock_companion.tournament.standings import standings
from tock_companion.tournament.state import Tournament

GAME_ID = re.compile(r"(\d{1,6})\.(\d{1,3})\.(\d{1,4})")


def game_id(number: int, key: GameKey) -> str:
    """The id of a game on the broker: tournament, round, table."""
    return f"{number}.{key.round}.{key.table}"


def key_of(name: str) -> tuple[int, GameKey] | None:
    """The tournament and the game behind a name; None for what no desk ever said."""
    found = GAME_ID.fullmatch(name)
    return None if found is None else (int(found[1]), GameKey(int(found[2]), int(found[3])))


def names_of(now: Tournament, game: Game) -> tuple[tuple[str, ...], ...]:
    return tuple(
        tuple(name for entrant in side for name in now.entrants[entrant].names) for side in game.sides
    )


def result_of(note: ResultNote) -> Result:
    """The result that a table reported, as the tournament counts it."""
    scores = tuple(SideScore(score.home, score.distance) for score in note.scores)
    return Result(note.id, scores, note.winner, Reporter.TABLE)


def notes_of(club: str, state: DeskState, *, time_is_up: bool) -> dict[str, GameNote]:
    """The next game of each table with sensors, by the table's name; nothing before the first round begins."""
    now = state.tournament
    if now is None:
        return {}
    begun = [each for each in now.rounds if each.has_begun]
    if not begun:
        return {}
    plan, by_place = now.plan, {game.key.table: game for game in begun[-1].games}
    found = {}
    for table in state.tables.values():
        game = by_place.get(table.place)
        if game is None:
            continue
        counted = now.results.get(game.key)
        found[table.name] = GameNote(
            club,
            game_id(state.number, game.key),
            plan.name,
            game.key.round,
            game.key.table,
            names_of(now, game),
            plan.ruleset,
            dict(plan.options),
            plan.minutes,
            time_is_up and counted is None,
            None if counted is None else counted.id,
        )
    return found


def public_notes(state: DeskState) -> dict[str, str]:
    """The public messages of an evening, by topic."""
    now = state.tournament
    if now is None:
        return {}
    rows = [
        [
            row.place,
            now.entrants[row.entrant].name,
            row.halves / 2,
            row.buchholz / 2,
            row.direct / 2,
            row.pawns,
        ]
        for row in standings(now)
    ]
    present = now.present_round
    games = [] if present is None else [[game.key.table, names_of(now, game)] for game in present.games]
    shown = {"tournament": now.plan.name, "round": 0 if present is None else present.number, "games": games}
    columns = ["place", "name", "points", "buchholz", "direct", "pawns"]
    return {
        f"{PUBLIC}/standings": encode({"tournament": now.plan.name, "columns": columns, "rows": rows}),
        f"{PUBLIC}/round": encode(shown),
    }
