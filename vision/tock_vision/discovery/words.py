"""The sentences of board discovery, in both languages."""

import tomllib
from functools import cache
from importlib.resources import files

from tock_companion.language import Text


@cache
def _catalog() -> dict[str, Text]:
    source = files("tock_vision.discovery").joinpath("words.toml").read_text(encoding="utf-8")
    catalog: dict[str, Text] = tomllib.loads(source)
    return catalog


def sentence(code: str, **numbers: int) -> Text:
    """A sentence of the word file."""
    entry = _catalog()[code]
    return Text(fr=entry["fr"].format(**numbers), en=entry["en"].format(**numbers))
