"""The games of people's ruleset files, which stand beside those of the library."""

import tomllib
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256

from tock_rules.errors import BadInputError, quoted
from tock_rules.ruleset import ruleset_of
from tock_rules.ruleset_check import faults_of
from tock_rules.ruleset_files import ADDED, FAMILY, LISTED, TEXTS, name_of

MAX_BYTES = 64_000
MAX_NAME = 31
"""So that the name with its digest is no longer than other names."""
MAX_ADDED = 500
"""Files that a process learns: a log or a phone may bring any number."""
LIBRARY = (*TEXTS, *FAMILY)
"""The games that come with the program."""


@lru_cache(maxsize=64)
def add_ruleset(raw: bytes) -> str:
    """Make the game of a checked file known, and return its name; raise `BadInputError` with the line of a fault."""
    if len(raw) > MAX_BYTES:
        raise BadInputError(f"a ruleset file has at most {MAX_BYTES} bytes")
    for fault in faults_of(raw):
        if fault.stops:
            raise BadInputError(f"line {fault.line}: {fault.what}")
    return add_kept(raw.decode())


def add_kept(text: str) -> str:
    """The same for a text that was checked when it was kept, by an earlier release perhaps."""
    try:
        table = tomllib.loads(text)
    except ValueError as error:
        raise BadInputError(f"the ruleset file is no TOML: {error}") from None
    plain = name_of(table)
    if len(plain) > MAX_NAME:
        raise BadInputError(f"line 1: name has at most {MAX_NAME} letters, not {quoted(plain)}")
    name = f"{plain}-{sha256(text.encode()).hexdigest()[:8]}"
    if name not in ADDED:
        if len(ADDED) >= MAX_ADDED:
            raise BadInputError(f"{MAX_ADDED} ruleset files are known already")
        named = {**table, "name": name}
        ruleset_of(named)
        ADDED[name] = (text, named)
    return name


def offer(names: Iterable[str]) -> None:
    """Have these games, and no others of people, chosen from; each is also found by its plain name."""
    found = {plain_name(name): name for name in names}
    if found != LISTED:
        LISTED.clear()
        LISTED.update(found)


def plain_name(name: str) -> str:
    """The name that people write: without the digest of a file."""
    return name.rpartition("-")[0] if name in ADDED else name
