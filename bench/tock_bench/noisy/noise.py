"""The noise model of the referee's bench: errors of people and of sources.

All numbers are chances per hole and frame, or per turn where noted; the defaults are a guess of a family table in fair
light, to be replaced by measured rates.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from random import Random

from tock_companion.observation import UNSEEN, Edge, HoleReading, HoleState, LoosePawn, Observation
from tock_rules import BoardShape, Hole, Seat


@dataclass(frozen=True, slots=True)
class Noise:
    """Chances of errors."""

    flicker: float = 0.0005
    """A hole is misread in one frame: a pawn overlooked or imagined."""
    wrong_color: float = 0.0005
    """A pawn's colour is misread in one frame."""
    stuck: float = 0.0002
    """Per turn and hole: the hole is misread for the whole turn, with low confidence."""
    unsure: float = 0.01
    """A right reading comes with a low confidence."""
    occluded: float = 0.002
    """A hole is occluded for one frame, not by the hand."""
    stops: float = 0.6
    """Per turn: the pawn is put down in holes on the way, as in counting."""
    beside: float = 0.03
    """Per turn: the pawn is first put down beside its hole."""
    bump: float = 0.01
    """Per turn: a bystander's sleeve moves another pawn, which is put back after a while."""
    changed_mind: float = 0.02
    """Per turn: the pawn is put down in another hole for a moment and picked up again."""
    early: float = 0.05
    """Per turn: the next player picks a pawn up and puts it down before the table has decided."""
    out_of_turn: float = 0.01
    """Per turn: an opponent makes a whole move first, and takes it back when told."""
    slide: float = 0.1
    """Per turn: the pawn is pushed along the holes instead of lifted over them."""
    reed_missed: float = 0.0001
    """Per pawn put down: its switch does not feel it (weak magnet, off centre)."""
    reed_stuck: float = 0.000002
    """Per turn and hole: an open switch says "pawn" for the whole turn."""
    reed_bounce: float = 0.02
    """Per change: the contact opens and closes once more within 20 ms."""

    def scaled(self, factor: float) -> "Noise":
        """The same model with all chances multiplied, none above one half."""
        values = {name: min(0.5, chance * factor) for name, chance in asdict(self).items()}
        return replace(self, **{**values, "stops": self.stops, "slide": self.slide})

    def of_sources(self) -> "Noise":
        """The errors of sources alone: people put pawns only where the move takes them."""
        people = ("stops", "beside", "bump", "changed_mind", "early", "out_of_turn", "slide")
        return replace(self, **dict.fromkeys(people, 0.0))


CONFIDENT = (0.95, 0.995)
DOUBTFUL = (0.5, 0.8)
MISREAD = (0.5, 0.9)
"""Ranges of the confidence of right, unsure and wrong readings."""


class NoisyCamera:
    """Sees colours, is blind under hands, and errs by its noise model."""

    name = "camera"

    def __init__(self, shape: BoardShape, noise: Noise, rng: Random) -> None:
        self.shape = shape
        self._noise = noise
        self._rng = rng
        self._holes = shape.hole_ids()
        self._stuck: dict[Hole, HoleReading] = {}

    def new_turn(self, standing: Mapping[Hole, Seat], seats: tuple[Seat, ...]) -> None:
        """Draw the holes that are misread throughout the turn."""
        self._stuck = {
            hole: self._misread(standing.get(hole), seats)
            for hole in self._holes
            if self._rng.random() < self._noise.stuck
        }

    def observe(
        self,
        standing: Mapping[Hole, Seat],
        occluded: frozenset[Hole],
        t_ms: int,
        seats: tuple[Seat, ...],
        loose: tuple[LoosePawn, ...] = (),
    ) -> Observation:
        """One frame of pawns in holes, some of them occluded by the hand, and of pawns beside the holes."""
        holes = {hole: self._reading(hole, standing.get(hole), occluded, seats) for hole in self._holes}
        return Observation(t_ms, self.name, holes, loose=loose)

    def _reading(
        self, hole: Hole, seat: Seat | None, occluded: frozenset[Hole], seats: tuple[Seat, ...]
    ) -> HoleReading:
        draw, noise = self._rng.random(), self._noise
        if hole in occluded or draw < noise.occluded:
            return UNSEEN
        draw -= noise.occluded
        if hole in self._stuck:
            return self._stuck[hole]
        if draw < noise.flicker or (seat is not None and draw < noise.flicker + noise.wrong_color):
            return self._misread(seat, seats)
        low, high = DOUBTFUL if draw > 1 - noise.unsure else CONFIDENT
        return _as_seen(seat, self._rng.uniform(low, high))

    def _misread(self, seat: Seat | None, seats: tuple[Seat, ...]) -> HoleReading:
        others = [other for other in (None, *seats) if other is not seat]
        return _as_seen(self._rng.choice(others), self._rng.uniform(*MISREAD))


class NoisyReeds:
    """Feels every lift and put within milliseconds, through hands, and sees no colours."""

    name = "reed"

    def __init__(self, shape: BoardShape, noise: Noise, rng: Random) -> None:
        self._noise = noise
        self._rng = rng
        self._holes = shape.hole_ids()
        self._occupied: frozenset[Hole] = frozenset()
        self._missed: set[Hole] = set()
        self._stuck: frozenset[Hole] = frozenset()

    def new_turn(self, standing: Mapping[Hole, Seat]) -> None:
        """Draw the empty holes that are felt as occupied throughout the turn."""
        self._stuck = frozenset(
            hole
            for hole in self._holes
            if hole not in standing and self._rng.random() < self._noise.reed_stuck
        )

    def feel(self, standing: Mapping[Hole, Seat], t_ms: int) -> list[Observation]:
        """One observation for each change since the last call, each with its own millisecond."""
        now = frozenset(standing)
        lifted, put = sorted(self._occupied - now), sorted(now - self._occupied)
        self._missed -= set(lifted)
        self._missed |= {hole for hole in put if self._rng.random() < self._noise.reed_missed}
        before = self._closed()
        self._occupied = now
        found: list[Observation] = []
        for hole in (*lifted, *put):
            if (hole in before) is (hole in self._closed()):
                continue
            state = HoleState.PAWN if hole in put else HoleState.EMPTY
            for state_felt in self._bounced(state):
                t_ms += self._rng.randint(1, 20)
                found.append(self._observation(t_ms, (Edge(t_ms, hole, state_felt),)))
        return found

    def press_down(self) -> None:
        """Straighten the pawns that no switch senses, as people do when asked."""
        self._missed.clear()

    def heartbeat(self, t_ms: int) -> Observation:
        """The whole board, without an edge."""
        return self._observation(t_ms, ())

    def _bounced(self, state: HoleState) -> tuple[HoleState, ...]:
        other = HoleState.EMPTY if state is HoleState.PAWN else HoleState.PAWN
        return (state, other, state) if self._rng.random() < self._noise.reed_bounce else (state,)

    def _closed(self) -> frozenset[Hole]:
        return (self._occupied - self._missed) | self._stuck

    def _observation(self, t_ms: int, edges: tuple[Edge, ...]) -> Observation:
        closed = self._closed()
        holes = {hole: _FELT if hole in closed else _OPEN for hole in self._holes}
        for edge in edges:
            holes[edge.hole] = _FELT if edge.state is HoleState.PAWN else _OPEN
        return Observation(t_ms, self.name, holes, edges)


_FELT = HoleReading(HoleState.PAWN)
_OPEN = HoleReading(HoleState.EMPTY)


def _as_seen(seat: Seat | None, confidence: float) -> HoleReading:
    return HoleReading(HoleState.EMPTY if seat is None else HoleState.PAWN, seat, confidence)


KINDS = ("camera", "reed", "both")
FRAME_MS = 100
HEARTBEAT_MS = 1000


class Sensing:
    """A noisy camera, a noisy reed board, or both over the same table."""

    def __init__(self, kind: str, shape: BoardShape, noise: Noise, rng: Random) -> None:
        self.camera = NoisyCamera(shape, noise, rng) if kind != "reed" else None
        self.reeds = NoisyReeds(shape, noise, rng) if kind != "camera" else None

    def new_turn(self, standing: Mapping[Hole, Seat], seats: tuple[Seat, ...]) -> None:
        """Draw the misreadings of the turn."""
        if self.camera is not None:
            self.camera.new_turn(standing, seats)
        if self.reeds is not None:
            self.reeds.new_turn(standing)

    def press_down(self) -> None:
        """Straighten the pawns that are not felt."""
        if self.reeds is not None:
            self.reeds.press_down()

    def watch(
        self,
        standing: Mapping[Hole, Seat],
        occluded: frozenset[Hole],
        span_ms: tuple[int, int],
        seats: tuple[Seat, ...],
        loose: tuple[LoosePawn, ...] = (),
    ) -> Iterator[Observation]:
        """Yield the observations of a time in which no pawn moves."""
        begin_ms, end_ms = span_ms
        if self.reeds is not None:
            yield from self.reeds.feel(standing, begin_ms)
        for t_ms in range(begin_ms + 1, end_ms + 1):
            if self.camera is not None and t_ms % FRAME_MS == 0:
                yield self.camera.observe(standing, occluded, t_ms, seats, loose)
            if self.reeds is not None and t_ms % HEARTBEAT_MS == 0:
                yield self.reeds.heartbeat(t_ms)
