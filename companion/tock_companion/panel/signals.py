"""The panel's signals for a view of the table: pure, and from the same views that the phones get."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from tock_companion.panel.count_along import Count
from tock_companion.views.schema import PublicView, SeatView
from tock_rules import Hole, Seat


class Light(Enum):
    OFF = "off"
    TURN = "turn"
    """It is this seat's turn: green."""
    WRONG = "wrong"
    """The board is wrong, and this seat was to move: red, blinking."""
    MEND = "mend"
    """A pawn of this seat must be put back: yellow."""
    ASKED = "asked"
    """A question waits for this seat: blue, blinking."""
    WON = "won"
    """This seat's side has won: green, blinking."""
    FORGOTTEN = "forgotten"
    """The host's PIN is forgotten: white, blinking, on every seat."""


class Sound(Enum):
    ACCEPTED = "accepted"
    WRONG = "wrong"
    MENDED = "mended"
    OVER = "over"
    FORGOTTEN = "forgotten"


@dataclass(frozen=True, slots=True)
class Signals:
    """Everything that the panel shows at one moment."""

    seats: Mapping[Seat, Light] = field(default_factory=dict)
    holes: frozenset[Hole] = frozenset()
    """Lit holes: where a lifted pawn may go and how far it has been counted, or the next step of a repair."""


def signals(
    table: PublicView, seat_view: SeatView | None, *, all_targets: bool = False, count: Count | None = None
) -> Signals:
    """Work out what to show.

    `seat_view` is the view of the seat to move, used only once a card lies open on the table; `all_targets` lights
    every legal target of the laid card (the help button); `count` is the walk of a lifted pawn so far.
    """
    lights = {Seat[entry["seat"]]: Light.OFF for entry in table["seats"]}
    mover = Seat[table["to_move"]]
    expects, question, warning = table["expects"], table["question"], table["warning"]
    if expects == "over":
        lights |= {Seat[name]: Light.WON for name in table["game"]["winner"] or ()}
    elif expects == "answer" and question is not None:
        lights[Seat[question["seat"]]] = Light.ASKED
    elif expects == "repair" and warning is not None:
        lights |= {Seat[step["seat"]]: Light.MEND for step in warning["repair"]}
        lights[mover] = Light.WRONG
    elif expects != "paused":
        lights[mover] = Light.TURN
    counted = frozenset(count.holes) if count is not None else frozenset()
    return Signals(lights, _holes(table, seat_view, all_targets) | counted)


def _holes(table: PublicView, seat_view: SeatView | None, all_targets: bool) -> frozenset[Hole]:
    warning = table["warning"]
    if table["expects"] == "repair" and warning is not None:
        ends = [place for step in warning["repair"][:1] for place in (step["from_hole"], step["to_hole"])]
        return frozenset(Hole.parse(place) for place in ends if place != "off")
    if table["expects"] != "move" or table["card"] is None or seat_view is None:
        return frozenset()
    lifted = {hole for hole, reading in table["seen"].items() if reading["state"] == "empty"}
    targets = [
        move["targets"]
        for move in seat_view["legal_moves"]
        if all_targets or any(arrow["from"] in lifted for arrow in move["arrows"])
    ]
    return frozenset(Hole.parse(hole) for holes in targets for hole in holes)


def sound(before: PublicView | None, now: PublicView) -> Sound | None:
    """The sound for the change from one view to the next; none for the first view."""
    if before is None:
        return None
    if now["expects"] == "over" and before["expects"] != "over":
        return Sound.OVER
    warned, warning = before["warning"], now["warning"]
    if warning is not None and (warned is None or warned["code"] != warning["code"]):
        return Sound.WRONG
    if len(now["history"]) != len(before["history"]) or now["last_move"] != before["last_move"]:
        return Sound.ACCEPTED
    if warned is not None and warning is None:
        return Sound.MENDED
    return None
