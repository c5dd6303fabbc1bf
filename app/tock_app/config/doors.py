"""Decides which changes of the settings open a door: only a host who proves the PIN may make them from the page."""

from collections.abc import Iterator, Mapping

HARMLESS = frozenset({"board", "zones", "ruleset", "players", "options", "panel"})
"""Settings of the game and of the table's own lamps and buttons."""
SOURCES = "sources"


def opens_doors(before: Mapping[str, object], after: Mapping[str, object]) -> bool:
    """Whether a change affects who reaches the table, where its data goes or which places it reads.

    Numbers of a source, as its frame rate, do none of it; everything else of it may name a place.
    """
    was, now = dict(_plain(before)), dict(_plain(after))
    changed = {key for key in was.keys() | now.keys() if was.get(key) != now.get(key)}
    return any(key[0] not in HARMLESS and not _is_number(key, was.get(key), now.get(key)) for key in changed)


def _is_number(key: tuple[str, ...], was: object, now: object) -> bool:
    values = [value for value in (was, now) if value is not None]
    return key[0] == SOURCES and all(type(value) in (int, float) for value in values)


def _plain(
    table: Mapping[str, object], above: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], object]]:
    """The keys of all tables with their values; a list counts as one value."""
    for name, value in table.items():
        if isinstance(value, Mapping) and value:
            yield from _plain(value, (*above, name))
        else:
            yield (*above, name), value
