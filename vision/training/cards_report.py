"""Measures card reading and writes the tables of docs/measurements/cards.md.

`python -m vision.training.cards_report PHOTOS [--art ART]`.

PHOTOS is a folder with `labels.json` and `img/`. With the folder of cards_art.py synthetic scenes of the kinds that
the photos lack, and pictures without cards, are measured too.
"""

import argparse
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tock_bench.origin import origin
from tock_vision.cards import CardReader
from tock_vision.images import load_image
from vision.training.cards_measure import HEAD, Tally, measure, share

Array = Any
log = logging.getLogger(__name__)
DOC = Path(__file__).parents[2] / "docs" / "measurements" / "cards.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
WEAK = "kagglejoker"
SYNTHETIC = (("fan", 6), ("fan", 13), ("row", 5), ("apart", 5), ("overlap", 5))
HARD, HARD_KINDS = 0.6, (("apart", 5), ("overlap", 5))
"""Share of scenes seen very flat, and a share of half of that in the dark or in glare."""
SEED = 4711
Picture = tuple[Array, list[str], tuple[str, ...]]


def photos(folder: Path) -> Iterator[Picture]:
    """Yield the labelled photographs with the groups that they count for."""
    for entry in json.loads((folder / "labels.json").read_text(encoding="utf-8"))["images"]:
        image = load_image(folder / entry["file"], upright=True)
        cards, source = entry["cards"], entry["source"]
        if source == WEAK:
            yield image, cards, (WEAK,)
            continue
        yield image, cards, ("all photographs", kind_of(entry["scene"], len(cards)), f"source {source}")


def kind_of(scene: str, count: int) -> str:
    """The kind of scene, as the targets name it."""
    if count > 6:
        return "7 to 13 cards"
    return "single or apart, up to 6" if scene in ("single", "separate") else "overlapping or fanned, up to 6"


def synthetic(maker: Any, count: int) -> Iterator[Picture]:
    """Yield synthetic scenes of kinds and indices that the photographs lack; hard ones where the maker makes such."""
    from vision.training.cards_calibrate import SHOWN
    from vision.training.cards_scenes import NAMES

    for kind, cards in HARD_KINDS if maker.hard else SYNTHETIC:
        for _ in range(count):
            scene = maker.scene(kind, cards)
            half = {int(row[6]) for row in scene.rows if 0.3 <= row[4] <= SHOWN}
            seen = {int(row[6]): NAMES[int(row[5])] for row in scene.rows if row[4] > SHOWN}
            if not half - set(seen):
                name = f"synthetic{', very flat or dark' if maker.hard else ''}: {kind} of {cards}"
                yield scene.image, list(seen.values()), (name,)


def empty(maker: Any, count: int) -> Iterator[Picture]:
    """Yield pictures without a card: desktop backgrounds, tables with backs and clutter, other games, print."""
    from vision.training.cards_others import Others

    for paper in maker.tables.papers:
        yield cv2.resize(paper, (1280, 800)), [], ("without cards",)
    for _ in range(count):
        yield maker.scene("none").image, [], ("without cards",)
    others = Others(maker.camera, maker.printer.fonts)
    for number in range(count):
        yield others.photo(maker, printed=number % 2 == 0), [], ("without cards",)


def tables(tallies: dict[str, Tally]) -> str:
    """The tables as text."""
    rows = [tally.row(name) for name, tally in tallies.items() if tally.cards]
    every = tallies["all photographs"]
    lines = [
        HEAD,
        *rows,
        "",
        f"Expected calibration error over all photographs: {every.ece():.3f} "
        f"({len(every.confidence)} readings, 10 bins). "
        f"Time: median {np.median(every.ms):.0f} ms, 95th percentile {np.percentile(every.ms, 95):.0f} ms of one core.",
    ]
    if "without cards" in tallies:
        none = tallies["without cards"]
        quiet = sum(named == 0 for named in none.named)
        lines.append(
            f"Pictures without cards: {none.told} cards named in {none.pictures} pictures; none in "
            f"{share(quiet, none.pictures)}."
        )
    return "\n".join(lines)


def with_tables(document: str, measured: str) -> str:
    """Put what was measured in the place of what stands between the two marks of a document."""
    before, _, rest = document.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{measured}\n{END}{after}"


def main() -> None:
    """Measure, print, and mend the document."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photos", type=Path)
    parser.add_argument("--art", type=Path)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--write", action="store_true", help="put the tables into docs/measurements/cards.md")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    CardReader()
    tallies = measure(photos(options.photos))
    if options.art:
        from vision.training.cards_scenes import Maker

        maker = Maker(options.art, SEED, 832, (150.0, 420.0))
        tallies |= measure(synthetic(maker, options.count))
        hard = Maker(options.art, SEED + 1, 832, (150.0, 420.0), HARD)
        tallies |= measure(synthetic(hard, options.count // 2))
        tallies |= measure(empty(maker, 60))
    text = tables(tallies)
    log.info("%s", text)
    if options.write:
        document = DOC.read_text(encoding="utf-8")
        DOC.write_text(with_tables(document, f"{origin('make cards-report')}\n\n{text}"), encoding="utf-8")


if __name__ == "__main__":
    main()
