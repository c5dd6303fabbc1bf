"""What sources make of a film of pawns: frames ten times a second, touches at their own millisecond, or both."""

from collections.abc import Iterator, Mapping
from random import Random

from tock_bench.noise import Noise, NoisyCamera, NoisyReeds
from tock_companion.observation import Observation
from tock_companion.rules import BoardShape, Seat

KINDS = ("camera", "reed", "both")
FRAME_MS = 100
HEARTBEAT_MS = 1000


class Sensing:
    """A noisy camera, a noisy reed board, or both over the same table."""

    def __init__(self, kind: str, shape: BoardShape, noise: Noise, chance: Random) -> None:
        self.camera = NoisyCamera(shape, noise, chance) if kind != "reed" else None
        self.reeds = NoisyReeds(shape, noise, chance) if kind != "camera" else None

    def new_turn(self, standing: Mapping[str, Seat], seats: tuple[Seat, ...]) -> None:
        """Draw what is misread throughout the turn to come."""
        if self.camera is not None:
            self.camera.new_turn(standing, seats)
        if self.reeds is not None:
            self.reeds.new_turn(standing)

    def press_down(self) -> None:
        """Put the pawns right that are not felt."""
        if self.reeds is not None:
            self.reeds.press_down()

    def watch(
        self,
        standing: Mapping[str, Seat],
        hidden: frozenset[str],
        span_ms: tuple[int, int],
        seats: tuple[Seat, ...],
    ) -> Iterator[Observation]:
        """Yield what the sources say from the moment when the pawns came to stand so until just before the end."""
        begin_ms, end_ms = span_ms
        if self.reeds is not None:
            yield from self.reeds.feel(standing, begin_ms)
        for t_ms in range(begin_ms + 1, end_ms + 1):
            if self.camera is not None and t_ms % FRAME_MS == 0:
                yield self.camera.look(standing, hidden, t_ms, seats)
            if self.reeds is not None and t_ms % HEARTBEAT_MS == 0:
                yield self.reeds.heartbeat(t_ms)
