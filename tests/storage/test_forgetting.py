"""The host deletes a game, a name, pictures: no file keeps them, no copy brings them back, no kill leaves a half."""

import itertools
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup, game_started
from tock_companion.events.codec import event_to_line
from tock_companion.events.facts import Event, GameEnded, Paused
from tock_companion.statistics.book import book_of, bring_up
from tock_companion.storage import FolderLock, SeatHolder, Store
from tock_companion.storage.backup import daily_backup
from tock_companion.storage.forgetting import GAME, NAME, PICTURES, key_of_pictures
from tock_companion.storage.restoring import restore
from tock_companion.storage.sweeping import Places, Sweep
from tock_companion.table.seats.game_people import all_people
from tock_rules import Seat

NOW = datetime(2026, 11, 29, tzinfo=UTC)
STARTED = game_started(GameSetup(), generate(4, 440.0))
EVERY = 7
"""Files between two places of a kill; each kind of deletion meets others."""
LONG_AGO = "x" * 90
"""Makes the choices longer than a page of the database, so that earlier ones stay in unused pages."""
MARKS = {GAME: b"MARK-OF-GAME-2", NAME: b"Gr\\u00e9goire", PICTURES: b"PNG-OF-2-2"}
"""Bytes by which a file gives a deleted thing away."""
Forget = Callable[[Store], None]


@contextmanager
def table_in(folder: Path) -> Iterator[Store]:
    """A store as a companion holds it."""
    with FolderLock(folder) as lock, closing(Store(folder, backups=folder / "backups")) as store:
        store.hold(lock)
        yield store


def an_evening(store: Store, number: int, days_ago: int = 1) -> None:
    """A game of Grégoire and Anna, with pictures of its second event."""
    began = (NOW - timedelta(days=days_ago)).isoformat()
    started = replace(STARTED, started_at=began, ruleset=f"MARK-OF-GAME-{number}")
    store.append(number, [Event(1, 0, started), Event(2, 1, Paused(f"MARK-OF-GAME-{number}"))])
    store.append(number, [Event(3, 5, GameEnded(["P0"], f"MARK-OF-GAME-{number}"))])
    store.pictures.keep(number, 2, {"card": b"PNG-OF-%d-2" % number * 400})
    people = store.choices.get("game_people") or {}
    results = store.choices.get("results") or []
    assert isinstance(people, dict)
    assert isinstance(results, list)
    here = {"P0": "Grégoire", "P1": "Anna", "P2": f"{LONG_AGO}{number}"}
    store.choices.keep("game_people", {**people, str(number): here})
    store.choices.keep("results", [*results, [number, began, list(here.values()), ["Grégoire"]]])
    store.choices.keep("last_people", [number, [[seat, name, "fr"] for seat, name in here.items()]])


def make_home(folder: Path) -> Path:
    """A data folder with three games, daily copies, one that was replaced, a stick's and recordings."""
    data = folder / "data"
    with table_in(data) as store:
        for number in (1, 2):
            an_evening(store, number)
            daily_backup(store.path, data / "backups", 7, date(2026, 11, 20 + number))
        store.save_holder(SeatHolder(Seat.P0, "GREGOIRE", "fr", "b" * 64))
        shutil.copyfile(
            daily_backup(store.path, folder / "stick", 7, date(2026, 11, 25)) or "", folder / "lost.sqlite"
        )
        store.free_seat(Seat.P0)
        shutil.copyfile(data / "backups" / "games-2026-11-22.sqlite", data / "games.replaced-1.sqlite")
        store.choices.keep("persons", {"gregoire": "Grégoire", "anna": "Anna"})
        with book_of(data) as book:
            bring_up(book, store, all_people(store.choices).__getitem__)
        an_evening(store, 3)
    for number in (1, 2):
        (log := data / "recordings" / f"r{number}" / "events.jsonl").parent.mkdir(parents=True)
        with closing(Store(data, set_aside=False)) as store:
            log.write_text("".join(event_to_line(event) + "\n" for event in store.game(number).events))
    return data


def sweep(data: Path, now: datetime = NOW, days: int = 30) -> None:
    places = Places(data, (data / "backups", data.parent / "stick"), data / "recordings")
    Sweep(places, days).run(now)


FORGET: dict[str, Forget] = {
    GAME: lambda store: store.forget(GAME, store.key_of_game(2) or ""),
    NAME: lambda store: store.forget(NAME, "gregoire"),
    PICTURES: lambda store: store.forget(PICTURES, key_of_pictures(store.key_of_game(2) or "", 2)),
}


def traces(folder: Path, mark: bytes) -> list[str]:
    """The files that still have the mark, however it is written."""
    spellings = {mark, *({"Grégoire".encode(), b"GREGOIRE", b"gregoire"} if mark == MARKS[NAME] else ())}
    files = [path for path in folder.rglob("*") if path.is_file()]
    return sorted(path.name for path in files if any(spelling in path.read_bytes() for spelling in spellings))


@pytest.mark.parametrize("kind", FORGET)
def test_no_file_within_reach_keeps_what_was_forgotten(kind: str, tmp_path: Path) -> None:
    data = make_home(tmp_path)
    (tmp_path / "lost.sqlite").unlink()
    assert traces(tmp_path, MARKS[kind])
    with table_in(data) as store:
        FORGET[kind](store)
        assert traces(data.parent, MARKS[kind]) != []
        sweep(data)
    assert traces(tmp_path, MARKS[kind]) == []
    with table_in(data) as store:
        assert store.numbers() == ((1, 3) if kind == GAME else (1, 2, 3))
        assert all(traces(data, other) for other in (b"MARK-OF-GAME-1", b"PNG-OF-1-2", b"Anna"))


@pytest.mark.parametrize("card", ["same", "new"])
@pytest.mark.parametrize("kind", FORGET)
def test_a_copy_out_of_reach_brings_nothing_back(kind: str, card: str, tmp_path: Path) -> None:
    data, lost = make_home(tmp_path), tmp_path / "lost.sqlite"
    with table_in(data) as store:
        FORGET[kind](store)
        sweep(data)
    if card == "new":
        # The old card is gone with its list; the stick with the copies has another.
        shutil.rmtree(data)
        lost = lost.rename(tmp_path / "stick" / "older.sqlite")
    restore(lost, data)
    lost.unlink()
    assert traces(tmp_path, MARKS[kind]) == []
    with table_in(data) as store:
        assert store.numbers() == ((1,) if kind == GAME else (1, 2))


def test_a_person_who_plays_again_under_a_forgotten_name_stays(tmp_path: Path) -> None:
    data = make_home(tmp_path)
    with table_in(data) as store:
        FORGET[NAME](store)
        an_evening(store, 4)
        daily_backup(store.path, data / "backups", 7, date(2026, 11, 29))
        sweep(data)
    restore(data / "backups" / "games-2026-11-29.sqlite", data)
    with table_in(data) as store:
        people, results = store.choices.get("game_people"), store.choices.get("results")
        assert isinstance(people, dict)
        assert isinstance(results, list)
        assert [number for number, names in people.items() if "Grégoire" in names.values()] == ["4"]
        assert [row[0] for row in results if "Grégoire" in row[2]] == [4]


def test_pictures_end_by_age_in_copies_too_but_for_the_newest_game(tmp_path: Path) -> None:
    data = make_home(tmp_path)
    with table_in(data) as store:
        later = NOW + timedelta(days=40)
        an_evening(store, 4, days_ago=-39)
        an_evening(store, 5, days_ago=-400)
        an_evening(store, 6, days_ago=100)
        assert store.delete_old_pictures(30, later) == 4, "1 to 3 are old, 5 is from a clock that was wrong"
        assert [bool(store.pictures.names(number, 2)) for number in range(1, 7)] == [0, 0, 0, 1, 0, 1]
        assert store.delete_old_pictures(30, later) == 0
        sweep(data, later)
    (tmp_path / "lost.sqlite").unlink()
    assert traces(tmp_path, b"PNG-OF-1-2") == []


def test_copies_keep_their_number_time_and_order(tmp_path: Path) -> None:
    data = make_home(tmp_path)
    copies = sorted((data / "backups").iterdir())
    before = [(path.name, path.stat().st_mtime_ns, path.read_bytes()[68:72]) for path in copies]
    with table_in(data) as store:
        FORGET[NAME](store)
        sweep(data)
    copies = sorted((data / "backups").glob("*.sqlite"))
    assert [(path.name, path.stat().st_mtime_ns, path.read_bytes()[68:72]) for path in copies] == before


def test_a_damaged_copy_is_named_and_the_others_are_swept(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    data = make_home(tmp_path)
    (tmp_path / "lost.sqlite").unlink()
    (data / "games.damaged-1.sqlite").write_bytes(b"no database" * 1000)
    with table_in(data) as store:
        FORGET[GAME](store)
        sweep(data)
    assert f"may still be in {data / 'games.damaged-1.sqlite'}" in caplog.text
    assert traces(tmp_path, MARKS[GAME]) == []


def test_a_list_that_cannot_be_read_stops_no_evening_and_no_game_is_lost(tmp_path: Path) -> None:
    data = make_home(tmp_path)
    (data / "forgotten.json").write_text("[[1]]")
    with table_in(data) as store:
        assert store.numbers() == (1, 2, 3)


def test_a_kill_at_any_file_leaves_no_half(tmp_path: Path) -> None:
    """Kill -9 at the n-th file opened, renamed or removed, for each n; the next start and sweep finish the rest."""
    prepared = make_home(tmp_path / "prepared").parent
    (prepared / "lost.sqlite").unlink()
    ends = 0
    for at, kind in zip(range(1, 400, EVERY), itertools.cycle(FORGET), strict=False):
        home = tmp_path / "home"
        shutil.copytree(prepared, home)
        ends += killed_at(at, home / "data", kind)
        noted = (home / "data" / "forgotten.json").exists()
        with table_in(home / "data") as store:
            sweep(home / "data")
            assert store.numbers() == ((1, 3) if noted and kind == GAME else (1, 2, 3)), at
        assert bool(traces(home, MARKS[kind])) == (not noted), at
        shutil.rmtree(home)
        if ends == len(FORGET):
            break
    assert at > 20 + EVERY * len(FORGET)


def killed_at(at: int, data: Path, kind: str) -> bool:
    """Forget in a process that ends at a file; return whether it came to its own end."""
    pid = os.fork()
    if pid == 0:
        seen = [0]

        def hook(event: str, _arguments: object) -> None:
            if event in ("open", "os.rename", "os.remove", "sqlite3.connect", "shutil.rmtree"):
                seen[0] += 1
                if seen[0] == at:
                    os.kill(os.getpid(), signal.SIGKILL)

        try:
            with table_in(data) as store:
                sys.addaudithook(hook)
                FORGET[kind](store)
                sweep(data)
        finally:
            os._exit(0)
    return os.waitpid(pid, 0)[1] == 0
