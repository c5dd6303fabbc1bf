"""`make fuzz`: tries wrong inputs at every way in for an hour; goes on where it was stopped."""

import argparse
import sys
import time
import warnings
from contextlib import closing
from pathlib import Path
from typing import TextIO

import cv2

from tock_bench.fuzz.campaign import Progress, empty_folder, least_tried, try_next
from tock_bench.fuzz.doors import BY_NAME
from tock_bench.fuzz.hall import HALL, HallKeeper
from tock_bench.fuzz.table import table_of
from tock_bench.fuzz.wire import WIRE, Sender

PROGRESS_EVERY_S = 10.0
KEPT = Path("build/fuzz/progress.json")


def say(stream: TextIO, text: str) -> None:
    """Print at once."""
    stream.write(text)
    stream.flush()


def main() -> int:
    """Run until the time is over; 1 when anything was found."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1, help="another seed makes other inputs")
    parser.add_argument(
        "--door", action="append", choices=sorted((*BY_NAME, *WIRE, HALL)), help="only these ways in"
    )
    parser.add_argument("--progress", type=Path, default=KEPT, help="where the counts are kept")
    options = parser.parse_args()
    # A forked child has none of the threads of its parent.
    cv2.setNumThreads(0)
    warnings.simplefilter("ignore")  # Of schemathesis' and requests' own.
    progress = Progress(options.progress, options.seed)
    names = options.door or [*BY_NAME, *WIRE, HALL]
    end_s, told_s = time.monotonic() + 60 * options.minutes, 0.0
    with (
        empty_folder() as folder,
        closing(Sender(folder, progress)) as sender,
        closing(HallKeeper(progress)) as hall,
    ):
        while (now_s := time.monotonic()) < end_s:
            name = least_tried(names, progress)
            if name == HALL:
                findings = hall.step()
            else:
                findings = sender.step(name) if name in WIRE else try_next(BY_NAME[name], progress)
            for found in findings:
                say(sys.stdout, f"\r{found}\n")
            if now_s - told_s > PROGRESS_EVERY_S:
                told_s = now_s
                progress.save()
                say(sys.stderr, f"\r{progress.summary()}, {(end_s - now_s) / 60:.0f} min left ")
    progress.save()
    say(sys.stdout, f"\n{table_of(progress)}")
    return 1 if any(tally.faults for tally in progress.tallies.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
