"""Holes, pawns, colours and cards in words, as they are found on a wooden board."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field

from tock_companion.language import Text, catalog, same_everywhere
from tock_rules import BoardShape, Card, Hole, HoleKind, Seat, Value

"""The number of a zone's last hole, which is the start of the next one."""


@dataclass(frozen=True)
class Words:
    """The words of one table in one language."""

    shape: BoardShape
    lang: str
    colors: Mapping[Seat, str] = field(default_factory=dict)
    """Colour code of each seat's pawns, where it is known."""
    players: Mapping[Seat, str] = field(default_factory=dict)
    """The players by seat."""

    def _say(self, group: str, word: str, **params: object) -> str:
        return catalog("things")[f"{group}.{word}"][self.lang].format(**params)

    def _color(self, seat: Seat, group: str = "colors") -> str | None:
        """The colour's name, the bare code if the catalog does not know it, None when the seat has no colour."""
        code = self.colors.get(seat)
        entry = catalog("things").get(f"{group}.{code}")
        return code if entry is None else entry[self.lang]

    def pawn(self, seat: Seat) -> str:
        """`the yellow pawn`, or `the pawn of P3` when no colours are known."""
        color = self._color(seat)
        return (
            self._say("pawn", "seat", name=seat.name)
            if color is None
            else self._say("pawn", "named", name=color)
        )

    def pawn_of_owner(self, seat: Seat) -> str:
        """`Anna’s pawn`, or `the yellow pawn` when nobody's name is known."""
        name = self.players.get(seat)
        if not name:
            return self.pawn(seat)
        return self._say("pawn", "of_vowel" if _elides(name) else "of", name=name)

    def walked(self, number: int) -> str:
        """`walked 3 holes`, `went back 4 holes`, or `has moved` when nobody could count it."""
        if number == 0:
            return self._say("walked", "moved")
        return self._say(
            "walked", "forwards" if number > 0 else "backwards", holes=self.holes(abs(number), "of_")
        )

    def player(self, seat: Seat) -> str:
        """The player of a seat: `Anna`, else the colour, `Yellow`, else `P3`."""
        color = self._color(seat) or seat.name
        return self.players.get(seat) or color[:1].upper() + color[1:]

    def computer(self, seat: Seat) -> str:
        """`Yellow (computer)`, or `P3 (computer)` when no colours are known."""
        return self._say("computer", "named", name=self.player(seat))

    def place(self, hole: str) -> str:
        """The place of a board-file hole, `camp` or `off`: `on yellow hole 7`, `on hole 7 of P1`."""
        return self._at("places", hole)

    def hole(self, hole: str) -> str:
        """The same as a short name: `yellow 7`."""
        return self._at("short", hole)

    def beside(self, hole: str) -> str:
        """Next to it: `next to yellow hole 7`."""
        return self._at("beside", hole)

    def _at(self, group: str, hole: str) -> str:
        if hole in ("camp", "off"):
            return self._say(group, hole)
        known = Hole.parse(hole)
        if known.kind is HoleKind.HOME:
            return self._say(group, "home", label=known.number)
        if known.kind is not HoleKind.TRACK:
            return self._say(group, known.kind.value)
        label, zone = self.shape.label(known.number), self.shape.zone_of(known.number)
        is_start = label == self.shape.zone_length
        owner = Seat((zone + 1) % self.shape.zones) if is_start else zone
        # A hole's colour may have another gender than its bare number's: feminine in French.
        color = self._color(owner, "colors" if group == "short" or is_start else "hole_colors")
        kind = "start" if is_start else "track"
        if color is None:
            return self._say(group, f"{kind}_of", label=label, seat=owner.name)
        return self._say(group, kind, label=label, color=color)

    def card(self, card: Card | None) -> str:
        """`a 6`, `an Ace`, `a joker`."""
        if card is None:
            return self._say("cards", "none")
        text = card.rank.text
        is_named = f"cards.{text}" in catalog("things")
        return self._say("cards", text if is_named else "number", number=text)

    def gone(self, *, back: bool) -> str:
        """`moved`, or `went back`."""
        return self._say("walked", "gone_back" if back else "gone")

    def holes(self, number: int, of: str = "") -> str:
        """`1 hole` or `7 holes`; with `of_` as French has it after a verb of walking."""
        return self._say("holes", f"{of}one" if number == 1 else f"{of}many", number=number)

    def holes_left(self, number: int) -> str:
        """`1 hole is left` or `7 holes are left`."""
        return self._say("holes", "one_left") if number == 1 else self._say("holes", "left", number=number)

    def starters(self, ranks: tuple[str, ...]) -> str:
        """`an Ace, a King or a joker`."""
        names = [self._say("cards", rank) for rank in ranks]
        return self._say("cards", "or").join(filter(None, [", ".join(names[:-1]), *names[-1:]]))

    def ordinal(self, number: int) -> str:
        """`1er` or `2e` coup in French, plain numbers in English."""
        return self._say("ordinal", "first" if number == 1 else "other", n=number)


def _elides(name: str) -> bool:
    """Whether French shortens `de` before a name: `d’Anna`, `d’Émile`."""
    return unicodedata.normalize("NFD", name[:1]).lower()[:1] in tuple("aeiouyh")


def value_label(option: str, value: Value) -> Text:
    """The meaning of a house rule's value; a number stands for itself."""
    if isinstance(value, int) and not isinstance(value, bool):
        return same_everywhere(str(value))
    if isinstance(value, bool):
        return catalog("things")[f"answers.{'yes' if value else 'no'}"]
    return catalog("house_rules")[f"value.{option}.{value}"]
