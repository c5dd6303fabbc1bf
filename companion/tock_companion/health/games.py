"""Checks of the database with the games, without changing it."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from tock_companion.health.finding import Finding, Level


def check_games(database: Path) -> Iterator[Finding]:
    """Read the whole database through a connection that cannot write."""
    if not database.exists():
        yield Finding("games", "games/none")
        return
    try:
        connection = sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)
        try:
            verdict = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
            count = connection.execute("SELECT count(DISTINCT game) FROM events").fetchone()[0]
        finally:
            connection.close()
    except sqlite3.Error as error:
        verdict, count = str(error), 0
    if verdict != "ok":
        values = {"file": str(database), "reason": " ".join(verdict.split())}
        yield Finding("games", "games/damaged", Level.FAULT, values)
        return
    size_mb = f"{database.stat().st_size / 1e6:.1f}"
    yield Finding("games", "games/ok", values={"count": str(count), "size_mb": size_mb})
    aside = sorted(database.parent.glob(f"{database.stem}.damaged-*{database.suffix}"))
    if aside:
        yield Finding("games", "games/aside", Level.WARNING, {"file": aside[-1].name})
