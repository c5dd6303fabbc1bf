"""`tock bench NAME --json`: measures the companion on fixed, seeded inputs."""

import importlib
import json
import platform
import sys
import time

from tock_companion.cli.arguments import Parser

BENCHES = {
    "rules": "tock_companion.bench.rules_figures",
    "referee": "tock_companion.bench.referee_figures",
}


def run(arguments: list[str]) -> int:
    """Print the figures of one bench; progress goes to standard error."""
    parser = Parser(prog="tock bench", description="Measures the companion.")
    parser.add_argument("name", choices=sorted(BENCHES))
    parser.add_argument("--json", action="store_true", help="one JSON object on one line")
    options = parser.parse_args(arguments)
    bench = importlib.import_module(BENCHES[options.name])
    began_s = time.monotonic()
    figures = bench.run(lambda line: print(line, file=sys.stderr, flush=True))
    report = {
        "name": options.name,
        "machine": f"{platform.machine()}, {platform.python_implementation()} {platform.python_version()}",
        "seconds": round(time.monotonic() - began_s, 1),
        "figures": figures,
    }
    print(json.dumps(report, indent=None if options.json else 2))
    return 0
