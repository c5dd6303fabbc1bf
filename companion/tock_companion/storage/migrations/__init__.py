"""How a database of games of any release becomes one of this release."""

from tock_companion.storage.migrations.bringing_up import bring_up, pending, refuse_newer, why_not
from tock_companion.storage.migrations.steps import STEPS, USER_VERSION, Step

__all__ = ["STEPS", "USER_VERSION", "Step", "bring_up", "pending", "refuse_newer", "why_not"]
