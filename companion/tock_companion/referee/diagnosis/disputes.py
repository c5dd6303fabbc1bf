"""Where a camera, a reed board and people contradict each other: a matter of health, not of the game."""

from dataclasses import dataclass

from tock_companion.observation import HoleState
from tock_companion.referee.tracking.belief import NOTHING, Belief
from tock_companion.referee.tracking.fusion import SensorFusion

TOLD_AFTER_MS = 3000
"""A hand that comes or goes makes two sources differ for a moment."""
MANY = 6
"""So many holes at once are no weak magnets: one source looks at something else."""
FOR_MINUTES_MS = 60_000
FIRM = 2.5
"""Log odds under which a camera says too little to contradict a switch."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """One hole, or the whole board (hole None).

    Between sources `weak_magnet`, `stuck_switch`, `sources_differ`; where people know better `unfelt_pawn`,
    `felt_wrongly`; a switch that bounces all the time is a `loose_switch`.
    """

    code: str
    hole: str | None


def disputes(senses: SensorFusion) -> tuple[Dispute, ...]:
    """Return what has been contradictory for longer than a hand takes."""
    if not senses.switch_sources:
        return ()
    loose = tuple(
        Dispute("loose_switch", hole) for hole, trials in senses.trust.trials.items() if trials.flutters
    )
    if senses.switch_sources.issuperset(senses.watches):
        return (*loose, *_overruled(senses))
    return (*loose, *_between_sources(senses))


def _between_sources(senses: SensorFusion) -> tuple[Dispute, ...]:
    found: list[tuple[int, Dispute]] = []
    now_ms = senses.fused.t_ms
    for hole in senses.fused.holes:
        seen, felt, since_ms = _beliefs(senses, hole)
        if HoleState.UNKNOWN in (seen.state, felt.state) or seen.state is felt.state:
            continue
        if seen.log_odds >= FIRM and now_ms - since_ms >= TOLD_AFTER_MS:
            code = "weak_magnet" if seen.state is HoleState.PAWN else "stuck_switch"
            found.append((now_ms - since_ms, Dispute(code, hole)))
    if sum(for_ms >= FOR_MINUTES_MS for for_ms, _ in found) >= MANY:
        return (Dispute("sources_differ", None),)
    return tuple(dispute for _, dispute in found)


def _overruled(senses: SensorFusion) -> tuple[Dispute, ...]:
    """Return the switches that only people contradict."""
    return tuple(
        Dispute("felt_wrongly" if state is HoleState.PAWN else "unfelt_pawn", hole)
        for _, hole, state in sorted(senses.overruled, key=lambda one: one[:2])
    )


def _beliefs(senses: SensorFusion, hole: str) -> tuple[Belief, Belief, int]:
    """Return what is seen and felt of a hole, and since when both have said so."""
    seen, felt, since_ms = NOTHING, NOTHING, 0
    for name, watch in senses.watches.items():
        tracked = watch.hole(hole)
        if tracked.occluded:
            continue
        since_ms = max(since_ms, tracked.since_ms, tracked.visible_since_ms)
        if name in senses.switch_sources:
            felt = tracked.belief
        elif seen.state is HoleState.UNKNOWN or tracked.belief.log_odds > seen.log_odds:
            seen = tracked.belief
    return seen, felt, since_ms
