"""Infers a player's attempt from the pawns that left and the holes that filled."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product

from tock_rules import (
    CAMP,
    Board,
    BoardShape,
    Card,
    Kind,
    Part,
    Position,
    Rank,
    Seat,
    Setup,
    distance,
)
from tock_rules.engine import code_of

Attempt = tuple[Part, ...]
"""The parts of a move, legal or not."""


@dataclass(frozen=True)
class SeatChange:
    """The changes of one seat's pawns."""

    seat: Seat
    lost: tuple[int, ...]
    """Cells left, and `CAMP` once for every pawn that came out of it."""
    gained: tuple[int, ...]
    """Cells newly held; pawns gone to camp are not among them."""


def changes_of(board: Board, setup: Setup) -> list[SeatChange]:
    """The seats whose pawns stand elsewhere than on the board."""
    shape = board.shape
    found: list[SeatChange] = []
    seen = {
        shape.cells_by_hole[hole]: owner for hole, owner in setup.holes.items() if hole in shape.cells_by_hole
    }
    for seat in board.seats:
        before = {cell for cell in board.cells_of(seat) if cell != CAMP}
        after = {cell for cell, owner in seen.items() if owner is seat}
        came_out = max(board.camp_count(seat) - setup.camps.get(seat, 0), 0)
        if before != after or came_out:
            lost = (*sorted(before - after), *[CAMP] * came_out)
            found.append(SeatChange(seat, lost, tuple(sorted(after - before))))
    return found


def attempts(
    position: Position, card: Card, changes: Sequence[SeatChange], card_known: bool
) -> Iterator[Attempt]:
    """Yield possible attempts, likeliest first; none if the changes make no sense as one action."""
    movers = [change for change in changes if change.gained]
    swap = _swap(position, movers)
    if swap is not None:
        yield (swap,)
        return
    begun = _begun_swap(position, card, changes)
    if begun is not None:
        yield (begun,)
    if sum(len(change.gained) for change in movers) == 1:
        change = movers[0]
        for source in dict.fromkeys(change.lost):
            for part in _of_one_pawn(position, change.seat, source, change.gained[0]):
                yield (part,)
    elif movers and card_known and all(len(change.gained) <= len(change.lost) for change in movers):
        yield from _shared_seven(position.shape, card, movers)


def _swap(position: Position, movers: Sequence[SeatChange]) -> Part | None:
    """The swap, if two seats' pawns have changed places; a pawn of the mover's is named first."""
    if len(movers) != 2 or any(len(change.lost) != 1 for change in movers):
        return None
    a, b = movers
    if a.gained != b.lost or b.gained != a.lost:
        return None
    if b.seat in position.played_seats():
        a, b = b, a
    return Part(Kind.SWAP, a.seat, a.lost[0], b.lost[0], None, b.seat)


def _begun_swap(position: Position, card: Card, changes: Sequence[SeatChange]) -> Part | None:
    """The swap of which one pawn has come to the hole of the other, the mover's own pawn named first."""
    if not position.engine.actions[code_of(card)].swap:
        return None
    one_left = [change for change in changes if len(change.lost) == 1]
    own = [change for change in one_left if change.seat in position.played_seats()]
    for one, other in product(own, one_left):
        if other not in own and (one.lost[0] in other.gained or other.lost[0] in one.gained):
            return Part(Kind.SWAP, one.seat, one.lost[0], other.lost[0], None, other.seat)
    return None


def _of_one_pawn(position: Position, seat: Seat, source: int, target: int) -> Iterator[Part]:
    """Yield the ways one pawn may have gone: directly, by a jump between summits, by a dotted line."""
    shape = position.shape
    if source == CAMP:
        kind = Kind.START if target == shape.start(seat) else Kind.THROW
    elif source == shape.centre:
        kind = Kind.CENTRE_OUT
    else:
        kind = Kind.CENTRE_IN if target == shape.centre else Kind.STEP
    yield Part(kind, seat, source, target)
    if kind is not Kind.STEP or source > shape.centre:
        return
    length = shape.track_length
    zone = shape.zone_length
    if target < length and shape.is_summit(target) and position.ruleset.summit_jump:
        for span in (-zone, zone):
            jump = Part(Kind.JUMP, seat, source, target, (target + span) % length)
            walked = distance(shape, jump)
            # A pawn jumps on in the direction in which it walked to the first summit.
            if walked is not None and walked * span < 0:
                yield jump
    if shape.is_summit(source) and shape.zones > 4 and position.ruleset.dotted_lines:
        for span in (zone, -zone, 2 * zone, -2 * zone):
            yield Part(Kind.LINE, seat, source, target, (source + span) % length)


def _shared_seven(shape: BoardShape, card: Card, movers: Sequence[SeatChange]) -> Iterator[Attempt]:
    """Yield the way of sharing out a seven whose total comes nearest to 7, in every order of its parts."""
    # A seat's pawns are alike, so all pairings of holes left and holes filled are tried.
    pairings: list[list[Part]] = [[]]
    for change in movers:
        sources = set(permutations(change.lost, len(change.gained)))
        pairings = [
            [*parts, *(_part(change.seat, a, b) for a, b in zip(picked, change.gained, strict=True))]
            for parts in pairings
            for picked in sorted(sources)
        ]
    likeliest = min(pairings, key=lambda parts: _off_seven(shape, parts))
    if card.rank is Rank.SEVEN:
        yield from permutations(likeliest)
    else:
        yield tuple(likeliest)


def _part(seat: Seat, source: int, target: int) -> Part:
    return Part(Kind.START if source == CAMP else Kind.STEP, seat, source, target)


def _off_seven(shape: BoardShape, parts: Sequence[Part]) -> int:
    """Unlikelihood of a pairing: any step backwards counts more than any wrong total."""
    walks = [distance(shape, part) if part.from_cell >= 0 else None for part in parts]
    backwards = sum(1 for walked in walks if walked is None or walked < 0)
    return 100 * backwards + abs(sum(walked or 0 for walked in walks) - 7)
