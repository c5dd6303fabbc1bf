"""Counts how well cards are read: cards found, wrong ones, whole hands, calibration; on any pictures with truth."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from time import process_time
from typing import Any

from tock_vision.cards import CardReader, CardReading
from vision.training.tally import calibration_error

Array = Any


@dataclass
class Tally:
    """Sums over some pictures."""

    pictures: int = 0
    cards: int = 0
    found: int = 0
    told: int = 0
    hands: int = 0
    known_found: int = 0
    known_hands: int = 0
    sure: int = 0
    sure_right: int = 0
    confidence: list[tuple[float, bool]] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)
    named: list[int] = field(default_factory=list)
    """Cards told in each picture."""

    def add(self, truth: list[str], free: list[CardReading], known: list[CardReading], ms: float) -> None:
        """Take in one picture: read without, then with the number of its cards."""
        wanted = Counter(truth)
        named = [reading for reading in free if reading.card is not None]
        told = Counter(str(reading.card) for reading in named)
        right = wanted & told
        self.pictures += 1
        self.cards += len(truth)
        self.told += len(named)
        self.named.append(len(named))
        self.found += right.total()
        self.hands += told == wanted
        told_known = Counter(str(reading.card) for reading in known)
        self.known_found += (wanted & told_known).total()
        self.known_hands += told_known == wanted
        left = Counter(wanted)
        for reading in sorted(free, key=lambda one: -one.confidence):
            name = str(reading.likely[0])
            hit = left[name] > 0
            left[name] -= hit
            self.confidence.append((reading.confidence, hit))
            if not reading.doubtful:
                self.sure += 1
                self.sure_right += hit
        self.ms.append(ms)

    def ece(self) -> float:
        """The expected calibration error over ten bins of equal width."""
        return calibration_error(self.confidence)

    def row(self, name: str) -> str:
        """A line of the table."""
        parts = (
            name,
            self.pictures,
            self.cards,
            share(self.found, self.cards),
            share(self.found, self.told),
            share(self.hands, self.pictures),
            share(self.known_found, self.cards),
            share(self.known_hands, self.pictures),
            f"{share(self.sure_right, self.sure)} of {self.sure}",
        )
        return "| " + " | ".join(str(part) for part in parts) + " |"


HEAD = (
    "| pictures | n | cards | cards found | right of those named | hands exactly right "
    "| found, number known | hands, number known | right of not doubtful |\n|---|---|---|---|---|---|---|---|---|"
)


def share(part: int, whole: int) -> str:
    """A share in per cent."""
    return f"{100 * part / whole:.1f} %" if whole else "–"


def measure(pictures: Iterable[tuple[Array, list[str], tuple[str, ...]]]) -> dict[str, Tally]:
    """Read pictures (image, cards, groups that it counts for) and return the tally of each group."""
    reader = CardReader()
    tallies: dict[str, Tally] = {}
    for image, truth, groups in pictures:
        began_s = process_time()
        free = reader.read(image)
        ms = 1000 * (process_time() - began_s)
        known = reader.read(image, count=max(len(truth), 1))
        for group in groups:
            tallies.setdefault(group, Tally()).add(truth, free, known, ms)
    return tallies
