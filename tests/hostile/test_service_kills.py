"""A whole companion killed while it answers: everything shown is there again, and the test notices a loss."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.killed_companion import KilledCompanion
from tests.support.page import no_cards
from tests.support.people import BOARD, KINDS, ROUTES, Seen, Shown, lost
from tock_companion.core.bodies import BODIES
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_web import create_app
from tock_web.services import PageServices

MOVE = json.dumps({"seq": 2, "event": "move_accepted", "move": "P0:T20>T29"})
LOG = [json.dumps({"seq": 1, "event": "game_started"}), MOVE]
SEEN = {"hands": {"P0": ["9H"]}, "pin": True, "hints": {"most": "off"}}


def seen(log: list[str] = LOG, number: int = 1, **aspects: Any) -> Seen:
    return Seen(number, list(log), {**SEEN, **aspects})


@pytest.mark.whole
def test_a_companion_killed_during_requests_comes_back_with_all_that_it_showed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Only under a supervisor does a companion end itself to be started again.
    monkeypatch.setenv("INVOCATION_ID", "test")
    killed = KilledCompanion(tmp_path)
    while killed.found.in_flight.total() < 3 and not killed.found.faults:
        killed.kill_during_a_request()
    assert killed.found.faults == []
    assert killed.found.events_shown


def test_every_kind_and_every_route_that_can_be_asked_is_among_those_killed(tmp_path: Path) -> None:
    table = Table(BOARD, Store(tmp_path))
    asked = {
        rule.rule.removeprefix("/api/v1/")
        for rule in create_app(table, PageServices(read_cards=no_cards)).url_map.iter_rules()
        if "POST" in (rule.methods or ())
    }
    assert asked - {"request"} == set(ROUTES)
    assert set(KINDS) == {*BODIES, *ROUTES, "GET"}
    table.stop()


def test_a_log_and_a_stream_s_moves_that_are_there_again_are_no_loss() -> None:
    assert lost(seen(), seen(), LOG, {"deal"}) == []
    assert Shown(2, {2: "P0:T20>T29"}).missing(LOG) == []


def test_a_missing_or_another_line_of_the_log_is_a_loss() -> None:
    other = [LOG[0], MOVE.replace("T29", "T30")]
    assert lost(seen(), seen(LOG[:1]), LOG[:1], {"deal"}) == ["the log"]
    assert lost(seen(), seen(other), other, {"deal"}) == ["the log"]
    assert Shown(2, {2: "P0:T20>T29"}).missing(other) == ["move 2"]
    assert Shown(3).missing(LOG) == ["events up to 3"]


def test_a_hand_may_change_only_by_what_was_cut_off_or_with_the_game() -> None:
    found = seen(hands={"P0": []})
    assert lost(seen(), found, LOG, {"hints"}) == ["hands"]
    assert lost(seen(), found, LOG, {"hand_set"}) == []
    assert lost(seen(), found, [*LOG, MOVE], {"hints"}) == []


def test_a_pin_is_changed_by_nothing_but_a_new_pin() -> None:
    assert lost(seen(), seen(pin=False), LOG, {"deal"}) == ["pin"]
    assert lost(seen(), seen(pin=False), LOG, {"host/pin"}) == []
