"""How the database of an older version becomes one of this version (Alembic)."""
