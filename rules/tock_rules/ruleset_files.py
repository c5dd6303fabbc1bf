"""Reads ruleset files: the games that come with the library, those of other packages, and those of people.

A game of somebody's file is named by its name and the digest of its text, `carbles-1f0c2a9b` (`own_files`), so that a
game goes on as it began when the file changes. A package offers a game by an entry point in the group
`tock.rulesets`: its name is that of the ruleset, its value an object of the package that is the path of the file.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from importlib.metadata import entry_points
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from tock_rules.errors import BadInputError, nearest, quoted
from tock_rules.game import GameRules
from tock_rules.house_rules import HouseRules
from tock_rules.switches import Option, option_of

TEXTS = ("mjc", "joker-individuel", "diagonale", "gladius", "parteu")
FAMILY = ("toc", "brandi-dog", "keezen", "quebec", "jackaroo", "pegs-jokers")
WORDS = ("name", "title", "line", "statements", "other", "sentences", "cards")
"""The sections that are no rules, and the cards; every other section gives values to fields."""
_NAME = re.compile("[a-z0-9-]{1,40}")
_SWITCHES = {switch.name: option_of(switch, every=True) for switch in fields(HouseRules)}
_OFFERED = {switch.name: option_of(switch) for switch in fields(HouseRules)}
_PROPERTIES = {name: hint for name, hint in get_type_hints(GameRules).items() if name != "cards"}


ADDED: dict[str, tuple[str, Mapping[str, Any]]] = {}
"""The files of people: text and table, by name with digest. An entry never changes."""
LISTED: dict[str, str] = {}
"""Those to choose from: by plain name the name with digest."""


def preset_names() -> tuple[str, ...]:
    """The names of the rulesets: the five texts, the games of the family, those of other packages and of people."""
    return (
        *TEXTS,
        *(name for name in FAMILY if _packaged(name).is_file()),
        *_installed(),
        *LISTED.values(),
    )


def full_name(name: str) -> str:
    """The name of a ruleset, with the digest where it is that of a file to choose from."""
    return LISTED.get(name, name)


def preset_table(name: str) -> Mapping[str, Any]:
    """The parsed file of a ruleset."""
    added = ADDED.get(full_name(name))
    return _library_table(name) if added is None else added[1]


def ruleset_text(name: str) -> str | None:
    """The text of a file of people; None for the games of the library and of packages."""
    added = ADDED.get(full_name(name))
    return None if added is None else added[0]


@cache
def _library_table(name: str) -> dict[str, Any]:
    fault = _offered().get(name)
    if isinstance(fault, str):
        raise BadInputError(f"ruleset {name}: {fault}")
    known = (*TEXTS, *FAMILY, *_installed())
    if name not in known:
        raise BadInputError(f"no such ruleset: {quoted(name)}; rulesets: {', '.join((*known, *LISTED))}")
    path = _installed().get(name, _packaged(name))
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadInputError(f"ruleset {name}: {error}") from error


def _packaged(name: str) -> Traversable:
    return files("tock_rules.presets").joinpath(f"{name}.toml")


@cache
def _installed() -> Mapping[str, Traversable]:
    return {name: path for name, path in _offered().items() if not isinstance(path, str)}


@cache
def _offered() -> Mapping[str, Traversable | str]:
    """The files that other packages offer, by name; of one that cannot be read its fault, so that it stops no other."""
    found: dict[str, Traversable | str] = {}
    for entry in entry_points(group="tock.rulesets"):
        if entry.name in (*TEXTS, *FAMILY):
            continue
        try:
            path: Traversable = entry.load()
            fields = fields_of(tomllib.loads(path.read_text(encoding="utf-8")))
            GameRules(**{key: fields[key] for key in ("cards", *_PROPERTIES) if key in fields}).check_game()
            found[entry.name] = path if fields["name"] == entry.name else f"its file names {fields['name']}"
        except (ImportError, AttributeError, OSError, ValueError, TypeError) as error:
            found[entry.name] = " ".join(str(error).split())
    return found


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
            values[name], option = value_of(name, entry)
            if option is not None:
                options[name], rests_on[name] = option, tuple(entry.get("rests_on", ()))
    return {
        "name": name_of(table),
        "cards": _lists(table, "cards"),
        "statements": _lists(table, "statements"),
        "rests_on": MappingProxyType(rests_on),
        "options": MappingProxyType({name: options[name] for name in _SWITCHES if name in options}),
        "usual": MappingProxyType({name: values[name] for name in options}),
        **values,
    }


def value_of(name: str, entry: Any) -> tuple[Any, Option | None]:
    """The value of an entry, and the switch where it is offered; raise `BadInputError` that names the fault."""
    if name in _SWITCHES and isinstance(entry, Mapping):
        option = _offer(name, entry)
        return option.check(entry.get("value")), option
    return _value(name, entry), None


def _lists(table: Mapping[str, Any], section: str) -> Mapping[str, tuple[str, ...]]:
    """A section of lists of texts."""
    found = table.get(section, {})
    if not isinstance(found, Mapping):
        raise BadInputError(f"{section}: write a section, [{section}]")
    return MappingProxyType({key: texts_of(key, entry) for key, entry in found.items()})


def texts_of(key: str, entry: Any) -> tuple[str, ...]:
    """A list of texts; raise `BadInputError` where it is anything else."""
    if not isinstance(entry, list) or not all(isinstance(text, str) for text in entry):
        raise BadInputError(f'{key}: write a list of texts, ["…"], not {quoted(entry)}')
    return tuple(entry)


def name_of(table: Mapping[str, Any]) -> str:
    """The name of the ruleset."""
    name = table.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise BadInputError(f"name is small letters, digits and -, 40 at most, not {quoted(name)}")
    return name


def _offer(name: str, entry: Mapping[str, Any]) -> Option:
    """The switch with the values that the file allows."""
    unknown = set(entry) - {"value", "rests_on", "allowed"}
    if unknown:
        raise BadInputError(f"{name}: no such key: {quoted(min(unknown))}; keys: value, rests_on, allowed")
    texts_of(f"{name}: rests_on", entry.get("rests_on", []))
    if "allowed" not in entry:
        return _OFFERED[name]
    if not isinstance(entry["allowed"], list) or not entry["allowed"]:
        raise BadInputError(f"{name}: allowed is a list of values, not {quoted(entry['allowed'])}")
    for value in entry["allowed"]:
        _SWITCHES[name].check(value)
    return Option(name, _SWITCHES[name].kind, tuple(entry["allowed"]))


def _value(name: str, entry: Any) -> Any:
    if name in _SWITCHES:
        return _SWITCHES[name].check(entry)
    if name not in _PROPERTIES:
        raise BadInputError(f"no such rule: {quoted(name)}; {nearest(name, (*_PROPERTIES, *_SWITCHES))}")
    found = _fitting(_PROPERTIES[name], entry)
    if found is None:
        raise BadInputError(f"{name}: {quoted(entry)} is not allowed; write {wanted(_PROPERTIES[name])}")
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


def wanted(hint: Any) -> str:
    """The values of a field, as `[number, …]` or `{ … = always or beside_others }`."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        return " or ".join(map(str, inner))
    if origin is tuple:
        return f"[{wanted(inner[0])}, …]"
    if origin is not None:
        return f"{{ … = {wanted(inner[1])} }}"
    return {bool: "true or false", int: "a number"}.get(hint, "a text")
