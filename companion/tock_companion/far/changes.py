"""A view as its changes since the one before: a lost segment delays less where there are fewer of them.

object  {"set": {key: value}, "in": {key: changes}, "gone": [key]}
list    {"at": {place: changes}} of one as long, or {"from": n, "keep": n, "then": [values]}: a part of it, and more
"""

from collections.abc import Mapping, Sequence
from typing import Any

Document = dict[str, Any]


def changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> Document:
    """What makes `new` of `old`; empty where they are the same."""
    replaced: Document = {}
    within: Document = {}
    for key, value in new.items():
        if key not in old:
            replaced[key] = value
        elif old[key] != value:
            inside = _inside(old[key], value)
            if inside is None:
                replaced[key] = value
            else:
                within[key] = inside
    gone = [key for key in old if key not in new]
    return {name: part for name, part in (("set", replaced), ("in", within), ("gone", gone)) if part}


def changed(old: Any, by: Mapping[str, Any]) -> Any:
    """The new value; raises ValueError or LookupError for changes that do not fit."""
    if isinstance(old, Mapping):
        found = {key: value for key, value in old.items() if key not in by.get("gone", ())}
        within = {key: changed(old[key], inside) for key, inside in by.get("in", {}).items()}
        return {**found, **within, **by.get("set", {})}
    if not isinstance(old, list | tuple):
        raise ValueError("has no parts")
    if "at" in by:
        at = {int(place): inside for place, inside in by["at"].items()}
        return [changed(value, at[place]) if place in at else value for place, value in enumerate(old)]
    start = by.get("from", 0)
    return [*old[start : start + by.get("keep", 0)], *by.get("then", ())]


def _inside(old: object, new: object) -> Document | None:
    """The changes within a value; None where it is replaced."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return changes(old, new)
    if isinstance(old, list | tuple) and isinstance(new, list | tuple) and old and new:
        return _within_list(old, new)
    return None


def _within_list(old: Sequence[Any], new: Sequence[Any]) -> Document | None:
    """A list whose first values have left and that has grown, or one of which some values have changed."""
    for start in range(len(old)):
        keep = len(old) - start
        if keep <= len(new) and all(one == other for one, other in zip(old[start:], new, strict=False)):
            then = list(new[keep:])
            return {"from": start, "keep": keep} | ({"then": then} if then else {})
    if len(old) != len(new):
        return None
    at: Document = {}
    for place, (one, other) in enumerate(zip(old, new, strict=True)):
        if one != other:
            inside = _inside(one, other)
            if inside is None:
                return None
            at[str(place)] = inside
    return {"at": at}
