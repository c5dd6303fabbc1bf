"""The letters in the corners of aces and court cards: French decks have V, D and R for J, Q and K."""

from enum import Enum

from tock_rules import Rank


class Indices(Enum):
    """The corner letters of a deck; the rules and all files keep to the English letters."""

    BY_LANGUAGE = "language"
    """Not known yet: every phone has the letters of most decks in its language."""
    ENGLISH = "english"
    FRENCH = "french"
    FRENCH_ONE = "french_one"
    """A French deck whose aces are marked 1."""
    GERMAN = "german"

    def of(self, rank: Rank) -> str:
        """The corner of a card of that rank, on a deck that is known."""
        return _LETTERS[self].get(rank, rank.text)


_FRENCH = {Rank.JACK: "V", Rank.QUEEN: "D", Rank.KING: "R"}
_LETTERS: dict[Indices, dict[Rank, str]] = {
    Indices.ENGLISH: {},
    Indices.FRENCH: _FRENCH,
    Indices.FRENCH_ONE: {**_FRENCH, Rank.ACE: "1"},
    Indices.GERMAN: {Rank.JACK: "B", Rank.QUEEN: "D"},
}
DECKS = tuple(_LETTERS)
"""The decks whose letters are known."""
