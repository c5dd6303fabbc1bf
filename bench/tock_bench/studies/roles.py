"""`python -m tock_bench.studies.roles`: a thousand evenings on which four people take the host's rights at random."""

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

from tests.support.roles_play import REQUESTS, Play


def run(sequences: int, seed: int) -> dict[str, object]:
    """Play them all, and count."""
    began_s, faults, granted = time.monotonic(), [], Counter[str]()
    for number in range(sequences):
        with tempfile.TemporaryDirectory() as folder:
            play = Play(Path(folder), Random(f"{seed}-{number}"))
            try:
                play.run()
            finally:
                play.stop()
            faults += [f"sequence {number}: {fault}" for fault in play.faults]
            granted.update(play.asked)
    return {
        "sequences": sequences,
        "requests": sequences * REQUESTS,
        "granted": dict(granted),
        "broken": len(faults),
        "faults": faults[:20],
        "seconds": round(time.monotonic() - began_s),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sequences", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    json.dump(run(asked.sequences, asked.seed), sys.stdout, indent=2)
    sys.stdout.write("\n")
