"""The deck that readers of a language see, and the deck that the letters on photographed cards belong to."""

from collections.abc import Iterable

from tock_companion.core.indices import DECKS, Indices
from tock_companion.language import LANGUAGES, catalog
from tock_rules import Rank

SURE_CARDS = 2
"""Cards by which another deck must lead before it is believed: one letter may be misread."""


def corner(rank: Rank, indices: Indices, lang: str) -> str:
    """The corner of a card of that rank, for a reader of that language."""
    return _for_readers_of(indices, lang).of(rank)


def learned(now: Indices, letters: Iterable[str]) -> Indices:
    """The deck with most of the letters seen on cards, where it fits clearly better than the present one."""
    seen = list(letters)
    lacking = {deck: sum(letter not in _all_of(deck) for letter in seen) for deck in Indices}
    best = min(DECKS, key=lacking.__getitem__)
    return best if lacking[now] - lacking[best] >= SURE_CARDS else now


def _for_readers_of(indices: Indices, lang: str) -> Indices:
    if indices is not Indices.BY_LANGUAGE:
        return indices
    return Indices(catalog("things")["language.deck"][lang])


def _all_of(deck: Indices) -> frozenset[str]:
    """The letters of a deck; of an unknown one the letters common to every deck that it may be."""
    read = [frozenset(corner(rank, deck, lang) for rank in _LETTERED) for lang in LANGUAGES]
    return frozenset.intersection(*read)


_LETTERED = (Rank.ACE, Rank.JACK, Rank.QUEEN, Rank.KING)
