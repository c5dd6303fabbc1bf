"""`tock game list`, `backup`, `restore` and `import`: the games of the data folder as things to keep."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TextIO

from tock_companion.cli.config import Config
from tock_companion.cli.doctor import running
from tock_companion.errors import BadInputError
from tock_companion.events.facts import GameStarted
from tock_companion.events.log import read_log
from tock_companion.storage import Store
from tock_companion.storage.backup import back_up, backups, restore
from tock_companion.storage.files import DATABASE_NAME


def list_games(config: Config, out: TextIO) -> int:
    """Print one line a game: number, ruleset, how many events, whether it runs."""
    if not (config.data / DATABASE_NAME).exists():
        raise BadInputError(f"{config.data} has no games; name the folder with TOCK_DATA")
    store = Store(config.data)
    try:
        for number in store.numbers():
            game = store.game(number)
            fact = game.events[0].fact
            began = f"{fact.started_at} {fact.ruleset}" if isinstance(fact, GameStarted) else "?"
            state = "running" if game.running else "ended"
            out.write(f"{number}\t{began}\t{len(game.events)} events\t{state}\n")
    finally:
        store.close()
    return 0


def make_backup(config: Config, target: Path | None, out: TextIO) -> int:
    """Copy the games, also while the companion runs."""
    database = config.data / DATABASE_NAME
    if not database.exists():
        raise BadInputError(f"{config.data} has no games to copy; name the folder with TOCK_DATA")
    if target is None:
        target = Path(f"tock-games-{datetime.now():%Y-%m-%d-%H%M}.sqlite")
    if target.exists():
        raise BadInputError(f"{target} exists and is left as it is; name another file")
    out.write(f"{back_up(database, target)}\n")
    return 0


def put_back(config: Config, copy: Path | None, out: TextIO) -> int:
    """Put a copy in the place of the games; the present ones are moved aside, never deleted."""
    if running(config.data).code == "service/running":
        raise BadInputError("the companion is running; stop it first: sudo systemctl stop tock-companion")
    if copy is None:
        folder = config.backup.folder if config.backup is not None else config.data
        found = backups(folder)
        if not found:
            raise BadInputError(f"{folder} has no daily copies; name the copy to restore")
        copy = found[0]
    aside = restore(copy, config.data)
    out.write(f"restored from {copy}")
    out.write("\n" if aside is None else f"; the games before are kept as {aside.name}\n")
    return 0


def import_game(config: Config, lines: Sequence[str], where: str, out: TextIO) -> int:
    """Add a game from its event log; the running game stays the running one."""
    if running(config.data).code == "service/running":
        raise BadInputError("the companion is running; stop it first: sudo systemctl stop tock-companion")
    try:
        events = read_log(lines)
    except BadInputError as error:
        raise BadInputError(f"{where}: {error}") from None
    store = Store(config.data)
    try:
        newest = store.newest_game()
        if newest is not None and newest.running:
            raise BadInputError(
                f"game {newest.number} is running and must stay the newest; end it on the host page first"
            )
        number = 1 if newest is None else newest.number + 1
        store.append(number, events)
    finally:
        store.close()
    out.write(f"game {number}: {len(events)} events\n")
    return 0
