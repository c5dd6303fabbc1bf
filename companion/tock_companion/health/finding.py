"""A check's finding as a value, and its sentence in French and English from `words.toml`."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache
from importlib.resources import files
from typing import Any

PARTS = ("system", "memory", "disk", "clock", "network", "camera", "reed", "gpio", "games", "service")


class Level(IntEnum):
    """Its importance for tonight's game."""

    OK = 0
    WARNING = 1
    """The game can go on, but somebody should look at it."""
    FAULT = 2
    """A part of the companion does not work."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: `part` is what was examined, `code` a stable name with a sentence and a remedy."""

    part: str
    code: str
    level: Level = Level.OK
    values: Mapping[str, str] = field(default_factory=dict)
    """Values for the sentence: numbers with units, names of devices."""


def worst(findings: Iterable[Finding]) -> Level:
    """Give the highest level among findings, OK when there are none."""
    return max((finding.level for finding in findings), default=Level.OK)


@cache
def catalog() -> dict[str, Any]:
    """Load code → language → sentence and remedy."""
    return tomllib.loads(files("tock_companion.health").joinpath("words.toml").read_text(encoding="utf-8"))


def sentence(finding: Finding, lang: str) -> tuple[str, str]:
    """The finding as a sentence, and its remedy (empty when there is nothing to do)."""
    entry = catalog()[finding.code]
    found = str(entry[lang]).format(**finding.values)
    remedy = str(entry.get(f"{lang}_do", "")).format(**finding.values)
    return found, remedy
