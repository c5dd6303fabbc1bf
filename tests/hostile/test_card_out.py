"""The memory card is pulled out during a game and put back: the game goes on, and the card gets all of it."""

import fcntl
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.disks import CardFile
from tests.support.tables import BEFORE, BOARD, lay_and_take
from tests.support.waiting import until
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Role
from tock_companion.errors import TockError
from tock_companion.storage import FolderLock, Store
from tock_companion.storage.files import LOCK_NAME
from tock_companion.table.runtime.live import Table
from tock_rules import Seat


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tock_companion.table.runtime.ledger.RETRY_S", 0.05)


@pytest.fixture
def card(tmp_path: Path) -> Iterator[CardFile]:
    """A real ext4 on a loop device."""
    card = CardFile(tmp_path / "card.img", tmp_path / "card")
    if not card.make():
        pytest.skip("NOT TRIED: only the superuser may mount a card (run it in a container, or with sudo)")
    yield card
    while card.folder.is_mount():
        card.pull_out()


def health(table: Table) -> list[str]:
    return [note["code"] for note in table.view(Role.TABLE)["health"]]


def running(folder: Path) -> tuple[Table, Store, FolderLock]:
    lock, store = FolderLock(folder), Store(folder)
    store.hold(lock)
    table = Table(BOARD, store, setup=GameSetup(position=BEFORE))
    table.start()
    return table, store, lock


def goes_on_while_it_is_out(table: Table) -> None:
    assert set(lay_and_take(table, 3)) == {"ok"}
    assert health(table) == ["disk"]
    sentence = table.view(Role.TABLE)["health"][0]["sentence"]
    assert "its memory card was pulled out; put the same card back" in sentence["en"]
    assert "la partie continue" in sentence["fr"].lower()
    assert table.people.join("Anna", Seat.P0).reply.code == "disk"


def all_is_there(table: Table, folder: Path, events: int) -> None:
    assert table.people.join("Anna", Seat.P0).ticket
    assert set(lay_and_take(table)) == {"ok"}
    assert table.replay()["steps"] is not None
    table.stop()
    again = Store(folder)
    assert len(again.game(1).events) == events + 2
    assert [holder.name for holder in again.holders()] == ["Anna"]
    again.close()


def test_a_card_that_is_pulled_out_and_put_back_gets_all_that_was_played_meanwhile(card: CardFile) -> None:
    table, _, lock = running(card.folder)
    assert set(lay_and_take(table, 2)) == {"ok"}
    before = card.folder.stat().st_dev
    card.pull_out()
    goes_on_while_it_is_out(table)
    assert card.put_in()
    assert card.folder.stat().st_dev != before
    until(lambda: health(table) == [])
    with (card.folder / LOCK_NAME).open("ab") as other, pytest.raises(BlockingIOError):
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    all_is_there(table, card.folder, 1 + 4 + 6)
    lock.release()


def test_a_folder_that_is_away_for_a_while_gets_all_that_was_played_meanwhile(tmp_path: Path) -> None:
    """The same by renaming, for machines where nothing can be mounted."""
    folder = tmp_path / "card"
    table, _, lock = running(folder)
    lay_and_take(table, 2)
    folder.rename(tmp_path / "pocket")
    goes_on_while_it_is_out(table)
    (tmp_path / "pocket").rename(folder)
    until(lambda: health(table) == [])
    all_is_there(table, folder, 1 + 4 + 6)
    lock.release()


def test_a_copy_of_the_card_will_do(tmp_path: Path) -> None:
    folder = tmp_path / "card"
    table, _, lock = running(folder)
    lay_and_take(table, 2)
    files = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    folder.rename(tmp_path / "broken")
    goes_on_while_it_is_out(table)
    folder.mkdir()
    for name, data in files.items():
        if not name.endswith("-shm"):
            (folder / name).write_bytes(data)
    until(lambda: health(table) == [])
    all_is_there(table, folder, 1 + 4 + 6)
    lock.release()


def test_the_card_of_another_table_is_left_alone(tmp_path: Path) -> None:
    folder, other = tmp_path / "card", tmp_path / "other"
    strange = Table(BOARD, Store(other), setup=GameSetup(position=BEFORE))
    strange.start()
    lay_and_take(strange)
    strange.stop()
    table, store, lock = running(folder)
    lay_and_take(table, 2)
    folder.rename(tmp_path / "pocket")
    other.rename(folder)
    assert set(lay_and_take(table)) == {"ok"}
    until(lambda: "another one than this game" in str(table.view(Role.TABLE)["health"]))
    with pytest.raises(TockError, match="another one than this game was begun in; put the same card back"):
        store.choices.keep("hints", 1)
    folder.rename(other)
    (tmp_path / "pocket").rename(folder)
    until(lambda: health(table) == [])
    table.stop()
    lock.release()
    untouched = Store(other)
    assert len(untouched.game(1).events) == 3
    untouched.close()


def test_an_event_that_the_card_took_despite_refusing_is_not_saved_twice(tmp_path: Path) -> None:
    """The card kept the data and lost the answer."""

    class Deaf(Store):
        def append_all(self, batches: object) -> None:
            super().append_all(batches)  # type: ignore[arg-type]
            if self.deaf:
                self.deaf = False
                raise TockError("games.sqlite cannot be written (disk I/O error); check the disk")

        deaf = False

    store = Deaf(tmp_path)
    table = Table(BOARD, store, setup=GameSetup(position=BEFORE))
    table.start()
    store.deaf = True
    assert set(lay_and_take(table, 2)) == {"ok"}
    until(lambda: health(table) == [])
    assert len(store.game(1).events) == 5
    table.stop()
