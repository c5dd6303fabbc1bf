"""Boards with one known mistake: each function makes one, or None where the position does not offer it."""

from collections.abc import Callable, Iterable, Iterator

from tests.support.tabletop import NUMBERS, VALUES, Tabletop, WrongBoard
from tests.support.wrong_hands import HANDS, IN_THE_AIR
from tock_rules import CAMP, SUMMIT, Card, Move, Seat

Maker = Callable[[Tabletop], WrongBoard | None]


def _walk(table: Tabletop, thing: str, card: str, seats: Iterable[Seat] = ()) -> WrongBoard | None:
    """A pawn walked on a free way that ends short of its home."""
    steps = VALUES[card]
    for seat in seats or (table.me,):
        for cell in table.walkers(seat):
            if table.clear(cell, steps) and table.short_of_home(seat, cell, steps):
                return table.wrong_board(card, thing, (seat, cell, table.ahead(cell, steps)))
    return None


def counted_wrong(table: Tabletop) -> WrongBoard | None:
    """One hole too many or too few."""
    card, off = table.rng.choice(NUMBERS), table.rng.choice([-1, 1])
    steps = VALUES[card] + off
    for cell in table.walkers(table.me):
        if table.clear(cell, steps + 1) and table.short_of_home(table.me, cell, 14):
            return table.wrong_board(card, "value", (table.me, cell, table.ahead(cell, steps)))
    return None


def four_forwards(table: Tabletop) -> WrongBoard | None:
    """A four walked forwards."""
    return _walk(table, "not_backwards", "4H")


def backwards(table: Tabletop) -> WrongBoard | None:
    """A number card walked backwards."""
    card = table.rng.choice(NUMBERS)
    for cell in table.walkers(table.me):
        if table.clear(cell, -VALUES[card]):
            return table.wrong_board(card, "backwards", (table.me, cell, table.ahead(cell, -VALUES[card])))
    return None


def wrong_colour(table: Tabletop) -> WrongBoard | None:
    """An opponent's pawn walked with a number card."""
    return _walk(table, "whose", table.rng.choice(NUMBERS), table.opponents())


def _passing(table: Tabletop) -> Iterator[tuple[int, list[int], str, int]]:
    """Cell, passed cells, card and free target of pawns of the mover with others on their way."""
    for cell in table.walkers(table.me):
        for card in table.rng.sample(NUMBERS, len(NUMBERS)):
            value = VALUES[card]
            stops = [c for i in range(1, value) if table.owner(c := table.ahead(cell, i)) is not None]
            target = table.ahead(cell, value)
            if stops and table.owner(target) is None and table.short_of_home(table.me, cell, value):
                yield cell, stops, card, target


def passed_protected(table: Tabletop) -> WrongBoard | None:
    """A pawn walked past a protected one."""
    if not table.position.ruleset.start_blocks:
        return None
    for cell, stops, card, target in _passing(table):
        if len(stops) == 1 and table.protected(stops[0]):
            thing = "protected_fresh_passed" if table.board.is_fresh(stops[0]) else "protected_passed"
            return table.wrong_board(card, thing, (table.me, cell, target))
    return None


def landed_protected(table: Tabletop) -> WrongBoard | None:
    """A pawn put onto a protected one."""
    for cell in table.walkers(table.me):
        for card in table.rng.sample(NUMBERS, len(NUMBERS)):
            value, target = VALUES[card], table.ahead(cell, VALUES[card])
            bars = table.owner(target) not in (None, table.me) and table.protected(target)
            if bars and table.clear(cell, value - 1) and table.short_of_home(table.me, cell, value):
                thing = "protected_fresh" if table.board.is_fresh(target) else "protected_taken"
                return table.wrong_board(card, thing, (table.me, cell, target))
    return None


def passed_pawn(table: Tabletop) -> WrongBoard | None:
    """A pawn walked past another where that is forbidden."""
    if table.position.ruleset.passing != "forbidden":
        return None
    for cell, stops, card, target in _passing(table):
        if not any(map(table.protected, stops)):
            return table.wrong_board(card, "passing", (table.me, cell, target))
    return None


def seven_short(table: Tabletop) -> WrongBoard | None:
    """A seven shared out into more or fewer than seven."""
    total, cells = table.rng.choice([4, 5, 6, 8, 9]), table.walkers(table.me)[:2]
    if len(cells) < 2:
        return None
    first = table.rng.randint(1, total - 1)
    shares = [(cells[0], first), (cells[1], total - first)]
    if not all(table.clear(*share) and table.short_of_home(table.me, *share) for share in shares):
        return None
    return table.wrong_board("7H", "seven", *[(table.me, cell, table.ahead(cell, n)) for cell, n in shares])


def _moves(table: Tabletop, card: str) -> tuple[Move, ...]:
    return table.position.legal_moves(Card.parse(card))


def capture_left(table: Tabletop) -> WrongBoard | None:
    """A taken pawn moved aside instead of home."""
    played = table.position.played_seats()
    moves = [
        move
        for move in _moves(table, table.rng.choice(NUMBERS))
        if len(move.captures) == len(move.parts) == 1
        and move.captures[0][0] not in played
        and move.parts[0].via is None
    ]
    if not moves:
        return None
    move = table.rng.choice(moves)
    seat, hole = move.captures[0]
    cell, part = table.shape.cells_by_hole[hole], move.parts[0]
    beside = table.ahead(cell, table.rng.choice([-1, 1])) if cell < table.shape.track_length else cell
    if table.owner(beside) is not None or part.from_cell in {beside, CAMP}:
        return None
    return table.wrong_board(
        str(move.card), "capture", (seat, cell, beside), (part.seat, part.from_cell, part.to_cell)
    )


def sweep_left(table: Tabletop) -> WrongBoard | None:
    """A pawn passed by the king and not taken away."""
    if not table.position.ruleset.king_sweeps:
        return None
    for move in _moves(table, "KH"):
        part = move.parts[0]
        swept = [hole for _, hole in move.captures if table.shape.cells_by_hole[hole] != part.to_cell]
        if len(move.captures) == len(swept) == 1 and part.via is None:
            return table.wrong_board("KH", "sweep", (part.seat, part.from_cell, part.to_cell))
    return None


def swap_protected(table: Tabletop) -> WrongBoard | None:
    """A swap with a protected pawn."""
    mine = table.walkers(table.me)
    for seat in table.opponents():
        for cell in table.walkers(seat):
            if mine and table.protected(cell):
                swap = ((table.me, mine[0], IN_THE_AIR), (seat, cell, mine[0]), (table.me, IN_THE_AIR, cell))
                return table.wrong_board("JD", "protected_swapped", *swap)
    return None


def no_starter(table: Tabletop) -> WrongBoard | None:
    """A pawn brought out without a starting card."""
    start = table.shape.start(table.me)
    if CAMP not in table.pawns[table.me] or table.owner(start) is not None:
        return None
    return table.wrong_board(table.rng.choice(NUMBERS), "starter", (table.me, CAMP, start))


def home_exact(table: Tabletop) -> WrongBoard | None:
    """A home hole that the count misses by one."""
    for cell in table.walkers(table.me):
        left = table.to_entrance(table.me, cell)
        if left < 0 or (left and not table.clear(cell, left)):
            continue
        for level in table.rng.sample(range(1, 5), 4):
            for card in NUMBERS:
                if abs(left + level - VALUES[card]) == 1 and table.is_home_free(table.me, level):
                    home = table.shape.home(table.me, level)
                    return table.wrong_board(card, "home_exact value", (table.me, cell, home))
    return None


def passed_in_home(table: Tabletop) -> WrongBoard | None:
    """A pawn passed in its home where that is forbidden."""
    for cell in table.walkers(table.me):
        left = table.to_entrance(table.me, cell)
        for card in NUMBERS:
            level = VALUES[card] - left
            if not 2 <= level <= 4 or left < 0 or (left and not table.clear(cell, left)):
                continue
            home = table.shape.home(table.me, level)
            if table.owner(home) is None and not table.is_home_free(table.me, level - 1):
                return table.wrong_board(card, "home_passing", (table.me, cell, home))
    return None


def left_home(table: Tabletop) -> WrongBoard | None:
    """A pawn taken out of its home."""
    for level in range(1, 5):
        cell = table.shape.home(table.me, level)
        target = table.ahead(table.shape.start(table.me), table.rng.randint(1, 6))
        is_mine = table.owner(cell) is table.me and table.me in table.position.played_seats()
        if is_mine and table.owner(target) is None:
            return table.wrong_board(table.rng.choice(NUMBERS), "home_leaving", (table.me, cell, target))
    return None


def went_by(table: Tabletop) -> WrongBoard | None:
    """A home passed by that had to be entered."""
    if table.position.ruleset.voluntary_bypass:
        return None
    for move in _moves(table, table.rng.choice(NUMBERS)):
        part, value = move.parts[0], VALUES[str(move.card)]
        enters = part.from_cell < table.shape.centre < part.to_cell and part.seat is table.me
        if enters and table.clear(part.from_cell, value):
            target = table.ahead(part.from_cell, value)
            return table.wrong_board(str(move.card), "bypass", (table.me, part.from_cell, target))
    return None


def five_own(table: Tabletop) -> WrongBoard | None:
    """A five walked with an own pawn."""
    return _walk(table, "five_own", "5H") if table.position.ruleset.five == "opponent" else None


def pushed_home(table: Tabletop) -> WrongBoard | None:
    """A five that pushed a pawn into its home."""
    if table.position.ruleset.five != "opponent":
        return None
    for seat in table.opponents():
        for cell in table.walkers(seat):
            level = 5 - table.to_entrance(seat, cell)
            if 1 <= level <= 4 and table.clear(cell, 5) and table.is_home_free(seat, level):
                return table.wrong_board("5H", "five_home", (seat, cell, table.shape.home(seat, level)))
    return None


def pushed_immune(table: Tabletop) -> WrongBoard | None:
    """A five that pushed a pawn from its own start."""
    if not table.position.ruleset.start_push_immune:
        return None
    for seat in table.opponents():
        cell = table.shape.start(seat)
        if table.owner(cell) is seat and table.protected(cell) and table.clear(cell, 5):
            return table.wrong_board("5H", "protected_pushed", (seat, cell, table.ahead(cell, 5)))
    return None


def jack_walked(table: Tabletop) -> WrongBoard | None:
    """A jack walked as eleven."""
    return None if table.position.ruleset.jack_value else _walk(table, "jack_advance", "JC")


def home_backwards(table: Tabletop) -> WrongBoard | None:
    """A four walked backwards into the home."""
    for cell in table.walkers(table.me):
        level = 2 - table.shape.progress(table.me, cell)
        if 1 <= level <= 4 and table.owner(home := table.shape.home(table.me, level)) is None:
            return table.wrong_board("4H", "home_backwards", (table.me, cell, home))
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
            lands = table.ahead(cell, VALUES[card]) == first and table.clear(cell, VALUES[card])
            if lands and table.owner(last) is None:
                return table.wrong_board(card, "jump_own_start", (table.me, cell, last))
    return None


def _into_centre(table: Tabletop, card: str, thing: str, *, from_summit: bool) -> WrongBoard | None:
    centre = table.shape.centre
    if not table.position.ruleset.centre or table.owner(centre) is not None:
        return None
    for cell in table.walkers(table.me):
        if (cell in table.shape.summits()) is from_summit:
            return table.wrong_board(card, thing, (table.me, cell, centre))
    return None


def centre_without_card(table: Tabletop) -> WrongBoard | None:
    """The centre entered with the wrong card."""
    return _into_centre(table, table.rng.choice(NUMBERS), "centre_card", from_summit=True)


def centre_from_elsewhere(table: Tabletop) -> WrongBoard | None:
    """The centre entered from a hole that is no summit."""
    return _into_centre(table, "KH", "centre_in", from_summit=False)


def nothing_moved(table: Tabletop) -> WrongBoard | None:
    """A card laid and nothing moved."""
    return table.wrong_board(table.rng.choice(NUMBERS), "must_move")


MAKERS: tuple[Maker, ...] = (
    counted_wrong, four_forwards, backwards, wrong_colour, passed_protected, landed_protected, passed_pawn, seven_short,
    capture_left, sweep_left, swap_protected, no_starter, home_exact, passed_in_home, left_home, went_by, five_own,
    pushed_home, pushed_immune, jack_walked, home_backwards, jumped_over_start, centre_without_card,
    centre_from_elsewhere, nothing_moved, *HANDS,
)  # fmt: skip
