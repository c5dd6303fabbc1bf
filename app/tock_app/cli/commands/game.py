"""`tock game`: prints, backs up, restores and imports games."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import TextIO

from tock_app.cli.commands.game_film import make_film, people_named
from tock_app.cli.console import Parser, agreed
from tock_app.config.load import Config, load_config
from tock_companion.core.indices import Indices
from tock_companion.errors import BadInputError
from tock_companion.events.codec import event_from_line, event_to_line, read_log
from tock_companion.events.facts import Event, GameStarted
from tock_companion.files import read_text_bounded, text_of
from tock_companion.language import LANGUAGES
from tock_companion.sources.recording import MAX_LOG_BYTES
from tock_companion.storage import DamagedGameError, FolderLock, Store
from tock_companion.storage.backup import back_up
from tock_companion.storage.daily_copies import daily_copies
from tock_companion.storage.files import DATABASE_NAME
from tock_companion.storage.restoring import examine, restore
from tock_companion.table.seats.game_people import NOBODY, all_people
from tock_companion.table.seats.participants import letters_of
from tock_companion.views.records import record_of
from tock_companion.views.terminal import terminal_language
from tock_rules import Seat


def run(arguments: Sequence[str], stdin: TextIO | None = None, stdout: TextIO | None = None) -> int:
    """Run one of the game commands; raise `BadInputError` for a faulty log or copy."""
    asked = _parser().parse_args(list(arguments))
    out, config = stdout or sys.stdout, load_config(None)
    if asked.command == "list":
        return list_games(config, out)
    if asked.command == "backup":
        return make_backup(config, asked.file, out)
    if asked.command == "restore":
        return put_back(config, asked.file, stdin or sys.stdin, out, asks=not asked.yes)
    if asked.command == "import":
        return import_game(config, _lines(asked.log, stdin or sys.stdin), asked.log, out)
    if asked.log is None:
        events = _game(config, asked.game)
    else:
        events = _events(asked.log, _lines(asked.log, stdin or sys.stdin))
    if asked.command == "film":
        named = people_named(asked.name)
        known, letters = ({}, Indices.BY_LANGUAGE) if asked.log is not None else _people(config, asked.game)
        make_film(tuple(events), {**known, **named}, asked.lang, letters, asked.out, out)
        return 0
    if asked.events:
        out.writelines(f"{event_to_line(event)}\n" for event in events)
    else:
        out.write(record_of(events).text())
    return 0


def _parser() -> Parser:
    parser = Parser(prog="tock game", description="Games as text and as files.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("list", help="lists the games of the data folder")
    export = commands.add_parser("export", help="prints a game as a record, or as its event log")
    export.add_argument(
        "log",
        nargs="?",
        help="file of JSON lines, as `tock replay` prints it; - reads them from standard input; "
        "a game of the data folder if left out",
    )
    export.add_argument("--game", type=int, help="number of the game, as listed; the newest if left out")
    export.add_argument("--events", action="store_true", help="the event log, for `tock game import`")
    film = commands.add_parser("film", help="draws a game as a short animated picture to share")
    film.add_argument(
        "log", nargs="?", help="file of JSON lines; - reads them; a game of the data folder if left out"
    )
    film.add_argument("--game", type=int, help="number of the game, as listed; the newest if left out")
    film.add_argument("--out", type=Path, required=True, metavar="FILE", help="the animated GIF to write")
    film.add_argument("--lang", choices=LANGUAGES, default=terminal_language(), help="of the words in it")
    film.add_argument(
        "--name", action="append", default=[], metavar="P0=NAME", help="who sat where; several times"
    )
    taken = commands.add_parser("import", help="adds a game from its event log to the data folder")
    taken.add_argument("log", help="file of JSON lines; - reads them from standard input")
    backup = commands.add_parser("backup", help="copies all games into one file, also during a game")
    backup.add_argument("file", nargs="?", type=Path, help="the file to write")
    back = commands.add_parser("restore", help="puts a copy in the place of the games, which are kept aside")
    back.add_argument("file", nargs="?", type=Path, help="the daily copy made last if left out")
    back.add_argument("--yes", action="store_true", help="do not ask on a terminal")
    return parser


def _game(config: Config, number: int | None) -> Iterable[Event]:
    if not (config.data / DATABASE_NAME).exists():
        raise BadInputError(f"{config.data} has no games; name a log, or the folder with TOCK_DATA")
    with closing(Store(config.data, set_aside=False)) as store:
        game = store.newest_game() if number is None else store.game(number)
    if number is not None and game is not None and not game.events:
        raise BadInputError(f"there is no game {number}; `tock game list` lists them")
    return game.events if game is not None else ()


def _people(config: Config, number: int | None) -> tuple[Mapping[Seat, str], Indices]:
    """The players of a stored game, and the letters on their cards."""
    with closing(Store(config.data, set_aside=False)) as store:
        kept = store.newest_number() if number is None else number
        return all_people(store.choices).get(kept or 0, NOBODY), letters_of(store.choices)


def _lines(log: str, stdin: TextIO) -> list[str]:
    # Not `splitlines`: that also splits at characters that may stand inside a JSON text.
    if log == "-":
        return text_of(getattr(stdin, "buffer", stdin).read(), "standard input").split("\n")
    return read_text_bounded(log, MAX_LOG_BYTES, "log").split("\n")


def _events(log: str, lines: Iterable[str]) -> list[Event]:
    """Read a log; raise `BadInputError` with file, line and the command that writes a log."""
    events = []
    for number, line in enumerate(lines, 1):
        try:
            events += [event_from_line(line)] if line.strip() else []
        except BadInputError as error:
            name = "standard input" if log == "-" else log
            raise BadInputError(
                f"{name}, line {number}: no event of a game ({error}); "
                "`tock game export --events` prints the log of a game"
            ) from None
    return events


def list_games(config: Config, out: TextIO) -> int:
    """Print one line for each game: number, ruleset, number of events, whether it runs."""
    if not (config.data / DATABASE_NAME).exists():
        raise BadInputError(f"{config.data} has no games; name the folder with TOCK_DATA")
    with closing(Store(config.data, set_aside=False)) as store:
        out.writelines(f"{number}\t{_summary(store, number)}\n" for number in store.numbers())
    return 0


def _summary(store: Store, number: int) -> str:
    try:
        game = store.game(number)
    except DamagedGameError:
        return "?\t?\tdamaged"
    fact = game.events[0].fact
    began = f"{fact.started_at} {fact.ruleset}" if isinstance(fact, GameStarted) else "?"
    return f"{began}\t{len(game.events)} events\t{'running' if game.running else 'ended'}"


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


def put_back(config: Config, copy: Path | None, stdin: TextIO, out: TextIO, *, asks: bool) -> int:
    """Replace the games by a copy, after a yes of a terminal; the present ones are moved aside, never deleted."""
    if copy is None:
        folder = config.backup.folder if config.backup is not None else config.data
        found = daily_copies(folder)
        if not found:
            raise BadInputError(f"{folder} has no daily copies; name the copy to restore")
        copy = found[0]
    found_copy = examine(copy, config.data)
    count = f"{found_copy.games} game{'' if found_copy.games == 1 else 's'}"
    out.write(f"{copy} holds {count}, copied {found_copy.made_at:%Y-%m-%d %H:%M} by its maker's clock\n")
    if not found_copy.is_own:
        out.write(
            "it was made elsewhere: only its games come back, no seats, hosts or settings of the table\n"
        )
    if asks and stdin.isatty() and not agreed("Restore it?", stdin, out):
        out.write("nothing was changed\n")
        return 1
    with FolderLock(config.data):
        aside = restore(copy, config.data)
    out.write(f"restored from {copy}")
    out.write("\n" if aside is None else f"; the games before are kept as {aside.name}\n")
    return 0


def import_game(config: Config, lines: Sequence[str], where: str, out: TextIO) -> int:
    """Add a game from its event log; the running game stays the running one."""
    try:
        events = read_log(lines)
    except BadInputError as error:
        raise BadInputError(f"{where}: {error}") from None
    with FolderLock(config.data), closing(Store(config.data)) as store:
        newest = store.newest_game()
        if newest is not None and newest.running:
            raise BadInputError(
                f"game {newest.number} is running and must stay the newest; end it on the host page first"
            )
        number = 1 if newest is None else newest.number + 1
        store.append(number, events)
    out.write(f"game {number}: {len(events)} events\n")
    return 0
