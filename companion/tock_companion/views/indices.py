"""The letters in the corners of aces and court cards: French decks have V, D and R for J, Q and K."""

from enum import Enum

from tock_companion.rules import Rank


class Indices(Enum):
    """What a deck of cards has in its corners; the rules and all files keep to the English letters."""

    ENGLISH = "english"
    FRENCH = "french"
    FRENCH_ONE = "french_one"
    """A French deck whose aces are marked 1."""
    GERMAN = "german"

    def of(self, rank: Rank) -> str:
        """What stands in the corner of a card of that rank."""
        return _LETTERS[self].get(rank, rank.text)


_FRENCH = {Rank.JACK: "V", Rank.QUEEN: "D", Rank.KING: "R"}
_LETTERS: dict[Indices, dict[Rank, str]] = {
    Indices.ENGLISH: {},
    Indices.FRENCH: _FRENCH,
    Indices.FRENCH_ONE: {**_FRENCH, Rank.ACE: "1"},
    Indices.GERMAN: {Rank.JACK: "B", Rank.QUEEN: "D"},
}
