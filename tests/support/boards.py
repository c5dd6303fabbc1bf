"""Boards and positions in a few words."""

from collections.abc import Iterable, Mapping

from tock_rules import Board, Position, Seat, load_preset, shape_for

Pawns = Mapping[str, Iterable[str]]
"""Places by seat, as docs/formats.md writes them; a seat with fewer than four has a pawn in the air."""
TEAMS = ((Seat.P0, Seat.P2), (Seat.P1, Seat.P3))


def pawns(text: str = "", seats: int = 4, per_seat: int = 4) -> dict[str, list[str]]:
    """The pawns of each seat from `P0 T20 T30, P1 H2`; those that are not named are in camp."""
    named: dict[str, list[str]] = {f"P{seat}": [] for seat in range(seats)}
    for entry in filter(None, (part.split() for part in text.split(","))):
        named[entry[0]] = entry[1:]
    return {seat: ["camp"] * (per_seat - len(places)) + places for seat, places in named.items()}


def position(
    ruleset: str, text: str, zones: int = 4, teams: bool = True, options: dict[str, object] | None = None
) -> Position:
    """A position of that ruleset with P0 to move and as many seats as zones."""
    rules = load_preset(ruleset).with_options(options or {})
    board = Board.from_pawns(shape_for(rules, zones), pawns(text, zones, rules.pawns_per_seat))
    return Position.of(rules, board, Seat.P0, TEAMS if teams and zones == 4 else None)
