"""The one base class of faults that a person can mend: a broken call, file, cable or setting.

Player mistakes are values (`Violation`), never exceptions.
"""

import re
import reprlib
from collections.abc import Sequence

MAX_QUOTED_CHARS = 60
MAX_NAME_CHARS = 200
MAX_MESSAGE_CHARS = 800
NO_TEXT = re.compile(
    "[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
"""Characters not allowed in names and messages: controls, halves of surrogate pairs, marks that reverse the writing."""

_short = reprlib.Repr()
_short.maxstring = _short.maxlong = _short.maxother = MAX_QUOTED_CHARS
_short.maxlevel = 3
_short.fillvalue = "…"


class TockError(Exception):
    """A fault with one line that says what is wrong, where, and what to do."""


class BadInputError(TockError, ValueError):
    """An input (file, line, option, argument) that cannot be used as it is."""


class FaultyDocumentError(BadInputError):
    """A file or request with mistakes in it; its message is the first one and how many there are besides."""

    def __init__(self, mistakes: Sequence[str], listed_by: str = "") -> None:
        """`mistakes` has a line for each, `listed_by` is the command that prints them all."""
        self.mistakes = tuple(mistakes)
        rest = len(self.mistakes) - 1
        lists = f": `{listed_by}` lists them" if listed_by else ""
        super().__init__(self.mistakes[0] + (f" (and {rest} more{lists})" if rest else ""))


def quoted(value: object) -> str:
    """Show a value in a message: on one line, shortened, control characters and surrogates escaped."""
    try:
        return _short.repr(value)
    except ValueError:
        # Python refuses to write out integers of more than 4,300 digits.
        return "a number of thousands of digits"


def printable(text: str) -> str:
    """Show a file name or key in a message: like `quoted`, without the quotation marks."""
    if len(text) > MAX_NAME_CHARS:
        half = MAX_NAME_CHARS // 2
        text = f"{text[:half]}…{text[-half:]}"
    return escaped(text)


def one_line(text: str) -> str:
    """Show a whole message: on one line, its middle left out where it is longer than anybody reads."""
    text = " ".join(text.split())
    if len(text) > MAX_MESSAGE_CHARS:
        half = MAX_MESSAGE_CHARS // 2
        text = f"{text[:half]} … {text[-half:]}"
    return escaped(text)


def escaped(text: str) -> str:
    """Write control characters and surrogates as escapes, so that a terminal or log does not act on them."""
    return NO_TEXT.sub(lambda found: found[0].encode("unicode_escape").decode(), text)
