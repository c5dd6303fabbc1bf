"""Sentences in every language from one catalog, by stable code."""

from collections.abc import Mapping, Sequence
from functools import cache

from tock_companion.language import Text, catalog, in_every_language


@cache
def _catalog() -> Mapping[str, Text]:
    return {**catalog("phrases"), **catalog("phrases-page")}


def known(code: str) -> bool:
    """Whether the catalog has a sentence with this code."""
    return code in _catalog()


def phrase(code: str, **params: str | Text) -> Text:
    """Fill a sentence of the catalog; a parameter may itself be a text in every language.

    A template that capitalizes a parameter (`{Pawn}`) gets its first letter in capitals.
    """
    return filled(_catalog()[code], **params)


def filled(entry: Text, **params: str | Text) -> Text:
    """Fill a sentence of another word file in the same way."""
    return in_every_language(lambda lang: entry[lang].format(**_in(params, lang)))


def _in(params: Mapping[str, str | Text], lang: str) -> dict[str, str]:
    words = {name: value if isinstance(value, str) else value[lang] for name, value in params.items()}
    return {**words, **{name.capitalize(): word[:1].upper() + word[1:] for name, word in words.items()}}


def listed(parts: Sequence[Text]) -> Text:
    """Enumerate texts: `Léa, Tom and Guy`."""
    *first, last = parts
    return phrase("and", first=joined(first, ", "), last=last) if first else last


def joined(parts: Sequence[Text], separator: str) -> Text:
    """Join texts language by language."""
    return in_every_language(lambda lang: separator.join(part[lang] for part in parts))
