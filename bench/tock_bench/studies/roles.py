"""A thousand evenings on which four people take the host's rights at random."""

import tempfile
from collections import Counter
from pathlib import Path
from random import Random

from tests.support.roles_play import REQUESTS, Play
from tock_bench.results import Measured, Say


def run(_say: Say, sequences: int = 1000, seed: int = 1) -> Measured:
    """Play them all, and count."""
    faults, granted = [], Counter[str]()
    for number in range(sequences):
        with tempfile.TemporaryDirectory() as folder:
            play = Play(Path(folder), Random(f"{seed}-{number}"))
            try:
                play.run()
            finally:
                play.stop()
            faults += [f"sequence {number}: {fault}" for fault in play.faults]
            granted.update(play.asked)
    figures = {
        "sequences": sequences,
        "requests": sequences * REQUESTS,
        "granted": dict(granted),
        "broken": len(faults),
        "faults": faults[:20],
    }
    return Measured(figures, passed=not faults)
