"""The board's clock in the companion's time, and that time itself."""

import time

WRAP_MS = 1 << 32
BUCKET_MS = 2000
"""The smallest difference over the last one to two such spans counts, each with eight heartbeats.

A Nano's ceramic resonator may be off by 0.5 %, which adds up to 20 ms in this time.
"""


class BoardClock:
    """Learns how far the board's milliseconds are behind the companion's; safe over the wrap after 49.7 days."""

    def __init__(self) -> None:
        self._last: int | None = None
        self._least_ms: list[int] = []
        self._bucket_began_ms = 0

    def hear(self, board_ms: int, t_ms: int) -> None:
        """Note that a message written at `board_ms` has come in at `t_ms`: it cannot have been written later."""
        difference = t_ms - self._unwrapped(board_ms)
        if not self._least_ms or t_ms - self._bucket_began_ms > BUCKET_MS:
            self._bucket_began_ms = t_ms
            self._least_ms = [*self._least_ms[-1:], difference]
        self._least_ms[-1] = min(self._least_ms[-1], difference)

    def here(self, board_ms: int, t_ms: int) -> int:
        """Convert `board_ms` to the companion's time, never later than now (`t_ms`)."""
        if not self._least_ms:
            return t_ms
        return min(self._unwrapped(board_ms) + min(self._least_ms), t_ms)

    def _unwrapped(self, board_ms: int) -> int:
        if self._last is None:
            self._last = board_ms
        step = (board_ms - self._last + WRAP_MS // 2) % WRAP_MS - WRAP_MS // 2
        unwrapped = self._last + step
        self._last = max(self._last, unwrapped)
        return unwrapped


def monotonic_ms() -> int:
    """The clock of commands that run without a table."""
    return round(1000 * time.monotonic())
