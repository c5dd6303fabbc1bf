"""The scenes of a game's film, as plain values: the renderer knows boards and no rules."""

from collections.abc import Mapping
from dataclasses import dataclass

from tock_companion.boardfile.model import BoardFile
from tock_rules import Seat

Standing = Mapping[str, str]
"""By hole the seat whose pawn stands there."""


@dataclass(frozen=True, slots=True)
class Walk:
    """The way of one pawn: holes from where it stood to where it went."""

    seat: Seat
    holes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """One move, and the board after it."""

    seat: Seat
    walks: tuple[Walk, ...]
    after: Standing
    caption: str
    is_slow: bool
    """It deserves time."""


@dataclass(frozen=True, slots=True)
class FilmScript:
    """A whole film in one language."""

    board: BoardFile
    title: str
    opening: str
    """The text below the title."""
    players: Mapping[Seat, str]
    start: Standing
    scenes: tuple[Scene, ...]
    winners: tuple[Seat, ...]
    end: str
    """The sentence about the winners; empty while there are none."""
    epilogue: str
    """The text below that."""

    @property
    def last(self) -> Standing:
        return self.scenes[-1].after if self.scenes else self.start
