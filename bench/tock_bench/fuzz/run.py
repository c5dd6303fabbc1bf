"""Tries wrong inputs at every way in; goes on where it was stopped."""

import time
import warnings
from contextlib import closing
from pathlib import Path
from typing import Annotated

import cv2

from tests.support.checkout import BUILD
from tock_bench.fuzz.campaign import Progress, empty_folder, least_tried, try_next
from tock_bench.fuzz.doors import BY_NAME
from tock_bench.fuzz.hall import HALL, HallKeeper
from tock_bench.fuzz.table import figures_of, table_of
from tock_bench.fuzz.wire import WIRE, Sender
from tock_bench.results import Measured, Say
from tock_companion.errors import BadInputError

PROGRESS_EVERY_S = 10.0
KEPT = BUILD / "fuzz" / "progress.json"
DOORS = (*BY_NAME, *WIRE, HALL)


def run(
    say: Say,
    minutes: float = 60.0,
    seed: Annotated[int, "another seed makes other inputs"] = 1,
    doors: Annotated[tuple[str, ...], "only these ways in"] = DOORS,
    progress: Annotated[Path, "where the counts are kept"] = KEPT,
) -> Measured:
    """Try until the time is over; a fault is one that no input may cause."""
    if strange := [name for name in doors if name not in DOORS]:
        raise BadInputError(f"no way in is called '{strange[0]}'; there are {', '.join(sorted(DOORS))}")
    # A forked child has none of the threads of its parent.
    cv2.setNumThreads(0)
    warnings.simplefilter("ignore")  # Of schemathesis' and requests' own.
    campaign = Progress(progress, seed)
    try_all(say, campaign, doors, 60 * minutes)
    faults = sum(sum(tally.faults.values()) for tally in campaign.tallies.values())
    return Measured(figures_of(campaign), table_of(campaign), passed=not faults)


def try_all(say: Say, campaign: Progress, doors: tuple[str, ...], for_s: float) -> None:
    """Give the way in that has had the least time its next input, until the time is over."""
    end_s, reported_s = time.monotonic() + for_s, 0.0
    with (
        empty_folder() as folder,
        closing(Sender(folder, campaign)) as sender,
        closing(HallKeeper(campaign)) as hall,
    ):
        while (now_s := time.monotonic()) < end_s:
            name = least_tried(doors, campaign)
            if name == HALL:
                findings = hall.step()
            else:
                findings = sender.step(name) if name in WIRE else try_next(BY_NAME[name], campaign)
            for found in filter(None, findings):
                say(found)
            if now_s - reported_s > PROGRESS_EVERY_S:
                reported_s = now_s
                campaign.save()
                say(f"{campaign.summary()}, {(end_s - now_s) / 60:.0f} min left")
    campaign.save()
