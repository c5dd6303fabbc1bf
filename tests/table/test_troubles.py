"""A full disk, a disk turned read-only, a clock set back: told on the page, and the game is intact."""

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.boards import pawns
from tock_companion.background import Background
from tock_companion.boardfile import generate
from tock_companion.core.bodies import Body, FreeSeat, NewGame, SetComputer
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Reply, Request, Role, parse_request
from tock_companion.errors import TockError
from tock_companion.events.facts import Event, Paused
from tock_companion.storage import Store
from tock_companion.storage.restoring import restore
from tock_companion.table.runtime.live import Table
from tock_companion.table.runtime.publisher import Subscription
from tock_companion.table.runtime.troubles import Troubles
from tock_rules import Seat

BOARD = generate(4, 440)
PATIENCE_S = 15.0
BEFORE = pawns("P0 T20, P1 T26")
NINE = parse_request("play_card", {"card": "9H"}, Role.SEAT, Seat.P0)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of 256 KiB: the database of a game with its journal, and little more."""
    if os.geteuid() != 0:
        pytest.skip("only the superuser may mount a small disk")
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", folder], check=False)
    if mounted.returncode != 0:
        pytest.skip("this machine lets nobody mount a small disk")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


def codes(table: Table) -> list[object]:
    notes = table.view(Role.TABLE)["health"]
    assert isinstance(notes, list)
    return [note["code"] for note in notes]


def hear(phone: Subscription, expected: list[str]) -> None:
    """Read a stream up to the view that names just these faults."""
    while (view := phone.get(PATIENCE_S)) is not None:
        if [note["code"] for note in view["health"]] == expected:
            return
    pytest.fail(f"no view with {expected}")


def play_through(folder: Path, refuse: list[str], allow: list[str]) -> list[str]:
    """Play while the disk refuses, then after it is mended; return the kinds of the events that are kept."""
    table = Table(BOARD, Store(folder), setup=GameSetup(position=BEFORE))
    table.start()
    for command in refuse:
        subprocess.run(command, shell=True, check=False, stderr=subprocess.DEVNULL)
    assert table.request(NINE).ok
    assert codes(table) == ["disk"]
    assert table.view(Role.TABLE)["card"] == "9H"
    for command in allow:
        subprocess.run(command, shell=True, check=True)
    kept_again(table)
    table.stop()
    store = Store(folder)
    game = store.newest_game()
    assert game is not None
    store.close()
    return [event.fact.KIND for event in game.events]


def kept_again(table: Table) -> None:
    """Wait until the disk has taken everything: the table offers it by itself."""
    end_s = time.monotonic() + PATIENCE_S
    with table.subscribe(Role.TABLE) as stream:
        while codes(table) and time.monotonic() < end_s:
            stream.get(0.2)
    assert codes(table) == []


@pytest.mark.whole
def test_a_full_disk_is_reported_and_the_game_goes_on_once_there_is_room(small_disk: Path) -> None:
    fill = f"dd if=/dev/zero of={small_disk}/full bs=1k"
    assert play_through(small_disk, [fill], [f"rm {small_disk}/full"]) == ["game_started", "card_played"]


@pytest.mark.whole
def test_a_disk_turned_read_only_is_reported_and_the_game_goes_on_once_it_is_not(small_disk: Path) -> None:
    lock = f"mount -o remount,ro {small_disk}"
    table = f"mount -o remount,rw {small_disk}"
    kept = play_through(
        small_disk,
        [f"{lock} || dd if=/dev/zero of={small_disk}/full bs=1k"],
        [table, f"rm -f {small_disk}/full"],
    )
    assert kept == ["game_started", "card_played"]


def test_a_clock_set_back_is_reported_until_it_is_right_again() -> None:
    wall, steady = [1_000_000.0], [50.0]
    troubles = Troubles(lambda: wall[0], lambda: steady[0])
    wall[0] -= 3600
    troubles.check_clock()
    assert [note.code for note in troubles.notes] == ["clock_back"]
    assert "60 min" in troubles.notes[0].sentence["en"]
    wall[0] += 3600
    troubles.check_clock()
    assert troubles.notes == ()


def test_a_background_fault_shows_at_once_at_a_table_at_rest_until_it_is_over(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail() -> None:
        raise OSError("no wood")

    monkeypatch.setattr("tock_companion.table.runtime.writer.LOOK_EVERY_S", 0.02)
    table, worker = Table(BOARD, Store(tmp_path)), Background("worker", "works", fail)
    table.start()
    try:
        with table.subscribe(Role.TABLE) as phone:
            hear(phone, [])
            worker.start()
            hear(phone, ["background"])
            worker.stop()
            hear(phone, [])
    finally:
        worker.stop()
        table.stop()


def test_the_small_steps_of_network_time_are_not_reported() -> None:
    wall = [1_000_000.0]
    troubles = Troubles(lambda: wall[0], lambda: 50.0)
    wall[0] -= 5
    troubles.check_clock()
    assert troubles.notes == ()


def everything_kept(table: Table) -> list[Reply]:
    """Ask for all that writes beside the game itself: people, computers, a new game."""
    host: list[Body] = [SetComputer(Seat.P3, "easy"), FreeSeat(Seat.P0), NewGame()]
    replies = [table.people.join("Bob", Seat.P1).reply]
    return replies + [table.request(Request(body, Role.HOST)) for body in host]


@pytest.mark.whole
def test_a_full_disk_refuses_whoever_comes_or_goes_with_a_sentence(small_disk: Path) -> None:
    table = Table(BOARD, Store(small_disk), setup=GameSetup(position=BEFORE))
    table.start()
    assert table.people.join("Anna", Seat.P0).ticket
    subprocess.run(
        f"dd if=/dev/zero of={small_disk}/full bs=1k", shell=True, check=False, capture_output=True
    )
    refusals = everything_kept(table)
    # A game goes on in memory; seats are shown only once they are on the disk.
    assert [reply.code for reply in refusals] == ["disk"] * 3 + ["ok"]
    assert set(table.people.names()) == {Seat.P0}
    assert table.people.computers() == {}
    with pytest.raises(TockError, match="cannot be written"):
        table.choices.keep("hints", {"most": "nudge" * 1000})
    (small_disk / "full").unlink()
    assert [reply.code for reply in everything_kept(table)] == ["ok"] * 4
    table.stop()


@pytest.mark.whole
def test_a_disk_that_is_pulled_out_is_reported(small_disk: Path) -> None:
    table = Table(BOARD, Store(small_disk), setup=GameSetup(position=BEFORE))
    table.start()
    subprocess.run(["umount", "-l", small_disk], check=True)
    assert table.request(NINE).ok
    assert codes(table) == ["disk"]
    assert [reply.code for reply in everything_kept(table)] == ["disk"] * 3 + ["ok"]
    table.stop()
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", small_disk], check=True)


@pytest.mark.whole
def test_a_copy_that_does_not_fit_is_not_put_back_and_leaves_nothing_behind(
    small_disk: Path, tmp_path: Path
) -> None:
    store = Store(tmp_path / "data")
    store.append(1, [Event(seq, seq, Paused("host")) for seq in range(1, 4000)])
    store.close()
    Store(small_disk).close()
    before = sorted(path.name for path in small_disk.iterdir())
    subprocess.run(
        f"dd if=/dev/zero of={small_disk}/full bs=1k", shell=True, check=False, capture_output=True
    )
    with pytest.raises(TockError, match="free space; nothing was changed"):
        restore(store.path, small_disk)
    assert sorted(path.name for path in small_disk.iterdir()) == sorted([*before, "full"])
