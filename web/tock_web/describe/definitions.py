"""JSON Schema of Python types, each named type once."""

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel, ConfigDict, create_model

Schema = dict[str, Any]
REF = "#/components/schemas/"
_AS_SENT = ConfigDict(extra="forbid", use_attribute_docstrings=True)
"""Objects have their declared keys and no others; the text below a field describes it."""


class Definitions:
    """Schemas of a set of types."""

    def __init__(self, types: Iterable[object]) -> None:
        """Describe the types; those with a name are in `named`, and referred to by it."""
        fields: dict[str, Any] = {
            f"t{number}": (kind, ...) for number, kind in enumerate(dict.fromkeys(types))
        }
        # A TypedDict takes its configuration from the model around it.
        everything: type[BaseModel] = create_model("Everything", __config__=_AS_SENT, **fields)
        document = everything.model_json_schema(ref_template=f"{REF}{{model}}")
        self.named: dict[str, Schema] = {
            name: _tidied(schema) for name, schema in sorted(document.get("$defs", {}).items())
        }
        self._of = {kind: _tidied(document["properties"][name]) for name, (kind, _) in fields.items()}

    def of(self, kind: object) -> Schema:
        """The schema of one of the types, a reference where it has a name."""
        found: Schema = self._of[kind]
        return found

    def resolved(self, kind: object) -> Schema:
        """The schema of one of the types itself, not a reference to it."""
        found = self.of(kind)
        return self.named[found["$ref"].removeprefix(REF)] if "$ref" in found else found


def _tidied(schema: Any) -> Any:
    """Drop the titles that pydantic generates from field names, and line breaks in descriptions."""
    if isinstance(schema, list):
        return [_tidied(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    tidy: Schema = {}
    for key, value in schema.items():
        if key == "title" and isinstance(value, str):
            continue
        if key in ("properties", "$defs"):
            tidy[key] = {name: _tidied(inner) for name, inner in value.items()}
        elif key == "description":
            tidy[key] = " ".join(value.split())
        else:
            tidy[key] = _tidied(value)
    return tidy
