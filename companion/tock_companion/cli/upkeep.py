"""What the companion does beside the game: a daily copy of the games, room on the disk, unused memory given back."""

import logging
import threading
from datetime import date

from tock_companion.cli.config import Config
from tock_companion.cli.memory import give_back
from tock_companion.errors import TockError
from tock_companion.storage.backup import daily_backup, prune
from tock_companion.storage.files import DATABASE_NAME

LOG = logging.getLogger(__name__)
LOOK_EVERY_S = 60.0
RECORDINGS = "recordings"
"""Folder of recordings in the data folder."""


class Upkeep:
    """A thread of its own that looks every minute what is due."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="upkeep", daemon=True)

    def start(self) -> None:
        """Begin; the first look is at once."""
        self._thread.start()

    def stop(self) -> None:
        """End before the next look."""
        self._stopped.set()
        self._thread.join(timeout=1)

    def look(self, today: date) -> None:
        """Do what is due; a fault is logged and tried again at the next look."""
        backup = self._config.backup
        try:
            if backup is not None:
                made = daily_backup(self._config.data / DATABASE_NAME, backup.folder, backup.keep, today)
                if made is not None:
                    LOG.info("the games are copied to %s", made)
        except TockError as error:
            LOG.warning("%s", error)
        gone = prune(self._config.data / RECORDINGS, self._config.recordings_mb)
        if gone:
            LOG.info("%d old files of recordings were deleted to make room", len(gone))

    def _run(self) -> None:
        while True:
            self.look(date.today())
            give_back()
            if self._stopped.wait(LOOK_EVERY_S):
                return
