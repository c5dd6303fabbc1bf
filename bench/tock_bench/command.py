"""`tock bench NAME --json`: measures the companion on fixed, seeded inputs."""

import importlib
import json
import platform
import sys
import time
from inspect import signature
from pathlib import Path

from tock_app.cli.console import Parser
from tock_companion.errors import BadInputError

BENCHES = {
    "club": "tock_bench.figures.club",
    "hints": "tock_bench.figures.hints",
    "rules": "tock_bench.figures.rules",
    "web": "tock_bench.figures.web",
    "link": "tock_bench.figures.link",
    "panel": "tock_bench.figures.panel",
    "referee": "tock_bench.figures.referee",
    "durability": "tock_bench.figures.durability",
    "hostile": "tock_bench.figures.hostile",
    "camera": "tock_bench.figures.camera",
    "cards": "tock_bench.figures.cards",
    "vision": "tock_bench.figures.vision",
}


def run(arguments: list[str]) -> int:
    """Print the figures of one bench; progress goes to standard error."""
    parser = Parser(prog="tock bench", description="Measures the companion.")
    parser.add_argument("name", choices=sorted(BENCHES))
    parser.add_argument("--json", action="store_true", help="one JSON object on one line")
    parser.add_argument(
        "--samples", type=int, help="how many turns or kills, where the bench lets one choose"
    )
    parser.add_argument("--minutes", type=int, help="how long, where the bench lets one choose")
    parser.add_argument(
        "--keep", type=Path, metavar="FILE", help="note what is done, so that a stopped run can go on there"
    )
    options = parser.parse_args(arguments)
    bench = importlib.import_module(BENCHES[options.name])
    chosen = {"samples": options.samples, "minutes": options.minutes, "keep": options.keep}
    chosen = {name: value for name, value in chosen.items() if value is not None}
    known = signature(bench.run).parameters
    if "samples" in chosen and "samples" not in known:
        raise BadInputError(f"bench {options.name} has a fixed size; leave --samples out")
    if "minutes" in chosen and "minutes" not in known:
        raise BadInputError(f"bench {options.name} takes as long as it takes; leave --minutes out")
    if "keep" in chosen and "keep" not in known:
        raise BadInputError(f"bench {options.name} is done in one go; leave --keep out")
    began_s = time.monotonic()
    figures = bench.run(lambda line: print(line, file=sys.stderr, flush=True), **chosen)
    report = {
        "name": options.name,
        "machine": f"{platform.machine()}, {platform.python_implementation()} {platform.python_version()}",
        "seconds": round(time.monotonic() - began_s, 1),
        "figures": figures,
    }
    print(json.dumps(report, indent=None if options.json else 2))
    return 0
