"""Tabulates the trials at every way in, and the findings there."""

from tock_bench.fuzz.campaign import DoorTally, Progress
from tock_bench.results import Figures, table

COLUMNS = ("status 500", "traceback", "hang", "memory", "lines", "control characters")
HEAD = (
    "way in",
    "tried",
    "refused",
    "seconds",
    "500",
    "traceback",
    "hang",
    "memory",
    "lines",
    "control",
    "other",
)


def figures_of(progress: Progress) -> Figures:
    """Counts of the whole campaign, and of every way in."""
    tallies = progress.tallies
    return {
        "seed": progress.seed,
        "minutes": round(sum(tally.spent_s for tally in tallies.values()) / 60),
        "inputs": sum(tally.tried for tally in tallies.values()),
        "doors": {name: vars(tally) for name, tally in sorted(tallies.items())},
    }


def table_of(progress: Progress) -> str:
    """A sentence with the size of the campaign, and a row for every way in."""
    figures = figures_of(progress)
    head = f"Seed {figures['seed']}, {figures['minutes']} minutes, {figures['inputs']:,} inputs."
    return f"{head}\n\n{table(HEAD, [row_of(*door) for door in sorted(progress.tallies.items())])}"


def row_of(name: str, tally: DoorTally) -> tuple[object, ...]:
    """One way in: inputs, refusals, seconds, and each kind of fault."""
    known = [tally.faults[column] for column in COLUMNS]
    other = sum(tally.faults.values()) - sum(known)
    return name, tally.tried, tally.refused, round(tally.spent_s), *known, other
