"""The desk of a club: one tournament at a time, kept in a database, told to tables over their broker."""

import logging

# At each start of a desk it would tell of its plugins.
logging.getLogger("alembic").setLevel(logging.WARNING)
