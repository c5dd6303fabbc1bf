"""Counts the turns, wrong boards and mistakes of one simulated game."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, fields

from tock_bench.results import percentile_of_any


@dataclass(slots=True)
class GameTally:
    """Counts of one game; delays from the last physical change, in milliseconds."""

    turns: int = 0
    right: int = 0
    silently_wrong: int = 0
    asked: int = 0
    warned: int = 0
    false_alarms: int = 0
    """Warnings given during turns that ended right by themselves."""
    decision_ms: list[int] = field(default_factory=list)
    explanation_ms: list[int] = field(default_factory=list)
    wrong_boards: int = 0
    silent: int = 0
    """Wrong boards that got no warning."""
    out_of_turn: int = 0
    out_of_turn_named: int = 0
    """Moves out of turn of which the warning said so."""
    mistakes: int = 0
    """Boards with a mistake against a known statement of the rules."""
    rule_named: int = 0
    """Mistakes of which the warning named that statement."""
    mistakes_silent: int = 0
    mistakes_unfinished: int = 0
    """Mistakes shown as an unfinished move: the board looks like one that goes on."""
    mistake_ms: list[int] = field(default_factory=list)
    failures: Counter[str] = field(default_factory=Counter)

    def to_json(self) -> dict[str, object]:
        """Plain values, for a line of a log."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        return {**values, "failures": dict(self.failures)}


def summary(tallies: Sequence[GameTally]) -> dict[str, object]:
    """Figures of many games; rates are fractions of 1."""

    def total(name: str) -> int:
        return sum(int(getattr(tally, name)) for tally in tallies)

    def share(part: str, whole: str) -> float | None:
        return round(total(part) / total(whole), 5) if total(whole) else None

    def delays(name: str) -> list[int]:
        return [delay for tally in tallies for delay in getattr(tally, name)]

    kinds = ("right", "silently_wrong", "asked", "warned", "false_alarms")
    return {
        "n": total("turns"),
        **{name: share(name, "turns") for name in kinds},
        "decision_ms_p50": percentile_of_any(delays("decision_ms"), 0.5),
        "decision_ms_p95": percentile_of_any(delays("decision_ms"), 0.95),
        "games": len(tallies),
        "games_without_fix": round(sum(t.right == t.turns for t in tallies) / len(tallies), 3),
        "out_of_turn": total("out_of_turn"),
        "out_of_turn_named": share("out_of_turn_named", "out_of_turn"),
        "wrong_boards": total("wrong_boards"),
        "wrong_boards_silent": total("silent"),
        "explanation_ms_p95": percentile_of_any(delays("explanation_ms"), 0.95),
        "mistakes": total("mistakes"),
        "mistakes_silent": total("mistakes_silent"),
        "mistakes_unfinished": total("mistakes_unfinished"),
        "rule_named_right": share("rule_named", "mistakes"),
        "mistake_ms_p95": percentile_of_any(delays("mistake_ms"), 0.95),
    }
