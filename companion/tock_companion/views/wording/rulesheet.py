"""The rules of a game in plain words, composed from its switches, so that house rules change the text too."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any

from tock_companion.language import DEFAULT, Text, catalog
from tock_companion.views.phrases import filled
from tock_companion.views.wording.games import house_lines, own_sections
from tock_companion.views.wording.own_rules import rule
from tock_rules import TEXTS, Ruleset, Value, own_rules, which_game

PAGES = ("rulesheet-cards.toml", "rulesheet-board.toml")
"""The files with the sections, in the order of the text."""


@dataclass(frozen=True)
class Section:
    """A heading and its sentences."""

    heading: Text
    lines: tuple[Text, ...]
    statements: tuple[frozenset[str], ...]
    """For each sentence the statements that it puts into words."""
    switches: tuple[frozenset[str], ...]
    """For each sentence the switches that it follows."""


def rulesheet(rules: Ruleset) -> tuple[Section, ...]:
    """The sections of the rules."""
    own = own_sections(rules.name)
    if own:
        return (*_of_family(rules), *(_own_section(rules, heading, lines) for heading, lines in own.items()))
    if rules.name not in TEXTS:
        return (*_of_family(rules), _cards(rules))
    values, words = rules.values(), catalog("rulesheet")
    sheet = [
        (section["heading"], [line for line in section["lines"] if _holds(line.get("when", {}), values)])
        for section in _sections()
    ]
    covered = frozenset(ref for _, lines in sheet for line in lines for ref in _about(rules, line))
    numbers = {name: str(value) for name, value in values.items()}
    return (
        *_of_family(rules),
        *(
            Section(
                words[f"heading.{heading}"],
                tuple(filled(words[line["say"]], **numbers) for line in lines),
                tuple(_about(rules, line) | (_behind(rules, line) - covered) for line in lines),
                tuple(_followed(line) for line in lines),
            )
            for heading, lines in sheet
            if lines
        ),
    )


def _of_family(rules: Ruleset) -> Iterator[Section]:
    """The rules that the family has changed beyond the switches, before all others."""
    lines = tuple(rule(option, text) for option, text in rules.own.items())
    if lines:
        none = (frozenset[str](),) * len(lines)
        yield Section(catalog("rulesheet")["heading.own"], lines, none, none)


def _cards(rules: Ruleset) -> Section:
    """The cards, the deal and the passing of a game whose file has no sentences."""
    rows = [name for name in own_rules.CARDS if rules.jokers or own_rules.CARDS[name] != "joker"]
    lines = tuple(rule(topic, which_game.rule_of(rules, topic)) for topic in (*rows, *own_rules.NAMES[-2:]))
    none = (frozenset[str](),) * len(lines)
    return Section(catalog("rulesheet")["heading.what-the-cards-do"], lines, none, none)


def _own_section(rules: Ruleset, heading: str, statements: Mapping[str, Text]) -> Section:
    """A section of the game's own file; a statement that house rules change gives way to them."""
    lines: list[tuple[Text, str, frozenset[str]]] = []
    for ref, text in statements.items():
        house = [(line, ref, frozenset({switch})) for switch, line in house_lines(rules, ref)]
        lines += house or [(text, ref, frozenset())]
    return Section(
        catalog("rulesheet")[f"heading.{heading}"],
        tuple(text for text, _, _ in lines),
        tuple(frozenset({ref}) for _, ref, _ in lines),
        tuple(switches for _, _, switches in lines),
    )


@cache
def _sections() -> Sequence[Mapping[str, Any]]:
    folder = files("tock_companion.views.wording")
    texts = [folder.joinpath(name).read_text(encoding="utf-8") for name in PAGES]
    return [section for text in texts for section in tomllib.loads(text)["sections"]]


def _about(rules: Ruleset, line: Mapping[str, Any]) -> frozenset[str]:
    """The statements that a line puts into words, the most specific one for each thing it is about."""
    return frozenset(ref for thing in line.get("about", ()) for ref in rules.statements.get(thing, ())[:1])


def _behind(rules: Ruleset, line: Mapping[str, Any]) -> frozenset[str]:
    """The statements on which the switches of a line rest; this finds those that no line is about."""
    return frozenset(ref for switch in _followed(line) for ref in rules.rests_on.get(switch, ()))


def _followed(line: Mapping[str, Any]) -> frozenset[str]:
    named = (name for _, name, _, _ in Formatter().parse(catalog("rulesheet")[line["say"]][DEFAULT]) if name)
    return frozenset((*line.get("when", ()), *named))


def _holds(conditions: Mapping[str, Value], values: Mapping[str, Value]) -> bool:
    for name, wanted in conditions.items():
        if isinstance(wanted, str) and wanted.startswith("!"):
            if str(values[name]) == wanted[1:]:
                return False
        elif values[name] != wanted:
            return False
    return True
