"""The whole companion as a process: starts, survives the power cut, stops, and says in one line why it cannot start."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.service import Companion, Phone

START_LIMIT_S = 3.0
STOP_LIMIT_S = 2.0


def put(phone: Phone, seat: str, target: str) -> None:
    """Drag the first pawn of a seat that is in camp onto a hole of the simulated table."""
    holes = {hole["id"]: hole for hole in phone.get("/api/v1/board")["holes"]}
    scene = phone.get("/api/v1/sim/scene")
    camp = [holes[f"{seat}-C{number}"] for number in range(1, 5)]
    in_camp = {(hole["x"], hole["y"]) for hole in camp}
    pawn = next(
        pawn for pawn in scene["pawns"]
        if pawn["seat"] == seat and (pawn["x_mm"], pawn["y_mm"]) in in_camp
    )  # fmt: skip
    place = holes[target]
    phone.post("/api/v1/sim/pawn", id=pawn["id"], x_mm=place["x"], y_mm=place["y"])


def test_it_answers_quickly_and_stops_quickly(tmp_path: Path) -> None:
    Companion(tmp_path).stop()
    companion = Companion(tmp_path)
    assert companion.wait_until_up() < START_LIMIT_S
    assert companion.stop() < STOP_LIMIT_S
    assert companion.process.returncode == 0


def test_kill_9_in_the_middle_of_a_game_loses_no_accepted_move(tmp_path: Path) -> None:
    with Companion(tmp_path) as companion:
        anna = Phone(companion.url)
        assert anna.post("/api/v1/join", name="Anna", seat="P0", lang="fr")["ok"]
        assert anna.ask("play_card", card="KH")["ok"]
        put(anna, "P0", "T0")
        before = anna.wait_for("to_move", "P1")
        companion.kill()
    with Companion(tmp_path, port=companion.port):
        after = anna.view("seat")
        for key in ("holes", "to_move", "card", "history", "seats"):
            assert after[key] == before.get(key, after[key])
        assert after["holes"]["T0"] == "P0"
        assert after["game"]["seq"] == before["game"]["seq"]


def test_kill_9_keeps_a_laid_card(tmp_path: Path) -> None:
    with Companion(tmp_path) as companion:
        anna = Phone(companion.url)
        anna.post("/api/v1/join", name="Anna", seat="P0", lang="fr")
        anna.ask("play_card", card="KH")
        companion.kill()
    with Companion(tmp_path, port=companion.port):
        assert anna.view("seat")["card"] == "KH"


def refusal(companion: Companion) -> str:
    """Return the one line that a companion which cannot start leaves behind."""
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


def test_a_corrupted_database_is_one_line_and_kept(tmp_path: Path) -> None:
    Companion(tmp_path).stop()
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
    with Companion(tmp_path / "data") as companion:
        anna = Phone(companion.url)
        anna.post("/api/v1/join", name="Anna", seat="P0", lang="fr")
        command = [sys.executable, "-m", "tock_companion.cli.main"]
        environment = {"TOCK_DATA": str(companion.data), "PATH": ""}
        recorder = subprocess.Popen(
            [*command, "record", "--out", str(tmp_path / "evening")],
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert recorder.stderr is not None
        assert "recording into" in recorder.stderr.readline()
        anna.ask("play_card", card="KH")
        put(anna, "P0", "T1")
        anna.wait_for("expects", "repair")
        scene = anna.get("/api/v1/sim/scene")
        holes = {hole["id"]: hole for hole in anna.get("/api/v1/board")["holes"]}
        strayed = next(
            pawn
            for pawn in scene["pawns"]
            if pawn["x_mm"] == holes["T1"]["x"] and pawn["y_mm"] == holes["T1"]["y"]
        )
        anna.post("/api/v1/sim/pawn", id=strayed["id"], x_mm=holes["T0"]["x"], y_mm=holes["T0"]["y"])
        anna.wait_for("to_move", "P1")
        recorder.terminate()
        assert recorder.wait(timeout=10) == 0
        events = stored_events(companion.data)
    replayed = subprocess.run(
        [*command, "replay", str(tmp_path / "evening")], capture_output=True, text=True, check=True
    )
    kinds = [line.split('"event": "')[1].split('"')[0] for line in events]
    assert kinds == ["game_started", "card_played", "violation", "repaired", "move_accepted", "turn_ended"]
    assert replayed.stdout.splitlines() == events


def stored_events(data: Path) -> list[str]:
    """Return the lines of the running game's log."""
    import sqlite3

    connection = sqlite3.connect(f"file:{data / 'games.sqlite'}?mode=ro", uri=True)
    rows = connection.execute("SELECT line FROM events ORDER BY game, seq").fetchall()
    connection.close()
    return [row[0] for row in rows]
