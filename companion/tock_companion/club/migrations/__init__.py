"""Brings the database of an older version up to this one (Alembic)."""
