"""Games on disk: an append-only log in SQLite that survives a power cut."""

from tock_companion.storage.files import FolderLock
from tock_companion.storage.store import DamagedGameError, GameLog, SeatHolder, Store, Withheld

__all__ = ["DamagedGameError", "FolderLock", "GameLog", "SeatHolder", "Store", "Withheld"]
