"""Walking the holes with one magnet to find the switch of each hole. Pure; time is an argument."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from tock_companion.boardfile.wiring import pin_of
from tock_companion.sources.reed.link import InputEdge
from tock_rules import Hole

REST_MS = 400
"""Time that a magnet must rest in its hole before its switches are judged."""
CALM_TOGGLES = 1
"""A switch that changes more often while the magnet goes in is at the edge of its reach."""


class Outcome(Enum):
    """The verdict on one hole."""

    RIGHT = "right"
    WRONG_WIRE = "wrong_wire"
    """Another switch answers instead."""
    NEIGHBOURS = "neighbours"
    """Other switches answer as well."""
    WEAK = "weak"
    """The right switch answers but flutters: a weak magnet, or a switch too deep or askew."""
    DEAD = "dead"
    """No switch answers."""
    STUCK = "stuck"
    """The switch was closed before any magnet came."""


class WizardStep(Enum):
    """The person's next action."""

    PUT = "put"
    REST = "rest"
    TAKE = "take"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class HoleFinding:
    """One hole, and the inputs that answered."""

    hole: Hole
    outcome: Outcome
    inputs: tuple[int, ...] = ()


class Wizard:
    """Goes through the holes in order; feed it changes and the time."""

    def __init__(self, wires: Mapping[Hole, int], closed_at_start: int = 0) -> None:
        """Begin with the first hole; those whose switch is closed already are reported as stuck and skipped."""
        self.wires = wires
        self.closed_at_start = closed_at_start
        self.findings: list[HoleFinding] = []
        self.step = WizardStep.PUT
        self._holes = list(self.wires)
        self._toggles: dict[int, int] = {}
        self._closed: set[int] = set()
        self._since_ms = 0
        self._pass_stuck()

    @property
    def hole(self) -> Hole | None:
        """The hole whose turn it is; None when all are done."""
        return self._holes[len(self.findings)] if len(self.findings) < len(self._holes) else None

    def feel(self, edge: InputEdge, t_ms: int) -> None:
        if self.step is WizardStep.DONE or self.closed_at_start >> edge.input & 1:
            return
        if edge.closed:
            self._closed.add(edge.input)
        else:
            self._closed.discard(edge.input)
        if self.step is not WizardStep.TAKE:
            self._toggles[edge.input] = self._toggles.get(edge.input, 0) + 1
            self.step = WizardStep.REST
            self._since_ms = t_ms

    def tick(self, t_ms: int) -> None:
        if self.step is WizardStep.REST and t_ms - self._since_ms >= REST_MS:
            self.step = WizardStep.TAKE
        if self.step is WizardStep.TAKE and not self._closed and (hole := self.hole) is not None:
            self._judge(hole)

    def skip(self) -> None:
        """Take in that the magnet is in its hole and nothing happens, as the person says."""
        if self.step is WizardStep.PUT and (hole := self.hole) is not None:
            self._next(hole, Outcome.DEAD)

    def _judge(self, hole: Hole) -> None:
        expected, answered = self.wires[hole], tuple(sorted(self._toggles))
        if expected not in answered:
            self._next(hole, Outcome.WRONG_WIRE, answered)
        elif len(answered) > 1:
            self._next(hole, Outcome.NEIGHBOURS, answered)
        elif self._toggles[expected] > CALM_TOGGLES:
            self._next(hole, Outcome.WEAK, answered)
        else:
            self._next(hole, Outcome.RIGHT, answered)

    def _next(self, hole: Hole, outcome: Outcome, inputs: tuple[int, ...] = ()) -> None:
        self.findings.append(HoleFinding(hole, outcome, inputs))
        self._toggles.clear()
        self.step = WizardStep.PUT
        self._pass_stuck()

    def _pass_stuck(self) -> None:
        while (hole := self.hole) is not None and self.closed_at_start >> self.wires[hole] & 1:
            self.findings.append(HoleFinding(hole, Outcome.STUCK, (self.wires[hole],)))
        if self.hole is None:
            self.step = WizardStep.DONE


def advice(findings: list[HoleFinding], wires: Mapping[Hole, int]) -> list[str]:
    """One line for each thing to mend; two swapped wires are one thing."""
    holes = {number: hole for hole, number in wires.items()}
    answers = {finding.hole: finding.inputs for finding in findings if finding.outcome is Outcome.WRONG_WIRE}
    lines, paired = [], set()
    for finding in findings:
        hole, others = (
            finding.hole,
            [_name(number, holes) for number in finding.inputs if number != wires[finding.hole]],
        )
        if finding.outcome is Outcome.WRONG_WIRE and hole not in paired:
            partner = holes.get(finding.inputs[0]) if len(finding.inputs) == 1 else None
            if partner is not None and answers.get(partner) == (wires[hole],):
                paired |= {hole, partner}
                lines.append(
                    f"{hole} and {partner} are swapped: exchange the wires at {pin_of(wires[hole])} "
                    f"and {pin_of(wires[partner])}"
                )
            else:
                lines.append(
                    f"{hole} is wired to {', '.join(others)}: its wire belongs to {pin_of(wires[hole])}"
                )
        elif finding.outcome is Outcome.NEIGHBOURS:
            lines.append(
                f"{hole} is also felt by {', '.join(others)}: a weaker magnet, or its switch further away"
            )
        elif finding.outcome is Outcome.WEAK:
            lines.append(
                f"{hole} flutters: a stronger magnet, or its switch ({pin_of(wires[hole])}) closer or upright"
            )
        elif finding.outcome is Outcome.DEAD:
            lines.append(f"{hole} does not answer: check its switch and the wire to {pin_of(wires[hole])}")
        elif finding.outcome is Outcome.STUCK:
            lines.append(
                f"{hole} is closed without a magnet: a short circuit at {pin_of(wires[hole])}, or a pawn in it"
            )
    return lines


def _name(number: int, holes: Mapping[int, Hole]) -> str:
    return holes.get(number, f"input {number} ({pin_of(number)})")
