"""Measures card reading and writes the tables of docs/measurements/cards.md.

`python -m vision.training.cards.report PHOTOS … [--art ART]`.

Each PHOTOS is a folder with `labels.json` and `img/`; each has a table of its own. With the folder of art.py
synthetic scenes of the kinds that the photos lack, and pictures without cards, are measured too.
"""

import argparse
import hashlib
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tock_bench.results import origin, with_block
from tock_vision.images import load_image
from vision.training.cards.labels import labels_of
from vision.training.cards.measure import HEAD, NAMED, CardTally, Picture, measure, share

Array = Any
log = logging.getLogger(__name__)
DOC = Path(__file__).parents[3] / "docs" / "measurements" / "cards.md"
BLOCK = "cards-report"
WEAK = "kagglejoker"
FRENCH = ("jro123",)
"""Sources with French indices, where the labels do not say so."""
ALL, NO_CARD = "all photographs", "without cards"
SYNTHETIC = (("fan", 6), ("fan", 13), ("row", 5), ("apart", 5), ("overlap", 5))
HARD, HARD_KINDS = 0.6, (("apart", 5), ("overlap", 5))
"""Share of scenes seen very flat, and a share of half of that in the dark or in glare."""
SEED = 4711
KEPT_BACK, LOOKED_AT = "kept back (sources never looked at)", "looked at (sources used for choices)"


def kept_back(folder: str, source: str) -> bool:
    """Whether the photographs of a repository take no part in any choice: half of those that came later.

    Decided by their names, so that nobody has chosen them.
    """
    return folder != "cards" and hashlib.sha256(source.encode()).digest()[0] % 2 == 0


def photos(folder: Path) -> Iterator[Picture]:
    """Yield the labelled photographs with the groups that they count for."""
    labels = labels_of(folder)
    for entry in labels["images"]:
        image = load_image(folder / entry["file"], upright=True)
        cards, source, unreadable = tuple(entry["cards"]), entry["source"], entry.get("unreadable") or 0
        if source == WEAK:
            yield Picture(image, cards, (WEAK,))
        elif not cards:
            yield Picture(image, cards, (NO_CARD,))
        else:
            part = KEPT_BACK if kept_back(folder.name, source) else LOOKED_AT
            index = entry.get("index") or ("fr" if source in FRENCH else "en")
            groups = [ALL, part, kind_of(entry["scene"], len(cards)), f"index {index}", f"source {source}"]
            groups += [f"drawn: {entry['kind']}"] if "kind" in entry else []
            groups += ["drawn: half covered"] if entry.get("covered") else []
            yield Picture(image, cards, tuple(groups), unreadable)


def kind_of(scene: str, count: int) -> str:
    """The kind of scene, as the targets name it."""
    if scene in ("fan", "held"):
        return "fanned or held"
    if count > 6:
        return "7 to 13 cards"
    return "single or apart, up to 6" if scene in ("single", "separate") else "overlapping or fanned, up to 6"


def synthetic(maker: Any, count: int) -> Iterator[Picture]:
    """Yield synthetic scenes of kinds and indices that the photographs lack; hard ones where the maker makes such."""
    from vision.training.cards.calibrate import SHOWN
    from vision.training.cards.decks import NAMES

    for kind, cards in HARD_KINDS if maker.hard else SYNTHETIC:
        for _ in range(count):
            scene = maker.scene(kind, cards)
            half = {int(row[6]) for row in scene.rows if 0.3 <= row[4] <= SHOWN}
            seen = {int(row[6]): NAMES[int(row[5])] for row in scene.rows if row[4] > SHOWN}
            if not half - set(seen):
                name = f"synthetic{', very flat or dark' if maker.hard else ''}: {kind} of {cards}"
                yield Picture(scene.image, tuple(seen.values()), (name,))


def empty(maker: Any, count: int) -> Iterator[Picture]:
    """Yield pictures without a card: desktop backgrounds, tables with backs and clutter, other games, print."""
    from vision.training.cards.other_games import photo_without_playing_cards

    for paper in maker.tables.papers:
        yield Picture(cv2.resize(paper, (1280, 800)), (), (NO_CARD,))
    for _ in range(count):
        yield Picture(maker.scene("none").image, (), (NO_CARD,))
    for number in range(count):
        yield Picture(photo_without_playing_cards(maker, printed=number % 2 == 0), (), (NO_CARD,))


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
    parser.add_argument("--art", type=Path)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--write", action="store_true", help="put the tables into docs/measurements/cards.md")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    parts = []
    for folder in options.photos:
        parts.append(table(f"Photographs of `{folder.name}`", measure(photos(folder))))
        log.info("%s", parts[-1])
    if options.art:
        from vision.training.cards.scenes import Maker

        maker = Maker(options.art, SEED, 832, (150.0, 420.0))
        tallies = measure(synthetic(maker, options.count))
        hard = Maker(options.art, SEED + 1, 832, (150.0, 420.0), HARD)
        tallies |= measure(synthetic(hard, options.count // 2))
        tallies |= measure(empty(maker, 60))
        parts.append(table("Synthetic pictures", tallies))
        log.info("%s", parts[-1])
    text = "\n\n".join(parts)
    if options.write:
        document = DOC.read_text(encoding="utf-8")
        DOC.write_text(
            with_block(document, BLOCK, f"{origin('make cards-report')}\n\n{text}"), encoding="utf-8"
        )


if __name__ == "__main__":
    main()
