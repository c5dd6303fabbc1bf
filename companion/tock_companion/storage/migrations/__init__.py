"""Brings a database of games from any release up to this one."""

from tock_companion.storage.migrations.steps import MIGRATIONS, USER_VERSION, Migration
from tock_companion.storage.migrations.upgrade import (
    bring_up,
    create,
    pending,
    refuse_foreign,
    refuse_newer,
    tables_of_today,
    why_not,
)

__all__ = [
    "MIGRATIONS", "USER_VERSION", "Migration", "bring_up", "create", "pending", "refuse_foreign", "refuse_newer",
    "tables_of_today", "why_not",
]  # fmt: skip
