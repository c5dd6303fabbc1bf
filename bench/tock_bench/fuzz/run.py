"""Tries wrong inputs at every way in; continues an interrupted campaign."""

import time
import warnings
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Annotated

import cv2

from tests.support.checkout import BUILD
from tests.support.doors import BY_NAME, Door
from tests.support.hostile_cases import CASES
from tock_bench.fuzz import file_mutations, mutations
from tock_bench.fuzz.campaign import Progress
from tock_bench.fuzz.hall import HALL, Hall
from tock_bench.fuzz.wire import WIRE, Sender
from tock_bench.results import Measured, Say
from tock_companion.errors import BadInputError

SAVE_EVERY_S = 10.0
KEPT = BUILD / "fuzz" / "progress.json"
DOORS = (*BY_NAME, *WIRE, HALL)
MUTATIONS = {
    "json": mutations.json_text, "lines": mutations.json_lines, "toml": mutations.toml_text,
    "lengths": mutations.board_lengths, "names": mutations.names, "bytes": mutations.bytes_of,
    "sheet": mutations.sheet, "picture": file_mutations.picture, "arrays": file_mutations.packed_arrays,
    "database": file_mutations.database,
}  # fmt: skip
"""By the form of a door's input."""


def run(
    say: Say,
    minutes: float = 60.0,
    steps: Annotated[int, "inputs or batches of each way in, instead of minutes"] = 0,
    seed: Annotated[int, "another seed makes other inputs"] = 1,
    doors: Annotated[tuple[str, ...], "only these ways in"] = DOORS,
    progress: Annotated[Path, "a file with the counts"] = KEPT,
    cases: Annotated[Path, "the file to which findings are added"] = CASES,
) -> Measured:
    """Give the way in that has had the least time its next input, until the time is over."""
    if strange := [name for name in doors if name not in DOORS]:
        raise BadInputError(f"no way in is called '{strange[0]}'; there are {', '.join(sorted(DOORS))}")
    # A forked child has none of the threads of its parent.
    cv2.setNumThreads(0)
    warnings.simplefilter("ignore")  # Of schemathesis and requests.
    campaign = Progress(progress, seed, cases)
    end_s, saved_s = time.monotonic() + 60 * minutes, 0.0
    waiting = list(doors) * steps
    with ExitStack() as stack:
        sender = Sender(stack, campaign)
        hall = Hall(stack, campaign)
        while waiting if steps else time.monotonic() < end_s:
            name = waiting.pop() if steps else min(doors, key=lambda door: campaign.tally(door).spent_s)
            with campaign.timed(name):
                if name == HALL:
                    found = hall.step()
                else:
                    found = sender.step(name) if name in WIRE else _try_next(BY_NAME[name], campaign)
            for finding in found:
                say(finding)
            if time.monotonic() - saved_s > SAVE_EVERY_S:
                saved_s = time.monotonic()
                campaign.save()
                say(f"{campaign.faults} faults, {(end_s - saved_s) / 60:.0f} min left")
    campaign.save()
    return Measured(campaign.figures(), campaign.table(), passed=not campaign.faults)


def _try_next(door: Door, campaign: Progress) -> list[str]:
    """Give a door its next input."""
    rng = Random(f"{campaign.seed}/{door.name}/{campaign.tally(door.name).tried}")
    content = MUTATIONS[door.form](rng, door.valid())
    outcome = door.give(content)
    faults = [f"{fault}: {outcome.place}" for fault in door.faults(outcome)]
    return campaign.count(door.name, faults, content, refused=outcome.code in (1, 2))
