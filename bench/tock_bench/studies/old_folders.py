"""Has a release write the data folder of a family's evening.

Everything goes through the release's own commands and page: seats, a PIN, a kept game with a warning in it, a running
game with hands, an own board and its camera state, a recording, copies, settings. Beside it, `expected.json` lists the
content that a later release must find.
"""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any

import cv2
import numpy as np

from tests.support import demands
from tests.support.mosquitto import free_port
from tests.support.old_folders import ARCHIVE, FOLDERS
from tests.support.page_client import PageClient
from tests.support.service import answers, drag
from tests.support.stored_shapes import as_text, shapes_of_today
from tests.support.waiting import until
from tock_bench.results import Figures, Say
from tock_rules import Hole, Seat, camp_holes_of

OWN = Path(sys.executable).with_name("tock")
PIN = "4711"
BOARD = "our-board.json"
MARGIN_MM = 5.0
"""Margin of the own board around the usual one."""
SETTINGS = f"""board = "{BOARD}"
ruleset = "mjc"
names = ["table.example"]

[backup]
keep = 3

[retention]
recordings_mb = 100
"""
FRAMES_KEPT = 2
PICTURES_KEPT = 2
LEFT_BEHIND = (".reserve", ".lock", "running.json", "games.sqlite-shm")
"""Files of a data folder without data of the family."""
PATIENCE_S = 60.0


class Release:
    """The commands of one release on one data folder."""

    def __init__(self, tock: Path, data: Path) -> None:
        self.data, self._tock, self._port = data, tock, free_port()
        self.url = f"http://127.0.0.1:{self._port}"
        own = {"TOCK_DATA": str(data), "TOCK_PORT": str(self._port), "TOCK_TLS_PORT": "0"}
        self._environment = {**os.environ, **own}

    def command(self, *arguments: str) -> str:
        """Run a command to its end and return its output; raises CalledProcessError."""
        done = subprocess.run(
            [self._tock, *arguments],
            env=self._environment, cwd=self.data, check=True, capture_output=True, text=True,
        )  # fmt: skip
        return done.stdout

    @contextmanager
    def running(self, *arguments: str) -> Iterator[None]:
        """Run a command meanwhile, and end it as a person does."""
        process = subprocess.Popen(
            [self._tock, *arguments],
            env=self._environment, cwd=self.data, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            yield
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE_S)

    @contextmanager
    def evening(self) -> Iterator[None]:
        """Run the companion."""
        with self.running("run"):
            until(lambda: answers(self.url))
            yield


def own_board(usual: str) -> str:
    """The usual board with a margin and a family's name."""
    board = json.loads(usual)
    board["name"] = "Notre plateau"
    board["size"] = [side + 2 * MARGIN_MM for side in board["size"]]
    for place in (*board["holes"], *board["markers"]):
        place["x"] += MARGIN_MM
        place["y"] += MARGIN_MM
    if "pile" in board:
        board["pile"] = {**board["pile"], "x": board["pile"]["x"] + MARGIN_MM}
    return json.dumps(board, ensure_ascii=False)


def granted(answer: Mapping[str, Any]) -> None:
    """Stop after a refusal."""
    if not answer.get("ok"):
        raise SystemExit(f"this release refuses a part of the evening: {answer}")


def begin_evening(release: Release) -> tuple[PageClient, PageClient]:
    """Anna, who hosts, and Ben sit down; Anna chooses a PIN."""
    anna, ben = PageClient(release.url), PageClient(release.url)
    granted(anna.post("/api/v1/join", name="Anna", seat="P0", lang="fr"))
    granted(ben.post("/api/v1/join", name="Ben", seat="P2", lang="en"))
    anna.post("/api/v1/host")
    choose_pin(release, anna)
    granted(ask_host(anna, "new_game", ruleset="mjc", players=2, first="P0"))
    return anna, ben


def choose_pin(release: Release, host: PageClient) -> None:
    """Choose a PIN; since 0.3.0 with the code that only the machine shows."""
    if not host.post("/api/v1/host/pin", pin=PIN)["ok"]:
        code = release.command("host", "code").strip()
        granted(host.post("/api/v1/host/pin", pin=PIN, proof=code))


def ask_host(phone: PageClient, kind: str, **data: object) -> Any:
    """Make a request of the host."""
    return phone.post("/api/v1/request", kind=kind, data=data, role="host")


def play_kept_game(anna: PageClient, ben: PageClient) -> None:
    """Both come out; Anna moves one hole too far and corrects it."""
    granted(anna.ask("play_card", card="KH"))
    drag(anna, "P0", "T0")
    anna.wait_for("to_move", "P2")
    granted(ben.ask("play_card", card="KS"))
    drag(ben, "P2", "T36")
    anna.wait_for("to_move", "P0")
    granted(anna.ask("play_card", card="6H"))
    drag(anna, "P0", "T7", "T0")
    until(lambda: anna.view("table")["warning"] is not None)
    drag(anna, "P0", "T6", "T7")
    anna.wait_for("to_move", "P2")


def play_running_game(anna: PageClient, ben: PageClient) -> None:
    """A game with known hands, left in the middle."""
    granted(anna.ask("hand_set", cards=["AH", "5C", "9D"]))
    granted(ben.ask("hand_set", cards=["QS", "2C"]))
    granted(anna.ask("play_card", card="AH"))
    drag(anna, "P0", "T0")
    anna.wait_for("to_move", "P2")


def standing(view: dict[str, Any]) -> list[list[str]]:
    """Hole and seat of every pawn; the holes of a camp are one."""
    found = [(Hole.parse(hole), seat) for hole, seat in view["holes"].items() if seat]
    return [[seat if hole.in_camp else str(hole), seat] for hole, seat in found]


def put_pawns_back(phone: PageClient) -> None:
    """Lay all pawns of the simulated table into their camps, as before each game."""
    holes = {hole["id"]: (hole["x"], hole["y"]) for hole in phone.get("/api/v1/board")["holes"]}
    for seat in ("P0", "P2"):
        pawns = [pawn for pawn in phone.get("/api/v1/sim/scene")["pawns"] if pawn["seat"] == seat]
        camps = [holes[hole] for hole in camp_holes_of(Seat[seat])]
        at = [(pawn["x_mm"], pawn["y_mm"]) for pawn in pawns]
        free = [camp for camp in camps if camp not in at]
        for pawn in (pawn for pawn in pawns if (pawn["x_mm"], pawn["y_mm"]) not in camps):
            x_mm, y_mm = free.pop()
            phone.post("/api/v1/sim/pawn", id=pawn["id"], x_mm=x_mm, y_mm=y_mm)


def picture(phone: PageClient, path: Path) -> None:
    """Keep a picture of the simulated camera."""
    until(lambda: phone.send("/api/v1/sim/frame")[0] == 200)
    path.write_bytes(phone.send("/api/v1/sim/frame")[1])


def learn_camera(release: Release, camps: Path) -> str:
    """Have the own board learned from a picture; the file gets the name by which the camera finds it."""
    learned = release.data / "learned.npz"
    release.command("board", "learn", "--board", BOARD, "--camps", str(camps), "--out", str(learned))
    with np.load(learned) as arrays:
        board = json.loads(bytes(arrays["head"]))["board"]
    name = f"camera-{board[:8]}.npz"
    learned.rename(release.data / name)
    return name


def keep_board(host: PageClient, board: str) -> bool:
    """Put the own board among the table's, where the release has such a folder."""
    document = {**json.loads(board), "name": "Chez Ben"}
    status, _ = host.send("/api/v1/boards", json.dumps({"file": json.dumps(document)}).encode())
    return status == 200


def play(release: Release, board: str, camps: Path) -> dict[str, Any]:
    """Play the evening; return the content that must be found again."""
    with release.evening():
        anna, ben = begin_evening(release)
        picture(anna, camps)
        recording = release.data / "recordings" / "evening"
        with release.running("record", "--out", str(recording)):
            until((recording / "recording.json").exists)
            play_kept_game(anna, ben)
        put_pawns_back(anna)
        anna.post("/api/v1/hints", most="nudge", per_seat=3)
        granted(ask_host(anna, "new_game", ruleset="mjc", players=2, first="P0"))
        play_running_game(anna, ben)
        kept_board = keep_board(anna, board)
        view = anna.view("seat")
        return {
            "pin": PIN,
            "cookies": {"Anna": anna.cookies(), "Ben": ben.cookies()},
            "seats": {seat["seat"]: seat["name"] for seat in view["seats"] if seat["name"]},
            "hands": {"Anna": cards(anna), "Ben": cards(ben)},
            "to_move": view["to_move"],
            "pawns": sorted(standing(view)),
            "seq": view["game"]["seq"],
            "board": json.loads(board)["name"],
            "hints": anna.get("/api/v1/hints"),
            "kept_board": kept_board,
            "recording": "recordings/evening",
        }


def cards(phone: PageClient) -> list[str]:
    return [entry["card"] for entry in phone.view("seat")["hand"]["cards"]]


def thin_out(recording: Path) -> None:
    """Keep the first pictures of a recording, small in bytes; the table's other inputs stay."""
    log = recording / "frames.jsonl"
    lines = log.read_text(encoding="utf-8").splitlines()[:FRAMES_KEPT]
    log.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    kept = {json.loads(line)["file"] for line in lines}
    for path in (recording / "frames").iterdir():
        if f"frames/{path.name}" not in kept:
            path.unlink()
            continue
        seen = cv2.imread(str(path))
        assert seen is not None
        cv2.imwrite(str(path), seen, [cv2.IMWRITE_JPEG_QUALITY, 30])


def drop_pictures(database: Path) -> None:
    """Keep a few pictures of moves, so that the repository stays small; nothing else of the database changes."""
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute(
            "DELETE FROM pictures WHERE (game, seq, name) NOT IN (SELECT game, seq, name FROM pictures LIMIT ?)",
            (PICTURES_KEPT,),
        )
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def make(tock: Path, target: Path) -> None:
    """Make the folder of a release; raises SystemExit after a refusal."""
    with tempfile.TemporaryDirectory() as scratch:
        data = Path(scratch) / "data"
        data.mkdir()
        release = Release(tock, data)
        board = own_board(
            release.command("board", "export", "--zones", "4", "--size", "440", "--format", "json")
        )
        (data / BOARD).write_text(board, encoding="utf-8")
        (data / "tock.toml").write_text(SETTINGS, encoding="utf-8")
        expected = play(release, board, Path(scratch) / "camps.jpg")
        expected["camera"] = learn_camera(release, Path(scratch) / "camps.jpg")
        listed = release.command("game", "list").splitlines()
        expected["games"] = [line.split("\t") for line in listed]
        drop_pictures(data / "games.sqlite")
        copy = data / "backups" / "games-2026-01-01.sqlite"
        copy.parent.mkdir(exist_ok=True)
        release.command("game", "backup", str(copy))
        for other in set(copy.parent.iterdir()) - {copy}:
            other.unlink()
        expected["replayed"] = replayed(release, data / "recordings" / "evening")
        for name in LEFT_BEHIND:
            with suppress(FileNotFoundError):
                (data / name).unlink()
        target.mkdir(exist_ok=True)
        with tarfile.open(target / ARCHIVE, "w:xz") as packed:
            packed.add(data, "data")
        (target / "expected.json").write_text(json.dumps(expected, ensure_ascii=False, indent=1) + "\n")


def replayed(release: Release, recording: Path) -> list[str]:
    """The kinds of event that the release's own replay of the thinned recording gives."""
    thin_out(recording)
    lines = release.command("replay", str(recording)).splitlines()
    return [json.loads(line)["event"] for line in lines]


def run(
    _say: Say,
    release: Annotated[str, "its number, or `next` for the one being made"],
    tock: Annotated[Path, "its command, if it is not this version"] = OWN,
) -> Figures:
    """Write the folder of a release."""
    folder = FOLDERS / release
    make(tock.absolute(), folder)
    if tock == OWN:
        (folder / "forms.json").write_text(as_text(shapes_of_today()), encoding="utf-8")
        (folder / "demands.json").write_text(demands.as_text(), encoding="utf-8")
    return {"folder": str(folder)}
