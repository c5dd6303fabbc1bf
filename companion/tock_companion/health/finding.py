"""What a check found, as a value; the sentences are in `words.toml`."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum


class Level(IntEnum):
    """How much it matters tonight."""

    OK = 0
    WARNING = 1
    """The game can go on, but somebody should look at it."""
    FAULT = 2
    """A part of the companion does not work."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found: `part` is what was looked at, `code` a stable name that has a sentence and a remedy."""

    part: str
    code: str
    level: Level = Level.OK
    values: Mapping[str, str] = field(default_factory=dict)
    """What the sentence fills in: numbers with their units, names of devices."""


def worst(findings: Iterable[Finding]) -> Level:
    """Return the highest level among findings, OK when there are none."""
    return max((finding.level for finding in findings), default=Level.OK)
