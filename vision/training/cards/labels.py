"""Photographs of cards with labels, and commands that fit something on drawn cards or count on such photographs."""

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any


def labels_of(folder: Path) -> dict[str, Any]:
    """The labels of the photographs of a folder."""
    found: dict[str, Any] = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    return found


def fit_or_measure(
    about: str | None, fit: Callable[[Path, Path], None], measure: Callable[[Path], None]
) -> None:
    """Fit on the drawings of a folder and write a file, or with `--labels` measure on folders of photographs."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("art", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--labels", type=Path, nargs="*", help="folders of photographs with labels.json")
    options = parser.parse_args()
    if options.labels:
        for folder in options.labels:
            measure(folder)
    else:
        fit(options.art, options.out)
