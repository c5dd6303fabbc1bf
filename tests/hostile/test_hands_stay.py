"""Hands stay with people: a new player at a seat sees no card of the one before."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask

from tests.support.page import Phone
from tests.support.tables import put, wait_for
from tests.web.conftest import START
from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Role, parse_request
from tock_companion.errors import TockError
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_rules import Seat
from tock_web import create_app

CARDS = ["6H", "KS", "4C", "9D", "10H"]
LATER = ["2C", "3C", "5C", "7C", "8C"]


@pytest.fixture
def anna(phone: Phone) -> Phone:
    """A player who has told her hand."""
    return tells(phone.sit("P0", "Anna"), CARDS)


@pytest.fixture
def host(app: Flask) -> Phone:
    asked = Phone(app.test_client())
    assert asked.post("host").status_code == 200
    return asked


def tells(phone: Phone, cards: list[str]) -> Phone:
    assert phone.post("request", kind="hand_set", data={"cards": cards}).status_code == 200
    return phone


def as_host(phone: Phone, kind: str, **data: object) -> None:
    assert phone.post("request", kind=kind, role="host", data=data).status_code == 200


def own_view(phone: Phone) -> dict[str, object]:
    view: dict[str, object] = phone.get("view?role=seat").get_json()
    return view


def cards_of(phone: Phone) -> list[str]:
    return [entry["card"] for entry in own_view(phone)["hand"]["cards"]]  # type: ignore[index]


def withheld(phone: Phone) -> object:
    return own_view(phone)["hand"]["withheld"]  # type: ignore[index]


def leaves(_host: Phone, holder: Phone, taker: Phone) -> None:
    assert holder.post("leave").status_code == 200
    taker.sit("P0", "Zoé")


def is_freed(host: Phone, _holder: Phone, taker: Phone) -> None:
    as_host(host, "free_seat", seat="P0")
    taker.sit("P0", "Zoé")


def is_taken_over(host: Phone, _holder: Phone, taker: Phone) -> None:
    secret = taker.post("join/ask", name="Zoé", seat="P0").get_json()["secret"]
    as_host(host, "answer_seat", number=1, yes=True)
    assert taker.post("join/hear", secret=secret).get_json()["state"] == "seated"


def is_given_away(_host: Phone, holder: Phone, taker: Phone) -> None:
    secret = taker.post("join/ask", name="Zoé", seat="P0").get_json()["secret"]
    assert holder.post("request", kind="answer_seat", data={"number": 1, "yes": True}).status_code == 200
    assert taker.post("join/hear", secret=secret).get_json()["state"] == "seated"


def passes_through_a_computer(host: Phone, _holder: Phone, taker: Phone) -> None:
    as_host(host, "free_seat", seat="P0")
    as_host(host, "set_computer", seat="P0", strength="easy")
    taker.sit("P0", "Zoé")


Change = Callable[[Phone, Phone, Phone], None]
CHANGES: tuple[Change, ...] = (leaves, is_freed, is_taken_over, is_given_away, passes_through_a_computer)


@pytest.fixture(params=CHANGES, ids=lambda change: change.__name__)
def zoe(request: pytest.FixtureRequest, host: Phone, anna: Phone, other_phone: Phone) -> Phone:
    """The next player at Anna's seat, by every kind of change."""
    request.param(host, anna, other_phone)
    return other_phone


def test_a_new_player_sees_no_card_of_the_one_before(zoe: Phone, table: Table) -> None:
    assert cards_of(zoe) == []
    assert withheld(zoe) == {"name": "Anna", "computer": False, "refused": False}
    stream = zoe.client.get("/api/v1/events?role=seat&tab=abcdefgh").iter_encoded()
    streamed = b"".join(next(stream) for _ in range(2)).decode()
    assert '"cards":[]' in streamed
    assert zoe.post("hint", level="hint").get_json()["code"] == "hint/nothing"
    # The number of cards is public.
    assert table.view(Role.TABLE)["seats"][0]["cards"] == len(CARDS)


def test_a_host_who_frees_a_seat_and_sits_down_there_sees_no_card(host: Phone, anna: Phone) -> None:
    as_host(host, "free_seat", seat="P0")
    host.sit("P0", "Zoé")
    assert cards_of(host) == []
    assert withheld(host) == {"name": "Anna", "computer": False, "refused": False}
    seen = (host.get("view?role=host"), host.get("view"), host.get("replay"), host.get("journal"))
    assert not [card for card in CARDS for answer in seen if f'"{card}"' in answer.text]
    assert host.post("hint", level="hint").get_json()["code"] == "hint/nothing"


def test_the_one_before_says_yes_and_the_cards_are_shown(zoe: Phone, anna: Phone) -> None:
    asked = anna.get("session").get_json()["cards_requests"]
    assert [(entry["seat"], entry["name"]) for entry in asked] == [("P0", "Zoé")]
    assert zoe.get("session").get_json()["cards_requests"] == []
    assert anna.post("join/show", number=asked[0]["number"], yes=True).status_code == 200
    assert cards_of(zoe) == CARDS
    assert withheld(zoe) is None
    assert anna.get("session").get_json()["cards_requests"] == []


def test_the_one_before_says_no_and_is_not_asked_again(zoe: Phone, anna: Phone) -> None:
    number = anna.get("session").get_json()["cards_requests"][0]["number"]
    assert anna.post("join/show", number=number, yes=False).status_code == 200
    assert cards_of(zoe) == []
    assert withheld(zoe) == {"name": "Anna", "computer": False, "refused": True}
    assert anna.get("session").get_json()["cards_requests"] == []
    assert anna.post("join/show", number=number, yes=True).get_json()["code"] == "no_question"


def test_nobody_else_says_yes(zoe: Phone, anna: Phone, app: Flask, host: Phone) -> None:
    number = anna.get("session").get_json()["cards_requests"][0]["number"]
    for stranger in (zoe, host, Phone(app.test_client())):
        assert stranger.post("join/show", number=number, yes=True).get_json()["code"] == "no_question"
    assert cards_of(zoe) == []


def test_after_a_new_deal_the_seat_shows_the_cards_of_whoever_sits_there(zoe: Phone, anna: Phone) -> None:
    assert zoe.post("request", kind="deal", data={"count": 5}).status_code == 200
    assert withheld(zoe) is None
    assert cards_of(tells(zoe, LATER)) == LATER
    assert anna.get("session").get_json()["cards_requests"] == []


def test_a_new_player_may_enter_their_cards(zoe: Phone) -> None:
    assert cards_of(tells(zoe, LATER)) == LATER
    assert withheld(zoe) is None


def test_laying_cards_does_not_tell_which_ones_were_there(zoe: Phone, table: Table) -> None:
    counts = set()
    for card in ("6H", "QH", "KS", "JD"):
        assert zoe.post("request", kind="play_card", data={"card": card}).status_code == 200
        counts.add(table.view(Role.TABLE)["seats"][0]["cards"])
        hand = own_view(zoe)["hand"]
        assert (hand["cards"], hand["doubtful"]) == ([], False)  # type: ignore[index]
        assert zoe.post("request", kind="withdraw_card").status_code == 200
    assert counts == {len(CARDS) - 1}


def test_refusals_do_not_tell_which_cards_were_there(zoe: Phone) -> None:
    """Answers about laying down a hand are those for an unknown hand."""
    guesses = [CARDS, LATER]
    answers = [zoe.post("request", kind="discard", data={"cards": cards}).get_json() for cards in guesses]
    assert [answer["code"] for answer in answers] == ["hand_playable"] * 2


def test_the_cards_stay_hidden_through_a_restart(tmp_path: Path) -> None:
    first = opened(tmp_path)
    anna = tells(Phone(create_app(first).test_client()).sit("P0", "Anna"), CARDS)
    device = anna.client.get_cookie("tock_device")
    anna.post("leave")
    zoe = first.people.join("Zoé", Seat.P0, device="f" * 32).ticket
    first.stop()
    assert device is not None
    assert zoe is not None
    again = opened(tmp_path)
    try:
        assert again.people.holder(zoe.token, "f" * 32) is Seat.P0
        hand = again.view(Role.SEAT, Seat.P0)["hand"]
        assert hand["cards"] == []
        assert hand["withheld"] is not None
        (asked,) = again.people.cards_requests(device.value)
        assert again.people.show_cards(device.value, asked.number, True).ok
        assert [entry["card"] for entry in again.view(Role.SEAT, Seat.P0)["hand"]["cards"]] == CARDS
    finally:
        again.stop()


def opened(folder: Path) -> Table:
    running = Table(generate(4, 440), Store(folder), setup=GameSetup(position=START))
    running.start()
    return running


def test_a_returning_player_has_the_same_cards(anna: Phone) -> None:
    anna.post("leave")
    assert cards_of(anna.sit("P0", "Anna")) == CARDS


def test_a_returning_player_sees_nothing_of_those_between(anna: Phone, other_phone: Phone) -> None:
    anna.post("leave")
    tells(other_phone.sit("P0", "Zoé"), LATER).post("leave")
    assert cards_of(anna.sit("P0", "Anna")) == []
    assert cards_of(other_phone.sit("P1", "Zoé")) == []
    number = other_phone.get("session").get_json()["cards_requests"][0]["number"]
    assert other_phone.post("join/show", number=number, yes=True).status_code == 200
    assert cards_of(anna) == LATER


def test_the_best_move_of_the_one_before_is_not_explained(
    host: Phone, anna: Phone, other_phone: Phone, table: Table
) -> None:
    assert anna.post("request", kind="play_card", data={"card": "6H"}).status_code == 200
    put(table, "T4", "T10")
    wait_for(table, lambda view: view["to_move"] == "P1")
    assert anna.post("hint", level="teacher").status_code == 200
    is_freed(host, anna, other_phone)
    assert other_phone.post("hint", level="teacher").get_json()["code"] == "hint/no_move_yet"
    assert other_phone.post("request", kind="undo").status_code == 409, "it was not theirs"
    as_host(host, "undo")
    assert cards_of(other_phone) == []


def test_a_computer_s_cards_are_seen_by_nobody(host: Phone, other_phone: Phone, table: Table) -> None:
    as_host(host, "set_computer", seat="P1", strength="easy")
    assert table.request(parse_request("hand_draw", {}, Role.SEAT, Seat.P1)).ok
    drawn = {entry["card"] for entry in table.view(Role.SEAT, Seat.P1)["hand"]["cards"]}
    other_phone.sit("P1", "Zoé")
    assert drawn
    assert cards_of(other_phone) == []
    assert withheld(other_phone) == {"name": "", "computer": True, "refused": False}
    other_phone.post("leave")
    as_host(host, "set_computer", seat="P1", strength="strong")
    assert {entry["card"] for entry in table.view(Role.SEAT, Seat.P1)["hand"]["cards"]} == drawn


def test_a_seat_that_was_granted_is_kept_for_the_device_that_asked(
    app: Flask, phone: Phone, other_phone: Phone, host: Phone
) -> None:
    phone.sit("P0", "Anna")
    secret = other_phone.post("join/ask", name="Zoé", seat="P0").get_json()["secret"]
    as_host(host, "answer_seat", number=1, yes=True)
    third = Phone(app.test_client())
    assert third.post("join", name="Zoé", seat="P0").get_json()["code"] == "seat_taken"
    assert third.post("join/ask", name="Zoé", seat="P0").get_json()["code"] == "seat_asked"
    assert third.post("join/hear", secret=secret).get_json()["state"] == "refused"
    answer = host.post("request", kind="set_computer", role="host", data={"seat": "P0", "strength": "easy"})
    assert answer.get_json()["code"] == "seat_taken"
    assert other_phone.post("join/hear", secret=secret).get_json()["state"] == "seated"
    assert third.get("view?role=seat").status_code == 401


def test_a_newer_request_never_takes_the_place_of_one_that_waits(
    app: Flask, phone: Phone, other_phone: Phone
) -> None:
    phone.sit("P0", "Anna")
    secret = other_phone.post("join/ask", name="Zoé", seat="P0").get_json()["secret"]
    third = Phone(app.test_client())
    assert third.post("join/ask", name="Zoé", seat="P0").get_json()["code"] == "seat_asked"
    assert phone.post("request", kind="answer_seat", data={"number": 1, "yes": True}).status_code == 200
    assert other_phone.post("join/hear", secret=secret).get_json()["state"] == "seated"


def test_the_same_phone_may_ask_again_under_another_number(phone: Phone, other_phone: Phone) -> None:
    phone.sit("P0", "Anna")
    other_phone.post("join/ask", name="Zoé", seat="P0")
    secret = other_phone.post("join/ask", name="Mallory", seat="P0").get_json()["secret"]
    stale = phone.post("request", kind="answer_seat", data={"number": 1, "yes": True})
    assert stale.get_json()["code"] == "no_question"
    assert phone.post("request", kind="answer_seat", data={"number": 2, "yes": True}).status_code == 200
    assert other_phone.post("join/hear", secret=secret).get_json()["name"] == "Mallory"


def test_a_request_that_waited_while_the_seat_was_lost_is_refused(table: Table) -> None:
    request = parse_request("hand_set", {"cards": CARDS}, Role.SEAT, Seat.P0)
    assert table.request(request, lambda: False).code == "seat_lost"
    assert table.view(Role.SEAT, Seat.P0)["hand"]["cards"] == []


def test_a_request_nobody_answers_leaves_the_views_by_itself(
    phone: Phone, other_phone: Phone, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tock_companion.table.seats.seat_requests.SEAT_REQUEST_OPEN_S", 0.3)
    phone.sit("P0", "Anna")
    assert other_phone.post("join/ask", name="Zoé", seat="P0").status_code == 200
    wait_for(table, lambda view: view["wishes"] == [], Role.HOST)


@pytest.mark.parametrize("name", ["\ud800", "a\u202eb", "\u0000", "", "x" * 2000])
def test_a_seat_is_not_asked_for_under_a_name_that_cannot_be_shown(
    phone: Phone, other_phone: Phone, host: Phone, name: str
) -> None:
    phone.sit("P0", "Anna")
    answer = other_phone.client.post(
        "/api/v1/join/ask",
        data=json.dumps({"name": name, "seat": "P0", "lang": "en"}),
        headers={"X-Tock": "1", "Content-Type": "application/json"},
    )
    # Half a surrogate pair is refused with the whole body.
    assert (answer.status_code, answer.get_json()["field"]) == (400, "JSON" if name == "\ud800" else "name")
    assert own_view(phone)["wishes"] == []
    assert host.get("view?role=host").status_code == 200


def test_a_yes_that_the_disk_refuses_shows_nothing(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise TockError("games.sqlite cannot be written (disk is full); free disk space")

    anna, zoe = "a" * 32, "f" * 32
    ticket = table.people.join("Anna", Seat.P0, device=anna).ticket
    assert ticket is not None
    assert table.request(parse_request("hand_set", {"cards": CARDS}, Role.SEAT, Seat.P0)).ok
    assert table.people.leave(ticket.token, anna).ok
    assert table.people.join("Zoé", Seat.P0, device=zoe).ticket is not None
    (asked,) = table.people.cards_requests(anna)
    with monkeypatch.context() as full:
        full.setattr(Store, "save_withheld", refuse)
        assert table.people.show_cards(anna, asked.number, True).code == "disk"
    assert table.view(Role.SEAT, Seat.P0)["hand"]["cards"] == []
    assert table.people.show_cards(anna, asked.number, True).ok
    assert len(table.view(Role.SEAT, Seat.P0)["hand"]["cards"]) == len(CARDS)
