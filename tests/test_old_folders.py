"""A folder of any release opens with everything in it: the companion as a process, and the commands on the folder."""

import json
from pathlib import Path

import pytest

from tests.support.forked import ForkedTock
from tests.support.old_folders import ALL, BEFORE, OLDER, RELEASED, OldFolder, copy_of
from tests.support.service import Companion, drag
from tock_companion.boardfile import load
from tock_vision.calibration_file import load_calibration

pytestmark = pytest.mark.whole
PATIENCE_S = 60.0


def tock(folder: OldFolder, *arguments: str) -> tuple[str, str, int]:
    """Both streams and the exit code of a command on a folder."""
    environment = {
        "TOCK_DATA": str(folder.data),
        "TOCK_PORT": "8099",
        "TOCK_TLS_PORT": "0",
        "PATH": "/usr/bin:/bin",
    }
    process = ForkedTock([*arguments], environment)
    output, errors = process.communicate(PATIENCE_S)
    return output, errors, process.wait()


@pytest.mark.parametrize("release", ALL)
def test_a_folder_opens_with_everything_in_it_and_its_games_go_on(release: str, tmp_path: Path) -> None:
    old = copy_of(release, tmp_path / "data")
    with Companion(old.data) as companion:
        anna, ben = old.phone("Anna", companion), old.phone("Ben", companion)
        assert old.seen_by("Anna", companion) == old.expected_by("Anna")
        assert old.seen_by("Ben", companion) == old.expected_by("Ben")
        assert anna.view("table")["health"] == []
        stranger = old.phone("Ben", companion)
        assert not stranger.post("/api/v1/host", pin="9999")["ok"]
        assert anna.post("/api/v1/host", pin=old.expected["pin"])["ok"]
        # The running game goes on.
        assert ben.ask("play_card", card="QS")["ok"] or ben.ask("discard", card="QS")["ok"]
        assert ben.view("table")["game"]["seq"] > old.expected["seq"]
        # The kept game is there, and can be played on.
        kept = [game["number"] for game in anna.get("/api/v1/games")["games"]]
        assert {2, 3} <= set(kept)
        status, log = anna.send("/api/v1/game.jsonl?number=2")
        assert status == 200
        assert anna.post("/api/v1/games", log=log.decode())["ok"]
        anna.wait_for("to_move", "P2")
        assert anna.view("table")["holes"]["T6"] == "P0"
        assert ben.ask("play_card", card="8C")["ok"]
        drag(ben, "P2", "T44", "T36")
        anna.wait_for("to_move", "P0")
        if old.expected["kept_board"]:
            names = [board["name"] for board in anna.get("/api/v1/boards")["boards"]]
            assert "Chez Ben" in names
    board = load(old.data / "our-board.json")
    learned = max(old.data.glob("camera-*.npz"), key=lambda path: path.stat().st_mtime)
    assert load_calibration(learned, board).colors.keys() >= {board.seats[0], board.seats[2]}


@pytest.mark.parametrize("release", ALL)
def test_commands_open_a_folder_without_changing_it(release: str, tmp_path: Path) -> None:
    old = copy_of(release, tmp_path / "data")
    before = old.database.read_bytes()
    listed, errors, _ = tock(old, "game", "list")
    assert [line.split("\t") for line in listed.splitlines()] == old.expected["games"], errors
    exported, errors, _ = tock(old, "game", "export", "--events", "--game", "2")
    assert [json.loads(line)["seq"] for line in exported.splitlines()] == list(range(1, 14)), errors
    examined, errors, _ = tock(old, "doctor", "--json")
    found = {row["part"]: row for row in map(json.loads, examined.splitlines())}
    assert found["games"]["code"] == "games/ok", errors
    _, errors, code = tock(old, "game", "backup", str(tmp_path / "copy.sqlite"))
    assert code == 0, errors
    assert old.database.read_bytes() == before


@pytest.mark.parametrize("release", ALL)
def test_a_copy_that_a_release_made_is_put_back_and_opens(release: str, tmp_path: Path) -> None:
    old = copy_of(release, tmp_path / "data")
    _, errors, code = tock(old, "game", "restore", str(old.data / "backups" / "games-2026-01-01.sqlite"))
    assert code == 0, errors
    with Companion(old.data) as companion:
        assert old.seen_by("Anna", companion) == old.expected_by("Anna")


@pytest.mark.parametrize("release", ALL)
def test_a_recording_of_any_release_is_replayed(release: str, tmp_path: Path) -> None:
    old = copy_of(release, tmp_path / "data")
    replayed, errors, _ = tock(old, "replay", str(old.data / old.expected["recording"]))
    kinds = [json.loads(line)["event"] for line in replayed.splitlines()]
    assert kinds == old.expected["replayed"], errors


@pytest.mark.parametrize("release", RELEASED)
def test_a_start_copies_an_older_database_once_and_finds_the_camera_s_state_by_its_old_name(
    release: str, tmp_path: Path
) -> None:
    old = copy_of(release, tmp_path / "data")
    for _ in range(2):
        with Companion(old.data):
            cameras = {path.name for path in old.data.glob("camera-*.npz")}
    assert cameras == {old.expected["camera"], "camera-372b87ef.npz"}
    copies = [path.name for path in (old.data / "backups").glob("before-*")]
    assert copies == ([BEFORE] if release in OLDER else [])
