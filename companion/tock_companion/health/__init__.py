"""Is everything well with this machine: findings per part, each with a remedy a family can follow."""

from tock_companion.health.finding import Finding, Level, worst
from tock_companion.health.system import System
from tock_companion.health.wording import sentence

__all__ = ["Finding", "Level", "System", "sentence", "worst"]
