"""Faulty documents, and text made safe to show; the rules define the base class of errors that a person can correct."""

import re
from collections.abc import Sequence

from tock_rules.errors import BadInputError, TockError, quoted

__all__ = [
    "BadInputError",
    "FaultyDocumentError",
    "SpokenError",
    "TockError",
    "escaped",
    "one_line",
    "printable",
    "quoted",
]

MAX_NAME_CHARS = 200
MAX_MESSAGE_CHARS = 800
NO_TEXT = re.compile(
    "[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
"""Characters not allowed in names and messages: controls, halves of surrogate pairs, marks that reverse the writing."""


class FaultyDocumentError(BadInputError):
    """A file or request with mistakes in it; its message is the first one and how many there are besides."""

    def __init__(self, mistakes: Sequence[str], listed_by: str = "") -> None:
        """`mistakes` has a line for each, `listed_by` is the command that prints them all."""
        self.mistakes = tuple(mistakes)
        rest = len(self.mistakes) - 1
        lists = f": `{listed_by}` lists them" if listed_by else ""
        super().__init__(self.mistakes[0] + (f" (and {rest} more{lists})" if rest else ""))


class SpokenError(BadInputError):
    """An error for people at the page: the catalogue has its sentence in every language."""

    def __init__(self, message: str, code: str, **params: str) -> None:
        """`message` is for terminal and log, `code` and `params` make the sentence."""
        self.code, self.params = code, params
        super().__init__(message)


def printable(text: str) -> str:
    """Show a file name or key in a message: like `quoted`, without the quotation marks."""
    if len(text) > MAX_NAME_CHARS:
        half = MAX_NAME_CHARS // 2
        text = f"{text[:half]}…{text[-half:]}"
    return escaped(text)


def one_line(text: str) -> str:
    """Show a whole message: on one line, its middle left out where it is too long to read."""
    text = " ".join(text.split())
    if len(text) > MAX_MESSAGE_CHARS:
        half = MAX_MESSAGE_CHARS // 2
        text = f"{text[:half]} … {text[-half:]}"
    return escaped(text)


def escaped(text: str) -> str:
    """Write control characters and surrogates as escapes, so that a terminal or log does not act on them."""
    return NO_TEXT.sub(lambda found: found[0].encode("unicode_escape").decode(), text)
