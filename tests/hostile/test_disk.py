"""A full, failing, slow or pulled disk: requests get a sentence, all that was shown is there again."""

import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from tests.support.boards import pawns
from tests.support.disk_games import play
from tests.support.disks import clear, fill, small_disk
from tests.support.tables import BEFORE, BOARD, lay_and_take, send
from tests.support.waiting import until
from tock_app.cli.commands.game import put_back
from tock_app.config.load import config_of
from tock_app.service.upkeep import Upkeep
from tock_companion.background import running, troubles
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Role
from tock_companion.errors import TockError
from tock_companion.storage import Store
from tock_companion.storage.backup import daily_backup
from tock_companion.storage.daily_copies import daily_copies
from tock_companion.storage.disk_space import RESERVE_NAME, has_room
from tock_companion.table.runtime.live import Table
from tock_companion.table.runtime.recorder import Recorder
from tock_companion.table.runtime.work_queue import WorkQueue
from tock_rules import Seat
from tock_web import create_app

DISK_KB = 3072
PNG = bytes(20_000)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of 3 MB."""
    with small_disk(tmp_path / "disk", DISK_KB) as mounted:
        if mounted is None:
            pytest.skip(
                "NOT TRIED: only the superuser may mount a small disk (run it in a container, or with sudo)"
            )
        yield mounted


def costs_nothing(found: dict[str, Any]) -> None:
    faults = ("lost", "failed_starts", "badly_answered", "blind", "not_kept_again")
    assert {key: found[key] for key in faults} == dict.fromkeys(faults, 0), found["notes"]
    assert found["granted"]
    assert found["views_checked"]


@pytest.mark.whole
@pytest.mark.usefixtures("disk")
def test_a_game_on_a_small_card_that_is_filled_and_freed_loses_nothing_at_a_power_cut(tmp_path: Path) -> None:
    costs_nothing(play("card", tmp_path / "games"))


@pytest.mark.whole
def test_a_game_on_a_disk_with_faults_loses_nothing_at_a_power_cut(tmp_path: Path) -> None:
    costs_nothing(play("faults", tmp_path))


def test_reserve_pictures_and_copies_give_way_before_the_log_does(disk: Path) -> None:
    store = Store(disk)
    table = Table(BOARD, store, setup=GameSetup(position=BEFORE))
    table.start()
    for day in (1, 2):
        assert daily_backup(store.path, disk / "backups", 7, date(2026, 1, day))
    for seq in range(1, 20):
        store.pictures.keep(1, seq, {"card": PNG})
    assert store.pictures.names(1, 5)
    assert (disk / RESERVE_NAME).exists()
    fill(disk)
    assert {*lay_and_take(table, 30)} == {"ok"}
    assert table.view(Role.TABLE)["health"] == []
    assert not (disk / RESERVE_NAME).exists()
    assert not store.pictures.names(1, 5)
    table.stop()


def test_the_newest_copy_is_the_last_thing_to_go(disk: Path) -> None:
    store = Store(disk)
    for day in (1, 2, 3):
        daily_backup(store.path, disk / "backups", 7, date(2026, 1, day))
    freed = store.room.freed()
    assert [next(freed) for _ in range(2)] == [
        "the reserve and the pictures of moves", "the copy games-2026-01-01.sqlite"
    ]  # fmt: skip
    assert [copy.name for copy in daily_copies(disk / "backups")] == [
        "games-2026-01-03.sqlite", "games-2026-01-02.sqlite"
    ]  # fmt: skip
    store.close()


def test_pictures_copies_and_recordings_leave_the_last_room_to_the_game(disk: Path) -> None:
    store = Store(disk)
    table = Table(BOARD, store, setup=GameSetup(position=BEFORE))
    table.start()
    film = Recorder(disk / "film", BOARD)
    table.record_to(film)
    fill(disk, leave_bytes=300_000)
    assert not has_room(disk)
    store.pictures.keep(1, 1, {"card": PNG})
    assert not store.pictures.names(1, 1)
    with pytest.raises(TockError, match="no room for today's copy"):
        daily_backup(store.path, disk / "backups", 7, date(2026, 1, 1))
    assert {*lay_and_take(table, 10)} == {"ok"}
    assert [note["code"] for note in table.view(Role.TABLE)["health"]] == ["recording"]
    assert "nearly full" in film.failure
    with pytest.raises(TockError, match="nearly full"):
        table.record_to(Recorder(disk / "film2", BOARD))
    table.stop()


def test_a_companion_starts_on_a_full_disk_and_goes_on_with_its_game(disk: Path) -> None:
    """It used to write a version number at every start, and died of it."""
    table = Table(BOARD, Store(disk), setup=GameSetup(position=BEFORE))
    table.start()
    assert {*lay_and_take(table)} == {"ok"}
    table.stop()
    fill(disk)
    again = Table(BOARD, Store(disk))
    again.start()
    assert again.view(Role.TABLE)["game"]["seq"] == 3
    assert send(again.request, "play_card", {"card": "9H"}, Role.SEAT, Seat.P0).code in ("ok", "disk")
    clear(disk)
    assert send(again.request, "withdraw_card", {}, Role.SEAT, Seat.P0).code in ("ok", "no_card")
    again.stop()


def test_upkeep_goes_on_although_the_disk_does_not(disk: Path, caplog: pytest.LogCaptureFixture) -> None:
    """An error of the disk used to end its thread for the whole evening."""
    config = config_of(disk / "tock.toml", "", {"TOCK_DATA": str(disk)})
    Store(disk).close()
    (disk / "backups").write_text("a file in place of the folder")
    upkeep = Upkeep(config)
    upkeep.start()
    until(lambda: "upkeep" in [trouble.thread for trouble in troubles()])
    assert "upkeep" in [background.name for background in running()]
    upkeep.stop()
    assert "backups" in caplog.text


def test_a_copy_put_back_on_a_full_disk_is_one_line_and_leaves_nothing(disk: Path, tmp_path: Path) -> None:
    table = Table(BOARD, Store(tmp_path / "elsewhere"), setup=GameSetup(position=BEFORE))
    table.start()
    lay_and_take(table, 20)
    table.stop()
    Store(disk / "data").close()
    fill(disk)
    before = sorted(path.name for path in (disk / "data").iterdir() if path.name != RESERVE_NAME)
    config = config_of(disk / "tock.toml", "", {"TOCK_DATA": str(disk / "data")})
    with pytest.raises(TockError) as refusal:
        put_back(config, tmp_path / "elsewhere" / "games.sqlite", sys.stdin, sys.stdout, asks=False)
    assert "\n" not in str(refusal.value)
    after = sorted(path.name for path in (disk / "data").iterdir() if path.name != RESERVE_NAME)
    assert set(after) - set(before) <= {".lock"}


class SlowStore(Store):
    """A store that takes as long as a test wants."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.writes, self.goes_on = Event(), Event()
        self.goes_on.set()

    def append_all(self, batches: Any) -> None:
        self.writes.set()
        self.goes_on.wait(30)
        super().append_all(batches)


def test_the_page_answers_while_a_slow_disk_writes_and_says_that_it_is_slow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SlowStore(tmp_path)
    table = Table(BOARD, store, setup=GameSetup(position=BEFORE))
    table.start()
    page = create_app(table).test_client()
    store.writes.clear()
    store.goes_on.clear()
    player = Thread(target=lay_and_take, args=(table,))
    player.start()
    assert store.writes.wait(10)
    for path in ("view?role=table", "replay", "record.txt", "hints", "health", "session"):
        assert page.get(f"/api/v1/{path}").status_code == 200, path
    monkeypatch.setattr("tock_companion.table.runtime.troubles.SLOW_S", 0.0)
    store.goes_on.set()
    player.join()
    assert [note["code"] for note in table.view(Role.TABLE)["health"]] == ["disk_slow"]
    monkeypatch.setattr("tock_companion.table.runtime.troubles.SLOW_S", 60.0)
    lay_and_take(table)
    assert table.view(Role.TABLE)["health"] == []
    table.stop()


def test_an_abandoned_request_is_not_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a slow disk refused requests used to pile up and happen minutes later."""
    monkeypatch.setattr("tock_companion.table.runtime.work_queue.ANSWER_TIMEOUT_S", 0.01)
    held, done = Event(), list[str]()
    queue = WorkQueue(lambda _message: None, lambda: None, lambda: None)
    queue.start()
    queue.run_soon(lambda: done.extend([] if held.wait(10) else ["never let go"]))
    with pytest.raises(TimeoutError):
        queue.ask(lambda: done.append("late"))
    held.set()
    monkeypatch.setattr("tock_companion.table.runtime.work_queue.ANSWER_TIMEOUT_S", 10.0)
    queue.ask(lambda: done.append("in time"))
    assert done == ["in time"]
    queue.stop()


def test_advice_that_the_disk_refuses_to_keep_is_not_allowed_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It used to hold until the next start and then not."""
    table = Table(BOARD, Store(tmp_path), setup=GameSetup(position=pawns("P0 T4")))
    table.start()
    app = create_app(table)
    host = app.test_client()
    host.post("/api/v1/host", json={}, headers={"X-Tock": "1"})

    def refuse(*_: object) -> None:
        raise TockError("games.sqlite cannot be written (disk is full); free disk space")

    with monkeypatch.context() as full:
        full.setattr(table.choices, "keep", refuse)
        answer = host.post("/api/v1/hints", json={"most": "off", "per_seat": None}, headers={"X-Tock": "1"})
        assert answer.status_code == 409
    assert host.get("/api/v1/hints").json == {"most": "teacher", "per_seat": None}
    table.stop()


def test_taking_over_from_a_computer_is_whole_or_not_at_all(disk: Path) -> None:
    """The seat used to be on the disk and the computer still on it, when the disk filled up in between."""
    store = Store(disk)
    table = Table(BOARD, store, setup=GameSetup(position=BEFORE))
    table.start()
    assert send(table.request, "set_computer", {"seat": "P1", "strength": "easy"}, Role.HOST).ok
    refused = 0
    for left in range(0, 200_000, 8192):
        clear(disk)
        table.people.leave("")
        fill(disk, leave_bytes=left)
        joined = table.people.join("Zoé", Seat.P1)
        assert bool(store.holders()) == joined.reply.ok
        assert (store.choices.get("computers") == {}) == joined.reply.ok
        if joined.ticket is not None:
            break
        refused += 1
    clear(disk)
    assert refused or joined.ticket
    table.stop()
