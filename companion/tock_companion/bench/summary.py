"""Figures from samples."""

from collections.abc import Sequence


def percentile(values: Sequence[int], part: float) -> int | None:
    """Return the value under which this part of all values lies, None without values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else None
