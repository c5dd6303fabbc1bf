"""Errors that a person can correct: a broken call, line or setting.

Player mistakes are values (`Violation`), never exceptions.
"""

import reprlib
from collections.abc import Iterable
from difflib import get_close_matches

MAX_QUOTED_CHARS = 60

_short = reprlib.Repr()
_short.maxstring = _short.maxlong = _short.maxother = MAX_QUOTED_CHARS
_short.maxlevel = 3
_short.fillvalue = "…"


class TockError(Exception):
    """A fault, described in one line with its place and its remedy."""


class BadInputError(TockError, ValueError):
    """An input (file, line, option, argument) that cannot be used."""


def quoted(value: object) -> str:
    """Show a value in a message: on one line, shortened, control characters and surrogates escaped."""
    try:
        return _short.repr(value)
    except ValueError:
        # Python refuses to write out integers of more than 4,300 digits.
        return "a number of thousands of digits"


def nearest(word: str, known: Iterable[str]) -> str:
    """Offer the known word that was probably meant, or all of them where none is near."""
    words = list(known)
    near = get_close_matches(word, words, 1)
    return f"did you mean {near[0]}?" if near else f"known: {', '.join(words)}"
