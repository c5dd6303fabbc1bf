"""A slow, plain reading of six games of the family, to compare the engine with: no code, table or idea is shared.

A pawn is walked hole by hole as a child would; a place is a text (`camp`, `T20`, `H1`) and a position a plain
dictionary `{seat: [place, …]}` with seats as numbers and fresh pawns marked by a star. Numbers in comments are those of
the statements in the games' files.
"""

from collections.abc import Iterator
from typing import Any

Position = dict[int, list[str]]
Key = tuple[tuple[int, tuple[str, ...]], ...]

NUMBERS = {
    "A": [1],
    **{str(n): [n] for n in (2, 3, 5, 6, 8, 9, 10)},
    "4": [-4],
    "J": [],
    "Q": [12],
    "K": [13],
}
ELEVEN = {"A": [1, 11]}
GAMES: dict[str, dict[str, Any]] = {
    "toc": {
        "length": 18,
        "pawns": 4,
        "door": 2,
        "firm": "fresh",
        "seven": 7,
        "takes": True,
        "rest": True,
        "walks": {**NUMBERS, **ELEVEN, "J": [10]},
        "swap": "others",
        "swap_bars": "on start",
    },
    "keezen": {
        "length": 16,
        "pawns": 4,
        "door": 1,
        "firm": "on start",
        "seven": 2,
        "rest": True,
        "one_lap": True,
        "walks": {**NUMBERS, "K": []},
        "swap": "others",
        "swap_bars": "on start",
    },
    "jackaroo": {
        "length": 18,
        "pawns": 4,
        "door": 2,
        "firm": "on start",
        "seven": 2,
        "one_lap": True,
        "walks": {**NUMBERS, **ELEVEN},
        "swap": "others",
        "swap_bars": "on start",
        "swap_own_barred": True,
        "king_takes": True,
        "own_bars": True,
        "push": True,
        "burn": True,
    },
    "brandi-dog": {
        "length": 16,
        "pawns": 4,
        "door": 0,
        "firm": "fresh",
        "seven": 7,
        "takes": True,
        "rest": True,
        "walks": {**NUMBERS, **ELEVEN, "4": [4, -4]},
        "swap": "others",
        "swap_bars": "fresh",
        "swap_own_barred": True,
        "repeat": True,
        "wild": True,
    },
    "quebec": {
        "length": 18,
        "pawns": 4,
        "door": 2,
        "firm": "fresh",
        "seven": 7,
        "takes": True,
        "repeat": True,
        "walks": {**NUMBERS, **ELEVEN},
        "swap": "any",
        "swap_bars": "fresh",
        "push": True,
        "pushed_enters": True,
        "start_void": True,
    },
    "pegs-jokers": {
        "length": 18,
        "pawns": 5,
        "door": 5,
        "firm": "none",
        "seven": 2,
        "rest": True,
        "own_bars": True,
        "walks": {**NUMBERS, "4": [4], "8": [-8], "J": [10], "Q": [10], "K": [10]},
        "to_door": True,
        "starters": ["A", "J", "Q", "K"],
        "nine": True,
        "replace": True,
        "next_mate": True,
    },
}


class Reference:
    """The rules of one table, read slowly."""

    def __init__(self, game: str, zones: int, seats: list[int], teams: list[list[int]]) -> None:
        self.rules = GAMES[game]
        self.zones, self.seats, self.teams = zones, seats, teams
        self.ring = self.rules["length"] * zones

    def mates(self, seat: int) -> list[int]:
        return [mate for team in self.teams if seat in team for mate in team if mate != seat]

    def start(self, seat: int) -> str:
        return f"T{self.rules['length'] * seat}"

    def door(self, seat: int) -> str:
        return f"T{(self.rules['length'] * seat - self.rules['door']) % self.ring}"

    def played_by(self, position: Position, seat: int) -> list[int]:
        """Own pawns, or those of the partner once all own are home (TOC-39, PEG-23)."""

        def all_home(one: int) -> bool:
            return all(place.startswith("H") for place in position[one])

        if not all_home(seat):
            return [seat]
        left = [mate for mate in self.mates(seat) if not all_home(mate)]
        if self.rules.get("next_mate"):
            return sorted(left, key=lambda mate: (mate - seat) % self.zones)[:1]
        return left

    def at(self, position: Position, hole: str) -> tuple[int, str] | None:
        """Owner and place of the pawn on a track hole."""
        for seat, places in position.items():
            for place in places:
                if place.rstrip("*") == hole and place[0] == "T":
                    return seat, place
        return None

    def firm(self, seat: int, place: str, how: str | None = None) -> bool:
        """Whether a pawn stands firm on its start (TOC-27, KEZ-20, JAC-17, DOG-24, QUE-13)."""
        how = how or self.rules["firm"]
        if how == "fresh":
            return place.endswith("*")
        return how == "on start" and place.rstrip("*") == self.start(seat)

    # -- changing a position --

    def lifted(self, position: Position, seat: int, place: str) -> Position:
        after = {one: list(places) for one, places in position.items()}
        after[seat].remove(place)
        return after

    def settle(self, position: Position, mover: int, seat: int) -> Position:
        """Put a bumped pawn, already lifted, into camp; in Pegs & Jokers a partner's on its door (PEG-14 to PEG-16)."""
        door = self.door(seat)
        if self.rules.get("to_door") and seat in self.mates(mover):
            standing = self.at(position, door)
            if standing is None or standing[0] != seat:
                after = position if standing is None else self.lifted(position, *standing)
                after[seat].append(door)
                return after if standing is None else self.settle(after, seat, standing[0])
        position[seat].append("camp")
        return position

    def put(self, position: Position, seat: int, place: str, to: str, taken: list[str]) -> Position:
        """Move a pawn; those on `taken` go to camp, one on its target is bumped."""
        after = self.lifted(position, seat, place)
        for hole in taken:
            there = self.at(after, hole)
            if there is not None:
                after = self.lifted(after, *there)
                after[there[0]].append("camp")
        there = self.at(after, to.rstrip("*")) if to.startswith("T") else None
        after = after if there is None else self.lifted(after, *there)
        after[seat].append(to)
        return after if there is None else self.settle(after, seat, there[0])

    # -- walking --

    def paths(self, seat: int, place: str, steps: int, enters: bool, one_lap: bool) -> Iterator[list[str]]:
        """Every way to walk that many holes: the holes touched, in order."""
        if steps == 0:
            yield []
            return
        nexts = []
        hole = place.rstrip("*")
        if hole.startswith("H"):
            level = int(hole[1:]) + 1
            if steps > 0 and level <= self.rules["pawns"]:
                nexts.append(f"H{level}")
        elif steps > 0:
            at_door = hole == self.door(seat)
            # A marble that has just come out does not enter (DOG-30).
            if at_door and enters and not (place.endswith("*") and self.rules["door"] == 0):
                nexts.append("H1")
            if not (at_door and one_lap):
                nexts.append(f"T{(int(hole[1:]) + 1) % self.ring}")
        else:
            nexts.append(f"T{(int(hole[1:]) - 1) % self.ring}")
        for following in nexts:
            for rest in self.paths(seat, following, steps - (1 if steps > 0 else -1), enters, one_lap):
                yield [following, *rest]

    def walk(
        self, position: Position, seat: int, place: str, steps: int, own: list[int], takes: bool, pushed: bool
    ) -> Iterator[tuple[Position, str]]:
        """Results of one pawn walking, each with the pawn's new place; `own` are the seats of the player's pawns."""
        enters = not pushed or bool(self.rules.get("pushed_enters"))
        one_lap = bool(self.rules.get("one_lap")) and not pushed
        barred = own if self.rules.get("own_bars") and not takes else []
        for path in self.paths(seat, place, steps, enters, one_lap):
            passed, to = path[:-1], path[-1]
            met = [self.at(position, hole) for hole in passed if hole.startswith("T")]
            if any(self.firm(*there) or there[0] in barred for there in met if there):
                continue
            if any(hole in position[seat] for hole in path if hole.startswith("H")):
                continue
            there = self.at(position, to) if to.startswith("T") else None
            if there and (self.firm(*there) or there[0] in barred or self.keeps_door(seat, there)):
                continue
            taken = [hole for hole in passed if hole.startswith("T")] if takes else []
            yield self.put(position, seat, place, to, taken), to

    def keeps_door(self, seat: int, there: tuple[int, str]) -> bool:
        """A partner's peg on its own door cannot be landed on (open point P-1)."""
        return (
            bool(self.rules.get("to_door"))
            and there[0] in self.mates(seat)
            and there[1] == self.door(there[0])
        )

    # -- cards --

    def results(self, position: Position, seat: int, card: str) -> list[Position]:
        """Every position that the card can lead to, repetitions included."""
        if card.startswith("JOK"):
            if self.rules.get("wild"):
                return [
                    after for rank in (*NUMBERS, "7") for after in self.results(position, seat, rank + "H")
                ]
            return list(self.replaced(position, seat)) if self.rules.get("replace") else []
        rank, own = card[:-1], self.played_by(position, seat)
        out: list[Position] = []
        if rank in self.rules.get("starters", ["A", "K"]):
            for one in own:
                out += self.come_out(position, one)
        if rank == "7":
            out += self.sevens(position, seat, 7, own, [], set())
        for steps in self.rules["walks"].get(rank, []):
            takes = rank == "K" and bool(self.rules.get("king_takes"))
            for one in own:
                for place in set(position[one]):
                    if place[0] == "T" or (place[0] == "H" and steps > 0):
                        out += [
                            after for after, _ in self.walk(position, one, place, steps, own, takes, False)
                        ]
        if rank == "5" and self.rules.get("push"):
            out += self.pushes(position, seat, own)
        if rank == "9" and self.rules.get("nine"):
            out += self.nines(position, own)
        if rank == "J" and "swap" in self.rules:
            out += self.swaps(position, own)
        if rank == "10" and self.rules.get("burn"):
            out.append(position)
        return out

    def come_out(self, position: Position, seat: int) -> list[Position]:
        start = self.start(seat)
        there = self.at(position, start)
        if "camp" not in position[seat]:
            return []
        if there and there[0] == seat:
            if self.rules.get("own_bars") or (self.firm(*there) and not self.rules.get("start_void")):
                return []
        elif there and self.keeps_door(seat, there):
            return []
        return [self.put(position, seat, "camp", start + "*", [])]

    def sevens(
        self,
        position: Position,
        seat: int,
        left: int,
        first: list[int],
        moved: list[tuple[int, str]],
        seen: set[object],
    ) -> list[Position]:
        """Share the rest of a seven, one part after the other; the last own pawn home hands it to the partner.

        A position reached before, in another order, is not followed again.
        """
        if left == 0:
            return [position]
        before = (key(position), left, tuple(sorted(moved)))
        if before in seen:
            return []
        seen.add(before)
        own = self.played_by(position, seat) if self.rules.get("rest") else first
        out: list[Position] = []
        for one in own:
            for place in set(position[one]):
                again = (one, place) in moved
                if place == "camp" or (again and not self.rules.get("repeat")):
                    continue
                if len(moved) == self.rules["seven"] and not again:
                    continue
                for steps in range(1, left + 1):
                    for after, to in self.walk(
                        position, one, place, steps, own, bool(self.rules.get("takes")), False
                    ):
                        rest = [pawn for pawn in moved if pawn != (one, place)]
                        out += self.sevens(after, seat, left - steps, first, [*rest, (one, to)], seen)
        return out

    def nines(self, position: Position, own: list[int]) -> list[Position]:
        out: list[Position] = []
        for one in own:
            for place in set(position[one]):
                for steps in range(-8, 9):
                    if steps == 0 or place == "camp" or (steps < 0 and place[0] == "H"):
                        continue
                    rest = steps - 9 if steps > 0 else steps + 9
                    for after, to in self.walk(position, one, place, steps, own, False, False):
                        for other in own:
                            for second in set(after[other]):
                                if (
                                    second == "camp"
                                    or (other, second) == (one, to)
                                    or (rest < 0 and second[0] == "H")
                                ):
                                    continue
                                out += [
                                    end for end, _ in self.walk(after, other, second, rest, own, False, False)
                                ]
        return out

    def pushes(self, position: Position, seat: int, own: list[int]) -> list[Position]:
        """A five moves anybody's pawn on the track (JAC-14, QUE-08)."""
        out: list[Position] = []
        for other in self.seats:
            for place in set(position[other]) if other not in own else ():
                base = self.rules["firm"] == "on start" and self.firm(other, place)
                if place[0] == "T" and not base and other != seat:
                    out += [after for after, _ in self.walk(position, other, place, 5, own, False, True)]
        return out

    def swaps(self, position: Position, own: list[int]) -> list[Position]:
        out: list[Position] = []
        bars = self.rules["swap_bars"]
        for one in own:
            for here in position[one]:
                if here[0] != "T" or (self.rules.get("swap_own_barred") and self.firm(one, here, bars)):
                    continue
                for other in self.seats:
                    for there in position[other]:
                        if there[0] != "T" or (one, here) == (other, there):
                            continue
                        if one == other and self.rules["swap"] != "any":
                            continue
                        if other not in own and self.firm(other, there, bars):
                            continue
                        if (
                            other in own
                            and self.rules.get("swap_own_barred")
                            and self.firm(other, there, bars)
                        ):
                            continue
                        after = self.lifted(self.lifted(position, one, here), other, there)
                        after[one].append(there.rstrip("*"))
                        after[other].append(here.rstrip("*"))
                        out.append(after)
        return out

    def replaced(self, position: Position, seat: int) -> Iterator[Position]:
        """An own peg takes the hole of a peg of others (PEG-12)."""
        own = self.played_by(position, seat)
        for one in own:
            for place in set(position[one]):
                for other in self.seats:
                    for there in position[other]:
                        if place[0] == "H" or other in own or there[0] != "T":
                            continue
                        if not self.keeps_door(one, (other, there)):
                            yield self.put(position, one, place, there.rstrip("*"), [])


def key(position: Position) -> Key:
    """A position as a value that can be compared."""
    return tuple((seat, tuple(sorted(places))) for seat, places in sorted(position.items()))
