"""`tock bench NAME --json`: hands over to the development package `tock_bench`, which no wheel contains."""

import importlib
from importlib.util import find_spec

from tock_companion.errors import BadInputError

BENCHES = "tock_bench"


def run(arguments: list[str]) -> int:
    """Print the figures of one bench; raises BadInputError where only the companion is installed."""
    if find_spec(BENCHES) is None:
        raise BadInputError("the benches are part of the source checkout; run 'make install' there")
    return int(importlib.import_module(f"{BENCHES}.command").run(arguments))
