"""Brings the tables of a club's database up to date, by Alembic; imported only where a step is due."""

import logging
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy.engine import Connection

MIGRATIONS = Path(__file__).with_name("migrations")
# It would log its plugins at each upgrade.
logging.getLogger("alembic").setLevel(logging.WARNING)


def upgrade(connection: Connection) -> None:
    """Take all steps that are missing, within the connection's transaction."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
