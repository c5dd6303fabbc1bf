"""Whether all is well with this machine: findings by part, each with a remedy that a family can follow."""

from tock_companion.health.finding import Finding, Level, sentence, worst
from tock_companion.health.system import System

__all__ = ["Finding", "Level", "System", "sentence", "worst"]
