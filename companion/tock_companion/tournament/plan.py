"""The decisions of a club before the first round."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

MIN_SEATS, MAX_SEATS = 2, 8
MAX_ROUNDS = 30


class Form(Enum):
    """The form of play: each for themselves, or in teams."""

    SINGLES = "singles"
    FIXED_PAIRS = "fixed-pairs"
    DRAWN_PAIRS = "drawn-pairs"
    """Everybody counts alone and gets another partner in each round."""


class System(Enum):
    """The system by which opponents are found."""

    SWISS = "swiss"
    ROUND_ROBIN = "round-robin"
    GROUPS = "groups"
    """A round robin in each group, then a knock-out between the best of them."""


@dataclass(frozen=True, slots=True)
class Plan:
    """One tournament as it is announced."""

    name: str
    form: Form = Form.SINGLES
    system: System = System.SWISS
    seats: int = 4
    """People at a table."""
    rounds: int = 5
    """Rounds of Swiss, round robin, or within the groups."""
    minutes: int | None = None
    """Length of a round; when it is over pawns at home count, then how far the others still have to go."""
    group_entrants: int = 4
    ruleset: str = "mjc"
    options: Mapping[str, bool | int | str] = field(default_factory=dict)
    draw: int = 0
    """Seed of all random draws."""

    @property
    def people_of_entrant(self) -> int:
        """Number of people who enter together."""
        return 2 if self.form is Form.FIXED_PAIRS else 1

    @property
    def entrants_at_table(self) -> int:
        """Entrants that play one game."""
        return self.seats // self.people_of_entrant

    @property
    def sides_at_table(self) -> int:
        """Sides of a game: people or pairs that win together."""
        return self.seats if self.form is Form.SINGLES else self.seats // 2


def mistake_in(plan: Plan) -> str | None:
    """The code of a plan that cannot be played, None for one that can."""
    if not MIN_SEATS <= plan.seats <= MAX_SEATS or not 1 <= plan.rounds <= MAX_ROUNDS:
        return "club/plan-bounds"
    if plan.form is not Form.SINGLES and (plan.seats % 2 or plan.seats < 4):
        return "club/plan-pairs"
    if plan.system is System.GROUPS and plan.group_entrants < plan.entrants_at_table:
        return "club/plan-groups"
    return None
