"""Boards with one known mistake: each function makes one, or None where the position does not offer it."""

from collections.abc import Callable

from tock_bench.noisy.tabletop import NUMBERS, VALUES, Tabletop, WrongBoard
from tock_rules import CAMP, SUMMIT, Card, Seat

Maker = Callable[[Tabletop], WrongBoard | None]


def counted_wrong(table: Tabletop) -> WrongBoard | None:
    """One hole too many or too few."""
    card = table.rng.choice(NUMBERS)
    off = table.rng.choice([-1, 1])
    for cell in table.walkers(table.me):
        steps = VALUES[card] + off
        if table.clear(cell, steps + 1) and table.short_of_home(table.me, cell, 14):
            return table.wrong_board(card, "value", (table.me, cell, table.ahead(cell, steps)))
    return None


def four_forwards(table: Tabletop) -> WrongBoard | None:
    """A four walked forwards."""
    for cell in table.walkers(table.me):
        if table.clear(cell, 4) and table.short_of_home(table.me, cell, 4):
            return table.wrong_board("4H", "not_backwards", (table.me, cell, table.ahead(cell, 4)))
    return None


def backwards(table: Tabletop) -> WrongBoard | None:
    """A number card walked backwards."""
    card = table.rng.choice(NUMBERS)
    for cell in table.walkers(table.me):
        if table.clear(cell, -VALUES[card]):
            return table.wrong_board(card, "backwards", (table.me, cell, table.ahead(cell, -VALUES[card])))
    return None


def wrong_colour(table: Tabletop) -> WrongBoard | None:
    """An opponent's pawn walked with a number card."""
    card = table.rng.choice(NUMBERS)
    for seat in table.position.engine.opponents[table.me]:
        for cell in table.walkers(Seat(seat)):
            if table.clear(cell, VALUES[card]) and table.short_of_home(Seat(seat), cell, VALUES[card]):
                return table.wrong_board(card, "whose", (Seat(seat), cell, table.ahead(cell, VALUES[card])))
    return None


def blocked(table: Tabletop) -> tuple[int, int, str] | None:
    """Cell, blocker and card of a pawn of the mover that would have to pass a protected pawn."""
    for cell in table.walkers(table.me):
        for card in table.rng.sample(NUMBERS, len(NUMBERS)):
            value = VALUES[card]
            target = table.ahead(cell, value)
            between = [table.ahead(cell, i) for i in range(1, value)]
            stops = [c for c in between if table.owner(c) is not None]
            if len(stops) == 1 and table.protected(stops[0]) and table.owner(target) is None:
                return cell, stops[0], card
    return None


def passed_protected(table: Tabletop) -> WrongBoard | None:
    """A pawn walked past a protected one."""
    found = blocked(table) if table.position.ruleset.start_blocks else None
    if found is None:
        return None
    cell, stop, card = found
    thing = "protected_fresh_passed" if table.board.is_fresh(stop) else "protected_passed"
    if not table.short_of_home(table.me, cell, VALUES[card]):
        return None
    return table.wrong_board(card, thing, (table.me, cell, table.ahead(cell, VALUES[card])))


def landed_protected(table: Tabletop) -> WrongBoard | None:
    """A pawn put onto a protected one."""
    for cell in table.walkers(table.me):
        for card in table.rng.sample(NUMBERS, len(NUMBERS)):
            target = table.ahead(cell, VALUES[card])
            free = VALUES[card] == 1 or table.clear(cell, VALUES[card] - 1)
            bars = table.owner(target) not in (None, table.me) and table.protected(target)
            if free and bars and table.short_of_home(table.me, cell, VALUES[card]):
                thing = "protected_fresh" if table.board.is_fresh(target) else "protected_taken"
                return table.wrong_board(card, thing, (table.me, cell, target))
    return None


def passed_pawn(table: Tabletop) -> WrongBoard | None:
    """A pawn walked past another where that is forbidden."""
    if table.position.ruleset.passing != "forbidden":
        return None
    for cell in table.walkers(table.me):
        for card in table.rng.sample(NUMBERS, len(NUMBERS)):
            between = [table.ahead(cell, i) for i in range(1, VALUES[card])]
            stops = [c for c in between if table.owner(c) is not None]
            target = table.ahead(cell, VALUES[card])
            bars = stops and not any(map(table.protected, stops))
            if bars and table.owner(target) is None and table.short_of_home(table.me, cell, VALUES[card]):
                return table.wrong_board(card, "passing", (table.me, cell, target))
    return None


def seven_short(table: Tabletop) -> WrongBoard | None:
    """A seven shared out into more or fewer than seven."""
    total = table.rng.choice([4, 5, 6, 8, 9])
    cells = table.walkers(table.me)[:2]
    if len(cells) < 2:
        return None
    first = table.rng.randint(1, total - 1)
    shares = [(cells[0], first), (cells[1], total - first)]
    for cell, steps in shares:
        if not table.clear(cell, steps) or not table.short_of_home(table.me, cell, steps):
            return None
    return table.wrong_board(
        "7H", "seven", *[(table.me, cell, table.ahead(cell, steps)) for cell, steps in shares]
    )


def capture_left(table: Tabletop) -> WrongBoard | None:
    """A taken pawn moved aside instead of home."""
    moves = [
        m for m in table.position.legal_moves(Card.parse(table.rng.choice(NUMBERS))) if len(m.captures) == 1
    ]
    moves = [m for m in moves if m.captures[0][0] not in table.position.played_seats() and len(m.parts) == 1]
    moves = [m for m in moves if m.parts[0].via is None]
    if not moves:
        return None
    move = table.rng.choice(moves)
    seat, hole = move.captures[0]
    cell = table.shape.cells_by_hole[hole]
    beside = table.ahead(cell, table.rng.choice([-1, 1])) if cell < table.shape.track_length else cell
    part = move.parts[0]
    if table.owner(beside) is not None or part.from_cell in {beside, CAMP}:
        return None
    return table.wrong_board(
        str(move.card), "capture", (seat, cell, beside), (part.seat, part.from_cell, part.to_cell)
    )


def sweep_left(table: Tabletop) -> WrongBoard | None:
    """A pawn that the king passed left where it was."""
    if not table.position.ruleset.king_sweeps:
        return None
    for move in table.position.legal_moves(Card.parse("KH")):
        part = move.parts[0]
        swept = [
            (seat, hole) for seat, hole in move.captures if table.shape.cells_by_hole[hole] != part.to_cell
        ]
        if len(move.captures) == len(swept) == 1 and part.via is None:
            return table.wrong_board("KH", "sweep", (part.seat, part.from_cell, part.to_cell))
    return None


def swap_protected(table: Tabletop) -> WrongBoard | None:
    """A swap with a protected pawn."""
    mine = table.walkers(table.me)
    for seat in table.position.engine.opponents[table.me]:
        for cell in table.walkers(Seat(seat)):
            if mine and table.protected(cell):
                thing = "protected_swapped"
                return table.wrong_board(
                    "JD",
                    thing,
                    (table.me, mine[0], -2),
                    (Seat(seat), cell, mine[0]),
                    (table.me, -2, cell),
                )
    return None


def no_starter(table: Tabletop) -> WrongBoard | None:
    """A pawn brought out without a starting card."""
    start = table.shape.start(table.me)
    if CAMP not in table.pawns[table.me] or table.owner(start) is not None:
        return None
    return table.wrong_board(table.rng.choice(NUMBERS), "starter", (table.me, CAMP, start))


def home_exact(table: Tabletop) -> WrongBoard | None:
    """A home hole that the count does not reach."""
    for cell in table.walkers(table.me):
        left = table.shape.track_length - 2 - table.shape.progress(table.me, cell)
        for level in table.rng.sample(range(1, 5), 4):
            for card in NUMBERS:
                off = abs(left + level - VALUES[card])
                empty = all(table.owner(table.shape.home(table.me, i)) is None for i in range(1, level + 1))
                if off == 1 and left >= 0 and empty and (left == 0 or table.clear(cell, left)):
                    things = "home_exact value"
                    return table.wrong_board(
                        card, things, (table.me, cell, table.shape.home(table.me, level))
                    )
    return None


def passed_in_home(table: Tabletop) -> WrongBoard | None:
    """A pawn passed in its home where that is forbidden."""
    for cell in table.walkers(table.me):
        left = table.shape.track_length - 2 - table.shape.progress(table.me, cell)
        for card in NUMBERS:
            level = VALUES[card] - left
            if not 2 <= level <= 4 or left < 0 or (left and not table.clear(cell, left)):
                continue
            homes = [table.owner(table.shape.home(table.me, i)) for i in range(1, level + 1)]
            if homes[-1] is None and any(homes[:-1]):
                return table.wrong_board(
                    card, "home_passing", (table.me, cell, table.shape.home(table.me, level))
                )
    return None


def left_home(table: Tabletop) -> WrongBoard | None:
    """A pawn taken out of its home."""
    for level in range(1, 5):
        cell = table.shape.home(table.me, level)
        target = table.ahead(table.shape.start(table.me), table.rng.randint(1, 6))
        if (
            table.owner(cell) is table.me
            and table.owner(target) is None
            and table.me in table.position.played_seats()
        ):
            return table.wrong_board(table.rng.choice(NUMBERS), "home_leaving", (table.me, cell, target))
    return None


def went_by(table: Tabletop) -> WrongBoard | None:
    """A home passed by that had to be entered."""
    if table.position.ruleset.voluntary_bypass:
        return None
    for move in table.position.legal_moves(Card.parse(table.rng.choice(NUMBERS))):
        part = move.parts[0]
        if (
            part.to_cell > table.shape.centre
            and part.from_cell < table.shape.centre
            and part.seat is table.me
        ):
            value = VALUES[str(move.card)]
            target = table.ahead(part.from_cell, value)
            if table.owner(target) is None and table.clear(part.from_cell, value):
                return table.wrong_board(str(move.card), "bypass", (table.me, part.from_cell, target))
    return None


def five_own(table: Tabletop) -> WrongBoard | None:
    """A five walked with an own pawn."""
    if table.position.ruleset.five != "opponent":
        return None
    for cell in table.walkers(table.me):
        if table.clear(cell, 5) and table.short_of_home(table.me, cell, 5):
            return table.wrong_board("5H", "five_own", (table.me, cell, table.ahead(cell, 5)))
    return None


def pushed_home(table: Tabletop) -> WrongBoard | None:
    """A five that pushed a pawn into its home."""
    if table.position.ruleset.five != "opponent":
        return None
    for number in table.position.engine.opponents[table.me]:
        seat = Seat(number)
        for cell in table.walkers(seat):
            level = 5 - (table.shape.track_length - 2 - table.shape.progress(seat, cell))
            if 1 <= level <= 4 and table.clear(cell, 5):
                home = table.shape.home(seat, level)
                if all(table.owner(table.shape.home(seat, i)) is None for i in range(1, level + 1)):
                    return table.wrong_board("5H", "five_home", (seat, cell, home))
    return None


def pushed_immune(table: Tabletop) -> WrongBoard | None:
    """A five that pushed a pawn from its own start."""
    if not table.position.ruleset.start_push_immune:
        return None
    for number in table.position.engine.opponents[table.me]:
        cell = table.shape.start(number)
        if table.owner(cell) is Seat(number) and table.protected(cell) and table.clear(cell, 5):
            return table.wrong_board("5H", "protected_pushed", (Seat(number), cell, table.ahead(cell, 5)))
    return None


def jack_walked(table: Tabletop) -> WrongBoard | None:
    """A jack walked as eleven."""
    if table.position.ruleset.jack_value:
        return None
    for cell in table.walkers(table.me):
        if table.clear(cell, 11) and table.short_of_home(table.me, cell, 11):
            return table.wrong_board("JC", "jack_advance", (table.me, cell, table.ahead(cell, 11)))
    return None


def home_backwards(table: Tabletop) -> WrongBoard | None:
    """A four walked backwards into the home."""
    for cell in table.walkers(table.me):
        back = table.shape.progress(table.me, cell) + 2
        level = 4 - back
        if 1 <= level <= 4 and table.owner(table.shape.home(table.me, level)) is None:
            return table.wrong_board(
                "4H", "home_backwards", (table.me, cell, table.shape.home(table.me, level))
            )
    return None


def jumped_over_start(table: Tabletop) -> WrongBoard | None:
    """A jump over the start of the mover."""
    rules = table.position.ruleset
    if not rules.summit_jump or rules.jump_over_own_start:
        return None
    first = table.ahead(table.shape.start(table.me), SUMMIT - 18)
    last = table.ahead(first, 18)
    for cell in table.walkers(table.me):
        for card in NUMBERS:
            if (
                table.ahead(cell, VALUES[card]) == first
                and table.clear(cell, VALUES[card])
                and table.owner(last) is None
            ):
                return table.wrong_board(card, "jump_own_start", (table.me, cell, last))
    return None


def centre_without_card(table: Tabletop) -> WrongBoard | None:
    """The centre entered with a card that does not."""
    if not table.position.ruleset.centre or table.owner(table.shape.centre) is not None:
        return None
    for cell in table.walkers(table.me):
        if cell in table.shape.summits():
            return table.wrong_board(
                table.rng.choice(NUMBERS), "centre_card", (table.me, cell, table.shape.centre)
            )
    return None


def centre_from_elsewhere(table: Tabletop) -> WrongBoard | None:
    """The centre entered from elsewhere than a summit."""
    if not table.position.ruleset.centre or table.owner(table.shape.centre) is not None:
        return None
    for cell in table.walkers(table.me):
        if cell not in table.shape.summits():
            return table.wrong_board("KH", "centre_in", (table.me, cell, table.shape.centre))
    return None


def nothing_moved(table: Tabletop) -> WrongBoard | None:
    """A card laid and nothing moved."""
    return table.wrong_board(table.rng.choice(NUMBERS), "must_move")


MAKERS: tuple[Maker, ...] = (
    counted_wrong,
    four_forwards,
    backwards,
    wrong_colour,
    passed_protected,
    landed_protected,
    passed_pawn,
    seven_short,
    capture_left,
    sweep_left,
    swap_protected,
    no_starter,
    home_exact,
    passed_in_home,
    left_home,
    went_by,
    five_own,
    pushed_home,
    pushed_immune,
    jack_walked,
    home_backwards,
    jumped_over_start,
    centre_without_card,
    centre_from_elsewhere,
    nothing_moved,
)
