"""The demo: the same companion on one thread, and in a real browser from plain files."""

import json
import random
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from demo.build import LIBRARIES, NATIVE
from tock_demo.table import Demo

from tests.support import page_client as clients
from tests.support.checkout import ROOT
from tock_companion.background import turns
from tock_companion.computer_seats import chosen
from tock_companion.core.playing import can_be_seen
from tock_companion.core.requests import Role
from tock_companion.events.codec import read_log
from tock_companion.events.game import fold
from tock_companion.sources import scene_eye
from tock_rules import Seat
from tock_rules.engine import CARDS, LAY_DOWN, PLAY, STOP

MAX_TURNS = 200_000
QUICK_MOVES = 12


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Demo]:
    monkeypatch.setattr(turns, "HAS_THREADS", False)
    monkeypatch.setattr(turns, "MAX_TURN_S", 0.0)
    monkeypatch.setattr(turns, "_turns", [])
    monkeypatch.setattr(scene_eye, "FRAME_MS", 1.0)
    made = Demo(tmp_path, seed=1, pause_s=0.0)
    made.sit(["Léa"], "fr")
    yield made
    made.table.stop()


def ask(demo: Demo, kind: str, **data: object) -> None:
    body = json.dumps({"kind": kind, "role": "seat", "data": data}).encode()
    answer = demo.call(
        0, "POST", "/api/v1/request", {"X-Tock": "1", "Content-Type": "application/json"}, body
    )
    assert answer.status == 200, answer.body.decode()


def play(demo: Demo, rng: random.Random) -> None:
    """Do as a person would: lay a card, and drag the pawn."""
    moment = demo.table.moment(Seat.P0)
    assert moment is not None
    action, hand = chosen(moment, "easy", rng), moment.knowledge.hand
    if action is not None and action[0] == PLAY:
        move = moment.knowledge.position.move_of((CARDS[action[1]],), action[2])
        ask(demo, "play_card", card=str(move.card))
        if can_be_seen(move, colors=True):
            demo.scene.put_back(move.result.to_pawns())
        else:
            ask(demo, "move", text=move.text)
    elif action is not None and action[0] == STOP:
        ask(demo, "end_turn")
    elif action is not None and action[0] == LAY_DOWN:
        ask(demo, "discard", cards=[str(card) for card in hand])
    else:
        ask(demo, "discard", card=str(CARDS[action[1]] if action is not None and action[1] >= 0 else hand[0]))


def test_a_person_plays_against_three_computers_on_one_thread(demo: Demo) -> None:
    rng, asked = random.Random(3), 0
    for _ in range(MAX_TURNS):
        demo.turn()
        view = demo.table.view(Role.SEAT, Seat.P0)
        seats = {played.seat for played in demo.table.game.moves}
        if (len(demo.table.game.moves) >= QUICK_MOVES and Seat.P0 in seats) or view["game"]["ended"]:
            break
        waits = view["to_move"] == "P0" and view["expects"] == "card" and view["hand"]["missing"] == 0
        if waits and view["hand"]["cards"] and view["revision"] != asked:
            asked = view["revision"]
            play(demo, rng)
    assert len(demo.table.game.moves) >= QUICK_MOVES
    assert Seat.P0 in seats
    assert len(seats) > 1, "computers play too"
    log = demo.table.archive.log(demo.table.number)
    assert '"violation"' not in log
    assert fold(read_log(log.splitlines())).position == demo.table.position


def test_a_stream_of_a_phone_brings_its_view(demo: Demo) -> None:
    answer = demo.call(0, "GET", "/api/v1/events?role=seat&tab=abcdefgh", {}, b"")
    assert answer.stream is not None
    news = [text for stream, text in demo.turn() if stream == answer.stream]
    assert any(text is not None and "event: view" in text for text in news)
    demo.end_stream(answer.stream)
    assert demo.turn() == []


def test_a_phone_without_a_seat_is_shown_the_way_in(demo: Demo) -> None:
    answer = demo.call(5, "GET", "/seat", {}, b"")
    assert answer.status == 200
    assert b'data-page="table"' in answer.body


def test_the_demo_imports_only_what_it_carries() -> None:
    program = (
        "import sys; before = set(sys.modules); import tock_demo.card, tock_demo.table\n"
        "from importlib.metadata import packages_distributions as known; found = known()\n"
        "tops = {name.split('.')[0] for name in set(sys.modules) - before}\n"
        "print(*{owner for top in tops for owner in found.get(top, ())}, sep='\\n')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    imported = {name.lower().replace("_", "-") for name in done.stdout.split()}
    carried = {name.lower() for name in (*LIBRARIES, NATIVE)}
    assert imported - carried - {"tock-companion", "tock-rules"} == set()


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """The address of the built demo on a plain file server."""
    subprocess.run([sys.executable, "demo/build.py"], cwd=ROOT, check=True)
    server = subprocess.Popen(
        [sys.executable, "-m", "http.server", "-b", "127.0.0.1", "-d", str(ROOT / "build" / "demo"), "8953"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    yield "http://127.0.0.1:8953/"
    server.kill()
    server.wait()


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_built_demo_deals_a_hand_in_a_browser(site: str) -> None:
    with clients.chromium() as browser:
        page = browser.new_page(locale="fr-FR", viewport={"width": 1400, "height": 900})
        foreign: list[str] = []
        page.on("request", lambda one: foreign.append(one.url))
        page.goto(site)
        page.click("[data-testid=demo-begin]")
        phone = page.frame_locator("iframe.phone")
        phone.locator("[data-testid^=hand-card-]").first.wait_for(timeout=300_000)
        assert phone.locator("[data-testid^=hand-card-]").count() == 5
        assert page.frame_locator("iframe.board").locator("[data-testid=hole-T0]").count() == 1
        assert [url for url in foreign if not url.startswith((site, "blob:", "data:"))] == []


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_form_for_a_card_packs_its_settings_and_sends_nothing(site: str) -> None:
    with clients.chromium() as browser:
        page = browser.new_page(
            locale="fr-CA", timezone_id="America/Montreal", viewport={"width": 360, "height": 640}
        )
        sent: list[str] = []
        page.on("request", lambda one: sent.append(f"{one.method} {one.url} {one.post_data or ''}"))
        page.goto(f"{site}card.html")
        page.fill("#house", "Chez nous")
        page.fill("#password", "court")
        page.click("button")
        page.locator("#trouble").wait_for(timeout=300_000)
        assert "8 to 63" in page.inner_text("#trouble")
        page.fill("#password", "mot de passe: 'oui'")
        with page.expect_download() as download:
            page.click("button")
        with zipfile.ZipFile(download.value.path()) as packed:
            files = {name: packed.read(name) for name in packed.namelist()}
        assert not [
            line for line in sent if "passe" in line or not line.startswith((f"GET {site}", "GET blob:"))
        ]
    assert set(files) == {
        "user-data", "network-config", "meta-data", "tock-host-code.txt", "wifi.pdf",
        "TOCK-README.txt", "TOCK-LISEZ-MOI.txt",
    }  # fmt: skip
    assert yaml.safe_load(files["user-data"])["locale"] == "fr_CA.UTF-8"
    house = yaml.safe_load(files["network-config"])["network"]["wifis"]["wlan0"]["access-points"]
    assert house == {"Chez nous": {"auth": {"key-management": "psk", "password": "mot de passe: 'oui'"}}}
