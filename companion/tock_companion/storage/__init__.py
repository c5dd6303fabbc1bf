"""Games on disk: an append-only log in SQLite that survives a power cut."""

from tock_companion.storage.store import GameLog, SeatHolder, Store

__all__ = ["GameLog", "SeatHolder", "Store"]
