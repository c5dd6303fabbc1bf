"""The rules of one game at one table: a preset, with house rules on top.

`Ruleset.parse("mjc")` is the game of text 004, `Ruleset.parse("mjc[own_start_crossing=forbidden]")` the same with
a house rule.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from tock_rules.errors import BadInputError, quoted
from tock_rules.geometry import BoardShape
from tock_rules.house_rules import HouseRules
from tock_rules.switches import Option, Value, check_all, option_of


@dataclass(frozen=True, kw_only=True, repr=False)
class Ruleset(HouseRules):
    """The rules of one game at one table."""

    name: str
    statements: Mapping[str, tuple[str, ...]] = field(compare=False)
    """For each thing a player can do wrong the statements that forbid it, most specific first."""
    rests_on: Mapping[str, tuple[str, ...]] = field(compare=False)
    """For each switch the statements that its preset value rests on; empty where the text is silent."""

    @classmethod
    def parse(cls, text: object) -> "Ruleset":
        """The ruleset of its text; raise `BadInputError` for an unknown name, option or value."""
        if not isinstance(text, str):
            raise BadInputError(f"a ruleset is a text such as mjc, not {quoted(text)}")
        name, bracket, house = text.partition("[")
        if bracket and not house.endswith("]"):
            raise BadInputError(f"ruleset {quoted(text)}: the bracket is not closed")
        options: dict[str, Value] = {}
        for entry in filter(None, house.removesuffix("]").split(",")):
            option, equals, value = entry.partition("=")
            if not equals:
                raise BadInputError(f"ruleset {quoted(text)}: write option=value, not {quoted(entry)}")
            options[option] = parse_value(option, value)
        return load_preset(name).with_options(options)

    def __str__(self) -> str:
        """The name, with the house rules in which it differs from its preset in brackets."""
        preset = load_preset(self.name).values()
        changed = [f"{name}={_text(value)}" for name, value in self.values().items() if preset[name] != value]
        return f"{self.name}[{','.join(changed)}]" if changed else self.name

    def __repr__(self) -> str:
        """One line that pastes back."""
        return f"Ruleset.parse({str(self)!r})"

    @cached_property
    def _hash(self) -> int:
        return hash(tuple(self.values().values()))

    def __hash__(self) -> int:
        """Hash by the switches, so that tables can be kept per ruleset."""
        return self._hash

    def with_options(self, options: object) -> "Ruleset":
        """These rules with house rules on top.

        Raise `BadInputError` with the allowed values of an option that is wrong, or the option that it contradicts.
        """
        changed = replace(self, **check_all(OPTIONS, options))  # type: ignore[arg-type]
        changed.check()
        return changed

    def check(self) -> None:
        """Raise `BadInputError` when two switches contradict each other."""
        for broken, why in _contradictions(self):
            if broken:
                raise BadInputError(f"{self.name}: {why}")

    def values(self) -> dict[str, bool | int | str]:
        """Every switch with its value."""
        return {name: getattr(self, name) for name in OPTIONS}

    def refs(self, *things: str) -> tuple[str, ...]:
        """The statements that forbid these things, in this order, each once."""
        found = [ref for thing in things for ref in self.statements.get(thing, ())]
        return tuple(dict.fromkeys(found))


def _contradictions(rules: Ruleset) -> list[tuple[bool, str]]:
    return [
        (rules.deal_5_4_4 and rules.dealing != "descending", "option deal_5_4_4 needs dealing = descending"),
        (
            rules.five == "own" and rules.five_into_home == "choice",
            "option five_into_home needs five = opponent",
        ),
        (
            rules.joker_second_compulsory and not rules.joker_second_move,
            "option joker_second_compulsory needs joker_second_move",
        ),
        (
            rules.talk_penalty != "warning" and not rules.talk_forbidden,
            "option talk_penalty = card_and_turn needs talk_forbidden",
        ),
        (rules.summit_jump and rules.dotted_lines, "options summit_jump and dotted_lines exclude each other"),
        (
            rules.one_eyed_compulsory and not rules.one_eyed_jack,
            "option one_eyed_compulsory needs one_eyed_jack",
        ),
        (
            rules.own_start_crossing == "forbidden" and rules.voluntary_bypass,
            "options own_start_crossing = forbidden and voluntary_bypass exclude each other",
        ),
    ]


def parse_value(option: str, text: str) -> Value:
    """The allowed value of an option that is written like this, else the text itself."""
    if option in OPTIONS:
        for allowed in OPTIONS[option].allowed:
            if _text(allowed) == text.lower():
                return allowed
    return text


def _text(value: Value) -> str:
    return str(value).lower()


OPTIONS: Mapping[str, Option] = MappingProxyType(
    {switch.name: option_of(switch) for switch in fields(Ruleset) if "allowed" in switch.metadata}
)
"""Every switch, in the order of the fields."""


def shape_for(rules: Ruleset, zones: int) -> BoardShape:
    """The board that the ruleset is played on."""
    return BoardShape(zones, has_centre=rules.centre, entrance_back=rules.entrance_back)


_PRESETS = ("mjc", "joker-individuel", "diagonale", "gladius", "parteu")


def preset_names() -> tuple[str, ...]:
    """The names of the packaged rulesets."""
    return _PRESETS


@cache
def load_preset(name: str) -> Ruleset:
    """The ruleset of that name; raise `BadInputError` for an unknown one."""
    table = preset_table(name)
    switches = table["switches"]
    missing = [option for option in OPTIONS if option not in switches]
    if missing:
        raise BadInputError(f"preset {name}: no value for {', '.join(missing)}")
    values = check_all(OPTIONS, {switch: entry["value"] for switch, entry in switches.items()})
    ruleset = Ruleset(
        name=name,
        statements=MappingProxyType({thing: tuple(refs) for thing, refs in table["statements"].items()}),
        rests_on=MappingProxyType({switch: tuple(entry["rests_on"]) for switch, entry in switches.items()}),
        **values,  # type: ignore[arg-type]  # checked against the catalogue above
    )
    ruleset.check()
    return ruleset


@cache
def preset_table(name: str) -> dict[str, Any]:
    """The parsed preset file: the only file that the rules read."""
    if name not in _PRESETS:
        raise BadInputError(f"no such ruleset: {quoted(name)}; rulesets: {', '.join(_PRESETS)}")
    text = files("tock_rules.presets").joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
