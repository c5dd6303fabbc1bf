"""How a database of games of any release becomes one of this release."""

from tock_companion.storage.migrations.bringing_up import bring_up, pending, refuse_newer, why_not
from tock_companion.storage.migrations.steps import MIGRATIONS, USER_VERSION, Migration

__all__ = ["MIGRATIONS", "USER_VERSION", "Migration", "bring_up", "pending", "refuse_newer", "why_not"]
