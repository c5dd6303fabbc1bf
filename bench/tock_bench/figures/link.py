"""Measures the speed and reliability of the reed board's link: the compiled firmware on the emulated chip, in lockstep.

Times are the board's (emulated) plus the processor time of the companion, so that a busy machine does not blur them.
"""

import random
from statistics import median
from typing import Annotated

from tests.support.lockstep import Lockstep
from tock_bench.results import Figures, Say, percentile
from tock_companion.boardfile.wiring import inputs_of

ZONES, SOAK_ZONES = 8, 4
STEP_MS, SOAK_STEP_MS = 0.25, 5
DAMAGE_RATES = (0.0, 0.0001, 0.001, 0.01)
EVENT_PATIENCE_MS = 1_000
SETTLED_MS = 25
"""A switch that has been still for so long must be read correctly."""
REST_S = 3
"""The switches rest at the end of a soak; the line stays as bad."""
CHANGES_PER_S = 1.0
SEED = 7


def run(
    say: Say,
    events: int = 400,
    seconds: Annotated[int, "of each soak"] = 60,
    rates: Annotated[
        tuple[float, ...], "shares of bytes that are lost, and of bytes that are flipped"
    ] = DAMAGE_RATES,
) -> Figures:
    """Measure delay, scan rate and damage; takes about two minutes."""
    say("switch to parsed event")
    figures = _event_figures(events)
    for rate in rates:
        say(f"{seconds} s with {100 * rate:g} % of all bytes lost and as many flipped")
        figures[f"damage_{rate:g}"] = _soak(rate, seconds)
    return figures


def _event_figures(count: int) -> dict[str, object]:
    """Delay from the switch to the parsed event, and scans per second."""
    rng, rig = random.Random(SEED), Lockstep(ZONES)
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
                assert rig.ms - began_ms < EVENT_PATIENCE_MS, f"the event of input {number} never came"
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


def _scans_per_s(rig: Lockstep) -> float:
    rig.run(600)
    first = rig.link.heartbeat
    rig.run(5000)
    last = rig.link.heartbeat
    assert first is not None
    assert last is not None
    return 1000 * ((last.scans - first.scans) % 65536) / (last.ms - first.ms)


def _soak(rate: float, seconds: int) -> Figures:
    """The companion's lag behind the switches while bytes are lost and flipped.

    `stale` is the share of the time in which it believes nothing or a wrong board; `silently_wrong` counts a board that
    is believed and wrong at the end.
    """
    rng, rig = random.Random(SEED), Lockstep(SOAK_ZONES)
    inputs = sorted(inputs_of(SOAK_ZONES).values())
    truth: dict[int, tuple[bool, float]] = dict.fromkeys(inputs, (False, -1000.0))
    steps = stale = unknown = behind_ms = longest_ms = wrong_ms = changes = 0
    try:
        rig.until_known()
        per_million = round(1_000_000 * rate)
        rig.board.tell("damage", per_million, per_million, SEED)
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
            is_known, is_wrong = rig.link.trusted is not None, _is_wrong(rig, truth)
            unknown += not is_known
            wrong_ms += SOAK_STEP_MS * is_wrong
            behind_ms = behind_ms + SOAK_STEP_MS if is_wrong or not is_known else 0
            stale += behind_ms > 0
            longest_ms = max(longest_ms, behind_ms)
        return {
            "n": changes,
            "seconds": seconds,
            "stale": round(stale / steps, 5),
            "unknown": round(unknown / steps, 5),
            "longest_stale_ms": longest_ms,
            "believed_wrong_ms": wrong_ms,
            "silently_wrong": int(_is_wrong(rig, truth)),
            "bad_frames": rig.link.counts.bad_frames,
            "doubts": rig.link.counts.doubts,
        }
    finally:
        rig.close()


def _is_wrong(rig: Lockstep, truth: dict[int, tuple[bool, float]]) -> bool:
    """Whether a board is believed in which a settled switch is read wrongly."""
    believed = rig.link.trusted
    return believed is not None and any(
        bool(believed >> number & 1) is not closed
        for number, (closed, since_ms) in truth.items()
        if rig.ms - since_ms > SETTLED_MS
    )
