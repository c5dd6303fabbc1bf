"""Says one sentence after another, on a thread of its own, and never one whose moment has gone."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from tock_companion.background import Background

STALE_S = 6.0
"""A sentence that had to wait longer is not said any more: the phones show the present state."""
REPEAT_S = 10.0
"""The same sentence is not said again within this time: a warning may come and go with a hand over the board."""


@dataclass(frozen=True, slots=True)
class Utterance:
    text: str
    lang: str
    asked_s: float


class Speaker:
    """One sentence is being said and one may wait: a newer one takes the place of the one that waits."""

    def __init__(
        self, say: Callable[[str, str], None], clock_s: Callable[[], float] = time.monotonic
    ) -> None:
        self._say = say
        self._clock_s = clock_s
        self._changed = threading.Condition()
        self._waiting: Utterance | None = None
        self._last: Utterance | None = None
        self._loop = Background(
            "tock-voice",
            "while the host wants it: says one sentence after another",
            self._step,
            wake=self._wake,
        )

    def start(self) -> None:
        self._loop.start()

    def stop(self) -> None:
        """Say nothing more; the loudspeaker ends the present sentence."""
        self._loop.stop()

    def put(self, text: str, lang: str) -> None:
        """Ask for a sentence; returns at once."""
        with self._changed:
            self._waiting = Utterance(text, lang, self._clock_s())
            self._changed.notify()

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify()

    def _step(self) -> float | None:
        utterance = self._next()
        if utterance is None:
            return None
        self._say(utterance.text, utterance.lang)
        return 0.0

    def _next(self) -> Utterance | None:
        """Wait for a sentence that is worth saying; None at the end."""
        with self._changed:
            while not self._loop.is_stopping:
                waiting, self._waiting = self._waiting, None
                if waiting is not None and self._is_worth(waiting):
                    self._last = waiting
                    return waiting
                if self._waiting is None:
                    self._changed.wait()
            return None

    def _is_worth(self, utterance: Utterance) -> bool:
        now_s, last = self._clock_s(), self._last
        if now_s - utterance.asked_s > STALE_S:
            return False
        return last is None or last.text != utterance.text or now_s - last.asked_s > REPEAT_S
