"""Finds holes on which a camera, a reed board and people contradict each other: a matter of upkeep, not of the game."""

from dataclasses import dataclass

from tock_companion.observation import HoleState
from tock_companion.referee.tracking.belief import NOTHING, Belief
from tock_companion.referee.tracking.fusion import SensorFusion
from tock_rules import Hole

REPORTED_AFTER_MS = 3000
"""A hand that comes or goes makes two sources differ for a moment."""
SEEN_CLEARLY_LOG_ODDS = 2.5
"""Confidence below which a camera does not contradict a switch."""
ANOTHER_VIEW_HOLES = 6
"""This many holes at once are not weak magnets: one of the sources is looking at something else."""
ANOTHER_VIEW_MS = 60_000
"""Time for which they must differ for that."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """One hole, or the whole board (hole None), with a stable code that the page turns into a sentence.

    Between sources `weak_magnet`, `stuck_switch`, `sources_differ`; where people know better `unfelt_pawn`,
    `felt_wrongly`; a switch that bounces all the time is a `loose_switch`.
    """

    code: str
    hole: Hole | None


def disputes(fusion: SensorFusion) -> tuple[Dispute, ...]:
    """The contradictions that have lasted longer than a hand takes."""
    if not fusion.switch_sources:
        return ()
    loose = tuple(
        Dispute("loose_switch", hole) for hole, trials in fusion.trust.trials.items() if trials.flutters
    )
    if fusion.switch_sources.issuperset(fusion.watches):
        return (*loose, *_overruled(fusion))
    return (*loose, *_between_sources(fusion))


def _overruled(fusion: SensorFusion) -> tuple[Dispute, ...]:
    """The switches that only people contradict."""
    return tuple(
        Dispute("felt_wrongly" if state is HoleState.PAWN else "unfelt_pawn", hole)
        for _, hole, state in sorted(fusion.overruled, key=lambda one: one[:2])
    )


def _between_sources(fusion: SensorFusion) -> tuple[Dispute, ...]:
    found: list[tuple[int, Dispute]] = []
    now_ms = fusion.fused.t_ms
    for hole in fusion.fused.holes:
        seen, felt, since_ms = _beliefs(fusion, hole)
        if HoleState.UNKNOWN in (seen.state, felt.state) or seen.state is felt.state:
            continue
        if seen.log_odds >= SEEN_CLEARLY_LOG_ODDS and now_ms - since_ms >= REPORTED_AFTER_MS:
            code = "weak_magnet" if seen.state is HoleState.PAWN else "stuck_switch"
            found.append((now_ms - since_ms, Dispute(code, hole)))
    if sum(for_ms >= ANOTHER_VIEW_MS for for_ms, _ in found) >= ANOTHER_VIEW_HOLES:
        return (Dispute("sources_differ", None),)
    return tuple(dispute for _, dispute in found)


def _beliefs(fusion: SensorFusion, hole: Hole) -> tuple[Belief, Belief, int]:
    """The readings of camera and switch for a hole, and since when both have been so."""
    seen, felt, since_ms = NOTHING, NOTHING, 0
    for name, watch in fusion.watches.items():
        tracked = watch.hole(hole)
        if tracked.occluded:
            continue
        since_ms = max(since_ms, tracked.since_ms, tracked.visible_since_ms)
        if name in fusion.switch_sources:
            felt = tracked.belief
        elif seen.state is HoleState.UNKNOWN or tracked.belief.log_odds > seen.log_odds:
            seen = tracked.belief
    return seen, felt, since_ms
