"""How people call seats, colours, holes and cards."""

from collections.abc import Mapping
from dataclasses import dataclass

from tock_companion.rules.geometry import BoardShape, Seat
from tock_companion.views.phrases import Text, known, phrase


@dataclass(frozen=True, slots=True)
class Names:
    """The words of one table: its shape, the colour of each seat, and who sits there."""

    shape: BoardShape
    colors: Mapping[Seat, str]
    players: Mapping[Seat, str]

    def seat(self, seat: Seat) -> Text:
        """Return the player's name with the seat, or the seat alone while nobody sits there."""
        player = self.players.get(seat)
        if player:
            return {"fr": f"{player} ({seat.name})", "en": f"{player} ({seat.name})"}
        number = phrase("seat", number=str(int(seat) + 1))
        return {lang: f"{text} ({seat.name})" for lang, text in number.items()}

    def color(self, seat: Seat) -> Text:
        """Return the colour of a seat's pawns."""
        code = f"color-{self.colors.get(seat, '')}"
        return phrase(code) if known(code) else {"fr": seat.name, "en": seat.name}

    def hole(self, hole: str) -> Text:
        """Return a board-file hole as it is found on the board: printed number and zone."""
        if hole == "C":
            return phrase("hole-centre")
        if hole.startswith("T"):
            index = int(hole[1:])
            zone = self.color(self.shape.zone_of(index))
            return phrase("hole-track", label=str(self.shape.label(index)), zone=zone)
        seat, place = hole.split("-")
        zone = self.color(Seat[seat])
        if place.startswith("H"):
            return phrase("hole-home", label=place[1:], zone=zone)
        return phrase("hole-camp", zone=zone)

    def place(self, seat: Seat, place: str) -> Text:
        """Return a place in the notation of moves (`camp`, `T20*`, `H1`, `C`) in words."""
        return self.hole(hole_of(seat, place))


def hole_of(seat: Seat, place: str) -> str:
    """Return the board-file hole of a place in the notation of moves; a camp is called by its first hole."""
    place = place.rstrip("*")
    if place == "camp":
        return f"{seat.name}-C1"
    return f"{seat.name}-{place}" if place.startswith("H") else place
