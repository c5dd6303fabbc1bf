"""The rules of one game at one table: a preset, with house rules on top.

`Ruleset.parse("mjc")` is the game of text 004, `Ruleset.parse("mjc[own_start_crossing=forbidden]")` the same with
a house rule.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any

from tock_rules.card_actions import CARD_SWITCHES, CardRows, Row, read_row, row_of, with_switch
from tock_rules.errors import BadInputError, quoted
from tock_rules.game import GameRules
from tock_rules.geometry import BoardShape
from tock_rules.house_rules import HouseRules
from tock_rules.own_rules import NAMES as OWN_NAMES
from tock_rules.own_rules import own_fields
from tock_rules.ruleset_files import ADDED, fields_of, full_name, preset_table
from tock_rules.switches import Option, Value, check_all, option_of


@dataclass(frozen=True, kw_only=True, repr=False)
class Ruleset(HouseRules, GameRules):
    """The rules of one game at one table."""

    name: str
    statements: Mapping[str, tuple[str, ...]]
    """For each thing a player can do wrong the statements that forbid it, most specific first."""
    rests_on: Mapping[str, tuple[str, ...]] = field(compare=False)
    """For each switch the statements that its preset value rests on; empty where the text is silent."""
    options: Mapping[str, Option] = field(compare=False)
    """The switches that the game offers as house rules, with the values that it allows."""
    usual: Mapping[str, Value] = field(compare=False)
    """Their values without a house rule."""
    own: Mapping[str, str] = field(default_factory=dict, compare=False)
    """The options of `own_rules` that change the game."""

    @classmethod
    def parse(cls, text: object) -> "Ruleset":
        """The ruleset of its text; raise `BadInputError` for an unknown name, option or value."""
        if not isinstance(text, str):
            raise BadInputError(f"a ruleset is a text such as mjc, not {quoted(text)}")
        name, bracket, house = text.partition("[")
        if bracket and not house.endswith("]"):
            raise BadInputError(f"ruleset {quoted(text)}: the bracket is not closed")
        plain = load_preset(name)
        options: dict[str, Value] = {}
        for entry in filter(None, house.removesuffix("]").split(",")):
            option, equals, value = entry.partition("=")
            if not equals:
                raise BadInputError(f"ruleset {quoted(text)}: write option=value, not {quoted(entry)}")
            options[option] = parse_value(option, value, plain.options)
        return plain.with_options(options)

    def __str__(self) -> str:
        """The name, with the house rules in which it differs from its preset in brackets."""
        changed = [
            f"{name}={_text(value)}" for name, value in self.values().items() if self.usual[name] != value
        ]
        changed += [f"{name}={text}" for name, text in self.own.items()]
        return f"{self.name}[{','.join(changed)}]" if changed else self.name

    def __repr__(self) -> str:
        """One line that pastes back."""
        return f"Ruleset.parse({str(self)!r})"

    @cached_property
    def _hash(self) -> int:
        return hash((self.name, *self.values().values()))

    def __hash__(self) -> int:
        """Hash by name and switches, so that tables can be kept per ruleset."""
        return self._hash

    def __reduce__(self) -> tuple[object, tuple[object]]:
        """Copies and pickles are made by `parse`; those of a file that is not installed hold its values."""
        if self._is_installed:
            return Ruleset.parse, (str(self),)
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        plain = {name: dict(value) if isinstance(value, Mapping) else value for name, value in values.items()}
        return _ruleset_with, (plain,)

    @cached_property
    def _is_installed(self) -> bool:
        """Whether `parse` finds these rules by their text, in any process."""
        if self.name in ADDED:
            return False
        try:
            found = Ruleset.parse(str(self))
        except BadInputError:
            return False
        return found == self

    def with_options(self, options: object) -> "Ruleset":
        """These rules with house rules on top.

        Raise `BadInputError` with the allowed values of an option that is wrong, or the option that it contradicts.
        """
        named = options if isinstance(options, Mapping) else {}
        own = {**self.own, **{name: named[name] for name in OWN_NAMES if name in named}}
        switches = {name: value for name, value in named.items() if name not in own}
        chosen = check_all(self.options, switches if own else options)
        changed = replace(self, **chosen)  # type: ignore[arg-type]
        changed = replace(changed, cards=changed.card_rows())
        if own:
            changed = replace(changed, own=own, **own_fields(changed, changed.centre, own))
        changed.check()
        return changed

    def card_rows(self) -> CardRows:
        """The rows of the cards as the offered switches have them."""
        rows = self.cards
        for switch in CARD_SWITCHES:
            if switch in self.options:
                rows = with_switch(rows, switch, getattr(self, switch))
        return MappingProxyType(dict(rows))

    def check(self) -> None:
        """Raise `BadInputError` when two switches contradict each other."""
        for broken, why in _contradictions(self):
            if broken:
                raise BadInputError(f"{self.name}: {why}")

    def file_contradictions(self) -> Iterator[str]:
        """Every two switches of a file that contradict each other, and every switch that contradicts its cards."""
        yield from (why for broken, why in _contradictions(self) if broken)
        for switch in CARD_SWITCHES:
            if switch in self.options:
                value = getattr(self, switch)
                if with_switch(self.cards, switch, value) != self.cards:
                    yield f"option {switch} = {_text(value)} contradicts the cards"

    def fits(self, zones: int, zone_length: int, pawns_per_seat: int) -> bool:
        """Whether the game is played on a board like this."""
        board = (self.zone_length, self.pawns_per_seat)
        return zones in self.zones and board == (zone_length, pawns_per_seat)

    def values(self) -> dict[str, Value]:
        """Every switch that is offered with its value."""
        return {name: getattr(self, name) for name in self.options}

    def row(self, card: str) -> Row:
        """The actions of a row of the table, none for a joker where the pack has none."""
        rows = self._read_rows
        if card not in rows:
            absent = not self.jokers and card in ("joker", "JOK_B", "JOK_C")
            rows[card] = Row() if absent else read_row(card, row_of(self.cards, card))
        return rows[card]

    @cached_property
    def _read_rows(self) -> dict[str, Row]:
        return {}

    def refs(self, *things: str) -> tuple[str, ...]:
        """The statements that forbid these things, in this order, each once."""
        found = [ref for thing in things for ref in self.statements.get(thing, ())]
        return tuple(dict.fromkeys(found or [ref for thing in things for ref in self._refs_of_kind(thing)]))

    def _refs_of_kind(self, thing: str) -> tuple[str, ...]:
        """The statements of the kind that a thing without a row belongs to: `home` for `home_passing`."""
        while thing not in self.statements and "_" in thing:
            thing = thing.rpartition("_")[0]
        return self.statements.get(thing, ())


def _ruleset_with(values: dict[str, Any]) -> Ruleset:
    frozen: dict[str, Any] = {
        name: MappingProxyType(value) if isinstance(value, dict) else value for name, value in values.items()
    }
    return Ruleset(**frozen)


def _contradictions(rules: Ruleset) -> list[tuple[bool, str]]:
    return [
        (rules.deal_5_4_4 and rules.dealing != "descending", "option deal_5_4_4 needs dealing = descending"),
        (
            rules.five == "own" and rules.five_into_home == "choice" and "five" in rules.options,
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


def parse_value(option: str, text: str, options: "Mapping[str, Option] | None" = None) -> Value:
    """The allowed value of an option that is written like this, else the text itself."""
    known = OPTIONS if options is None else options
    if option in known:
        for allowed in known[option].allowed:
            if _text(allowed) == text.lower():
                return allowed
    return text


def _text(value: Value) -> str:
    return str(value).lower()


OPTIONS: Mapping[str, Option] = MappingProxyType(
    {switch.name: option_of(switch) for switch in fields(HouseRules)}
)
"""Every switch, in the order of the fields."""


def shape_for(rules: Ruleset, zones: int) -> BoardShape:
    """The board that the ruleset is played on; raise `BadInputError` for a number of zones that it does not know."""
    if zones not in rules.zones or isinstance(zones, bool):
        *first, last = map(str, rules.zones)
        listed = f"{', '.join(first)} or {last}" if first else last
        raise BadInputError(f"a board has {listed} zones, not {quoted(zones)}")
    return BoardShape(zones, rules.centre, rules.entrance_back, rules.zone_length, rules.pawns_per_seat)


def load_preset(name: str) -> Ruleset:
    """The ruleset of that name; raise `BadInputError` for an unknown one."""
    return _preset(full_name(name))


@cache
def _preset(name: str) -> Ruleset:
    return ruleset_of(preset_table(name))


def ruleset_of(table: Mapping[str, Any]) -> Ruleset:
    """The ruleset of a parsed file; raise `BadInputError` that names the entry that is wrong."""
    ruleset = Ruleset(**fields_of(table))
    ruleset.check_game()
    for why in ruleset.file_contradictions():
        raise BadInputError(f"{ruleset.name}: {why}")
    return ruleset
