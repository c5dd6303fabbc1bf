"""Names of seats, pawns and holes for people."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Literal

from tock_companion.core.roster import Roster
from tock_companion.language import Text, in_every_language, same_everywhere
from tock_companion.views.indices import corner
from tock_companion.views.phrases import phrase
from tock_companion.views.wording.words import Words
from tock_rules import Card, Hole, Rank, Seat, Suit, camp_holes_of

_SIGNS = {Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.CLUBS: "♣"}


@dataclass(frozen=True, slots=True)
class Names(Roster):
    """The words of one table, for its seats, pawns, holes and cards."""

    @classmethod
    def of(cls, roster: Roster) -> "Names":
        """The words for a roster."""
        return cls(**{field.name: getattr(roster, field.name) for field in fields(Roster)})

    def seat(self, seat: Seat) -> Text:
        """The player's name, or the colour while nobody sits there."""
        if seat in self.computers and not self.players.get(seat):
            return self._say(lambda words: words.computer(seat))
        return self._say(lambda words: words.player(seat))

    def pawn(self, seat: Seat) -> Text:
        """`the red pawn`."""
        return self._say(lambda words: words.pawn(seat))

    def place(self, hole: str) -> Text:
        """The place of a hole: `on red hole 7`; takes board-file ids, `camp` and `off`."""
        return self._say(lambda words: words.place(hole))

    def hole(self, hole: str) -> Text:
        """A hole's short name: `red 7`; takes board-file ids, `camp` and `off`."""
        return self._say(lambda words: words.hole(hole))

    def beside(self, hole: str) -> Text:
        """Next to a hole: `next to red hole 7`; takes board-file ids, `camp` and `off`."""
        return self._say(lambda words: words.beside(hole))

    def card(self, card: Card) -> Text:
        """A card as printed, with its suit as a sign: `10♥`; jokers in words."""
        if card.rank is Rank.JOKER:
            return same_everywhere("Joker ★" if card.suit is Suit.COLOUR else "Joker ☆")
        return in_every_language(lambda lang: f"{corner(card.rank, self.indices, lang)}{_SIGNS[card.suit]}")

    def way(self, source: str, target: str) -> Text:
        """The way from hole to hole, short: `red 2 → red 8`."""
        return phrase("move-across", source=self.hole(source), target=self.hole(target))

    def ordinal(self, number: int) -> Text:
        """The number of a move, as in `the 3rd move`."""
        return self._say(lambda words: words.ordinal(number))

    def _say(self, say: Callable[[Words], str]) -> Text:
        return in_every_language(lambda lang: say(Words(self.shape, lang, self.colors, self.players)))


def hole_of(seat: Seat, place: str) -> Hole | Literal["off"]:
    """The hole of a step's place; a camp goes by its first hole, and beside the board there is none."""
    return "off" if place == "off" else Hole.at_place(seat, place) or camp_holes_of(seat)[0]
