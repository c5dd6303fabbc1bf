"""Figures from samples."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T", int, float)


def percentile(values: Sequence[T], part: float) -> T:
    """Return the value under which this part (0 to 1) of all values lies; raises IndexError without values."""
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


def percentile_of_any(values: Sequence[T], part: float) -> T | None:
    """Return the percentile, None without values."""
    return percentile(values, part) if values else None
