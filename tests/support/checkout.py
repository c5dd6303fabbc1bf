"""Folders of the checkout that the apparatus reads and writes."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"
"""Inputs and cases of tests."""
BUILD = ROOT / "build"
"""Notes of runs, so that they go on where they were stopped."""
