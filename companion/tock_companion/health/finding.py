"""A check's finding as a value, and its sentence in French and English from its word files."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache
from importlib.resources import files
from typing import Any

WORDS = ("words.toml", "words-camera.toml")
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
    """One finding: `part` is the part of the machine, `code` a stable name with a sentence and a remedy."""

    part: str
    code: str
    level: Level = Level.OK
    values: Mapping[str, str] = field(default_factory=dict)
    """Values for the sentence: numbers with units, names of devices."""
    names: tuple[str, ...] = ()
    """Codes whose words the sentence lists as `{names}`."""


def worst(findings: Iterable[Finding]) -> Level:
    """Give the highest level among findings, OK when there are none."""
    return max((finding.level for finding in findings), default=Level.OK)


@cache
def catalog() -> dict[str, Any]:
    """Load code → language → sentence and remedy."""
    folder = files("tock_companion.health")
    texts = [folder.joinpath(name).read_text(encoding="utf-8") for name in WORDS]
    return {code: entry for text in texts for code, entry in tomllib.loads(text).items()}


def sentence(finding: Finding, lang: str) -> tuple[str, str]:
    """The finding as a sentence, and its remedy (empty when there is nothing to do)."""
    entry = catalog()[finding.code]
    names = ", ".join(str(catalog()[name][lang]) for name in finding.names)
    found = str(entry[lang]).format(**{"names": names, **finding.values})
    remedy = str(entry.get(f"{lang}_do", "")).format(**finding.values)
    return found, remedy
