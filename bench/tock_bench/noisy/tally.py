"""Counts of simulated games."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from tock_bench.results import percentile


@dataclass(slots=True)
class SlowTally:
    """Counts of slow moves of one kind."""

    n: int = 0
    right: int = 0
    asked: int = 0
    red: int = 0
    """Warnings."""
    silently_wrong: int = 0

    def add(self, one: "GameTally") -> None:
        """Add the turns of a game in which nothing else was counted."""
        self.n += one.turns
        self.right += one.right
        self.asked += one.asked
        self.red += one.warned + one.false_alarms
        self.silently_wrong += one.silently_wrong


@dataclass(slots=True)
class GameTally:
    """Counts of one game; delays from the last physical change, in milliseconds."""

    turns: int = 0
    right: int = 0
    silently_wrong: int = 0
    asked: int = 0
    warned: int = 0
    false_alarms: int = 0
    """Warnings during turns that ended right without help."""
    decision_ms: list[int] = field(default_factory=list)
    explanation_ms: list[int] = field(default_factory=list)
    wrong_boards: int = 0
    wrong_boards_unfinished: int = 0
    """Wrong boards that are a stop on the way of a legal move."""
    wrong_boards_silent: int = 0
    """Other wrong boards without a warning."""
    out_of_turn: int = 0
    out_of_turn_named: int = 0
    """Moves out of turn that the warning called so."""
    mistakes: int = 0
    """Boards with a mistake against a known statement of the rules."""
    rule_named: int = 0
    """Mistakes for which the warning named that statement."""
    mistakes_silent: int = 0
    mistakes_unfinished: int = 0
    """Mistakes shown as an unfinished move."""
    mistake_ms: list[int] = field(default_factory=list)
    slow: dict[str, SlowTally] = field(default_factory=dict)
    """Moves made slowly, with the hand away at each stop, by their kind."""
    failures: Counter[str] = field(default_factory=Counter)


def summary(tallies: Sequence[GameTally]) -> dict[str, object]:
    """Figures of many games; rates are fractions of 1."""

    def total(name: str) -> int:
        return sum(int(getattr(tally, name)) for tally in tallies)

    def share(part: str, whole: str) -> float | None:
        return round(total(part) / total(whole), 5) if total(whole) else None

    def delay(name: str, part: float) -> int | None:
        delays = [delay for tally in tallies for delay in getattr(tally, name)]
        return percentile(delays, part) if delays else None

    kinds = ("right", "silently_wrong", "asked", "warned", "false_alarms")
    counts = (
        "out_of_turn",
        "wrong_boards",
        "wrong_boards_unfinished",
        "wrong_boards_silent",
        "mistakes",
        "mistakes_silent",
    )
    return {
        "n": total("turns"),
        **{name: share(name, "turns") for name in kinds},
        "decision_ms_p50": delay("decision_ms", 0.5),
        "decision_ms_p95": delay("decision_ms", 0.95),
        "games": len(tallies),
        "games_without_fix": round(sum(t.right == t.turns for t in tallies) / len(tallies), 3),
        **{name: total(name) for name in (*counts, "mistakes_unfinished")},
        "out_of_turn_named": share("out_of_turn_named", "out_of_turn"),
        "explanation_ms_p95": delay("explanation_ms", 0.95),
        "rule_named_right": share("rule_named", "mistakes"),
        "mistake_ms_p95": delay("mistake_ms", 0.95),
        "slow": {kind: _slow(tallies, kind) for kind in tallies[0].slow},
    }


def _slow(tallies: Sequence[GameTally], kind: str) -> dict[str, int]:
    slow = [asdict(tally.slow[kind]) for tally in tallies]
    return {name: sum(one[name] for one in slow) for name in slow[0]}
