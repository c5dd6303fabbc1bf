"""Advice on the phone: to the seat that asks, as much as the host allows."""

from pathlib import Path

import pytest
from flask import Flask

from tests.support.page import Phone
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_web import create_app
from tock_web.routes.hints import EVEN

HAND = ["6H", "QD", "7C", "JOK_C", "4S"]


@pytest.fixture
def app(blind_table: Table) -> Flask:
    """A table on which moves are entered by touch."""
    return create_app(blind_table)


@pytest.fixture
def anna(app: Flask, host: Phone) -> Phone:
    """A player whose turn it is and whose hand the table knows."""
    phone = Phone(app.test_client()).sit("P0", "Anna")
    assert phone.post("request", kind="hand_set", data={"cards": HAND}).status_code == 200
    return phone


@pytest.fixture
def host(app: Flask) -> Phone:
    phone = Phone(app.test_client())
    phone.post("host")
    return phone


def test_a_nudge_names_a_card_of_the_hand_and_no_move(anna: Phone) -> None:
    answer = anna.post("hint", level="nudge").get_json()
    assert answer["ok"]
    assert answer["best"]["card"] in HAND
    assert set(answer["best"]) == {"card", "doing"}


def test_a_hint_is_a_legal_move_with_reasons(anna: Phone) -> None:
    best = anna.post("hint", level="hint").get_json()["best"]
    assert best["reasons"][0]["text"]["fr"]
    assert 0 < best["value"] < 1
    assert anna.post("request", kind="play_card", data={"card": best["card"]}).status_code == 200
    legal = anna.get("view?role=seat").get_json()["legal_moves"]
    assert best["text"] in [move["text"] for move in legal]


def test_with_a_card_on_the_table_the_hint_is_about_that_card(anna: Phone) -> None:
    anna.post("request", kind="play_card", data={"card": "7C"})
    assert anna.post("hint", level="hint").get_json()["best"]["card"] == "7C"


def test_after_the_turn_the_teacher_compares_the_move_with_the_best(anna: Phone) -> None:
    assert anna.post("hint", level="teacher").get_json()["code"] == "hint/no_move_yet"
    anna.post("request", kind="play_card", data={"card": "6H"})
    assert anna.post("request", kind="move", data={"text": "P0:T4>T10"}).status_code == 200
    answer = anna.post("hint", level="teacher").get_json()
    assert answer["played"]["text"] == "P0:T4>T10"
    behind = answer["best"]["value"] - answer["played"]["value"]
    assert behind >= 0
    # Fault 20: the teacher scolded for 42 in 100 against 45.
    assert answer["even"] or behind > EVEN


def test_without_a_known_hand_or_out_of_turn_there_is_no_hint(app: Flask, anna: Phone) -> None:
    bob = Phone(app.test_client()).sit("P1", "Bob")
    answer = bob.post("hint", level="hint")
    assert (answer.status_code, answer.get_json()["code"]) == (409, "hint/nothing")
    assert not any(card in answer.text for card in HAND)


def test_the_host_switches_hints_off_or_limits_them(anna: Phone, host: Phone) -> None:
    assert host.post("hints", most="nudge", per_seat=1).get_json() == {"most": "nudge", "per_seat": 1}
    assert anna.post("hint", level="hint").get_json()["code"] == "hint/off"
    assert anna.post("hint", level="nudge").status_code == 200
    assert anna.post("hint", level="nudge").get_json()["code"] == "hint/spent"
    assert host.post("hints", most="off", per_seat=None).status_code == 200
    assert anna.post("hint", level="nudge").get_json()["code"] == "hint/off"


def test_malformed_questions_and_limits_are_refused(anna: Phone, host: Phone) -> None:
    for level in ({}, {"level": "off"}, {"level": 3}):
        assert anna.post("hint", **level).status_code == 400
    for bad in ({}, {"most": "all"}, {"most": "hint", "per_seat": -1}, {"most": "hint", "per_seat": True}):
        assert host.post("hints", **bad).status_code == 400


def test_the_same_hand_gets_the_same_hint_whatever_others_hold(app: Flask, anna: Phone) -> None:
    bob = Phone(app.test_client()).sit("P1", "Bob")
    bob.post("request", kind="hand_set", data={"cards": ["5S", "4H", "KD", "2S", "3S"]})
    one = anna.post("hint", level="hint").get_json()["best"]
    bob.post("request", kind="hand_set", data={"cards": ["AS", "AH", "AD", "JS", "JH"]})
    assert anna.post("hint", level="hint").get_json()["best"]["text"] == one["text"]


def test_the_host_s_limits_hold_after_a_restart(blind_table: Table, host: Phone, tmp_path: Path) -> None:
    assert host.post("hints", most="nudge", per_seat=2).status_code == 200
    request = {"kind": "set_computer", "role": "host", "data": {"seat": "P1", "strength": "easy"}}
    assert host.post("request", **request).status_code == 200
    blind_table.stop()
    again = Table(blind_table.board_file, Store(tmp_path))
    try:
        phone = Phone(create_app(again).test_client())
        assert phone.get("hints").get_json() == {"most": "nudge", "per_seat": 2}
        seats = phone.get("view?role=table").get_json()["seats"]
        assert [seat["computer"] for seat in seats] == [None, "easy", None, None]
    finally:
        again.stop()
