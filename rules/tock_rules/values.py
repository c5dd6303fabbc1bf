"""Copies and pickles of values: their fields alone, without the tables worked out from them."""

from dataclasses import fields
from typing import Any


class Value:
    """A frozen dataclass with cached properties, which copies and pickles leave out."""

    def __getstate__(self) -> dict[str, Any]:
        """The fields."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
