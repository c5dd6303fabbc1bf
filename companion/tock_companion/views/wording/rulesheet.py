"""The rules of a game in plain words, composed from its switches, so that house rules change the text too."""

from collections.abc import Mapping
from dataclasses import dataclass

from tock_companion.rules.ruleset import Ruleset
from tock_companion.rules.switches import Value
from tock_companion.views.wording.words import catalog

PAGES = ("rulesheet-cards.toml", "rulesheet-board.toml")
"""The files with the sections, in the order of the text."""


@dataclass(frozen=True)
class Section:
    """A heading and its sentences."""

    heading: str
    lines: tuple[str, ...]


def rulesheet(rules: Ruleset, lang: str) -> tuple[Section, ...]:
    """Return the sections of the rules in `fr` or `en`."""
    values = rules.values()
    sections = []
    for section in (section for name in PAGES for section in catalog(name)["sections"]):
        lines = [
            line[lang].format(**values) for line in section["lines"] if _holds(line.get("when", {}), values)
        ]
        if lines:
            sections.append(Section(section[lang], tuple(lines)))
    return tuple(sections)


def _holds(conditions: Mapping[str, Value], values: Mapping[str, Value]) -> bool:
    for name, wanted in conditions.items():
        if isinstance(wanted, str) and wanted.startswith("!"):
            if str(values[name]) == wanted[1:]:
                return False
        elif values[name] != wanted:
            return False
    return True
