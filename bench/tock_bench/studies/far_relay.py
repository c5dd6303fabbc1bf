"""The meeting place: 500 tables on one relay, a relay and a broker killed, bridged brokers, an attack on its doors."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from tock_bench.far.attack import attacked
from tock_bench.far.idle import idle_cost
from tock_bench.far.load import relay_under_load
from tock_bench.far.losses import bridged, two_relays
from tock_bench.results import Figures, Measured, Say

PAIRS = 6


def run(
    say: Say, tables: int = 500, busy: int = 50, seconds: int = 60, minutes: int = 30, only: str = ""
) -> Measured:
    """Measure all parts, or `only` one of load, killed, bridged, attack and idle."""
    parts: dict[str, Callable[[Path], dict[str, object]]] = {
        "load": lambda folder: relay_under_load(folder, say, tables, busy, seconds),
        "killed": lambda folder: two_relays(folder, say, tables // 5),
        "bridged": lambda folder: bridged(folder, say, tables // 25),
        "attack": lambda folder: attacked(folder, say, minutes),
        "idle": lambda folder: idle_cost(folder, say, PAIRS),
    }
    figures: dict[str, Figures] = {}
    for name, part in parts.items():
        if only in ("", name):
            with tempfile.TemporaryDirectory(prefix="tock-far-") as folder:
                figures[name] = part(Path(folder))
    rows = [
        f"| {name} | {figure} | {value} |"
        for name, found in figures.items()
        for figure, value in found.items()
    ]
    wrong = figures.get("attack", {})
    passed = not (wrong.get("answers_5xx_but_503") or wrong.get("tracebacks"))
    return Measured(figures, "\n".join(["| part | figure | value |", "|---|---|---|", *rows]), passed)
