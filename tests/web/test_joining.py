"""Sitting down, standing up, being the host."""

from tests.web.conftest import Phone, wait_for
from tock_companion.table.live import Table
from tock_web.people import HOST_AWAY_S, HostDesk


def test_who_sits_down_sees_the_own_seat(phone: Phone, table: Table) -> None:
    phone.sit("P2", "Zoé")
    assert phone.get("view?role=seat").get_json()["seat"] == "P2"
    assert phone.get("session").get_json()["seat"] == "P2"
    view = wait_for(table, lambda view: view["seats"][2]["taken"])
    assert view["seats"][2]["name"] == "Zoé"


def test_a_taken_seat_is_refused_with_a_sentence_in_both_languages(phone: Phone, other_phone: Phone) -> None:
    phone.sit("P0", "Anna")
    answer = other_phone.post("join", name="Bob", seat="P0")
    assert answer.status_code == 409
    assert "Anna" in answer.get_json()["message"]["fr"]
    assert "Anna" in answer.get_json()["message"]["en"]
    assert other_phone.get("view?role=seat").status_code == 401


def test_who_stands_up_frees_the_seat(phone: Phone, other_phone: Phone) -> None:
    phone.sit("P0")
    assert phone.post("leave").status_code == 200
    assert phone.get("view?role=seat").status_code == 401
    other_phone.sit("P0", "Bob")


def test_who_changes_the_seat_leaves_the_old_one(phone: Phone, other_phone: Phone) -> None:
    phone.sit("P0")
    phone.sit("P1")
    assert phone.get("session").get_json()["seat"] == "P1"
    other_phone.sit("P0", "Bob")


def test_a_name_is_cleaned_and_never_empty(phone: Phone) -> None:
    assert phone.post("join", name="   ", seat="P0").status_code == 400
    answer = phone.post("join", name="  Grand  maman " + "x" * 60, seat="P0")
    assert answer.get_json()["name"].startswith("Grand maman x")
    assert len(answer.get_json()["name"]) <= 24


def test_nonsense_is_refused_in_one_line(phone: Phone) -> None:
    for data in ({"name": "A", "seat": "P9"}, {"name": 3, "seat": "P0"}, {"seat": "P0"}, {"name": "A"}):
        answer = phone.post("join", **data)
        assert answer.status_code == 400, data
        assert answer.get_json()["error"].count("\n") == 0


def test_start_page_and_seat_lead_to_each_other(phone: Phone) -> None:
    assert phone.client.get("/seat").headers["Location"] == "/"
    phone.sit("P0")
    assert phone.client.get("/").headers["Location"] == "/seat"
    assert phone.client.get("/seat").status_code == 200


def test_the_first_who_says_so_is_the_host(phone: Phone, other_phone: Phone) -> None:
    assert phone.post("host").status_code == 200
    assert phone.get("view?role=host").status_code == 200
    assert other_phone.post("host").status_code == 409
    assert other_phone.get("view?role=host").status_code == 403
    assert phone.post("host/release").status_code == 200
    assert other_phone.post("host").status_code == 200
    assert phone.get("view?role=host").status_code == 403


def test_a_host_who_has_gone_for_two_minutes_may_be_relieved() -> None:
    now = [0.0]
    desk = HostDesk(lambda: now[0])
    first = desk.claim()
    now[0] = HOST_AWAY_S - 1
    assert desk.claim() is None
    assert desk.is_host(first)
    now[0] += HOST_AWAY_S - 1
    assert desk.claim() is None, "a host that was heard of meanwhile stays"
    now[0] += 2
    assert desk.claim() is not None
    assert not desk.is_host(first)
