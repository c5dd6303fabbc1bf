"""The example of a player with a key: four of them play a game to its end."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.boards import pawns
from tests.support.checkout import ROOT
from tests.support.page import Phone
from tests.support.waiting import until
from tests.web.test_programs import made
from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Role
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_web import create_app, serve

BOT = ROOT / "docs" / "examples" / "seat_bot.py"
NEAR = pawns(", ".join(f"P{seat} H1 H2 H3 T{(18 * seat + 60) % 72}" for seat in range(4)))


@pytest.mark.whole
def test_four_bots_with_keys_play_a_game_to_its_end(tmp_path: Path) -> None:
    table = Table(generate(4, 440), Store(tmp_path), [], setup=GameSetup(position=NEAR))
    table.start()
    app = create_app(table)
    host = Phone(app.test_client())
    host.post("host")
    with serve(app, "127.0.0.1", 0) as server:
        bots = [
            subprocess.Popen(
                [sys.executable, BOT, f"http://127.0.0.1:{server.port}", made(host, scope="seat"), f"P{seat}"]
            )
            for seat in range(4)
        ]
        try:
            until(lambda: table.view(Role.TABLE)["game"]["ended"], within_s=90)
            assert table.view(Role.TABLE)["game"]["winner"]
            assert [bot.wait(10) for bot in bots] == [0, 0, 0, 0]
        finally:
            for bot in bots:
                bot.kill()
            table.stop()


def test_the_example_is_short() -> None:
    lines = [line for line in BOT.read_text(encoding="utf-8").splitlines() if line.strip()]
    assert len(lines) <= 40
