"""Every key of the configuration with its explanations, and the template of a whole file."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import get_origin

from tock_app.config.settings import Settings
from tock_companion.language import TERMINAL, Text, catalog
from tock_companion.schema import Schema


@dataclass(frozen=True, slots=True)
class Key:
    """One key; a dot in the name separates the table: `mqtt.host` is `host` under `[mqtt]`."""

    name: str
    kind: type
    default: object
    about: Text


def _keys(model: type[Schema], table: str = "") -> Iterator[Key]:
    for tail, field in model.model_fields.items():
        name = f"{table}{tail}"
        kind = get_origin(field.annotation) or field.annotation
        if isinstance(kind, type) and issubclass(kind, Schema):
            yield from _keys(kind, f"{name}.")
        else:
            default = field.get_default(call_default_factory=True)
            yield Key(name, type(default), default, catalog("config")[name])


KEYS = tuple(_keys(Settings))
BY_NAME = {key.name: key for key in KEYS}
OPEN_TABLES = tuple(key.name for key in KEYS if key.kind is dict)
"""Tables whose keys are defined by the ruleset, the sources and the panel."""


def template(lang: str = TERMINAL, chosen: Mapping[str, object] | None = None) -> str:
    """Write a configuration with every key explained; the keys not chosen are commented out."""
    chosen = chosen or {}
    lines = [f"# {catalog('config')['title'][lang]}", ""]
    table = ""
    for key in KEYS:
        head, _, tail = key.name.rpartition(".")
        if head != table:
            table = head
            lines += [f"[{table}]"]
        lines.append(f"# {key.about[lang]}")
        if key.kind is dict:
            lines += ["# [sources.camera]" if tail == "sources" else f"# [{tail}]", ""]
        elif key.name in chosen:
            lines += [f"{tail} = {toml_text(chosen[key.name])}", ""]
        else:
            lines += [f"# {tail} = {toml_text(key.default)}", ""]
    return "\n".join(lines)


def toml_text(value: object) -> str:
    """Write a plain value as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "[" + ", ".join(toml_text(item) for item in value) + "]"
    if isinstance(value, int | float):
        return str(value)
    quoted = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}"'
