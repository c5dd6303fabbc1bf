#!/usr/bin/env python3
"""Takes a game that was begun on the last release over to the next one and back, in a booted Debian root.

Each step prints one line; the first that fails ends the trial. Usage: update.py FOLDER, which holds last.deb, next.deb,
and made of the latter newer.deb, broken.deb, both as signed releases (.tar), and trial.asc, the key that signed them.
"""

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import HTTPCookieProcessor, Request, build_opener

API = "http://127.0.0.1/api/v1/"
NAMES = {"P0": "Anna", "P1": "Ben", "P2": "Chloé", "P3": "David"}
PIN = "271828"
PIECE_BYTES = 2_000_000
PATIENCE_S = 120.0
UPDATE_PATIENCE_S = 1200.0
SETUP = "/opt/tock-companion/setup.sh"
GAMES = "/var/lib/tock-companion"
TOCK = "/opt/tock-companion/current/bin/tock"


class UpdateTestError(Exception):
    """A fault that the test found."""


class PageClient:
    """A browser: cookies, and requests as the page makes them."""

    def __init__(self) -> None:
        """Begin without a seat."""
        self._opener = build_opener(HTTPCookieProcessor(CookieJar()))

    def ask(self, path: str, body: Any = None, kind: str = "application/json") -> tuple[int, Any]:
        """Return the status and the answer; with a body it is a POST."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        request = Request(API + path, data, {"Content-Type": kind, "X-Tock": "1"})
        try:
            with self._opener.open(request, timeout=60.0) as answer:
                return answer.status, json.load(answer)
        except HTTPError as error:
            return error.code, json.loads(error.read() or b"{}")

    def get(self, path: str, body: Any = None) -> Any:
        """Return an answer that must be a good one."""
        status, answer = self.ask(path, body)
        if status != 200:
            raise UpdateTestError(f"{path}: {status} {answer}")
        return answer


@dataclass(frozen=True)
class Situation:
    """Everything that must not change when another release takes over."""

    events: int
    holes: dict[str, str]
    """The owner of the pawn in each hole; those of a camp are all alike, so only their number counts."""
    camps: dict[str, int]
    names: list[str]
    to_move: str
    card: str | None
    seats: list[str]


class FourPlayers:
    """Four people at a table, the first of whom is the host."""

    def __init__(self) -> None:
        """Nobody sits yet."""
        self.phones = {seat: PageClient() for seat in NAMES}
        self.anna = self.phones["P0"]

    def begin(self) -> None:
        """Sit down, become the host, choose a PIN, and play."""
        for seat, name in NAMES.items():
            self.phones[seat].get("join", {"name": name, "seat": seat, "lang": "fr"})
        self.anna.get("host", {})
        self.anna.get("host/pin", {"pin": PIN, "proof": machine_code()})
        for card in ("KH", "AS"):
            self.play(card)

    def situation(self) -> Situation:
        """Return how the game stands, as all four phones see it."""
        views = [phone.get("view?role=seat") for phone in self.phones.values()]
        view = views[0]
        card = view["card"]["card"] if isinstance(view["card"], dict) else view["card"]
        return Situation(
            view["game"]["seq"],
            {hole: seat for hole, seat in view["holes"].items() if "-C" not in hole},
            Counter(seat for hole, seat in view["holes"].items() if "-C" in hole),
            [seat["name"] for seat in view["seats"]],
            view["to_move"],
            card,
            [each["seat"] for each in views],
        )

    def play(self, card: str) -> None:
        """Lay a card for the seat to move, and make the first legal move by hand."""
        seat = self.anna.get("view?role=seat")["to_move"]
        phone = self.phones[seat]
        phone.get("request", {"kind": "play_card", "data": {"card": card}})
        move = wait_for(lambda: phone.get("view?role=seat")["legal_moves"])[0]["arrows"][0]
        place = next(hole for hole in phone.get("board")["holes"] if hole["id"] == move["to"])
        pawn = next(one for one in phone.get("sim/scene")["pawns"] if one["hole"] == move["from"])
        phone.get("sim/pawn", {"id": pawn["id"], "x_mm": place["x"], "y_mm": place["y"]})
        wait_for(lambda: phone.get("view?role=seat")["to_move"] != seat)

    def check_pin(self) -> None:
        """See that the PIN is the one that was chosen, and that a stranger does not become the host."""
        stranger = PageClient()
        if stranger.ask("host", {"pin": "000000"})[0] != 403:
            raise UpdateTestError("a wrong PIN was not refused")
        self.anna.get("host", {"pin": PIN})

    def send(self, package: Path) -> tuple[int, Any]:
        """Send a release from the host's page and have it looked at."""
        data = package.read_bytes()
        for offset in range(0, len(data), PIECE_BYTES):
            piece = data[offset : offset + PIECE_BYTES]
            status, answer = self.anna.ask(
                f"machine/update/piece?offset={offset}", piece, "application/octet-stream"
            )
            if status != 200:
                raise UpdateTestError(f"piece: {status} {answer}")
        return self.anna.ask("machine/update/check", {})

    def install(self, package: Path) -> Any:
        """Install a package by the page and return how it went."""
        status, answer = self.send(package)
        if status != 200:
            raise UpdateTestError(f"check: {status} {answer}")
        digest = answer["candidate"]["sha256"]
        self.anna.get("machine/update/install", {"sha256": digest, "pin": PIN})
        return wait_for(self._update_ended, UPDATE_PATIENCE_S)

    def _update_ended(self) -> Any:
        progress = self.anna.get("machine/update")["progress"]
        return progress if progress and progress["phase"] in ("done", "failed") else None


def wait_for(found: Callable[[], Any], patience_s: float = PATIENCE_S) -> Any:
    """Return the first answer that is one; the companion may be restarting."""
    end_s = time.monotonic() + patience_s
    while time.monotonic() < end_s:
        try:
            answer = found()
        except (URLError, OSError, UpdateTestError):
            answer = None
        if answer:
            return answer
        time.sleep(0.3)
    raise UpdateTestError("waited in vain")


def run(*command: str) -> str:
    """Run a command that must succeed; return its output."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        raise UpdateTestError(f"{' '.join(command)}: {(done.stdout + done.stderr).strip()[-2000:]}")
    return done.stdout


def machine_code() -> str:
    """Return a code that lets a device choose the first PIN."""
    return run("runuser", "-u", "tock", "--", "env", f"TOCK_DATA={GAMES}", TOCK, "host", "code").strip()


def version() -> str:
    """Return the version of the release that runs."""
    return run(TOCK, "--version").split()[-1]


def installed() -> str:
    """Return the version that dpkg knows."""
    return run("dpkg-query", "--show", "--showformat=${Version}", "tock-companion")


def step(text: str) -> None:
    """Print a passed step."""
    print(f"STEP {time.monotonic():.0f}s {text}", flush=True)


class UpdateTest:
    """The packages, and the game that goes on."""

    def __init__(self, folder: Path) -> None:
        """Take the packages from a folder."""
        self._folder = folder
        self._players = FourPlayers()
        self._kept: Situation | None = None

    def _package(self, name: str) -> Path:
        return self._folder / f"{name}.deb"

    def _release(self, name: str) -> Path:
        return self._folder / f"{name}.tar"

    def _play(self, card: str) -> None:
        self._players.play(card)
        self._kept = self._players.situation()

    def _require_same(self, after: str) -> None:
        wait_for(lambda: PageClient().ask("health")[0] == 200)
        found = self._players.situation()
        if found != self._kept:
            raise UpdateTestError(f"{after}: the game was {self._kept}, and is {found}")

    def run(self) -> None:
        """Every step, in one order."""
        self.begin_on_last()
        self.update_by_apt()
        self.back_and_forth()
        self.refuse_by_page()
        self.update_by_page()
        self.broken_by_apt()

    def begin_on_last(self) -> None:
        """The last release, and a game on it."""
        run("dpkg", "--install", str(self._package("last")))
        wait_for(lambda: PageClient().ask("health")[0] == 200)
        self._players.begin()
        self._kept = self._players.situation()
        step(
            f"{version()} installed; four people sit, a PIN, {self._kept.events} events, {self._kept.to_move} to move"
        )

    def update_by_apt(self) -> None:
        """The next release over it, as a person at the machine does."""
        begin_s = time.monotonic()
        run("apt-get", "install", "--yes", "--no-install-recommends", str(self._package("next")))
        took_s = time.monotonic() - begin_s
        self._require_same("update by apt")
        self._players.check_pin()
        step(f"updated to {version()} by apt in {took_s:.0f} s: the same position, seats and PIN")
        self._play("KD")
        step(f"a move is played on it, {self._kept and self._kept.events} events")

    def back_and_forth(self) -> None:
        """Go back to the last release with the moves since, and forward again."""
        next_version = version()
        printed = run("sh", SETUP, "back")
        self._require_same("going back")
        step(f"went back to {version()}: the game goes on, with the moves played on {next_version}")
        print(printed, end="")
        self._play("KC")
        run("sh", "/usr/lib/tock-companion/setup.sh", "back")
        self._require_same("forward again")
        step(f"a move is played on the older one, then forward to {version()}: the game goes on")

    def refuse_by_page(self) -> None:
        """Check that the page refuses packages without a signature or with an unknown key."""
        before = version()
        status, answer = self._players.send(self._package("newer"))
        if status == 200:
            raise UpdateTestError("the page took a package that nobody signed")
        step(f"the page refuses a package that nobody signed ({answer.get('code')})")
        status, answer = self._players.send(self._release("newer"))
        if status == 200:
            raise UpdateTestError("the page took a package of a key that this machine does not trust")
        step(
            f"the page refuses a package signed with a key that this machine does not trust ({answer.get('code')})"
        )
        run(TOCK, "update", "trust", str(self._folder / "trial.asc"))
        begin_s = time.monotonic()
        progress = self._players.install(self._release("broken"))
        if progress["phase"] != "failed":
            raise UpdateTestError(f"a broken release was accepted: {progress}")
        self._require_same("a broken release")
        if version() != before or installed() == progress["version"]:
            raise UpdateTestError("the broken release stayed")
        step(
            f"a broken release by the page went back by itself in {time.monotonic() - begin_s:.0f} s; "
            f"{version()} goes on with the game"
        )

    def update_by_page(self) -> None:
        """A signed release by the page, and back."""
        begin_s = time.monotonic()
        progress = self._players.install(self._release("newer"))
        if progress["phase"] != "done" or progress["reason"] or installed() != progress["version"]:
            raise UpdateTestError(f"the page's update: {progress}, dpkg has {installed()}")
        took_s = time.monotonic() - begin_s
        self._require_same("update by the page")
        self._players.check_pin()
        step(
            f"updated to {installed()} by the page in {took_s:.0f} s, signed: the same position, seats and PIN"
        )
        self._play("QH")
        run("sh", SETUP, "back")
        self._require_same("back from the page's update")
        step(f"a move, then back to {version()}: the game goes on")

    def broken_by_apt(self) -> None:
        """A broken release by hand."""
        done = subprocess.run(
            ("dpkg", "--install", str(self._package("broken"))), capture_output=True, check=False
        )
        if done.returncode == 0:
            raise UpdateTestError("dpkg took a broken release")
        self._require_same("a broken release by dpkg")
        step(f"a broken release by dpkg went back by itself; {version()} goes on with the game")


def main() -> int:
    """Try it all; 1 where something is wrong."""
    try:
        UpdateTest(Path(sys.argv[1])).run()
    except UpdateTestError as error:
        print(f"FAIL {error}")
        subprocess.run(
            ("journalctl", "-u", "tock-companion.service", "-n40", "--no-pager", "-ocat"), check=False
        )
        return 1
    print("TRIAL COMPLETE")
    return 0


if __name__ == "__main__":
    sys.exit(main())
