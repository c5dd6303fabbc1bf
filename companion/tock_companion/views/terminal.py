"""The program's own lines in the language of their reader: lists of words have an English line, and its translation.

A line that no list has stays English, for it is true in any language.
"""

import os
import re
from collections.abc import Mapping
from functools import cache

from tock_companion.language import LANGUAGES, TERMINAL, WORDS, Text, entries, in_every_language

GAP = re.compile(r"\\\{(\w+)\\\}")
LINE = re.compile(r"^(?P<place>.*?), line (?P<line>\d+)$")
DEEPEST = 4
"""Lines within the gaps of lines."""


def terminal_language(environment: Mapping[str, str] = os.environ) -> str:
    """The language of this terminal, by the usual variables."""
    spoken = next(filter(None, map(environment.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return next((lang for lang in LANGUAGES if spoken.lower().startswith(lang)), TERMINAL)


def in_language(line: str, lang: str) -> str:
    """A line of the program in a language, or as it is."""
    return _translated(line, lang, DEEPEST) or line


def in_languages(line: str) -> Text:
    """A line of the program in every language."""
    return in_every_language(lambda lang: in_language(line, lang))


def command_purpose(name: str, purpose: str, lang: str) -> str:
    """The purpose of a command of `tock`."""
    return _words(lang).get(f"commands.{name}", purpose)


def _translated(line: str, lang: str, depth: int) -> str | None:
    if not depth:
        return None
    place, _, rest = line.partition(": ")
    at = LINE.fullmatch(place)
    mistake = _translated(rest, lang, depth - 1) if rest and at else None
    if at and mistake is not None:
        return f"{at['place']}, {_words(lang)['lines.line']} {at['line']}: {mistake}"
    for pattern, translation in _lines(lang):
        found = pattern.fullmatch(line)
        if found:
            gaps = {name: _translated(gap, lang, depth - 1) or gap for name, gap in found.groupdict().items()}
            return translation.format(**gaps)

    mistake = _translated(rest, lang, depth - 1) if rest else None
    return None if mistake is None else f"{place}: {mistake}"


@cache
def _lines(lang: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Patterns of the English lines, those with the longest fixed part first."""
    known = {
        key.removeprefix("lines."): text for key, text in _words(lang).items() if key.startswith("lines.")
    }
    ordered = sorted(known, key=lambda line: (len(re.sub(r"\{\w+\}", "", line)), line), reverse=True)
    return tuple(
        (re.compile(GAP.sub(r"(?P<\1>.*?)", re.escape(line)), re.DOTALL), known[line]) for line in ordered
    )


@cache
def _words(lang: str) -> Mapping[str, str]:
    return entries(WORDS.joinpath(lang, "terminal", "lines.toml"))
