"""This release's demands on a database, kept with its folder: later ones may not leave anything that it cannot read."""

import ast
import json
from dataclasses import fields
from pathlib import Path

import tock_companion.storage
from tock_companion.events.codec import RETIRED_FIELDS, SCHEMA_VERSION
from tock_companion.events.facts import FACT_TYPES
from tock_companion.storage.migrations import USER_VERSION

VERBS = ("SELECT ", "INSERT ", "DELETE ")
OF_SQLITE = "sqlite_master"


def statements() -> list[str]:
    """Every statement in the sources of the store that reads or writes rows."""
    found = set()
    for path in Path(tock_companion.storage.__path__[0]).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and node.value.startswith(VERBS)
            ):
                found.add(node.value)
    return sorted(statement for statement in found if OF_SQLITE not in statement)


def as_text() -> str:
    """As the test data keep them."""
    demands = {
        "user_version": USER_VERSION,
        "event_version": SCHEMA_VERSION,
        "statements": statements(),
        "events": {
            kind: [*(item.name for item in fields(fact)), *RETIRED_FIELDS.get(kind, ())]
            for kind, fact in FACT_TYPES.items()
        },
    }
    return json.dumps(demands, indent=1) + "\n"
