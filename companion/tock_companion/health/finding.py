"""A check's finding as a value, and its sentence."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from tock_companion.language import catalog

PARTS = (
    "settings",
    "system",
    "memory",
    "disk",
    "clock",
    "network",
    "camera",
    "reed",
    "gpio",
    "games",
    "service",
)


class Level(IntEnum):
    """Its importance for tonight's game."""

    OK = 0
    WARNING = 1
    """The game can go on, but it needs a look."""
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


def has_words(code: str) -> bool:
    """Whether a finding with this code has a sentence."""
    return code in catalog("health")


def sentence(finding: Finding, lang: str) -> tuple[str, str]:
    """The finding as a sentence, and its remedy (empty when there is nothing to do)."""
    texts = catalog("health")
    names = ", ".join(texts[name][lang] for name in finding.names)
    found = texts[finding.code][lang].format(**{"names": names, **finding.values})
    remedy = texts.get(f"{finding.code}.do", {lang: ""})
    return found, remedy[lang].format(**finding.values)
