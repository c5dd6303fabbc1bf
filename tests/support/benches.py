"""Runs a program of the apparatus as people do: in a process of its own, by `tock bench NAME`."""

import json
import subprocess
import sys
from typing import Any

from tests.support.checkout import ROOT

PATIENCE_S = 240


def bench(name: str, *options: str) -> dict[str, Any]:
    """The figures; AssertionError with what it said where it failed."""
    command = [sys.executable, "-m", "tock_app.cli.main", "bench", name, "--json", *options]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert ended.returncode == 0, ended.stderr[-2000:]
    figures: dict[str, Any] = json.loads(ended.stdout)["figures"]
    return figures
