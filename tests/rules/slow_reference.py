"""A slow, plain reading of docs/rules, to compare the engine with: no code, table or idea is shared with it.

A pawn is walked hole by hole as a child would; a place is a text (`camp`, `T20`, `H1`, `C`) and a position a
plain dictionary `{seat: [place, place, place, place]}` with seats as numbers and fresh pawns marked by a star.
Numbers in comments are those of docs/rules/open-points.md.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, pairwise
from typing import Any

Position = dict[int, list[str]]
Arrival = tuple[Position, str]

COMMON: dict[str, object] = {
    "starters": {"A", "K", "JOK"},
    "joker": 18,
    "jack": 0,
    "passing": "free",
    "king_sweeps": True,
    "colour_sweeps": False,
    "protected": "fresh",
    "blocks": True,
    "king_at_protected": "blocked",
    "jack_bars": "any_on_start",
    "push_immune": False,
    "five": "opponent",
    "five_home": False,
    "seven_pawns": 4,
    "swap": "any",
    "one_eyed": False,
    "jump": False,
    "jump_first": True,
    "jump_own_start": True,
    "lines": False,
    "centre": False,
    "strict": False,
    "bypass": False,
    "two_of_spades": False,
    "rest_to_mate": True,
    "jokers": True,
}
TEXTS: dict[str, dict[str, object]] = {
    "joker-individuel": {"passing": "forbidden", "jack_bars": "protected", "swap": "opponent", "lines": True},
    "diagonale": {"blocks": False, "king_at_protected": "passes"},
    "gladius": {
        "joker": 15,
        "jack": 11,
        "king_sweeps": False,
        "colour_sweeps": True,
        "protected": "any",
        "jack_bars": "protected",
        "five": "own",
        "seven_pawns": 3,
        "swap": "other_player",
        "one_eyed": True,
        "centre": True,
        "bypass": True,
    },
    "parteu": {"jokers": False, "push_immune": True, "jump": True, "jump_first": False, "bypass": True},
    "mjc": {"protected": "any", "jump": True, "jump_own_start": False},
}
"""The differences between the five texts (matrix of section 2, defaults of section 3)."""


class Reference:
    """The rules of one table, read slowly."""

    def __init__(
        self, text: str, zones: int, seats: list[int], teams: list[list[int]], **house: object
    ) -> None:
        self.rules: dict[str, Any] = {**COMMON, **TEXTS[text], **house}
        self.zones, self.length = zones, 18 * zones
        self.seats, self.teams = seats, teams

    # -- who is who ---------------------------------------------------------------------------------------------------

    def team(self, seat: int) -> list[int]:
        return next((team for team in self.teams if seat in team), [seat])

    def home_full(self, position: Position, seat: int) -> bool:
        return all(place.startswith("H") for place in position[seat])

    def played_by(self, position: Position, seat: int) -> list[int]:
        """Own pawns, or with all four home those of the mates (002-52, 003-22, 004-47)."""
        if not self.home_full(position, seat):
            return [seat]
        return [mate for mate in self.team(seat) if mate != seat and not self.home_full(position, mate)]

    def at(self, position: Position, hole: str) -> int | None:
        """The owner of the pawn on a track hole or in the centre."""
        for seat, places in position.items():
            if hole in places or hole + "*" in places:
                return seat
        return None

    def protected(self, position: Position, hole: str) -> bool:
        """On its own start: just out (000-28, 001-26, 003-12), or any own pawn (002-18, 004-45)."""
        owner = self.at(position, hole)
        if owner is None or hole != f"T{18 * owner}":
            return False
        return hole + "*" in position[owner] or self.rules["protected"] == "any"

    # -- changing a position ------------------------------------------------------------------------------------------

    def taken(self, position: Position, holes: list[str]) -> Position:
        """Pawns on these holes go back to their camps (000-24, 001-29, 002-33, 003-16, 004-33)."""
        hit = {*holes, *(hole + "*" for hole in holes)}
        return {
            s: sorted("camp" if p in hit else p for p in places) if hit.intersection(places) else list(places)
            for s, places in position.items()
        }

    def moved(self, position: Position, seat: int, place: str, to: str, also_taken: list[str]) -> Position:
        hole = to.rstrip("*")
        # Home holes belong to one seat; on them nobody is ever taken.
        victims = [h for h in [*also_taken, hole] if not h.startswith("H") and h != place.rstrip("*")]
        after = self.taken(position, victims)
        after[seat] = sorted([*after[seat], to])
        after[seat].remove(place)
        return after

    # -- walking ------------------------------------------------------------------------------------------------------

    def paths(self, seat: int, place: str, steps: int, may_enter: bool) -> list[list[str]]:
        return paths(self.length, seat, place, steps, may_enter)

    def line_paths(self, seat: int, place: str, steps: int) -> Iterator[list[str]]:
        """Ways that begin with a dotted line: from a 7 to the next 7 for one step, on 8 zones also
        to the second.
        """
        if (
            not self.rules["lines"]
            or self.zones == 4
            or not place.startswith("T")
            or int(place[1:]) % 18 != 7
        ):
            return
        sign = 1 if steps > 0 else -1
        for zones in (1, 2) if self.zones == 8 else (1,):
            via = f"T{(int(place[1:]) + sign * 18 * zones) % self.length}"
            for rest in self.paths(seat, via, steps - sign, steps > 0):
                yield [via, *rest]

    def walks(
        self,
        position: Position,
        seat: int,
        place: str,
        steps: int,
        pushed: bool = False,
        sweep: bool = False,
        lines: bool = True,
    ) -> list[Arrival]:
        """Results of one pawn walking, each with where it stands; `pushed` by an opponent's five; `sweep`
        when it takes every pawn that it passes.
        """
        start = place.rstrip("*")
        ways = [
            (path, False)
            for path in self.paths(seat, start, steps, steps > 0 and (not pushed or self.rules["five_home"]))
        ]
        if lines and not pushed:
            ways += [(path, True) for path in self.line_paths(seat, start, steps)]
        open_ways = [
            (path, line)
            for path, line in ways
            if self.way_is_open(position, seat, start, path, steps, pushed, sweep)
        ]
        entering = any(path[-1].startswith("H") for path, _ in open_ways)
        results: list[Arrival] = []
        for path, line in open_ways:
            bypassing = self.bypasses(seat, start, path)
            if entering and bypassing and steps > 0 and not pushed and not self.rules["bypass"]:
                continue
            passed = path[:-1]
            victims = [hole for hole in passed if self.swept(position, hole)] if sweep else []
            results.append((self.moved(position, seat, place, path[-1], victims), path[-1]))
            if not line:
                results += self.jumps(position, seat, place, path[-1], steps, pushed, victims, sweep)
        return results

    def bypasses(self, seat: int, start: str, path: list[str]) -> bool:
        """Whether the pawn goes from before (or on) its entrance to beyond it on the track."""
        if start.startswith("H") or path[-1].startswith("H"):
            return False
        return self.end(seat, start, path) > self.length - 2

    def crosses_start(self, seat: int, start: str, path: list[str]) -> bool:
        """Whether the pawn comes to its own start again or goes past it."""
        on_track = [hole for hole in path if hole.startswith("T")]
        return start.startswith("T") and self.end(seat, start, on_track) >= self.length

    def end(self, seat: int, start: str, path: list[str]) -> int:
        """Distance of a pawn from its own start at the end of a way, more than a lap if it went past it."""
        before = (int(start[1:]) - 18 * seat) % self.length
        return before + sum((int(b[1:]) - int(a[1:])) % self.length for a, b in pairwise([start, *path]))

    def swept(self, position: Position, hole: str) -> bool:
        return hole.startswith("T") and (
            self.rules["king_at_protected"] == "takes" or not self.protected(position, hole)
        )

    def way_is_open(
        self,
        position: Position,
        seat: int,
        start: str,
        path: list[str],
        steps: int,
        pushed: bool,
        sweep: bool,
    ) -> bool:
        for hole in path:
            if hole.startswith("H") and hole in position[seat]:
                return False
        for hole in path[:-1]:
            if not hole.startswith("T") or self.at(position, hole) is None:
                continue
            if self.protected(position, hole):
                blocked = self.rules["king_at_protected"] == "blocked" if sweep else self.rules["blocks"]
                if blocked or (self.rules["passing"] == "forbidden" and not sweep):
                    return False
            elif self.rules["passing"] == "forbidden" and not sweep:
                return False
        if self.rules["strict"] and steps > 0 and not pushed and self.crosses_start(seat, start, path):
            return False
        spared = self.rules["king_at_protected"] != "takes" or not sweep
        return not (self.protected(position, path[-1]) and spared)

    def jumps(
        self,
        position: Position,
        seat: int,
        place: str,
        landed: str,
        steps: int,
        pushed: bool,
        victims: list[str],
        sweep: bool,
    ) -> list[Arrival]:
        """From a 7 to the next 7 in the direction walked (003-15, 004-32)."""
        if not self.rules["jump"] or not landed.startswith("T") or int(landed[1:]) % 18 != 7:
            return []
        here = int(landed[1:])
        over = [(here + i) % self.length for i in range(1, 18)]
        if steps > 0 and not pushed and not self.rules["jump_own_start"] and 18 * seat in over:
            return []
        target = f"T{(here + (18 if steps > 0 else -18)) % self.length}"
        first = [landed] if self.rules["jump_first"] or sweep else []
        return [(self.moved(position, seat, place, target, victims + first), target)]

    # -- cards --------------------------------------------------------------------------------------------------------

    def results(self, position: Position, seat: int, card: str) -> list[Position]:
        """Every position that the card can lead to, repetitions included."""
        rank = "JOK" if card.startswith("JOK") else card[:-1]
        out: list[Position] = []
        if rank == "JOK" and not self.rules["jokers"]:
            return out
        mine = self.played_by(position, seat)
        if rank in self.rules["starters"] or (card == "2S" and self.rules["two_of_spades"]):
            for own in mine:
                out += self.come_out(position, own)
        if rank == "7":
            out += self.sevens(position, seat, 7, (), mine, set())
        elif rank == "5" and self.rules["five"] == "opponent":
            for other in self.seats:
                if other not in self.team(seat):
                    for place in set(position[other]):
                        immune = self.rules["push_immune"] and self.protected(position, place.rstrip("*"))
                        if place.startswith("T") and not immune:
                            out += [after for after, _ in self.walks(position, other, place, 5, pushed=True)]
        else:
            steps = self.steps(rank)
            sweep = (rank == "K" and self.rules["king_sweeps"]) or (
                card == "JOK_C" and self.rules["colour_sweeps"]
            )
            for own in mine:
                for place in set(position[own]):
                    if steps and place[0] in "TH" and not (steps < 0 and place.startswith("H")):
                        out += [
                            after for after, _ in self.walks(position, own, place, steps, sweep=bool(sweep))
                        ]
        if rank == "J":
            out += self.swaps(position, seat, mine, card in ("JS", "JH"))
        if self.rules["centre"] and rank in ("A", "K", "JOK", "7"):
            for own in mine:
                out += self.centre(position, own)
        return out

    def steps(self, rank: str) -> int:
        special = {"A": 1, "4": -4, "J": self.rules["jack"], "Q": 12, "K": 13, "JOK": self.rules["joker"]}
        return int(special.get(rank, rank))

    def come_out(self, position: Position, seat: int) -> list[Position]:
        start = f"T{18 * seat}"
        if "camp" not in position[seat] or self.protected(position, start):
            return []
        after = self.taken(position, [start])
        after[seat].remove("camp")
        after[seat] = sorted([*after[seat], start + "*"])
        return [after]

    def sevens(
        self,
        position: Position,
        seat: int,
        left: int,
        used: tuple[tuple[int, str], ...],
        first: list[int],
        seen: set[object],
    ) -> list[Position]:
        """Share the rest of a seven: any pawn not yet used, any number of steps, one after the other
        (A-20, A-21). A position reached before, in another order, is not followed again.
        """
        if left == 0:
            return [position]
        here = (key(position), left, used)
        if len(used) == self.rules["seven_pawns"] or here in seen:
            return []
        seen.add(here)
        out: list[Position] = []
        for own in self.played_by(position, seat) if self.rules["rest_to_mate"] else first:
            for place in set(position[own]):
                if place[0] not in "TH" or (own, place) in used:
                    continue
                for steps in range(1, left + 1):
                    for after, arrived in self.walks(position, own, place, steps):
                        moved = tuple(sorted([*used, (own, arrived)]))
                        out += self.sevens(after, seat, left - steps, moved, first, seen)
        return out

    def swaps(self, position: Position, seat: int, mine: list[int], one_eyed: bool) -> list[Position]:
        ground = ("T", "C") if self.rules["centre"] else ("T",)
        pawns = [(s, p) for s in self.seats for p in position[s] if p.startswith(ground) and p != "camp"]
        out: list[Position] = []
        for (a, here), (b, there) in combinations(pawns, 2):
            any_two = one_eyed and self.rules["one_eyed"]
            if not any_two:
                if a not in mine and b not in mine:
                    continue
                both = a in mine and b in mine
                if self.rules["swap"] == "opponent" and (both or (b if a in mine else a) in self.team(seat)):
                    continue
                if self.rules["swap"] == "other_player" and a == b:
                    continue
            if self.barred(position, a, here, mine) or self.barred(position, b, there, mine):
                continue
            after = {s: list(places) for s, places in position.items()}
            after[a].remove(here)
            after[b].remove(there)
            after[a] = sorted([*after[a], there.rstrip("*")])
            after[b] = sorted([*after[b], here.rstrip("*")])
            out.append(after)
        return out

    def barred(self, position: Position, owner: int, place: str, mine: list[int]) -> bool:
        """A pawn on its own start is not swapped, except by its owner (A-17)."""
        if owner in mine or place.rstrip("*") != f"T{18 * owner}":
            return False
        return self.rules["jack_bars"] == "any_on_start" or self.protected(position, place.rstrip("*"))

    def centre(self, position: Position, seat: int) -> list[Position]:
        out: list[Position] = []
        for place in set(position[seat]):
            if place.startswith("T") and int(place.rstrip("*")[1:]) % 18 == 7:
                out.append(self.moved(position, seat, place, "C", []))
            if place == "C":
                out += [
                    self.moved(position, seat, place, f"T{18 * zone + 7}", []) for zone in range(self.zones)
                ]
        return out


@cache
def paths(length: int, seat: int, place: str, steps: int, may_enter: bool) -> list[list[str]]:
    """Every way to walk that many holes: the places touched, in order. Forwards one may turn in at the entrance."""
    if steps == 0:
        return [[]]
    found: list[list[str]] = []
    if place.startswith("H"):
        level = int(place[1]) + 1
        if steps > 0 and level <= 4 and may_enter:
            found += [[f"H{level}", *rest] for rest in paths(length, seat, f"H{level}", steps - 1, may_enter)]
        return found
    here = int(place[1:])
    if steps > 0 and may_enter and here == (18 * seat - 2) % length:
        found += [["H1", *rest] for rest in paths(length, seat, "H1", steps - 1, may_enter)]
    onward = f"T{(here + (1 if steps > 0 else -1)) % length}"
    left = steps - 1 if steps > 0 else steps + 1
    return found + [[onward, *rest] for rest in paths(length, seat, onward, left, may_enter)]


def key(position: Position) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """A position as a value that can be compared."""
    return tuple((seat, tuple(sorted(places))) for seat, places in sorted(position.items()))
