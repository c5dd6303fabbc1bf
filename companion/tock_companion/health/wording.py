"""The sentence of a finding, in French and English."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from tock_companion.health.finding import Finding

PARTS = ("system", "memory", "disk", "clock", "network", "camera", "reed", "gpio", "games", "service")


@cache
def catalog() -> dict[str, Any]:
    """Return code → language → sentence and remedy."""
    return tomllib.loads(files("tock_companion.health").joinpath("words.toml").read_text(encoding="utf-8"))


def sentence(finding: Finding, lang: str) -> tuple[str, str]:
    """Return what was found and what to do about it (empty when there is nothing to do)."""
    entry = catalog()[finding.code]
    found = str(entry[lang]).format(**finding.values)
    remedy = str(entry.get(f"{lang}_do", "")).format(**finding.values)
    return found, remedy
