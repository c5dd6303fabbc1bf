"""A long evening in short. A table with the simulated camera, eight streams and a broker.

Pawns are dragged on the simulated table as a hand would; in the last half hour the power is cut every minute. Memory,
threads and open files are looked at all the time, and no event that a phone was shown may be lost.
"""

import http.client
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import mean
from typing import Annotated, Any

from tests.support.broker import Broker
from tests.support.service import Companion, free_port
from tock_bench.clients import PageClient
from tock_bench.results import Figures, Say
from tock_bench.watching import Held
from tock_companion.rules import Hole, Seat, camp_holes_of

SEATS = ("P0", "P1", "P2", "P3")
STREAMS = 8
SAMPLE_S = 15.0
MOVE_PATIENCE_S = 20.0
KILL_EVERY_S = 60.0
TURN_S = 3.0
"""Shortest time from one turn to the next: quicker than people play, and something is left of the machine."""
CARDS = ("KH", "AS", "2D", "3C", "4H", "5S", "6D", "8C", "9H", "10S", "QD")


@dataclass
class SoakFigures:
    """The figures so far."""

    moves: int = 0
    unseen: int = 0
    """Moves that the camera did not take in time."""
    shown: dict[int, int] = field(default_factory=dict)
    """Highest event number that a phone was shown, by run of the game."""
    games: int = 0
    lost: int = 0
    kills: int = 0
    starts_s: list[float] = field(default_factory=list)
    stream_views: int = 0
    samples: list[Held] = field(default_factory=list)


def listen(port: int, number: int, evening: SoakFigures, over: threading.Event) -> None:
    """Follow the table like a page: open the stream again whenever it breaks."""
    while not over.is_set():
        try:
            line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            line.request("GET", f"/api/v1/events?role=watch&tab=listener-{number}")
            answer = line.getresponse()
            while not over.is_set() and (text := answer.readline()):
                evening.stream_views += text.startswith(b"event: view")
        except (OSError, http.client.HTTPException):
            time.sleep(0.3)


class Player:
    """Plays all seats: lays cards, and drags pawns where a plain move leads."""

    def __init__(self, url: str, evening: SoakFigures, seed: int) -> None:
        self.url = url
        self.evening = evening
        self.rng = Random(seed)
        self.phones = {seat: PageClient(url) for seat in SEATS}
        self.host = PageClient(url)
        self.table = PageClient(url)
        self.holes: dict[str, tuple[float, float]] = {}

    def sit_down(self) -> None:
        self.host.post("/api/v1/host")
        for seat, phone in self.phones.items():
            phone.post("/api/v1/join", name=f"Player {seat}", seat=seat, lang="fr")
        self.holes = {hole["id"]: (hole["x"], hole["y"]) for hole in self.table.get("/api/v1/board")["holes"]}

    def turn(self) -> None:
        """Play one turn, or begin a new game when nothing plain can be played."""
        view = self.table.view("table")
        seat = view["to_move"]
        phone = self.phones[seat]
        if view["card"] is not None or view["warning"] or view["question"]:
            self.host.post("/api/v1/request", kind="accept_board", role="host", data={})
            phone.ask("undo")
        for card in self.rng.sample(CARDS, len(CARDS)):
            if not phone.ask("play_card", card=card)["ok"]:
                break
            own = phone.view("seat")
            plain = [move for move in own["legal_moves"] if self._is_plain(move, own)]
            if plain:
                self._drag(self.rng.choice(plain)["text"], seat, own)
                return
            phone.ask("undo")
        self.new_game()

    def new_game(self) -> None:
        self.host.post("/api/v1/request", kind="new_game", role="host", data={"ruleset": "mjc", "players": 4})
        self.evening.games += 1

    def _is_plain(self, move: dict[str, Any], view: dict[str, Any]) -> bool:
        places = move["text"].split(":", 1)[1].split(">")
        return len(places) == 2 and "~" not in move["text"] and hole_of(places[1], "P0") not in view["holes"]

    def _drag(self, text: str, seat: str, view: dict[str, Any]) -> None:
        source, target = text.split(":", 1)[1].split(">")
        pawns = self.table.get("/api/v1/sim/scene")["pawns"]
        camps = [str(hole) for hole in camp_holes_of(Seat[seat])]
        starts = [self.holes[hole] for hole in (camps if source == "camp" else [hole_of(source, seat)])]
        found = [pawn for pawn in pawns if pawn["seat"] == seat and (pawn["x_mm"], pawn["y_mm"]) in starts]
        if not found:
            self.new_game()
            return
        pawn = found[0]
        x_mm, y_mm = self.holes[hole_of(target, seat)]
        before = view["game"]["seq"]
        self.table.post("/api/v1/sim/pawn", id=pawn["id"], x_mm=x_mm, y_mm=y_mm)
        end_s = time.monotonic() + MOVE_PATIENCE_S
        while time.monotonic() < end_s:
            now = self.table.view("table")
            if now["card"] is None and now["game"]["seq"] > before:
                self.evening.moves += 1
                self.note(now)
                return
            time.sleep(0.05)
        self.evening.unseen += 1

    def note(self, view: dict[str, Any]) -> None:
        """Remember the highest event shown of the present game."""
        self.evening.shown[self.evening.games] = view["game"]["seq"]


def hole_of(place: str, seat: str) -> str:
    return str(Hole.at_place(Seat[seat], place))


def evening_of(say: Say, minutes: float, cut_minutes: float, seed: int) -> SoakFigures:
    evening = SoakFigures()
    folder = Path(tempfile.mkdtemp())
    broker = Broker(folder)
    broker.start()
    data = folder / "data"
    data.mkdir()
    config = f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\ntable = "soak"\n[metrics]\nenabled = true\n'
    (data / "tock.toml").write_text(config)
    port, over = free_port(), threading.Event()
    companion = start(data, port, evening)
    for number in range(STREAMS):
        threading.Thread(target=listen, args=(port, number, evening, over), daemon=True).start()
    player = Player(companion.url, evening, seed)
    player.sit_down()
    began_s = time.monotonic()
    sampled_s = 0.0
    killing_from_s = (minutes - cut_minutes) * 60
    last_kill_s = killing_from_s
    while (at_s := time.monotonic() - began_s) < minutes * 60:
        if at_s - sampled_s >= SAMPLE_S and at_s < killing_from_s:
            sampled_s = at_s
            evening.samples.append(Held.by(companion.process.pid))
            say(progress(evening, at_s, minutes))
        if at_s - last_kill_s >= KILL_EVERY_S:
            last_kill_s = at_s
            companion.kill()
            companion = start(data, port, evening)
            seen = PageClient(companion.url).view("table")["game"]["seq"]
            evening.kills += 1
            evening.lost += max(0, evening.shown.get(evening.games, 0) - seen)
            say(progress(evening, at_s, minutes))
        player.turn()
        over.wait(max(0.0, began_s + at_s + TURN_S - time.monotonic()))
    over.set()
    companion.stop()
    broker.stop()
    return evening


def start(data: Path, port: int, evening: SoakFigures) -> Companion:
    companion = Companion(data, port=port)
    evening.starts_s.append(companion.wait_until_up(patience_s=120))
    return companion


def progress(evening: SoakFigures, at_s: float, minutes: float) -> str:
    newest = evening.samples[-1]
    return (
        f"{at_s / 60:5.1f} of {minutes:.0f} min  {evening.moves} moves  {newest.memory_mb:.0f} MB  "
        f"{newest.threads} threads  {newest.files} files  {evening.kills} kills  {evening.lost} lost"
    )


def figures(evening: SoakFigures) -> dict[str, object]:
    """Compare the second sixth of the undisturbed time with its last sixth."""
    share = max(1, len(evening.samples) // 6)
    # The shortest evenings have one sample.
    early, late = evening.samples[share : 2 * share] or evening.samples[:1], evening.samples[-share:]
    early_mb, late_mb = mean(one.memory_mb for one in early), mean(one.memory_mb for one in late)
    return {
        "moves": evening.moves,
        "moves_not_taken": evening.unseen,
        "games": evening.games + 1,
        "stream_views": evening.stream_views,
        "early_mb": round(early_mb, 1),
        "late_mb": round(late_mb, 1),
        "growth": round(late_mb / early_mb - 1, 4),
        "most_mb": round(max(one.memory_mb for one in evening.samples), 1),
        "threads": [early[0].threads, late[-1].threads],
        "files": [early[0].files, late[-1].files],
        "kills": evening.kills,
        "events_lost": evening.lost,
        "start_s_median": round(sorted(evening.starts_s)[len(evening.starts_s) // 2], 2),
    }


def run(
    say: Say,
    minutes: float = 120.0,
    cut_minutes: Annotated[float, "at the end, with a power cut in each"] = 30.0,
    seed: int = 1,
) -> Figures:
    """Play for that long."""
    return figures(evening_of(say, minutes, min(cut_minutes, 0.9 * minutes), seed))
