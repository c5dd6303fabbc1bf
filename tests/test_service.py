"""The whole companion as a process: starts, survives the power cut, stops, and says in one line why it cannot start."""

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.support.page_client import PageClient
from tests.support.service import PROGRAM, Companion, drag, wait_for_board
from tests.support.waiting import crowding
from tock_companion.boardfile import fingerprint, generate, to_text
from tock_companion.events.codec import event_to_line
from tock_companion.storage import Store

pytestmark = pytest.mark.whole
START_LIMIT_S = 3.0
STOP_LIMIT_S = 2.0


TOCK = [sys.executable, "-m", "tock_app.cli.main"]


def test_it_answers_quickly_and_stops_quickly(tmp_path: Path) -> None:
    starts_s, stops_s = [], []
    for _ in range(5):
        # Other tests run beside this one: what counts is how long it would take alone, and the best of five.
        before = crowding()
        companion = Companion(tmp_path, program=PROGRAM)
        start_s = companion.wait_until_up()
        starts_s.append(start_s / max(1.0, min(before, crowding())))
        stops_s.append(companion.stop())
        assert companion.process.returncode == 0
        if starts_s[-1] < START_LIMIT_S and stops_s[-1] < STOP_LIMIT_S:
            break
    assert min(starts_s) < START_LIMIT_S
    assert min(stops_s) < STOP_LIMIT_S


def test_a_reader_of_its_output_may_leave_and_a_closed_terminal_ends_it_properly(tmp_path: Path) -> None:
    # Under nohup the tests ignore SIGHUP, and their child processes inherit that.
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    try:
        companion = Companion(tmp_path, program=PROGRAM)
    finally:
        signal.signal(signal.SIGHUP, before)
    assert isinstance(companion.process, subprocess.Popen)
    assert companion.process.stdout is not None
    assert companion.process.stderr is not None
    companion.process.stdout.close()
    with companion.process.stderr:
        companion.wait_until_up()
        companion.process.send_signal(signal.SIGHUP)
        assert companion.process.wait(timeout=10) == 0
    assert not (tmp_path / "running.json").exists()


def standing(view: dict[str, Any]) -> list[tuple[str, str]]:
    """Seats by hole; which hole of a camp a pawn stands in means nothing."""
    return sorted((hole.split("-C")[0], seat) for hole, seat in view["holes"].items())


def test_kill_9_loses_no_accepted_move_no_laid_card_and_no_hand(tmp_path: Path) -> None:
    with Companion(tmp_path) as companion:
        anna, bob = PageClient(companion.url), PageClient(companion.url)
        for seat, phone in (("P0", anna), ("P1", bob)):
            assert phone.post("/api/v1/join", name=seat, seat=seat, lang="fr")["ok"]
        assert anna.ask("hand_set", cards=["KH", "KS", "9C"])["ok"]
        assert anna.ask("play_card", card="KH")["ok"]
        drag(anna, "P0", "T0")
        anna.wait_for("to_move", "P1")
        assert bob.ask("play_card", card="KD")["ok"]
        before = anna.view("table")
        companion.kill()
    with Companion(tmp_path, port=companion.port):
        after = anna.view("table")
        for key in ("to_move", "card", "history", "seats"):
            assert after[key] == before[key]
        assert after["card"] == "KD"
        assert standing(after) == standing(before)
        assert after["holes"]["T0"] == "P0"
        assert after["game"]["seq"] == before["game"]["seq"]
        assert [entry["card"] for entry in anna.view()["hand"]["cards"]] == ["KS", "9C"]
        assert bob.view()["hand"]["cards"] == []
        assert [seat["cards"] for seat in after["seats"]] == [3, None, None, None], "one was drawn"


def test_without_its_camera_the_table_says_so_and_goes_on_by_touch(tmp_path: Path) -> None:
    (tmp_path / "tock.toml").write_text("[sources.camera]\ndevice = 99\n")
    with Companion(tmp_path) as companion:
        anna = PageClient(companion.url)
        anna.post("/api/v1/join", name="Anna", seat="P0", lang="fr")
        view = anna.wait_for("by_touch", True, "seat")
        assert view["sources"][0]["condition"] == "lost"
        assert "caméra" in view["sources"][0]["sentence"]["fr"]
        assert anna.ask("play_card", card="KH")["ok"]
        assert anna.ask("move", text="P0:camp>T0*")["ok"]
        assert anna.view("table")["to_move"] == "P1"


def refusal(companion: Companion) -> str:
    """The one line that a companion which cannot start leaves behind."""
    output, errors = companion.process.communicate(timeout=20)
    assert companion.process.returncode == 2, errors
    lines = [line for line in errors.splitlines() if line]
    assert len(lines) == 1, errors
    assert output == ""
    return lines[0]


def test_a_port_in_use_is_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", 0))
        taken.listen()
        line = refusal(Companion(tmp_path, port=taken.getsockname()[1]))
    assert "TOCK_PORT" in line


def test_a_read_only_data_folder_is_one_line(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o555)
    assert "TOCK_DATA" in refusal(Companion(folder))


def test_a_second_companion_on_the_same_folder_is_refused_and_leaves_the_first_alone(tmp_path: Path) -> None:
    with Companion(tmp_path) as first:
        line = refusal(Companion(tmp_path))
        assert "a companion is running on" in line
        assert (tmp_path / "running.json").exists()
        restored = subprocess.run(
            [*TOCK, "game", "restore"],
            env={**os.environ, "TOCK_DATA": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert restored.returncode == 2, restored
        anna = PageClient(first.url)
        assert anna.post("/api/v1/join", name="Anna", seat="P0")["ok"]
    assert not (tmp_path / "games.damaged-1.sqlite").exists()


def test_one_damaged_game_does_not_keep_the_companion_from_starting(tmp_path: Path) -> None:
    with Companion(tmp_path):
        pass
    with closing(sqlite3.connect(tmp_path / "games.sqlite")) as database:
        database.execute("UPDATE events SET line = CAST(X'FF' AS TEXT)")
        database.commit()
    with Companion(tmp_path) as companion:
        codes = [note["code"] for note in PageClient(companion.url).view("table")["health"]]
    assert codes == ["game_damaged"]


def test_a_corrupted_database_is_one_line_and_kept(tmp_path: Path) -> None:
    (tmp_path / "games.sqlite").write_bytes(b"no database at all" * 400)
    assert "kept untouched as games.damaged-1.sqlite" in refusal(Companion(tmp_path))
    assert (tmp_path / "games.damaged-1.sqlite").read_bytes() == b"no database at all" * 400


@pytest.mark.parametrize(
    ("config", "board", "complaint"),
    [
        ("[sources.kinect]", None, "source 'kinect' is not known"),
        ("board = 'ours.json'", "{}", "ours.json"),
        ("[sources.camera]\ncolour = 3", None, "colour"),
    ],
)
def test_a_wrong_configuration_is_one_line(
    tmp_path: Path, config: str, board: str | None, complaint: str
) -> None:
    (tmp_path / "tock.toml").write_text(config)
    if board is not None:
        (tmp_path / "ours.json").write_text(board)
    assert complaint in refusal(Companion(tmp_path))


def test_a_recording_replays_to_the_same_events(tmp_path: Path) -> None:
    film = tmp_path / "evening"
    with Companion(tmp_path / "data") as companion:
        anna = PageClient(companion.url)
        anna.post("/api/v1/join", name="Anna", seat="P0", lang="fr")
        with recording(film, companion):
            anna.ask("play_card", card="KH")
            drag(anna, "P0", "T1")
            anna.wait_for("expects", "repair")
            drag(anna, "P0", "T0", source="T1")
            anna.wait_for("to_move", "P1")
        events = stored_events(companion.data)
    replayed = subprocess.run([*TOCK, "replay", str(film)], capture_output=True, text=True, check=True)
    kinds = [json.loads(line)["event"] for line in events]
    assert kinds == ["game_started", "card_played", "violation", "repaired", "move_accepted", "turn_ended"]
    assert replayed.stdout.splitlines() == events


@contextmanager
def recording(film: Path, companion: Companion) -> Iterator[None]:
    """`tock record` in a terminal of its own, ended with SIGTERM."""
    command = [*TOCK, "record", "--out", str(film)]
    environment = {**os.environ, "TOCK_DATA": str(companion.data)}
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as recorder:
        assert recorder.stderr is not None
        assert "recording into" in recorder.stderr.readline()
        yield
        recorder.terminate()
        assert recorder.wait(timeout=10) == 0


def stored_events(data: Path) -> list[str]:
    """The lines of the running game's log."""
    with closing(Store(data, set_aside=False)) as store:
        return [event_to_line(event) for number in store.numbers() for event in store.game(number).events]


def test_the_host_lays_another_board_and_the_game_on_it_survives_kill_9(tmp_path: Path) -> None:
    drawn = replace(generate(6, 600), name="Star")
    with Companion(tmp_path) as companion:
        anna = PageClient(companion.url)
        anna.post("/api/v1/join", name="Anna", seat="P0")
        first = anna.view("table")["board"]["id"]
        key = anna.post("/api/v1/boards", file=to_text(drawn))["key"]
        assert anna.post("/api/v1/boards/choose", key=key)["ok"]
        laid = wait_for_board(anna, "Star")
        assert (laid["id"], laid["zones"]) == (fingerprint(drawn), 6)
        assert laid["id"] != first
        assert len(anna.get("/api/v1/board")["holes"]) == len(drawn.holes)
        assert anna.get("/api/v1/session")["seat"] == "P0"
        assert anna.get("/api/v1/session")["host"]
        assert anna.ask("play_card", card="KH")["ok"]
        companion.kill()
    # The game remembers its board, also when the settings change.
    (tmp_path / "tock.toml").write_text("zones = 4\n")
    with Companion(tmp_path, port=companion.port):
        assert anna.view("table")["board"] == laid
        assert anna.view("table")["card"] == "KH"
        games = anna.get("/api/v1/games")["games"]
        assert len(games) == 1, "a game that was only prepared for another board is none"
