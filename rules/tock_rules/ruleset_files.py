"""Reads ruleset files: the games that come with the library, and those of other packages.

A package offers a game by an entry point in the group `tock.rulesets`: its name is that of the ruleset, its value
an object of the package that is the path of the file.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from importlib.metadata import entry_points
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from tock_rules.errors import BadInputError, quoted
from tock_rules.game import Game
from tock_rules.house_rules import HouseRules
from tock_rules.switches import Option, option_of

TEXTS = ("mjc", "joker-individuel", "diagonale", "gladius", "parteu")
FAMILY = ("toc", "brandi-dog", "keezen", "quebec", "jackaroo", "pegs-jokers")
WORDS = ("name", "title", "line", "statements", "other", "sentences", "cards")
"""The sections that are no rules, and the cards; every other section gives values to fields."""
_SWITCHES = {switch.name: option_of(switch, every=True) for switch in fields(HouseRules)}
_OFFERED = {switch.name: option_of(switch) for switch in fields(HouseRules)}
_PROPERTIES = {name: hint for name, hint in get_type_hints(Game).items() if name != "cards"}


def preset_names() -> tuple[str, ...]:
    """The names of the rulesets: the five texts, the games of the family, those of other packages."""
    return (*TEXTS, *(name for name in FAMILY if _packaged(name).is_file()), *_installed())


@cache
def preset_table(name: str) -> dict[str, Any]:
    """The parsed file of a ruleset."""
    if name not in preset_names():
        raise BadInputError(f"no such ruleset: {quoted(name)}; rulesets: {', '.join(preset_names())}")
    path = _installed().get(name, _packaged(name))
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadInputError(f"ruleset {name}: {error}") from error


def _packaged(name: str) -> Traversable:
    return files("tock_rules.presets").joinpath(f"{name}.toml")


@cache
def _installed() -> Mapping[str, Traversable]:
    found = entry_points(group="tock.rulesets")
    return {entry.name: entry.load() for entry in found if entry.name not in (*TEXTS, *FAMILY)}


def fields_of(table: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of the ruleset of a parsed file; raise `BadInputError` that names the entry that is wrong."""
    values: dict[str, Any] = {}
    rests_on: dict[str, tuple[str, ...]] = {}
    options: dict[str, Option] = {}
    for section, entries in table.items():
        if section in WORDS:
            continue
        if not isinstance(entries, Mapping):
            raise BadInputError(f"{section}: write a section, [{section}]")
        for name, entry in entries.items():
            if name in values:
                raise BadInputError(f"{name} has two values")
            if name in _SWITCHES and isinstance(entry, Mapping):
                options[name] = _offer(name, entry)
                rests_on[name] = tuple(entry.get("rests_on", ()))
                values[name] = options[name].check(entry.get("value"))
            else:
                values[name] = _value(name, entry)
    return {
        "name": _name(table),
        "cards": _lists(table, "cards"),
        "statements": _lists(table, "statements"),
        "rests_on": MappingProxyType(rests_on),
        "options": MappingProxyType({name: options[name] for name in _SWITCHES if name in options}),
        "usual": MappingProxyType({name: values[name] for name in options}),
        **values,
    }


def _lists(table: Mapping[str, Any], section: str) -> Mapping[str, tuple[str, ...]]:
    """A section of lists of texts."""
    found = table.get(section, {})
    if not isinstance(found, Mapping):
        raise BadInputError(f"{section}: write a section, [{section}]")
    for key, entry in found.items():
        if not isinstance(entry, list) or not all(isinstance(text, str) for text in entry):
            raise BadInputError(f'{key}: write a list of texts, ["…"], not {quoted(entry)}')
    return MappingProxyType({key: tuple(entry) for key, entry in found.items()})


def _name(table: Mapping[str, Any]) -> str:
    name = table.get("name")
    if not isinstance(name, str) or not name or set(name) - set("abcdefghijklmnopqrstuvwxyz0123456789-"):
        raise BadInputError(f"name is small letters, digits and -, not {quoted(name)}")
    return name


def _offer(name: str, entry: Mapping[str, Any]) -> Option:
    """The switch with the values that the file allows."""
    unknown = set(entry) - {"value", "rests_on", "allowed"}
    if unknown:
        raise BadInputError(f"{name}: no such key: {quoted(min(unknown))}; keys: value, rests_on, allowed")
    if "allowed" not in entry:
        return _OFFERED[name]
    for value in entry["allowed"]:
        _SWITCHES[name].check(value)
    return Option(name, _SWITCHES[name].kind, tuple(entry["allowed"]))


def _value(name: str, entry: Any) -> Any:
    if name in _SWITCHES:
        return _SWITCHES[name].check(entry)
    if name not in _PROPERTIES:
        raise BadInputError(f"no such rule: {quoted(name)}; rules: {', '.join((*_PROPERTIES, *_SWITCHES))}")
    found = _fitting(_PROPERTIES[name], entry)
    if found is None:
        raise BadInputError(f"{name}: {quoted(entry)} is not allowed; write {_wanted(_PROPERTIES[name])}")
    return found


def _fitting(hint: Any, entry: Any) -> Any:
    """The entry as the field wants it, None where it does not fit."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        return entry if entry in inner else None
    if origin is tuple and isinstance(entry, list):
        items = [_fitting(inner[0], item) for item in entry]
        return None if None in items else tuple(items)
    if origin is not None and isinstance(entry, Mapping):
        pairs = {key: _fitting(inner[1], value) for key, value in entry.items()}
        return None if None in pairs.values() else MappingProxyType(pairs)
    return entry if type(entry) is hint else None


def _wanted(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return " or ".join(map(str, get_args(hint)))
    return {bool: "true or false", int: "a number"}.get(
        hint, "[…]" if get_origin(hint) is tuple else "{ … = … }"
    )
