"""TypeScript declarations from JSON Schema, for `tsc --checkJs` over the page's scripts."""

import json
from collections.abc import Mapping

from tock_web.describe.definitions import REF, Schema

_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def declarations(named: Mapping[str, Schema]) -> str:
    """One exported type per named schema, in alphabetical order."""
    return "\n".join(_declaration(name, schema) for name, schema in named.items())


def _declaration(name: str, schema: Schema) -> str:
    comment = _comment(schema, "")
    if schema.get("type") != "object" or "properties" not in schema:
        return f"{comment}export type {name} = {type_of(schema)};\n"
    lines = [f"{comment}export interface {name} {{"]
    required = schema.get("required", ())
    for key, inner in schema["properties"].items():
        lines.append(
            f"{_comment(inner, '  ')}  {_key(key)}{'' if key in required else '?'}: {type_of(inner)};"
        )
    return "\n".join([*lines, "}\n"])


def _comment(schema: Schema, indent: str) -> str:
    text = schema.get("description", "")
    return f"{indent}/** {text} */\n" if text and "$ref" not in schema else ""


def _key(key: str) -> str:
    return key if key.isidentifier() else json.dumps(key)


def type_of(schema: Schema) -> str:
    """A schema as a TypeScript type."""
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(REF)
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    options = schema.get("anyOf") or schema.get("oneOf")
    if options is not None:
        return " | ".join(dict.fromkeys(map(type_of, options)))
    kind = schema.get("type")
    if kind == "array":
        return _array(schema)
    if kind == "object":
        return _object(schema)
    return _PLAIN.get(str(kind), "unknown")


def _array(schema: Schema) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(map(type_of, schema['prefixItems']))}]"
    item = type_of(schema.get("items", {}))
    return f"({item})[]" if " " in item else f"{item}[]"


def _object(schema: Schema) -> str:
    if schema.get("properties"):
        required = schema.get("required", ())
        inner = "; ".join(
            f"{_key(key)}{'' if key in required else '?'}: {type_of(value)}"
            for key, value in schema["properties"].items()
        )
        return f"{{ {inner} }}"
    value = schema.get("additionalProperties", True)
    if value is False:
        return "Record<string, never>"
    return f"Record<string, {type_of(value) if isinstance(value, dict) else 'unknown'}>"
