"""Random tables: few but telling positions, with pawns where the rules bite."""

import random
from dataclasses import dataclass

from tock_rules import JOKERS, STANDARD_PACK, Board, Card, Hole, Position, Ruleset, Seat, shape_for

CARDS = (*STANDARD_PACK, *JOKERS)


@dataclass(frozen=True)
class Table:
    """A position as plain data and as the engine has it."""

    zones: int
    seats: list[int]
    teams: list[list[int]]
    to_move: int
    pawns: dict[int, list[str]]

    def position(self, rules: Ruleset) -> Position:
        """The same under a ruleset."""
        board = Board.from_pawns(
            shape_for(rules, self.zones), {f"P{seat}": places for seat, places in self.pawns.items()}
        )
        return Position.of(
            rules, board, Seat(self.to_move), [[Seat(seat) for seat in team] for team in self.teams]
        )


def random_table(rng: random.Random, rules: Ruleset, zones: int | None = None) -> Table:
    """Any number of players, teams or none; pawns mostly near starts, summits, entrances and each other."""
    zones = zones or rng.choice([4, 4, 4, 6, 8])
    count = rng.randint(2, zones)
    seats = sorted(rng.sample(range(zones), count))
    teams = random_teams(rng, seats)
    pawns = random_pawns(rng, zones, seats, rules.centre)
    return Table(zones, seats, teams, rng.choice(seats), pawns)


def random_teams(rng: random.Random, seats: list[int]) -> list[list[int]]:
    """Either no teams, or two or more equal ones whose members alternate around the table."""
    sizes = [size for size in range(2, len(seats)) if len(seats) % size == 0]
    if not sizes or rng.random() < 0.4:
        return []
    sides = len(seats) // rng.choice(sizes)
    return [seats[side::sides] for side in range(sides)]


def random_pawns(rng: random.Random, zones: int, seats: list[int], centre: bool) -> dict[int, list[str]]:
    """Four places for each seat; no hole occurs twice."""
    length = 18 * zones
    around = rng.randrange(length)
    taken: set[Hole] = set()
    pawns: dict[int, list[str]] = {}
    full = rng.random() < 0.15
    for seat in seats:
        places: list[str] = []
        finished = full and rng.random() < 0.5
        while len(places) < 4:
            place = _random_place(rng, seat, length, around, centre)
            if finished and rng.random() < 0.9:
                place = f"H{len(places) + 1}"
            hole = Hole.at_place(Seat(seat), place)
            if hole in taken:
                continue
            if hole is not None:
                taken.add(hole)
            places.append(place)
        pawns[seat] = sorted(places)
    return pawns


def _random_place(rng: random.Random, seat: int, length: int, around: int, centre: bool) -> str:
    draw = rng.random()
    if draw < 0.2:
        return "camp"
    if draw < 0.3:
        start = str(Hole.track(18 * seat))
        return start + "*" if rng.random() < 0.6 else start
    if draw < 0.45:
        return f"H{rng.randint(1, 4)}"
    if draw < 0.6:
        return str(Hole.track((18 * seat - rng.randint(0, 20)) % length))
    if draw < 0.7:
        return str(Hole.track(18 * rng.randrange(length // 18) + 7))
    if centre and draw < 0.74:
        return "C"
    if draw < 0.9:
        return str(Hole.track((around + rng.randint(-12, 12)) % length))
    return str(Hole.track(rng.randrange(length)))


def random_card(rng: random.Random) -> Card:
    """Any card; difficult ones are likelier."""
    return (
        Card.parse(rng.choice(["7H", "7S", "JS", "JD", "KH", "5C", "4D", "JOK_B", "JOK_C", "AS"]))
        if rng.random() < 0.6
        else rng.choice(CARDS)
    )
