"""JSON for others, and of others: it means one thing to every reader, or it is refused.

No NaN, no lone surrogates, no bottomless nesting, and no key twice in an object: of two values one reader takes the
first, another the last.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from tock_companion.errors import printable
from tock_companion.files import read_text_bounded

Pairs = Sequence[tuple[str, object]]


class DoubledKeyError(ValueError):
    """An object has a key twice."""


def decode(text: str | bytes) -> object:
    """Decode strict JSON; raises ValueError."""
    document: object = from_json(text, allow_inf_nan=False)
    # The library takes the last of two values; reading once more, in C but for this look, takes microseconds.
    json.loads(text if isinstance(text, str) else text.decode(), object_pairs_hook=once_each)
    return document


def encode(value: object) -> str:
    """Encode as compact text, in letters as they are."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def read_object(path: Path, most_bytes: int, what: str) -> dict[str, Any]:
    """Read a file with one object; raises BadInputError when it cannot be read, else ValueError."""
    document = decode(read_text_bounded(path, most_bytes, what))
    if not isinstance(document, dict):
        raise ValueError("not an object")
    return document


def once_each(pairs: Pairs) -> dict[str, object]:
    """The `object_pairs_hook` of `json.loads` that raises DoubledKeyError for a key that stands twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for number, key in enumerate(keys) if key in keys[:number])
        raise DoubledKeyError(f"the key '{printable(twice)}' stands twice in one object")
    return found
