"""Where figures come from, so that a document can say so beside them."""

import subprocess
from datetime import date

from tock_bench.places import ROOT


def origin(command: str) -> str:
    """One sentence: on which date, at which commit and by which command something was measured."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return f"Measured on {date.today().isoformat()} at commit `{commit.stdout.strip()}` with `{command}`."
