"""Figures of people: equal to a second count of the log lines, by name, day and game."""

import json
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.support.played import captures_of_the_lines, log_of
from tock_app.cli.main import main
from tock_companion.events.codec import event_to_json
from tock_companion.events.facts import Event, GameEnded
from tock_companion.statistics.book import book_of, bring_up, faults_of
from tock_companion.statistics.people import PersonFigures, firsts, people, use_names
from tock_companion.statistics.persons import merged
from tock_companion.storage import Store
from tock_companion.storage.files import STATISTICS_NAME
from tock_companion.table.seats.game_people import KEPT_AS as PEOPLE
from tock_rules import Seat

NAMES = {
    1: {"P0": "Léa", "P1": "Tom", "P2": "Mamie", "P3": ""},
    2: {"P0": "LEA ", "P2": "Guy"},
    3: {"P0": "Léa", "P1": "Tom", "P2": "Guy", "P3": "Mamie Jo"},
}


def games() -> dict[int, tuple[Event, ...]]:
    return {1: log_of(1), 2: log_of(2, "duel"), 3: log_of(3)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with closing(Store(tmp_path)) as store:
        for number, events in games().items():
            store.append(number, events)
        store.choices.keep(PEOPLE, {str(number): names for number, names in NAMES.items()})
    return tmp_path


def figures(folder: Path, aliases: Mapping[str, str] | None = None) -> dict[str, PersonFigures]:
    with closing(Store(folder, set_aside=False)) as store, book_of(folder) as book:
        bring_up(book, store, lambda number: {Seat[seat]: name for seat, name in NAMES[number].items()})
        use_names(book, aliases or {})
        return {person.name: person for person in people(book)}


def test_people_have_the_wins_and_captures_that_the_lines_show(folder: Path) -> None:
    found = figures(folder)
    won: Counter[str] = Counter()
    taken: Counter[str] = Counter()
    for number, events in games().items():
        last = events[-1].fact
        assert isinstance(last, GameEnded)
        won.update(NAMES[number][seat].strip().casefold().replace("é", "e") for seat in last.winner or ())
        for (by, _), pawns in captures_of_the_lines(events).items():
            taken[NAMES[number][by].strip().casefold().replace("é", "e")] += pawns
    for name, person in found.items():
        key = name.strip().casefold().replace("é", "e")
        assert (person.won, person.taken) == (won[key], taken[key])
    assert found["Léa"].games == 3, "spellings of a name are one person"
    assert "" not in found, "computers are nobody"
    assert sum(person.moves for person in found.values()) < sum(
        event_to_json(event)["event"] == "move_accepted" for events in games().values() for event in events
    ), "the computer's moves are not counted"


def test_pairs_agree_from_both_sides(folder: Path) -> None:
    found = figures(folder)
    for person in found.values():
        for pair in person.opponents:
            (back,) = (one for one in found[pair.name].opponents if one.name == person.name)
            assert (back.games, back.won) == (pair.games, pair.games - pair.won)
        for pair in person.partners:
            (back,) = (one for one in found[pair.name].partners if one.name == person.name)
            assert back == type(pair)(person.name, pair.games, pair.won)


def test_a_name_the_family_calls_the_same_person_is_added_up(folder: Path) -> None:
    apart = figures(folder)
    together = figures(folder, merged({}, "Mamie Jo", "Mamie"))
    assert "Mamie" not in together, "the name written last is shown"
    assert together["Mamie Jo"].games == apart["Mamie"].games + apart["Mamie Jo"].games


def test_merging_follows_names_that_were_merged_before() -> None:
    persons = merged(merged({}, "Jo", "Mamie Jo"), "Mamie Jo", "Mamie")
    assert persons == {"jo": "mamie", "mamie jo": "mamie"}
    assert merged(persons, "Mamie", "Jo") == persons, "a person is the same as itself"


def test_only_games_that_changed_are_counted_again(folder: Path) -> None:
    figures(folder)
    counted: list[int] = []
    with closing(Store(folder)) as store, book_of(folder) as book:
        store.append(4, games()[1][:-1])
        bring_up(book, store, lambda _: {}, lambda done, due: counted.append(due))
    assert counted == [4, 4, 4, 4], "other people make another game"
    with closing(Store(folder, set_aside=False)) as store, book_of(folder) as book:
        bring_up(book, store, lambda _: {}, lambda done, due: counted.append(due))
        assert len(counted) == 4
        assert dict(book.execute("SELECT number, ended_at IS NULL FROM game"))[4], "nobody has won it yet"


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + bytes(100)])
def test_a_damaged_file_of_statistics_is_made_again(folder: Path, content: bytes) -> None:
    before = figures(folder)
    (folder / STATISTICS_NAME).write_bytes(content)
    assert figures(folder) == before


def test_a_damaged_game_is_skipped_and_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(sqlite3.connect(folder / "games.sqlite")) as database, database:
        database.execute("UPDATE events SET line = '{' WHERE game = 2 AND seq = 5")
    found = figures(folder)
    assert "Guy" in found
    assert found["Léa"].games == 2
    with book_of(folder) as book:
        ((number, reason),) = faults_of(book)
    assert number == 2
    assert "game 2" in reason


def test_badges_are_earned_once_and_are_true(folder: Path) -> None:
    found = figures(folder)
    with book_of(folder) as book:
        use_names(book, {})
        earned = firsts(book)
    assert len(earned) == len({(first.person, first.game, first.code) for first in earned})
    assert {first.person for first in earned if first.code == "first_win"} == {
        person.name for person in found.values() if person.won
    }
    longest = [first.value for first in earned if first.code == "longest_march"]
    assert longest == sorted(longest)


def test_the_command_prints_json_csv_and_a_table(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOCK_DATA", str(folder))
    assert main(["stats", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert {person["name"] for person in document["people"]} == set(figures(folder))
    assert document["skipped_games"] == []
    assert main(["stats", "--csv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + len(document["people"])
    assert main(["stats"]) == 0
    assert capsys.readouterr().out.startswith("name")
    tomorrow = (datetime.now(UTC) + timedelta(days=2000)).date().isoformat()
    assert main(["stats", "--json", "--since", tomorrow]) == 0
    assert json.loads(capsys.readouterr().out)["people"] == []


@pytest.mark.parametrize("day", ["yesterday", "2026-13-01", "", "28/11/2026"])
def test_a_wrong_day_is_refused_in_one_line(
    folder: Path, day: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOCK_DATA", str(folder))
    assert main(["stats", "--since", day]) == 2
    assert capsys.readouterr().err == f"tock stats: --since must be a day such as 2026-11-28, not '{day}'\n"


def made_evenings(count: int) -> Iterator[tuple[Any, ...]]:
    for game in range(1, count + 1):
        for seat in range(4):
            number = (game + seat) % 9
            counts = (seat + game % 7 for _ in range(14))
            yield game, seat, seat % 2, int(seat % 2 == game % 2), *counts, f"N{number}", f"n{number}"


@pytest.mark.slow
def test_two_thousand_evenings_are_added_up_within_a_second(tmp_path: Path) -> None:
    with book_of(tmp_path) as book:
        rows = list(made_evenings(2000))
        marks = ", ".join("?" * len(rows[0]))
        with book:
            book.executemany(f"INSERT INTO seat VALUES ({marks})", rows)
            book.executemany(
                "INSERT INTO game VALUES (?, 0, NULL, ?, 'mjc')",
                [(game, f"2026-01-01T00:00:00+00:00#{game:05}") for game in range(1, 2001)],
            )
        use_names(book, {})
        began = time.monotonic()
        found, _ = people(book), firsts(book)
        assert time.monotonic() - began <= 1
    for person in found:
        assert person.games == sum(row[-2] == person.name for row in rows)
        assert person.won == sum(row[3] for row in rows if row[-2] == person.name)
    assert (tmp_path / STATISTICS_NAME).stat().st_size <= 4_000_000
