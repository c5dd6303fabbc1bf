"""The letters in the corners of aces and court cards: French decks have V, D and R for J, Q and K."""

from collections.abc import Iterable
from enum import Enum

from tock_companion.language import LANGUAGES, Language
from tock_rules import Rank


class Indices(Enum):
    """The corner letters of a deck; the rules and all files keep to the English letters."""

    BY_LANGUAGE = "language"
    """Nobody has said yet: every phone has the letters of most decks in its language."""
    ENGLISH = "english"
    FRENCH = "french"
    FRENCH_ONE = "french_one"
    """A French deck whose aces are marked 1."""
    GERMAN = "german"

    def of(self, rank: Rank, lang: Language) -> str:
        """The corner of a card of that rank, for somebody who reads that language."""
        return _LETTERS[self.for_readers_of(lang)].get(rank, rank.text)

    def for_readers_of(self, lang: Language) -> "Indices":
        """The deck that readers of that language see."""
        if self is not Indices.BY_LANGUAGE:
            return self
        return Indices.FRENCH if lang == "fr" else Indices.ENGLISH


SURE_CARDS = 2
"""Cards by which another deck must lead before it is believed: one letter may be misread."""


def learned(now: Indices, letters: Iterable[str]) -> Indices:
    """The deck with most of the letters seen on cards, where it fits clearly better than the present one."""
    seen = list(letters)
    lacking = {deck: sum(letter not in _all_of(deck) for letter in seen) for deck in Indices}
    best = min(_LETTERS, key=lacking.__getitem__)
    return best if lacking[now] - lacking[best] >= SURE_CARDS else now


def _all_of(deck: Indices) -> frozenset[str]:
    """The letters of a deck; of an unknown one those that stand on every deck that it may be."""
    read = [frozenset(deck.of(rank, lang) for rank in _LETTERED) for lang in LANGUAGES]
    return frozenset.intersection(*read)


_LETTERED = (Rank.ACE, Rank.JACK, Rank.QUEEN, Rank.KING)
_FRENCH = {Rank.JACK: "V", Rank.QUEEN: "D", Rank.KING: "R"}
_LETTERS: dict[Indices, dict[Rank, str]] = {
    Indices.ENGLISH: {},
    Indices.FRENCH: _FRENCH,
    Indices.FRENCH_ONE: {**_FRENCH, Rank.ACE: "1"},
    Indices.GERMAN: {Rank.JACK: "B", Rank.QUEEN: "D"},
}
