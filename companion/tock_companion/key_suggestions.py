"""Suggests the right key for a misspelt one in a file or a request."""

from collections.abc import Iterable
from difflib import get_close_matches

from tock_companion.errors import printable


def unknown_key(key: str, known: Iterable[str]) -> str:
    """Say that a key is not known, with the nearest known one or, where none is near, all of them."""
    names = list(known)
    near = get_close_matches(key.rpartition(".")[2], names, n=1)
    if not names:
        return f"key '{printable(key)}' is not known"
    advice = f"did you mean '{near[0]}'?" if near else f"known are {', '.join(names)}"
    return f"key '{printable(key)}' is not known; {advice}"
