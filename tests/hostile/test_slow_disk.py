"""A worn-out card dawdles or hangs under a whole companion: every phone is answered, and reads the cause."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.disks import FaultyDisk
from tests.support.page_client import PageClient
from tests.support.service import PROGRAM, Companion
from tests.support.waiting import until
from tock_companion.storage import Store

pytestmark = pytest.mark.whole
CONFIG = 'ruleset = "mjc"\nhost = "127.0.0.1"\n[sources.camera]\ndevice = "/dev/no-camera"\n'
SOON_S = 6.0
"""The table waits two seconds for the disk; the rest is for a machine that does other things too."""
PATIENCE_S = 30.0


@pytest.fixture
def disk(tmp_path: Path) -> FaultyDisk:
    disk = FaultyDisk(tmp_path / "data", tmp_path / "control")
    disk.folder.mkdir()
    (disk.folder / "tock.toml").write_text(CONFIG, encoding="utf-8")
    disk.tell()
    return disk


@pytest.fixture
def companion(disk: FaultyDisk) -> Iterator[Companion]:
    with Companion(disk.folder, program=PROGRAM, environment=disk.environment()) as running:
        yield running
        disk.tell()


def player(companion: Companion, seat: str) -> PageClient:
    phone = PageClient(companion.url)
    assert phone.post("/api/v1/join", name=seat, seat=seat)["ok"]
    return phone


def timed(ask: Any, *args: object, **data: object) -> tuple[Any, float]:
    began_s = time.monotonic()
    answer = ask(*args, **data)
    return answer, time.monotonic() - began_s


def notes(phone: PageClient) -> dict[str, str]:
    return {note["code"]: note["sentence"]["en"] for note in phone.view("table")["health"]}


def wait_for_note(phone: PageClient, wanted: str | None, words: str = "") -> None:
    def is_there() -> bool:
        found = {code: sentence for code, sentence in notes(phone).items() if code.startswith("disk")}
        return not found if wanted is None else wanted in found and words in found[wanted]

    until(is_there, f"{wanted} {words}", within_s=PATIENCE_S)


def test_a_disk_that_hangs_holds_up_nobody_and_gets_everything_once_it_answers(
    companion: Companion, disk: FaultyDisk
) -> None:
    anna, bob = player(companion, "P0"), player(companion, "P1")
    disk.tell("hang")
    laid, took_s = timed(anna.ask, "play_card", card="9H")
    assert laid["ok"], laid
    assert took_s < SOON_S
    wait_for_note(bob, "disk_slow", "do not switch off")
    for path in ("view?role=seat", "session", "replay", "record.txt", "hints", "health"):
        (status, _), took_s = timed(bob.send, f"/api/v1/{path}")
        assert (status, took_s < SOON_S) == (200, True), path
    replies = [timed(bob.ask, "hand_set", cards=["KH"], count=4), timed(anna.ask, "withdraw_card")]
    assert all(reply["ok"] for reply, _ in replies), replies
    assert all(took_s < SOON_S for _, took_s in replies), replies
    carl = PageClient(companion.url)
    seat, took_s = timed(carl.post, "/api/v1/join", name="Carl", seat="P2")
    assert (seat["ok"], seat["code"], took_s < SOON_S) == (False, "disk", True)
    assert "very slow" in seat["message"]["en"]
    shown = anna.view("table")["game"]["seq"]
    disk.tell()
    wait_for_note(bob, None)
    assert carl.post("/api/v1/join", name="Carl", seat="P2")["ok"]
    companion.kill()
    store = Store(disk.folder)
    assert len(store.game(1).events) >= shown > 2
    store.close()


def test_a_disk_that_takes_a_second_for_each_write_is_reported_and_answered_for(
    companion: Companion, disk: FaultyDisk
) -> None:
    anna = player(companion, "P0")
    disk.tell("slow")
    for _ in range(3):
        for kind, data in (
            ("hand_set", {"cards": ["KH"], "count": 4}),
            ("hand_set", {"cards": [], "count": 4}),
        ):
            reply, took_s = timed(anna.ask, kind, **data)
            assert (reply["ok"], took_s < SOON_S) == (True, True), (reply, took_s)
    assert "disk_slow" in notes(anna)
    shown = anna.view("table")["game"]["seq"]
    disk.tell()
    wait_for_note(anna, "disk_slow")
    assert anna.ask("hand_set", cards=["QH"], count=4)["ok"]
    wait_for_note(anna, None)
    companion.kill()
    store = Store(disk.folder)
    assert len(store.game(1).events) == shown + 1
    store.close()
