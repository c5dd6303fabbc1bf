"""Sentences in French and English from one catalog, by stable code."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

LANGUAGES = ("fr", "en")
Text = dict[str, str]
"""One sentence in every language."""


@cache
def _catalog() -> Mapping[str, Mapping[str, str]]:
    text = files("tock_companion.views").joinpath("phrases.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def known(code: str) -> bool:
    """Whether the catalog has a sentence of this code."""
    return code in _catalog()


def phrase(code: str, **params: str | Mapping[str, str]) -> Text:
    """Return a sentence in every language; a parameter may itself be a text in every language.

    A template that writes a parameter with a capital (`{Pawn}`) gets it with a capital.
    """
    entry = _catalog()[code]
    return {lang: entry[lang].format(**_in(params, lang)) for lang in LANGUAGES}


def _in(params: Mapping[str, str | Mapping[str, str]], lang: str) -> dict[str, str]:
    words = {name: value if isinstance(value, str) else value[lang] for name, value in params.items()}
    return {**words, **{name.capitalize(): word[:1].upper() + word[1:] for name, word in words.items()}}


def joined(parts: list[Text], separator: str) -> Text:
    """Join texts language by language."""
    return {lang: separator.join(part[lang] for part in parts) for lang in LANGUAGES}
