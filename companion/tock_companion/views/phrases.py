"""Sentences in every language from one catalog, by stable code."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from tock_companion.language import Language, Text, in_every_language

CATALOGS = (
    "phrases.toml",
    "phrases-turn.toml",
    "phrases-evening.toml",
    "phrases-web.toml",
    "phrases-club.toml",
    "phrases-far.toml",
)


@cache
def _catalog() -> Mapping[str, Mapping[str, str]]:
    folder = files("tock_companion.views")
    texts = (folder.joinpath(name).read_text(encoding="utf-8") for name in CATALOGS)
    return {code: entry for text in texts for code, entry in tomllib.loads(text).items()}


def known(code: str) -> bool:
    """Whether the catalog has a sentence with this code."""
    return code in _catalog()


def phrase(code: str, **params: str | Text) -> Text:
    """Fill a sentence of the catalog; a parameter may itself be a text in every language.

    A template that capitalizes a parameter (`{Pawn}`) gets its first letter in capitals.
    """
    return filled(_catalog()[code], **params)


def filled(entry: Mapping[str, str], **params: str | Text) -> Text:
    """Fill a sentence of another word file in the same way."""
    return in_every_language(lambda lang: entry[lang].format(**_in(params, lang)))


def _in(params: Mapping[str, str | Text], lang: Language) -> dict[str, str]:
    words = {name: value if isinstance(value, str) else value[lang] for name, value in params.items()}
    return {**words, **{name.capitalize(): word[:1].upper() + word[1:] for name, word in words.items()}}


def listed(parts: Sequence[Text]) -> Text:
    """Enumerate texts: `Léa, Tom and Guy`."""
    *first, last = parts
    return phrase("and", first=joined(first, ", "), last=last) if first else last


def joined(parts: Sequence[Text], separator: str) -> Text:
    """Join texts language by language."""
    return in_every_language(lambda lang: separator.join(part[lang] for part in parts))
