"""Measures the time for a photo of five cards on one core, from decoded pixels to named cards."""

from functools import partial
from itertools import cycle, islice

from tests.support.drawn_cards import hand
from tock_bench.figures.one_core import on_one_core, timed_ms
from tock_bench.results import Figures, Say, spread
from tock_vision.arrays import Frame
from tock_vision.cards.reading import CardReader

SIZE_PX = (1280, 960)
HANDS = (["AS", "2H", "5D", "6C", "7S"], ["9H", "10S", "JD", "QC", "KH"])
SPREADS = (0.0, 0.16)
FIRST_READS = 2
PHOTO_SAMPLES_SHARE = 4
"""A thorough reading takes ten times as long, so a quarter as many are timed."""


def run(say: Say, samples: int = 60) -> Figures:
    """Times in ms for cards side by side and fanned in turn; `cpu_ms` leaves out other programs.

    `photo_…` is the thorough reading of a still picture, the rest the quick one of the camera over the pile.
    """
    with on_one_core():
        photos = [hand(names, SIZE_PX, fan) for names in HANDS for fan in SPREADS]
        say("cards: photos of five cards")
        quick = _times(photos, samples, thorough=False)
        say("cards: the same, read thoroughly")
        thorough = _times(photos, max(len(photos), samples // PHOTO_SAMPLES_SHARE), thorough=True)
    return {"n": samples, **quick, **{f"photo_{name}": ms for name, ms in thorough.items()}}


def _times(photos: list[Frame], samples: int, *, thorough: bool) -> dict[str, float]:
    reader = CardReader()
    for photo in photos[:FIRST_READS]:
        reader.read(photo, thorough=thorough)
    shown = islice(cycle(photos), samples)
    times_ms = [timed_ms(partial(reader.read, photo, thorough=thorough)) for photo in shown]
    wall_ms, cpu_ms = zip(*times_ms, strict=True)
    return {**spread("ms", wall_ms), **spread("cpu_ms", cpu_ms)}
