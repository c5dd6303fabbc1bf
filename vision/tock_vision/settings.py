"""Settings of a source as they come from a config file, checked."""

from collections.abc import Mapping

from tock_companion.errors import BadInputError

LONGEST_SIDE_PX = 4096


def check_keys(settings: Mapping[str, object], known: tuple[str, ...], source: str) -> None:
    """Refuse keys that the source does not know."""
    for key in settings:
        if key not in known:
            raise BadInputError(f"source {source}: unknown setting '{key}'; known are {', '.join(known)}")


def number(settings: Mapping[str, object], key: str, default: float, low: float, high: float) -> float:
    """Return a number between two bounds."""
    value = settings.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise BadInputError(f"setting '{key}' is {value!r}; give a number from {low:g} to {high:g}")
    return float(value)


def text(settings: Mapping[str, object], key: str, default: str) -> str:
    """Return a text that is not empty."""
    value = settings.get(key, default)
    if not isinstance(value, str) or not value:
        raise BadInputError(f"setting '{key}' is {value!r}; give a text")
    return value
