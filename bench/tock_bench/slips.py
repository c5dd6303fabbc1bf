"""Boards with a known mistake: each slip makes one, or nothing when the position does not offer it."""

from collections.abc import Callable

from tock_bench.scene import NUMBERS, VALUES, Scene, Slip
from tock_companion.rules import CAMP, SUMMIT, Card, Seat

Maker = Callable[[Scene], Slip | None]


def counted_wrong(scene: Scene) -> Slip | None:
    """One hole too many or too few."""
    card = scene.rng.choice(NUMBERS)
    off = scene.rng.choice([-1, 1])
    for cell in scene.walkers(scene.me):
        steps = VALUES[card] + off
        if scene.clear(cell, steps + 1) and scene.short_of_home(scene.me, cell, 14):
            return scene.slip(card, "value", (scene.me, cell, scene.ahead(cell, steps)))
    return None


def four_forwards(scene: Scene) -> Slip | None:
    """A four walked forwards."""
    for cell in scene.walkers(scene.me):
        if scene.clear(cell, 4) and scene.short_of_home(scene.me, cell, 4):
            return scene.slip("4H", "not_backwards", (scene.me, cell, scene.ahead(cell, 4)))
    return None


def backwards(scene: Scene) -> Slip | None:
    """A number card walked backwards."""
    card = scene.rng.choice(NUMBERS)
    for cell in scene.walkers(scene.me):
        if scene.clear(cell, -VALUES[card]):
            return scene.slip(card, "backwards", (scene.me, cell, scene.ahead(cell, -VALUES[card])))
    return None


def wrong_colour(scene: Scene) -> Slip | None:
    """An opponent's pawn walked with a number card."""
    card = scene.rng.choice(NUMBERS)
    for seat in scene.position.engine.opponents[scene.me]:
        for cell in scene.walkers(Seat(seat)):
            if scene.clear(cell, VALUES[card]) and scene.short_of_home(Seat(seat), cell, VALUES[card]):
                return scene.slip(card, "whose", (Seat(seat), cell, scene.ahead(cell, VALUES[card])))
    return None


def blocked(scene: Scene) -> tuple[int, int, str] | None:
    """Return cell, blocker and card of an own pawn that a protected pawn of anybody stands before."""
    for cell in scene.walkers(scene.me):
        for card in scene.rng.sample(NUMBERS, len(NUMBERS)):
            value = VALUES[card]
            target = scene.ahead(cell, value)
            between = [scene.ahead(cell, i) for i in range(1, value)]
            stops = [c for c in between if scene.owner(c) is not None]
            if len(stops) == 1 and scene.protected(stops[0]) and scene.owner(target) is None:
                return cell, stops[0], card
    return None


def passed_protected(scene: Scene) -> Slip | None:
    """A pawn walked past a protected one."""
    found = blocked(scene) if scene.position.ruleset.start_blocks else None
    if found is None:
        return None
    cell, stop, card = found
    thing = "protected_fresh_passed" if scene.board.is_fresh(stop) else "protected_passed"
    if not scene.short_of_home(scene.me, cell, VALUES[card]):
        return None
    return scene.slip(card, thing, (scene.me, cell, scene.ahead(cell, VALUES[card])))


def landed_protected(scene: Scene) -> Slip | None:
    """A pawn put onto a protected one."""
    for cell in scene.walkers(scene.me):
        for card in scene.rng.sample(NUMBERS, len(NUMBERS)):
            target = scene.ahead(cell, VALUES[card])
            free = VALUES[card] == 1 or scene.clear(cell, VALUES[card] - 1)
            bars = scene.owner(target) not in (None, scene.me) and scene.protected(target)
            if free and bars and scene.short_of_home(scene.me, cell, VALUES[card]):
                thing = "protected_fresh" if scene.board.is_fresh(target) else "protected_taken"
                return scene.slip(card, thing, (scene.me, cell, target))
    return None


def passed_pawn(scene: Scene) -> Slip | None:
    """A pawn walked past another where that is forbidden."""
    if scene.position.ruleset.passing != "forbidden":
        return None
    for cell in scene.walkers(scene.me):
        for card in scene.rng.sample(NUMBERS, len(NUMBERS)):
            between = [scene.ahead(cell, i) for i in range(1, VALUES[card])]
            stops = [c for c in between if scene.owner(c) is not None]
            target = scene.ahead(cell, VALUES[card])
            bars = stops and not any(map(scene.protected, stops))
            if bars and scene.owner(target) is None and scene.short_of_home(scene.me, cell, VALUES[card]):
                return scene.slip(card, "passing", (scene.me, cell, target))
    return None


def seven_short(scene: Scene) -> Slip | None:
    """A seven shared out into more or fewer than seven."""
    total = scene.rng.choice([4, 5, 6, 8, 9])
    cells = scene.walkers(scene.me)[:2]
    if len(cells) < 2:
        return None
    first = scene.rng.randint(1, total - 1)
    shares = [(cells[0], first), (cells[1], total - first)]
    for cell, steps in shares:
        if not scene.clear(cell, steps) or not scene.short_of_home(scene.me, cell, steps):
            return None
    return scene.slip("7H", "seven", *[(scene.me, cell, scene.ahead(cell, steps)) for cell, steps in shares])


def capture_left(scene: Scene) -> Slip | None:
    """A taken pawn moved aside instead of home."""
    moves = [
        m for m in scene.position.legal_moves(Card.parse(scene.rng.choice(NUMBERS))) if len(m.captures) == 1
    ]
    moves = [m for m in moves if m.captures[0][0] not in scene.position.played_seats() and len(m.parts) == 1]
    moves = [m for m in moves if m.parts[0].via is None]
    if not moves:
        return None
    move = scene.rng.choice(moves)
    seat, hole = move.captures[0]
    cell = scene.shape.cells_by_hole[hole]
    beside = scene.ahead(cell, scene.rng.choice([-1, 1])) if cell < scene.shape.track_length else cell
    part = move.parts[0]
    if scene.owner(beside) is not None or part.from_cell in {beside, CAMP}:
        return None
    return scene.slip(
        str(move.card), "capture", (seat, cell, beside), (part.seat, part.from_cell, part.to_cell)
    )


def sweep_left(scene: Scene) -> Slip | None:
    """A pawn that the king passed left where it was."""
    if not scene.position.ruleset.king_sweeps:
        return None
    for move in scene.position.legal_moves(Card.parse("KH")):
        part = move.parts[0]
        swept = [
            (seat, hole) for seat, hole in move.captures if scene.shape.cells_by_hole[hole] != part.to_cell
        ]
        if len(move.captures) == len(swept) == 1 and part.via is None:
            return scene.slip("KH", "sweep", (part.seat, part.from_cell, part.to_cell))
    return None


def swap_protected(scene: Scene) -> Slip | None:
    """A swap with a protected pawn."""
    mine = scene.walkers(scene.me)
    for seat in scene.position.engine.opponents[scene.me]:
        for cell in scene.walkers(Seat(seat)):
            if mine and scene.protected(cell):
                thing = "protected_swapped"
                return scene.slip(
                    "JD", thing, (scene.me, mine[0], -2), (Seat(seat), cell, mine[0]), (scene.me, -2, cell)
                )
    return None


def no_starter(scene: Scene) -> Slip | None:
    """A pawn brought out without a starting card."""
    start = scene.shape.start(scene.me)
    if CAMP not in scene.pawns[scene.me] or scene.owner(start) is not None:
        return None
    return scene.slip(scene.rng.choice(NUMBERS), "starter", (scene.me, CAMP, start))


def home_exact(scene: Scene) -> Slip | None:
    """A home hole that the count does not reach."""
    for cell in scene.walkers(scene.me):
        left = scene.shape.track_length - 2 - scene.shape.progress(scene.me, cell)
        for level in scene.rng.sample(range(1, 5), 4):
            for card in NUMBERS:
                off = abs(left + level - VALUES[card])
                empty = all(scene.owner(scene.shape.home(scene.me, i)) is None for i in range(1, level + 1))
                if off == 1 and left >= 0 and empty and (left == 0 or scene.clear(cell, left)):
                    things = "home_exact value"
                    return scene.slip(card, things, (scene.me, cell, scene.shape.home(scene.me, level)))
    return None


def passed_in_home(scene: Scene) -> Slip | None:
    """A pawn passed in its home where that is forbidden."""
    for cell in scene.walkers(scene.me):
        left = scene.shape.track_length - 2 - scene.shape.progress(scene.me, cell)
        for card in NUMBERS:
            level = VALUES[card] - left
            if not 2 <= level <= 4 or left < 0 or (left and not scene.clear(cell, left)):
                continue
            homes = [scene.owner(scene.shape.home(scene.me, i)) for i in range(1, level + 1)]
            if homes[-1] is None and any(homes[:-1]):
                return scene.slip(card, "home_passing", (scene.me, cell, scene.shape.home(scene.me, level)))
    return None


def left_home(scene: Scene) -> Slip | None:
    """A pawn taken out of its home."""
    for level in range(1, 5):
        cell = scene.shape.home(scene.me, level)
        target = scene.ahead(scene.shape.start(scene.me), scene.rng.randint(1, 6))
        if (
            scene.owner(cell) is scene.me
            and scene.owner(target) is None
            and scene.me in scene.position.played_seats()
        ):
            return scene.slip(scene.rng.choice(NUMBERS), "home_leaving", (scene.me, cell, target))
    return None


def went_by(scene: Scene) -> Slip | None:
    """A home passed by that had to be entered."""
    if scene.position.ruleset.voluntary_bypass:
        return None
    for move in scene.position.legal_moves(Card.parse(scene.rng.choice(NUMBERS))):
        part = move.parts[0]
        if (
            part.to_cell > scene.shape.centre
            and part.from_cell < scene.shape.centre
            and part.seat is scene.me
        ):
            value = VALUES[str(move.card)]
            target = scene.ahead(part.from_cell, value)
            if scene.owner(target) is None and scene.clear(part.from_cell, value):
                return scene.slip(str(move.card), "bypass", (scene.me, part.from_cell, target))
    return None


def five_own(scene: Scene) -> Slip | None:
    """A five walked with an own pawn."""
    if scene.position.ruleset.five != "opponent":
        return None
    for cell in scene.walkers(scene.me):
        if scene.clear(cell, 5) and scene.short_of_home(scene.me, cell, 5):
            return scene.slip("5H", "five_own", (scene.me, cell, scene.ahead(cell, 5)))
    return None


def pushed_home(scene: Scene) -> Slip | None:
    """A five that pushed a pawn into its home."""
    if scene.position.ruleset.five != "opponent":
        return None
    for number in scene.position.engine.opponents[scene.me]:
        seat = Seat(number)
        for cell in scene.walkers(seat):
            level = 5 - (scene.shape.track_length - 2 - scene.shape.progress(seat, cell))
            if 1 <= level <= 4 and scene.clear(cell, 5):
                home = scene.shape.home(seat, level)
                if all(scene.owner(scene.shape.home(seat, i)) is None for i in range(1, level + 1)):
                    return scene.slip("5H", "five_home", (seat, cell, home))
    return None


def pushed_immune(scene: Scene) -> Slip | None:
    """A five that pushed a pawn from its own start."""
    if not scene.position.ruleset.start_push_immune:
        return None
    for number in scene.position.engine.opponents[scene.me]:
        cell = scene.shape.start(number)
        if scene.owner(cell) is Seat(number) and scene.protected(cell) and scene.clear(cell, 5):
            return scene.slip("5H", "protected_pushed", (Seat(number), cell, scene.ahead(cell, 5)))
    return None


def jack_walked(scene: Scene) -> Slip | None:
    """A jack walked as eleven."""
    if scene.position.ruleset.jack_value:
        return None
    for cell in scene.walkers(scene.me):
        if scene.clear(cell, 11) and scene.short_of_home(scene.me, cell, 11):
            return scene.slip("JC", "jack_advance", (scene.me, cell, scene.ahead(cell, 11)))
    return None


def home_backwards(scene: Scene) -> Slip | None:
    """A four walked backwards into the home."""
    for cell in scene.walkers(scene.me):
        back = scene.shape.progress(scene.me, cell) + 2
        level = 4 - back
        if 1 <= level <= 4 and scene.owner(scene.shape.home(scene.me, level)) is None:
            return scene.slip("4H", "home_backwards", (scene.me, cell, scene.shape.home(scene.me, level)))
    return None


def jumped_over_start(scene: Scene) -> Slip | None:
    """A jump over the own start."""
    rules = scene.position.ruleset
    if not rules.summit_jump or rules.jump_over_own_start:
        return None
    first = scene.ahead(scene.shape.start(scene.me), SUMMIT - 18)
    last = scene.ahead(first, 18)
    for cell in scene.walkers(scene.me):
        for card in NUMBERS:
            if (
                scene.ahead(cell, VALUES[card]) == first
                and scene.clear(cell, VALUES[card])
                and scene.owner(last) is None
            ):
                return scene.slip(card, "jump_own_start", (scene.me, cell, last))
    return None


def centre_without_card(scene: Scene) -> Slip | None:
    """The centre entered with a card that does not."""
    if not scene.position.ruleset.centre or scene.owner(scene.shape.centre) is not None:
        return None
    for cell in scene.walkers(scene.me):
        if cell in scene.shape.summits():
            return scene.slip(scene.rng.choice(NUMBERS), "centre_card", (scene.me, cell, scene.shape.centre))
    return None


def centre_from_elsewhere(scene: Scene) -> Slip | None:
    """The centre entered from elsewhere than a summit."""
    if not scene.position.ruleset.centre or scene.owner(scene.shape.centre) is not None:
        return None
    for cell in scene.walkers(scene.me):
        if cell not in scene.shape.summits():
            return scene.slip("KH", "centre_in", (scene.me, cell, scene.shape.centre))
    return None


def nothing_moved(scene: Scene) -> Slip | None:
    """A card laid and nothing moved."""
    return scene.slip(scene.rng.choice(NUMBERS), "must_move")


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
