"""The parts of a move as players see them, and their text form (docs/formats.md)."""

import re
from dataclasses import dataclass
from enum import Enum

from tock_rules.actions import FlatMove
from tock_rules.errors import BadInputError, quoted
from tock_rules.geometry import CAMP, BoardShape
from tock_rules.seats import Seat


class Kind(Enum):
    """The action of a pawn in one part of a move, in the order of the engine's numbers."""

    START = "start"
    STEP = "move"
    JUMP = "jump"
    LINE = "line"
    SWAP = "swap"
    CENTRE_IN = "centre_in"
    CENTRE_OUT = "centre_out"
    THROW = "throw"
    BURN = "burn"


KINDS = tuple(Kind)
MAX_PARTS = 16
"""A seven has 7 parts at most; texts with a few more are read, so that they can be refused with a reason."""


@dataclass(frozen=True)
class Part:
    """One pawn going from one place to another; in a swap the pawn of `other` on `to_cell` goes the other way."""

    kind: Kind
    seat: Seat
    from_cell: int
    to_cell: int
    via: int | None = None
    """The summit a jump starts from, or the first cell after a dotted line."""
    other: Seat | None = None
    """Of a swap the seat of the other pawn, of a burn the seat that loses a card."""

    def text(self, shape: BoardShape, fresh: int = 0, other_fresh: bool = False) -> str:
        """The text form; `fresh` is the set of fresh start holes before this part."""
        source = shape.place_text(self.from_cell, self.from_cell >= 0 and bool(fresh >> self.from_cell & 1))
        head = f"{self.seat.name}:{source}"
        target = shape.place_text(self.to_cell)
        if self.kind is Kind.BURN and self.other is not None:
            return f"{self.seat.name}:burn>{self.other.name}"
        if self.kind is Kind.SWAP and self.other is not None:
            return f"{head}<>{self.other.name}:{shape.place_text(self.to_cell, other_fresh)}"
        if self.kind is Kind.START:
            return f"{head}>{target}*"
        if self.kind is Kind.JUMP and self.via is not None:
            return head + "".join(f">T{cell}" for cell in self.summits(shape))
        if self.kind is Kind.LINE and self.via is not None:
            return f"{head}~T{self.via}" + ("" if self.via == self.to_cell else f">{target}")
        return f"{head}>{target}"

    def summits(self, shape: BoardShape) -> list[int]:
        """The summits touched by a jump, first to last; a long chain goes the way it set out."""
        length = shape.track_length
        via = self.to_cell if self.via is None else self.via
        ahead = (via - self.from_cell) % length <= length // 2
        span = shape.zone_length if ahead else -shape.zone_length
        cells = [via]
        while cells[-1] != self.to_cell and len(cells) <= shape.zones:
            cells.append((cells[-1] + span) % length)
        return cells

    def key(self) -> tuple[object, ...]:
        """A key that all texts of one part share, as freshness and the order of a swap do not matter."""
        if self.kind is Kind.SWAP:
            return (
                Kind.SWAP,
                *sorted([(int(self.seat), self.from_cell), (int(self.other or 0), self.to_cell)]),
            )
        if self.kind is Kind.BURN:
            return (Kind.BURN, self.seat, self.other)
        # Cards that put a pawn of the camp onto any hole reach the start by another kind of move.
        kind = Kind.START if self.kind is Kind.THROW else self.kind
        return (kind, self.seat, self.from_cell, self.to_cell, self.via)


def parse_parts(shape: BoardShape, text: object) -> tuple[Part, ...]:
    """The parts that a move text names, legal or not; raise `BadInputError` if it is no move text."""
    if not isinstance(text, str):
        raise BadInputError(f"a move is a text such as P0:T20>T26, not {quoted(text)}")
    parts = text.split(" + ", MAX_PARTS)
    if len(parts) > MAX_PARTS:
        raise BadInputError(f"no move text: {quoted(text)} has more parts than any seven")
    return tuple(_parse_part(shape, part.strip()) for part in parts)


def part_of(flat: FlatMove) -> Part:
    """The part for six of the engine's integers."""
    kind, seat, src, dst, via, _ = flat
    if KINDS[kind] in (Kind.SWAP, Kind.BURN):
        return Part(KINDS[kind], Seat(seat), src, dst, None, Seat(via))
    return Part(KINDS[kind], Seat(seat), src, dst, None if via < 0 else via)


_BURN = re.compile(r"(P[0-7]):burn>(P[0-7])")
_SWAP = re.compile(r"(P[0-7]):([^<>~:]+)<>(P[0-7]):([^<>~:]+)")
_WALK = re.compile(r"(P[0-7]):([^<>~:]+)((?:[>~][^<>~:]+)+)")


def _parse_part(shape: BoardShape, text: str) -> Part:
    if burn := _BURN.fullmatch(text):
        return Part(Kind.BURN, Seat[burn[1]], CAMP, CAMP, None, Seat[burn[2]])
    swap = _SWAP.fullmatch(text)
    if swap:
        seat, other = Seat[swap[1]], Seat[swap[3]]
        return Part(Kind.SWAP, seat, _cell(shape, seat, swap[2]), _cell(shape, other, swap[4]), None, other)
    walk = _WALK.fullmatch(text)
    if not walk:
        raise BadInputError(
            f"no move text: {quoted(text)}; write P0:camp>T0*, P0:T20>T26, P0:T20<>P1:T30, P0:T4>T7>T25"
        )
    seat = Seat[walk[1]]
    source = _cell(shape, seat, walk[2])
    steps = re.findall(r"([>~])([^<>~]+)", walk[3])
    cells = [_cell(shape, seat, place) for _, place in steps]
    if steps[0][0] == "~" and len(steps) <= 2 and (len(steps) == 1 or steps[1][0] == ">"):
        return Part(Kind.LINE, seat, source, cells[-1], cells[0])
    if any(sign == "~" for sign, _ in steps):
        raise BadInputError(f"no move text: {quoted(text)}; a dotted line (~) is the first step")
    if len(cells) > 1:
        return Part(Kind.JUMP, seat, source, cells[-1], cells[0])
    return Part(_walk_kind(shape, seat, source, cells[0]), seat, source, cells[0])


def _walk_kind(shape: BoardShape, seat: Seat, source: int, target: int) -> Kind:
    if source == CAMP:
        return Kind.START if target == shape.start(seat) else Kind.THROW
    if target == shape.centre:
        return Kind.CENTRE_IN
    return Kind.CENTRE_OUT if source == shape.centre else Kind.STEP


def _cell(shape: BoardShape, seat: Seat, place: str) -> int:
    if seat >= shape.zones:
        raise BadInputError(f"no seat {seat.name} on a board of {shape.zones} zones")
    return shape.place_cell(seat, place.strip())[0]
