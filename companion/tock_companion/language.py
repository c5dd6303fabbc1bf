"""The installed languages, and the catalogues of words: each language is one folder of `words`."""

import logging
import tomllib
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Annotated

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError
from typing_extensions import TypeAliasType

LOG = logging.getLogger(__name__)
WORDS = files("tock_companion").joinpath("words")
DEFAULT = "fr"
"""Shown to readers of no installed language, and for words that a language lacks."""
TERMINAL = "en"
"""The language of the program's own output and logs."""
LANGUAGES = (DEFAULT, *sorted({folder.name for folder in WORDS.iterdir() if folder.is_dir()} - {DEFAULT}))

Text = TypeAliasType("Text", Mapping[str, str])
"""One sentence by language."""


def installed(language: str) -> str:
    """The language; pydantic's error for a choice where it is not installed."""
    if language not in LANGUAGES:
        raise PydanticCustomError("literal_error", "not installed", {"expected": " or ".join(LANGUAGES)})
    return language


Language = Annotated[str, AfterValidator(installed)]


def in_every_language(say: Callable[[str], str]) -> Text:
    """Say something once per language."""
    return {language: say(language) for language in LANGUAGES}


def same_everywhere(word: str) -> Text:
    """A name or a sign that needs no translation."""
    return dict.fromkeys(LANGUAGES, word)


@cache
def catalog(name: str) -> Mapping[str, Text]:
    """The texts of a word file by their code; tables of the file become parts of the code: `deck.usual`."""
    words = complete(name, lambda folder: entries(folder.joinpath(f"{name}.toml")))
    return {code: {language: words[language][code] for language in LANGUAGES} for code in words[DEFAULT]}


def complete(name: str, read: Callable[[Traversable], Mapping[str, str]]) -> Mapping[str, Mapping[str, str]]:
    """The words that `read` finds in each language's folder; log the lacking ones and take the default's."""
    found = {language: read(WORDS.joinpath(language)) for language in LANGUAGES}
    usual = found[DEFAULT]
    for language, words in found.items():
        if lacking := [code for code in usual if code not in words]:
            LOG.warning(
                "%s lacks words of '%s', shown in %s: %s", language, name, DEFAULT, ", ".join(lacking)
            )
    return {
        language: {code: words.get(code, usual[code]) for code in usual} for language, words in found.items()
    }


def entries(file: Traversable) -> Mapping[str, str]:
    """The words of a file by their code; none where the language lacks the file."""
    return dict(_flat(tomllib.loads(file.read_text(encoding="utf-8")))) if file.is_file() else {}


def _flat(entries: object, code: str = "") -> Iterator[tuple[str, str]]:
    match entries:
        case dict():
            for name, entry in entries.items():
                yield from _flat(entry, f"{code}.{name}" if code else name)
        case list():
            yield from _flat({str(number): entry for number, entry in enumerate(entries)}, code)
        case _:
            yield code, str(entries)


def folded(name: str) -> str:
    """The common form of all spellings of a name: its letters, whatever their case, accents and spaces."""
    letters = unicodedata.normalize("NFKD", " ".join(name.split())).casefold()
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
