"""Seats and teams, and the order of turns."""

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations

from tock_rules.errors import BadInputError, quoted
from tock_rules.ruleset import Ruleset
from tock_rules.seats import Seat

Team = tuple[Seat, ...]


def player_counts(rules: Ruleset, zones: int = 8) -> tuple[int, ...]:
    """The numbers of players that the rules allow on a board of that many zones."""
    most = min(rules.most_players, zones)
    return tuple(n for n in range(rules.fewest_players, most + 1) if rules.odd_players or n in (2, 4, 6, 8))


def check_players(rules: Ruleset, players: int) -> None:
    """Raise `BadInputError` when that many cannot play."""
    allowed = player_counts(rules)
    if players not in allowed:
        listed = ", ".join(map(str, allowed))
        raise BadInputError(f"{rules.name} is not played by {quoted(players)}; players: {listed}")


def seats_for(players: int, zones: int) -> tuple[Seat, ...]:
    """The usual seats of that many players: as evenly round the board as possible (open point A-30)."""
    if not 2 <= players <= zones:
        raise BadInputError(f"{players} players do not fit a board of {zones} zones")
    return tuple(Seat(number * zones // players) for number in range(players))


def seats_keeping(sitting: Collection[Seat], players: int, zones: int) -> tuple[Seat, ...]:
    """Seats for that many players, as evenly as possible without moving seated players."""
    usual = seats_for(players, zones)
    if set(sitting) <= set(usual):
        return usual
    if len(sitting) > players:
        raise BadInputError(f"{len(sitting)} people sit at the table, and {players} are to play")

    def unevenness(seats: tuple[Seat, ...]) -> int:
        gaps = [(after - seat) % zones for seat, after in zip(seats, (*seats[1:], seats[0]), strict=True)]
        return sum(gap * gap for gap in gaps)

    fitting = (
        seats for seats in combinations(map(Seat, range(zones)), players) if set(sitting) <= set(seats)
    )
    return min(fitting, key=unevenness)


def zones_for(players: int) -> int:
    """The smallest board with room for that many players."""
    return 4 if players <= 4 else 6 if players <= 6 else 8


def team_sizes(rules: Ruleset, players: int) -> tuple[int, ...]:
    """The sizes of teams that the rules know for that many players, the usual one first; 1 is everybody alone.

    002: teams of two, three against three, four against four, or none (R002-49).
    """
    equal = tuple(size for size in range(2, players // 2 + 1) if players % size == 0)
    if rules.two_teams:
        smaller = equal[:-1] if rules.smaller_teams else ()
        equal = (*equal[-1:], *smaller) if players % 2 == 0 else ()
    if rules.teams == "individual":
        return (1,)
    return (1, *equal) if rules.teams == "choose" else equal or (1,)


def teams_of(seats: Sequence[Seat], size: int) -> tuple[Team, ...]:
    """Teams of that size whose members sit as far apart as possible (R002-55, R003-06, R004-05); none for 1."""
    sides = max(1, len(seats) // size)
    return () if size == 1 else tuple(tuple(seats[side::sides]) for side in range(sides))


def usual_teams(rules: Ruleset, seats: Sequence[Seat]) -> tuple[Team, ...]:
    """The teams in which these seats play where nobody chooses; none where everybody plays alone."""
    return teams_of(seats, team_sizes(rules, len(seats))[0])


def check_setup(rules: Ruleset, seats: Sequence[Seat], teams: Sequence[Team]) -> None:
    """Raise `BadInputError` for a number of players, or teams, that the rules do not have (open point A-35)."""
    check_players(rules, len(seats))
    allowed, sizes = team_sizes(rules, len(seats)), {len(team) for team in teams} or {1}
    named = "no teams" if not teams else f"teams {teams_text(teams)}"
    if len(sizes) > 1 or not sizes <= set(allowed):
        listed = " or ".join("alone" if size == 1 else f"in teams of {size}" for size in allowed)
        raise BadInputError(f"{rules.name}: {named} for {len(seats)} players; they play {listed}")
    if len(seats) > 2 and any(left_of(seats, seat) in team for team in teams for seat in team):
        raise BadInputError(f"{rules.name}: {named}; partners do not sit side by side")


def left_of(seats: Sequence[Seat], seat: Seat) -> Seat:
    """The next player clockwise: who begins after a dealer, and who deals next (R002-09, R002-11, open point A-13)."""
    if seat not in seats:
        raise BadInputError(f"{seat.name} does not play")
    return seats[(seats.index(seat) + 1) % len(seats)]


def check_teams(teams: Iterable[Iterable[Seat]], seats: Sequence[Seat]) -> tuple[Team, ...]:
    """The teams, seats in order; raise `BadInputError` unless they are of all the seats or of none, each once."""
    sides = tuple(tuple(sorted(team)) for team in teams)
    members = [seat for team in sides for seat in team]
    if len(set(members)) != len(members) or any(seat not in seats for seat in members):
        raise BadInputError(
            f"teams must name seats that play, each once: {[[s.name for s in t] for t in sides]}"
        )
    if sides and len(members) != len(seats):
        raise BadInputError("every seat that plays must be in a team")
    return sides


def teams_text(teams: Iterable[Iterable[Seat]]) -> str:
    """Teams as `P0+P2/P1+P3`, no teams as `-`."""
    return "/".join("+".join(seat.name for seat in team) for team in teams) or "-"


def parse_teams(text: str) -> list[list[Seat]]:
    """The teams of their text."""
    return [] if text == "-" else [[Seat.parse(name) for name in team.split("+")] for team in text.split("/")]
