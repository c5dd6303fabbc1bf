"""The languages of everything that people read, and one sentence in all of them."""

import unicodedata
from collections.abc import Callable
from typing import Literal

from typing_extensions import TypedDict

Language = Literal["fr", "en"]
LANGUAGES: tuple[Language, ...] = ("fr", "en")
"""French comes first: it is shown to whoever asks for neither."""


class Text(TypedDict):
    """One sentence in every language."""

    fr: str
    en: str


def in_every_language(say: Callable[[Language], str]) -> Text:
    """Say something once per language."""
    return Text(fr=say("fr"), en=say("en"))


def same_everywhere(word: str) -> Text:
    """A name or a sign that needs no translation."""
    return Text(fr=word, en=word)


def folded(name: str) -> str:
    """The common form of all spellings of a name: its letters, whatever their case, accents and spaces."""
    letters = unicodedata.normalize("NFKD", " ".join(name.split())).casefold()
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
