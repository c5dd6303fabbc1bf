"""Measures the time for a photo of five cards on one core, from decoded pixels to named cards."""

from collections.abc import Callable
from time import perf_counter, thread_time

import cv2
import numpy as np

from tests.support.drawn_cards import hand
from tock_vision.arrays import Frame
from tock_vision.cards.reading import CardReader

SIZE_PX = (1280, 960)
HANDS = (["AS", "2H", "5D", "6C", "7S"], ["9H", "10S", "JD", "QC", "KH"])
SPREADS = (0.0, 0.16)
FIRST_READS = 2
PHOTO_SAMPLES_SHARE = 4
"""A thorough reading takes ten times as long, so a quarter as many are timed."""


def run(progress: Callable[[str], None], samples: int = 60) -> dict[str, object]:
    """Times in ms for cards side by side and fanned in turn; `cpu_ms` leaves out other programs.

    `photo_…` is the thorough reading of a still picture, the rest the quick one of the camera over the pile.
    """
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        progress("cards: photos of five cards")
        photos = [hand(names, SIZE_PX, spread) for names in HANDS for spread in SPREADS]
        quick = _times(photos, samples, thorough=False)
        progress("cards: the same, read thoroughly")
        thorough = _times(photos, max(len(photos), samples // PHOTO_SAMPLES_SHARE), thorough=True)
    finally:
        cv2.setNumThreads(threads)
    return {"n": samples, **quick, **{f"photo_{name}": ms for name, ms in thorough.items()}}


def _times(photos: list[Frame], samples: int, *, thorough: bool) -> dict[str, float]:
    reader = CardReader()
    for photo in photos[:FIRST_READS]:
        reader.read(photo, thorough=thorough)
    times_ms, cpu_ms = [], []
    for number in range(samples):
        began_s, cpu_began_s = perf_counter(), thread_time()
        reader.read(photos[number % len(photos)], thorough=thorough)
        times_ms.append(1000 * (perf_counter() - began_s))
        cpu_ms.append(1000 * (thread_time() - cpu_began_s))
    return {
        "ms_median": round(float(np.median(times_ms)), 1),
        "ms_p95": round(float(np.percentile(times_ms, 95)), 1),
        "cpu_ms_median": round(float(np.median(cpu_ms)), 1),
        "cpu_ms_p95": round(float(np.percentile(cpu_ms, 95)), 1),
    }
