"""How people call seats, pawns and holes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tock_companion.language import Text, in_every_language, same_everywhere
from tock_companion.rules import BoardShape, Hole, HoleKind, Seat
from tock_companion.views.phrases import phrase
from tock_companion.views.wording.words import Words

START_LABEL = 18


@dataclass(frozen=True, slots=True)
class Names:
    """The words of one table: its shape, the colour of each seat, and who sits there."""

    shape: BoardShape
    colors: Mapping[Seat, str]
    players: Mapping[Seat, str]
    computers: Mapping[Seat, str] = field(default_factory=dict)
    """The seats that a computer plays for, with its strength."""

    def seat(self, seat: Seat) -> Text:
        """The player's name with the seat, or the seat alone while nobody sits there."""
        player = self.players.get(seat)
        if player:
            return same_everywhere(f"{player} ({seat.name})")
        if seat in self.computers:
            return self._say(lambda words: words.computer(seat))
        return phrase("seat", number=str(int(seat) + 1), seat=seat.name)

    def pawn(self, seat: Seat) -> Text:
        """`the red pawn`."""
        return self._say(lambda words: words.pawn(seat))

    def place(self, hole: str) -> Text:
        """Where a hole is: `on hole 7 of the red zone`; takes board-file ids, `camp` and `off`."""
        return self._say(lambda words: words.place(hole))

    def hole(self, hole: str) -> Text:
        """A hole's short name: `7 in the red zone`; takes board-file ids, `camp` and `off`."""
        if hole in ("camp", "off"):
            return phrase(f"hole-{hole}")
        known = Hole.parse(hole)
        if known.kind is HoleKind.HOME:
            return phrase("hole-home", label=str(known.index))
        if known.kind is not HoleKind.TRACK:
            return phrase("hole-camp" if known.in_camp else "hole-centre")
        label, zone = self.shape.label(known.index), self.shape.zone_of(known.index)
        if label == START_LABEL:
            return phrase("hole-start", zone=self._zone(Seat((zone + 1) % self.shape.zones)))
        return phrase("hole-track", label=str(label), zone=self._zone(zone))

    def way(self, source: str, target: str) -> Text:
        """The way from hole to hole, short: `2 → 8 in the red zone`."""
        ends = (Hole.parse(source), Hole.parse(target))
        if all(hole.kind is HoleKind.TRACK for hole in ends):
            cells = [hole.index for hole in ends]
            labels = [str(self.shape.label(cell)) for cell in cells]
            zones = {self.shape.zone_of(cell) for cell in cells}
            if len(zones) == 1 and str(START_LABEL) not in labels:
                return phrase("move-within", source=labels[0], target=labels[1], zone=self._zone(zones.pop()))
        return phrase("move-across", source=self.hole(source), target=self.hole(target))

    def _zone(self, seat: Seat) -> Text:
        return self._say(lambda words: words.zone(seat))

    def _say(self, say: Callable[[Words], str]) -> Text:
        return in_every_language(lambda lang: say(Words(self.shape, lang, self.colors)))


def hole_of(seat: Seat, place: str) -> str:
    """The board-file hole of a place in move notation; a camp goes by its first hole."""
    place = place.rstrip("*")
    if place == "camp":
        return f"{seat.name}-C1"
    return f"{seat.name}-{place}" if place.startswith("H") else place
