"""Observations of the table by a source: each hole empty, with a pawn, or unknown, with a time and a confidence.

Hole ids are those of the board file: `T0`…, `P0-C1`…`P0-C4`, `P0-H1`…`P0-H4`, `C`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from tock_rules import Card, Hole, Seat


class HoleState(Enum):
    """A source's claim about one hole."""

    EMPTY = "empty"
    PAWN = "pawn"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class HoleReading:
    """One hole as seen; `seat` is whose colour the pawn has, None when the source sees no colours."""

    state: HoleState
    seat: Seat | None = None
    confidence: float = 1.0
    """Probability, 0 to 1, that state and seat are both right; 0 for an unknown hole."""


UNSEEN = HoleReading(HoleState.UNKNOWN, None, 0.0)
"""A hole that a source cannot see."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A hole that was just emptied or filled, felt at that very moment: a lift (`EMPTY`) or a put (`PAWN`)."""

    t_ms: int
    hole: Hole
    state: HoleState


@dataclass(frozen=True, slots=True)
class LoosePawn:
    """A pawn that lies on the board beside the holes; coordinates are those of the board file."""

    x_mm: float
    y_mm: float
    seat: Seat | None
    confidence: float
    nearest: Hole
    """The hole nearest to it."""
    between: Hole | None = None
    """The other hole, where it lies about halfway between two."""


@dataclass(frozen=True, slots=True)
class Observation:
    """The whole board as one source saw it at one moment; a hole that is left out is unknown.

    A reed board says `PAWN` with seat None for a closed switch, `EMPTY` for an open one and `UNKNOWN` for one that is
    known to be broken, always with confidence 1: the referee learns by itself how far each switch is to be believed. It
    sends an observation with every change, and one every second when nothing changes.
    """

    t_ms: int
    source: str
    holes: Mapping[Hole, HoleReading]
    edges: tuple[Edge, ...] = ()
    """Every change since the source's last observation, in the order felt; only from sources that miss none (reeds).

    After a break in the link there are none: later changes show in `holes` alone.
    """
    loose: tuple[LoosePawn, ...] = ()
    """Pawns beside the holes; empty from a source that cannot see them."""

    def reading(self, hole: Hole) -> HoleReading:
        """The reading of a hole, `UNSEEN` when the source says nothing about it."""
        return self.holes.get(hole, UNSEEN)


@dataclass(frozen=True, slots=True)
class CardSighting:
    """A card that was laid: whose it is, and who says so (`touch`, `camera`, `simulated`)."""

    t_ms: int
    seat: Seat | None
    card: Card
    by: str


class SourceCondition(Enum):
    OK = "ok"
    BLIND = "blind"
    """It runs but cannot see the board: no markers found, lens covered, lights off."""
    LOST = "lost"
    """Unplugged, ended, or not answering."""


@dataclass(frozen=True, slots=True)
class SourceReport:
    """A change in a source's condition, with a code that the page turns into a sentence."""

    t_ms: int
    source: str
    condition: SourceCondition
    code: str = ""
    """Stable: `camera/unplugged`, `camera/no_board`, `camera/bad_frame`, …"""
    detail: str = ""
    """For the log and the host: device name, error text."""


SourceMessage = Observation | CardSighting | SourceReport
