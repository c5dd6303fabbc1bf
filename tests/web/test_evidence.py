"""The evidence for a disputed move: pictures, probability and rule, for the host alone."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from flask import Flask

from tests.support.page import Phone
from tests.support.sources import PerfectEye
from tests.support.tables import put, wait_for
from tests.web.conftest import START
from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup
from tock_companion.sources.scene import Scene
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table

pytestmark = pytest.mark.whole


class Remembering(PerfectEye):
    """An eye whose pictures tell of which hole they are."""

    def crops(self, _t_ms: int, names: Sequence[str]) -> Mapping[str, bytes]:
        return {name: f"PNG of {name}".encode() for name in names}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    board = generate(4, 440)
    scene = Scene(board)
    running = Table(
        board, Store(tmp_path), [Remembering(scene)], scene=scene, setup=GameSetup(position=START)
    )
    running.start()
    yield running
    running.stop()


@pytest.fixture
def host(app: Flask) -> Phone:
    phone = Phone(app.test_client())
    phone.post("host")
    return phone


@pytest.fixture
def seq(table: Table, host: Phone, phone: Phone) -> int:
    """The event of a move that was seen."""
    phone.sit("P0")
    assert phone.post("request", kind="play_card", data={"card": "6H"}).status_code == 200
    put(table, "T26", "P1-C4")
    put(table, "T20", "T26")
    seen = wait_for(table, lambda view: view["history"])
    # Pictures are kept after the move was shown; the answer to any request comes after that.
    phone.post("request", kind="decide_now")
    return int(seen["history"][0]["seq"])


def test_the_host_sees_what_speaks_for_a_move(seq: int, host: Phone) -> None:
    evidence = host.get(f"evidence?seq={seq}").get_json()
    assert (evidence["card"], evidence["move"]) == ("6H", "P0:T20>T26")
    assert evidence["probability"] > 0.9
    assert evidence["rule"][0].startswith("R004-")
    assert evidence["places"]["T26"]["en"]
    assert {"before/T20", "after/T26", "card"} <= set(evidence["pictures"])
    picture = host.get(f"evidence/picture?seq={seq}&name=after/T26")
    assert (picture.mimetype, picture.data) == ("image/png", b"PNG of T26")


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("evidence", 400),
        ("evidence?seq=-1", 400),
        ("evidence?seq=99999999999", 400),
        ("evidence?seq=1", 409),
        ("evidence?seq=5000", 409),
        ("evidence?seq=1&game=77", 409),
        ("evidence/picture?seq=1&name=../../x", 404),
        ("evidence/picture?seq=1", 404),
    ],
)
def test_an_event_other_than_a_move_has_no_evidence(phone: Phone, path: str, status: int) -> None:
    phone.post("host")
    assert phone.get(path).status_code == status
