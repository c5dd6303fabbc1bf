"""The table of a campaign for docs/measurements/fuzz.md."""

import platform
import subprocess
from datetime import UTC, datetime

from tock_bench.fuzz.campaign import Progress

COLUMNS = ("status 500", "traceback", "hang", "memory", "lines", "control characters")


def table_of(progress: Progress) -> str:
    """Write what was tried at every way in, and what was found there."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True
    ).stdout.strip()
    tallies = progress.tallies
    minutes = sum(tally.spent_s for tally in tallies.values()) / 60
    rows = [
        f"Measured on {datetime.now(UTC):%Y-%m-%d} at commit `{commit}` with `make fuzz`: "
        f"seed {progress.seed}, {minutes:.0f} minutes, "
        f"{sum(tally.tried for tally in tallies.values()):,} inputs, {platform.machine()}.",
        "",
        "| way in | tried | refused | seconds | 500 | traceback | hang | memory | lines | control | other |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, tally in sorted(tallies.items()):
        other = sum(tally.faults.values()) - sum(tally.faults[column] for column in COLUMNS)
        counts = " | ".join(str(tally.faults[column]) for column in COLUMNS)
        rows.append(
            f"| {name} | {tally.tried:,} | {tally.refused:,} | {tally.spent_s:.0f} | {counts} | {other} |"
        )
    return "\n".join(rows) + "\n"
