"""Measures card reading and writes the tables of docs/measurements/cards.md.

`python -m vision.training.cards.report PHOTOS …`; each PHOTOS is a folder with `labels.json` and `img/`.
"""

import argparse
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from tock_bench.results import origin, with_block
from tock_vision.images import load_image
from vision.training.cards.measure import HEAD, NAMED, CardTally, Picture, measure, share

log = logging.getLogger(__name__)
DOC = Path(__file__).parents[3] / "docs" / "measurements" / "cards.md"
BLOCK = "cards-report"
WEAK = "kagglejoker"
FRENCH = ("jro123",)
"""Sources with French indices, where the labels do not say so."""
ALL, NO_CARD = "all photographs", "without cards"


def photos(folder: Path) -> Iterator[Picture]:
    """Yield the labelled photographs with the groups that they count for."""
    for entry in json.loads((folder / "labels.json").read_text(encoding="utf-8"))["images"]:
        image = load_image(folder / entry["file"], upright=True)
        cards, source, unreadable = tuple(entry["cards"]), entry["source"], entry.get("unreadable") or 0
        if source == WEAK:
            yield Picture(image, cards, (WEAK,))
        elif not cards:
            yield Picture(image, cards, (NO_CARD,))
        else:
            index = entry.get("index") or ("fr" if source in FRENCH else "en")
            groups = [ALL, kind_of(entry["scene"], len(cards)), f"index {index}", f"source {source}"]
            yield Picture(image, cards, tuple(groups), unreadable)


def kind_of(scene: str, count: int) -> str:
    """The kind of scene, as the targets name it."""
    if scene in ("fan", "held"):
        return "fanned or held"
    if count > 6:
        return "7 to 13 cards"
    return "single or apart, up to 6" if scene in ("single", "separate") else "overlapping or fanned, up to 6"


def table(title: str, tallies: dict[str, CardTally]) -> str:
    """The table of one set of pictures, as text."""
    lines = [f"### {title}", ""]
    shown = {name: tally for name, tally in tallies.items() if tally.sums()[0]}
    if shown:
        order = sorted(shown, key=lambda name: (name.startswith("source"), name != ALL, name))
        lines += [HEAD, *(shown[name].row(name) for name in order), ""]
    if ALL in shown:
        every = shown[ALL]
        lines.append(
            f"Expected calibration error: {every.ece():.3f} ({len(every.confidence)} readings, 10 bins). Time: median "
            f"{np.median(every.ms):.0f} ms, 95th percentile {np.percentile(every.ms, 95):.0f} ms of one core."
        )
    if NO_CARD in tallies:
        none = tallies[NO_CARD]
        quiet = sum(row[NAMED] == 0 for row in none.rows)
        lines.append(
            f"Pictures without cards: {none.sums()[NAMED]} cards named in {len(none.rows)} pictures; none in "
            f"{share(quiet, len(none.rows))}."
        )
    return "\n".join(lines)


def main() -> None:
    """Measure, print, and mend the document."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photos", type=Path, nargs="+")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/measurements/cards.md")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    parts = []
    for folder in options.photos:
        parts.append(table(f"Photographs of `{folder.name}`", measure(photos(folder))))
        log.info("%s", parts[-1])
    text = "\n\n".join(parts)
    if options.write:
        document = DOC.read_text(encoding="utf-8")
        DOC.write_text(
            with_block(document, BLOCK, f"{origin('make cards-report')}\n\n{text}"), encoding="utf-8"
        )


if __name__ == "__main__":
    main()
