"""Brings a database of games from any release up to this one."""

from tock_companion.storage.migrations.steps import MIGRATIONS, USER_VERSION, Migration
from tock_companion.storage.migrations.upgrade import bring_up, pending, refuse_newer, why_not

__all__ = ["MIGRATIONS", "USER_VERSION", "Migration", "bring_up", "pending", "refuse_newer", "why_not"]
