"""Counts how well cards are read: cards found, wrong ones, whole hands, calibration; on any pictures with truth."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from time import process_time
from typing import Any

import numpy as np

from tock_vision.cards import CardReader, CardReading
from vision.training.reader.tally import calibration_error

Array = Any
CARDS, FOUND, NAMED, WRONG, _, HANDS, WHOLE = range(7)
"""Columns of the rows of a tally."""
DRAWN = 1000
"""Bootstrap samples for the spread."""


@dataclass(frozen=True)
class Picture:
    """A picture with its truth."""

    image: Array
    cards: tuple[str, ...]
    groups: tuple[str, ...]
    """The groups in which it is counted."""
    unreadable: int = 0
    """Further cards of which a person cannot be certain: naming them is not wrong, whole hands are not asked for."""


@dataclass
class CardTally:
    """Sums over some pictures."""

    rows: list[tuple[int, ...]] = field(default_factory=list)
    """Of each picture: cards, found, named, wrong, doubles, asked as a hand, hand right, found and hand right with the
    number known."""
    sure: int = 0
    sure_right: int = 0
    confidence: list[tuple[float, bool]] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)

    def add(self, picture: Picture, free: list[CardReading], known: list[CardReading], ms: float) -> None:
        """Take in one picture: read without, then with the number of its cards."""
        wanted = Counter(picture.cards)
        answers = Counter(str(reading.card) for reading in free if reading.card is not None)
        named_known = Counter(str(reading.card) for reading in known if reading.card is not None)
        right = (wanted & answers).total()
        wrong = max(0, answers.total() - right - picture.unreadable)
        doubles = sum(max(0, count - max(wanted[name], 1)) for name, count in answers.items())
        asked = picture.unreadable == 0
        self.rows.append(
            (
                len(picture.cards),
                right,
                right + wrong,
                wrong,
                doubles,
                asked,
                asked and answers == wanted,
                (wanted & named_known).total(),
                asked and named_known == wanted,
            )
        )
        left, spared = Counter(wanted), picture.unreadable
        for reading in sorted((one for one in free if one.likely), key=lambda one: -one.confidence):
            name = str(reading.likely[0])
            hit = left[name] > 0
            left[name] -= hit
            if not hit and spared:
                spared -= 1
                continue
            self.confidence.append((reading.confidence, hit))
            if not reading.doubtful:
                self.sure += 1
                self.sure_right += hit
        self.ms.append(ms)

    def sums(self) -> tuple[int, ...]:
        """The sums of the rows."""
        return tuple(int(value) for value in np.array(self.rows).sum(axis=0))

    def spread(self, part: int, whole: int) -> str:
        """The 95 % interval of the share, by bootstrap over the pictures (seeded)."""
        rows = np.array(self.rows)[:, [part, whole]]
        drawn = rows[np.random.default_rng(0).integers(0, len(rows), (DRAWN, len(rows)))].sum(axis=1)
        low, high = np.percentile(drawn[:, 0] / np.maximum(drawn[:, 1], 1), (2.5, 97.5))
        return f"{100 * low:.0f}–{100 * high:.0f}"

    def ece(self) -> float:
        """The expected calibration error over ten bins of equal width."""
        return calibration_error(self.confidence)

    def row(self, name: str) -> str:
        """A line of the table."""
        cards, found, named, wrong, doubles, hands, whole, known_found, known_whole = self.sums()
        parts = (
            name,
            len(self.rows),
            cards,
            f"{share(found, cards)} ({self.spread(FOUND, CARDS)})",
            f"{share(whole, hands)} ({self.spread(WHOLE, HANDS)})",
            f"{wrong} of {named}",
            doubles,
            share(known_found, cards),
            share(known_whole, hands),
            f"{self.sure - self.sure_right} of {self.sure}",
        )
        return "| " + " | ".join(str(part) for part in parts) + " |"


HEAD = (
    "| pictures | n | cards | cards found | whole hands | wrong of named | doubles "
    "| found, number known | hands, number known | wrong of not doubtful |\n|---|---|---|---|---|---|---|---|---|---|"
)


def share(part: int, whole: int) -> str:
    """A share in per cent."""
    return f"{100 * part / whole:.1f} %" if whole else "–"


def measure(pictures: Iterable[Picture]) -> dict[str, CardTally]:
    """Read still pictures thoroughly and return the tally of each group."""
    reader = CardReader()
    tallies: dict[str, CardTally] = {}
    for picture in pictures:
        began_s = process_time()
        free = reader.read(picture.image, thorough=True)
        ms = 1000 * (process_time() - began_s)
        known = [reading for reading in free if reading.card is not None]
        if len(known) != len(picture.cards):
            # Where the named are as many as there are, knowing the number changes nothing.
            known = reader.read(picture.image, count=max(len(picture.cards), 1), thorough=True)
        for group in picture.groups:
            tallies.setdefault(group, CardTally()).add(picture, free, known, ms)
    return tallies
