"""Holes, pawns, colours and cards in words, as they are found on a wooden board."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from tock_companion.rules import BoardShape, Card, Hole, HoleKind, Seat


@cache
def catalog(name: str) -> dict[str, Any]:
    """A parsed data file of this package."""
    return tomllib.loads(files("tock_companion.views.wording").joinpath(name).read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Words:
    """The words of one table in one language."""

    shape: BoardShape
    lang: str
    colors: Mapping[Seat, str] = field(default_factory=dict)
    """Colour code of each seat's pawns, where it is known."""

    def _say(self, group: str, word: str, **params: object) -> str:
        entry: Mapping[str, str] = catalog("words.toml")[group][word]
        return entry[self.lang].format(**params)

    def _color(self, seat: Seat, feminine: bool = False) -> str | None:
        """The colour's name, the bare code if the catalog does not know it, None when the seat has no colour."""
        code = self.colors.get(seat)
        entry = catalog("words.toml")["colors"].get(code)
        if entry is None:
            return code
        name: str = entry["fr_zone"] if feminine and self.lang == "fr" else entry[self.lang]
        return name

    def pawn(self, seat: Seat) -> str:
        """`the yellow pawn`, or `the pawn of P3` when no colours are known."""
        color = self._color(seat)
        return (
            self._say("pawn", "seat", name=seat.name)
            if color is None
            else self._say("pawn", "named", name=color)
        )

    def computer(self, seat: Seat) -> str:
        """`yellow (computer)`, or `P3 (computer)` when no colours are known."""
        return self._say("computer", "named", name=self._color(seat) or seat.name)

    def zone(self, seat: Seat) -> str:
        """`the yellow zone` or `P3's zone`."""
        color = self._color(seat, feminine=True)
        return (
            self._say("zone", "seat", name=seat.name)
            if color is None
            else self._say("zone", "named", name=color)
        )

    def place(self, hole: str) -> str:
        """Where a board-file hole, `camp` or `off` is: `on hole 7 of P1's zone`."""
        if hole in ("camp", "off"):
            return self._say("places", hole)
        known = Hole.parse(hole)
        if known.kind is HoleKind.HOME:
            return self._say("places", "home", label=known.index)
        if known.kind is not HoleKind.TRACK:
            return self._say("places", known.kind.value)
        label, zone = self.shape.label(known.index), self.shape.zone_of(known.index)
        if label == 18:
            owner = Seat((zone + 1) % self.shape.zones)
            return self._say("places", "start", zone=self.zone(owner))
        return self._say("places", "track", label=label, zone=self.zone(zone))

    def card(self, card: Card | None) -> str:
        """`a 6`, `an Ace`, `a joker`."""
        if card is None:
            return self._say("cards", "none")
        known = catalog("words.toml")["cards"]
        text = card.rank.text
        return self._say("cards", text) if text in known else self._say("cards", "number", number=text)

    def holes(self, number: int) -> str:
        """`1 hole` or `7 holes`."""
        return self._say("holes", "one") if number == 1 else self._say("holes", "many", number=number)

    def starters(self, ranks: tuple[str, ...]) -> str:
        """`an Ace, a King or a joker`."""
        names = [self._say("cards", rank) for rank in ranks]
        joint = " ou " if self.lang == "fr" else " or "
        return ", ".join(names[:-1]) + joint + names[-1] if len(names) > 1 else "".join(names)
