"""The host's evidence for a disputed move."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from tests.support.boards import pawns
from tests.support.sources import HandSource
from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Role, parse_request
from tock_companion.errors import BadInputError
from tock_companion.sources.scene import Scene
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_rules import Seat
from tock_vision.images import decode_image
from tock_vision.simulated import SimulatedSource

BOARD = generate(4, 440)
BEFORE = pawns("P0 T20, P1 T26")
AFTER = pawns("P0 T29, P1 T26")


class Watching(HandSource):
    """A source whose pictures tell their time and hole."""

    def crops(self, t_ms: int, names: Sequence[str]) -> Mapping[str, bytes]:
        return {name: f"{name} at {t_ms}".encode() for name in names}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(BOARD, Store(tmp_path), [Watching()], setup=GameSetup(position=BEFORE))
    table.start()
    yield table
    table.stop()


def play_nine(table: Table) -> int:
    source = table.sources[0]
    assert isinstance(source, HandSource)
    source.show(BEFORE, 5)
    assert table.request(parse_request("play_card", {"card": "9H"}, Role.SEAT, Seat.P0)).ok
    source.show(AFTER, 10)
    assert table.request(parse_request("decide_now", {}, Role.HOST)).code in ("ok", "nothing_seen")
    last = table.view(Role.TABLE)["last_move"]
    assert isinstance(last, dict)
    history = table.view(Role.TABLE)["history"]
    assert isinstance(history, list)
    return int(history[-1]["seq"])


def test_an_accepted_move_keeps_its_pictures_probability_and_rule(table: Table) -> None:
    seq = play_nine(table)
    evidence = table.evidence.of(seq)
    assert (evidence["seat"], evidence["card"], evidence["move"]) == ("P0", "9H", "P0:T20>T29")
    assert evidence["pictures"] == ["after/T20", "after/T29", "before/T20", "before/T29", "card"]
    assert isinstance(evidence["probability"], float)
    assert evidence["probability"] > 0.99
    assert evidence["rule"]
    picture = table.evidence.png(seq, "after/T29")
    assert picture is not None
    assert picture.startswith(b"T29 at ")
    assert table.evidence.png(seq, "after/T3") is None
    # The card is the one that lies there when the move counts, not the one before.
    assert table.evidence.png(seq, "card") == f"card at {evidence['t_ms']}".encode()


def test_only_accepted_moves_have_evidence(table: Table) -> None:
    with pytest.raises(BadInputError, match="no accepted move"):
        table.evidence.of(1)


def test_pictures_are_in_no_view(table: Table) -> None:
    play_nine(table)
    assert "before/" not in str([table.view(role) for role in (Role.TABLE, Role.HOST, Role.WATCH)])


@pytest.mark.whole
def test_a_camera_shows_a_hole_as_it_was_before_and_as_it_is_now() -> None:
    scene = Scene(BOARD)
    scene.set_up(BEFORE)
    source = SimulatedSource(BOARD, {}, scene)
    source.prepare(lambda _message: None)
    source.step(1000)
    scene.set_up(AFTER)
    source.step(3000)
    was, is_now = (source.crops(t_ms, ["T29", "card"]) for t_ms in (2000, 3000))
    assert set(was) == set(is_now) == {"T29"}
    pictures = [decode_image(crops["T29"], "crop") for crops in (was, is_now)]
    middles = [picture[60:100, 60:100].reshape(-1, 3).mean(axis=0) for picture in pictures]
    assert np.abs(middles[0] - middles[1]).max() > 40
