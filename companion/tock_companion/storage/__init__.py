"""Games on disk: an append-only log in SQLite that survives a power cut."""

from tock_companion.storage.files import FolderLock
from tock_companion.storage.seats import SeatHolder, Withheld
from tock_companion.storage.store import DamagedGameError, GameLog, Store

__all__ = ["DamagedGameError", "FolderLock", "GameLog", "SeatHolder", "Store", "Withheld"]
