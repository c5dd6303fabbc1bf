"""Declares a rule switch: default and allowed values."""

from collections.abc import Mapping
from dataclasses import Field, dataclass, field
from typing import Any, get_args

from tock_rules.errors import BadInputError, quoted

Value = bool | int | str


@dataclass(frozen=True, slots=True)
class Option:
    """A switch as the host sees it."""

    name: str
    kind: str
    """`yes/no`, `number` or `choice`."""
    allowed: tuple[Value, ...]

    def check(self, value: object) -> Value:
        """The value if it is allowed; raise `BadInputError` that names the allowed ones."""
        for allowed in self.allowed:
            if type(value) is type(allowed) and value == allowed:
                return allowed
        listed = ", ".join(_json(item) for item in self.allowed)
        raise BadInputError(f"option {self.name}: {quoted(value)} is not allowed; allowed: {listed}")


def _json(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def yes_no(default: bool) -> Any:
    """Declare a switch that is on or off."""
    return field(default=default, metadata={"allowed": (False, True)})


def number(default: int, allowed: tuple[int, ...], also: tuple[int, ...] = ()) -> Any:
    """Declare a switch that is a number; a ruleset file may have `also` these, and offer them."""
    return field(default=default, metadata={"allowed": allowed, "also": also})


def choice(default: str, words: Any, also: tuple[str, ...] = ()) -> Any:
    """Declare a switch that is one of a few words, given as a `Literal` type; a ruleset file may have `also` these."""
    allowed = tuple(word for word in get_args(words) if word not in also)
    return field(default=default, metadata={"allowed": allowed, "also": also})


def option_of(switch: "Field[Any]", every: bool = False) -> Option:
    """The catalogue entry of a declared switch; `every` adds the values that only ruleset files have."""
    allowed = (*switch.metadata["allowed"], *(switch.metadata.get("also", ()) if every else ()))
    kind = "yes/no" if isinstance(allowed[0], bool) else "number" if isinstance(allowed[0], int) else "choice"
    return Option(switch.name, kind, allowed)


def check_all(options: Mapping[str, Option], values: object) -> dict[str, Value]:
    """The values of a mapping of option names, checked; raise `BadInputError` that names the offending one."""
    if not isinstance(values, Mapping):
        raise BadInputError(f"options are names with values, not {quoted(values)}")
    unknown = [str(name) for name in values if name not in options]
    if unknown:
        raise BadInputError(f"no such option: {', '.join(unknown)}; options: {', '.join(options)}")
    return {name: options[name].check(value) for name, value in values.items()}
