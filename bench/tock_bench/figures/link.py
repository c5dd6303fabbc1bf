"""Measures how quick and how sure the reed board's link is: the compiled firmware on the emulated chip, in lockstep.

Times are the board's own (emulated) plus the processor time that the companion takes, so that a busy machine does
not blur them; only `event_wall_ms_…` is by the clock on the wall, control line and terminal included.
"""

import random
import time
from collections.abc import Callable
from statistics import median

from tock_bench.results import percentile
from tock_companion.boardfile.wiring import inputs_of
from tock_companion.sources.reed.emulator import Emulator
from tock_companion.sources.reed.link import InputEdge, ReedLink
from tock_companion.sources.reed.ports import SerialLine

Progress = Callable[[str], None]

ZONES = 8
SOAK_ZONES = 4
EVENTS = 400
STEP_MS = 0.25
SOAK_STEP_MS = 5
DAMAGE_RATES = (0.0, 0.0001, 0.001, 0.01)
SOAK_S = 60
REST_S = 3
"""At the end of a soak the switches rest this long; the line stays as bad as it was."""
CHANGES_PER_S = 1.0
SEED = 7
READ_PATIENCE_S = 5.0


class LockstepLink:
    """A link to an emulated board whose time passes only in `run`."""

    def __init__(self, zones: int) -> None:
        self.board = Emulator(zones, lockstep=True)
        self.line = SerialLine(self.board.port)
        self.link = ReedLink(zones)
        self.ms = 0.0
        self.cpu_ms = 0.0
        self._sent = self._read = 0

    def run(self, ms: float) -> list[InputEdge]:
        """Let time pass, then take in all that the board has sent meanwhile."""
        request = self.link.send(round(self.ms))
        if request:
            self.line.write(request)
        self._sent = self.board.run_ms(ms)
        self.ms += ms
        changes: list[InputEdge] = []
        end_s = time.monotonic() + READ_PATIENCE_S
        while self._read < self._sent and time.monotonic() < end_s:
            data = self.line.read()
            self._read += len(data)
            began_s = time.process_time()
            changes += self.link.feed(data, round(self.ms))
            self.cpu_ms = 1000 * (time.process_time() - began_s)
        return changes

    def until_known(self) -> None:
        """Run until the switches are known."""
        while self.link.trusted is None and self.ms < 5000:
            self.run(5)

    def close(self) -> None:
        """End it all."""
        self.line.close()
        self.board.close()


def run(progress: Progress) -> dict[str, object]:
    """Measure delay, scan rate and damage; takes about two minutes."""
    progress("switch to parsed event")
    figures = event_figures(EVENTS)
    progress("the same by the clock on the wall")
    figures |= wall_figures(EVENTS // 4)
    for rate in DAMAGE_RATES:
        progress(f"{SOAK_S} s with {100 * rate:g} % of all bytes lost and as many flipped")
        figures[f"damage_{rate:g}"] = soak(rate, SOAK_S)
    return figures


def event_figures(count: int) -> dict[str, object]:
    """Delay from the switch to the parsed event, and scans per second."""
    rng = random.Random(SEED)
    rig = LockstepLink(ZONES)
    try:
        rig.until_known()
        inputs = sorted(inputs_of(ZONES).values())
        times_ms = []
        closed: set[int] = set()
        for _ in range(count):
            rig.run(rng.uniform(15, 40))
            number = rng.choice(inputs)
            closed ^= {number}
            rig.board.switch(number, number in closed)
            began_ms = rig.ms
            while not any(change.input == number for change in rig.run(STEP_MS)):
                if rig.ms - began_ms > 1000:
                    raise AssertionError(f"the event of input {number} never came")
            times_ms.append(rig.ms - began_ms + rig.cpu_ms)
        scans_per_s = _scans_per_s(rig)
    finally:
        rig.close()
    return {
        "holes": len(inputs),
        "event_ms_median": round(median(times_ms), 2),
        "event_ms_p99": round(percentile(times_ms, 0.99), 2),
        "event_ms_max": round(max(times_ms), 2),
        "n": count,
        "scans_per_s": round(scans_per_s),
    }


def _scans_per_s(rig: LockstepLink) -> float:
    rig.run(600)
    assert rig.link.heartbeat is not None
    first = rig.link.heartbeat
    rig.run(5000)
    last = rig.link.heartbeat
    return 1000 * ((last.scans - first.scans) % 65536) / (last.ms - first.ms)


def wall_figures(count: int) -> dict[str, object]:
    """The same in real time, on a machine that may be busy."""
    rng = random.Random(SEED)
    link = ReedLink(ZONES)
    times_ms = []
    with Emulator(ZONES) as board:
        line = SerialLine(board.port)
        try:
            inputs = sorted(inputs_of(ZONES).values())
            closed: set[int] = set()

            def exchange() -> list[InputEdge]:
                now_ms = round(1000 * time.monotonic())
                line.write(link.send(now_ms))
                return link.feed(line.read(), now_ms)

            while link.trusted is None:
                exchange()
            for _ in range(count):
                number = rng.choice(inputs)
                closed ^= {number}
                began_s = time.monotonic()
                board.switch(number, number in closed)
                while not any(change.input == number for change in exchange()):
                    if time.monotonic() - began_s > READ_PATIENCE_S:
                        break
                times_ms.append(1000 * (time.monotonic() - began_s))
        finally:
            line.close()
    return {
        "event_wall_ms_median": round(median(times_ms), 2),
        "event_wall_ms_p99": round(percentile(times_ms, 0.99), 2),
        "event_wall_n": count,
    }


def soak(rate: float, seconds: int, seed: int = SEED) -> dict[str, object]:
    """Measure the companion's lag behind the switches while bytes are lost and flipped.

    `stale` is the part of the time in which it believes nothing, or something else than what the switches have been
    for 25 ms; `silently_wrong` counts a board that is believed and wrong at the end.
    """
    rng = random.Random(seed)
    rig = LockstepLink(SOAK_ZONES)
    per_million = round(1_000_000 * rate)
    inputs = sorted(inputs_of(SOAK_ZONES).values())
    truth: dict[int, tuple[bool, float]] = dict.fromkeys(inputs, (False, -1000.0))
    steps = stale_steps = unknown_steps = longest_ms = wrong_ms = changes = 0
    behind_ms = 0
    try:
        rig.until_known()
        rig.board.tell("damage", per_million, per_million, seed)
        end_ms = rig.ms + 1000 * seconds
        while rig.ms < end_ms:
            rests = rig.ms > end_ms - 1000 * REST_S
            if not rests and rng.random() < CHANGES_PER_S * SOAK_STEP_MS / 1000:
                number = rng.choice(inputs)
                truth[number] = (not truth[number][0], rig.ms)
                rig.board.switch(number, truth[number][0])
                changes += 1
            rig.run(SOAK_STEP_MS)
            steps += 1
            believed = rig.link.trusted
            wrong = believed is not None and not _agrees(believed, truth, rig.ms)
            wrong_ms += SOAK_STEP_MS if wrong else 0
            unknown_steps += believed is None
            behind_ms = behind_ms + SOAK_STEP_MS if wrong or believed is None else 0
            stale_steps += behind_ms > 0
            longest_ms = max(longest_ms, behind_ms)
        believed = rig.link.trusted
        return {
            "n": changes,
            "seconds": seconds,
            "stale": round(stale_steps / steps, 5),
            "unknown": round(unknown_steps / steps, 5),
            "longest_stale_ms": longest_ms,
            "believed_wrong_ms": wrong_ms,
            "silently_wrong": int(believed is not None and not _agrees(believed, truth, rig.ms)),
            "bad_frames": rig.link.counts.bad_frames,
            "doubts": rig.link.counts.doubts,
        }
    finally:
        rig.close()


def _agrees(believed: int, truth: dict[int, tuple[bool, float]], ms: float) -> bool:
    """Whether every switch that has been still for 25 ms is read correctly."""
    return all(
        bool(believed >> number & 1) is closed
        for number, (closed, since_ms) in truth.items()
        if ms - since_ms > 25
    )
