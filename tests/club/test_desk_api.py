"""The answers of a club's desk over HTTP, and who gets them."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from tock_companion.club.desk import Desk
from tock_companion.club.directors import MAX_DIRECTORS, STAYS_S, Directors
from tock_companion.club.repository import ClubRepository
from tock_companion.mqtt.club import Club
from tock_companion.mqtt.connection import BrokerAddress
from tock_web.club.access import DESK
from tock_web.club.desk import create_desk_app, director_pin
from tock_web.club.tables import create_club_app

CHANGE = {"X-Tock": "1"}


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with closing(ClubRepository(tmp_path)) as repository:
        yield Desk(repository, "Club")


@pytest.fixture
def anybody(desk: Desk) -> FlaskClient:
    return create_desk_app(desk).test_client()


@pytest.fixture
def director(anybody: FlaskClient) -> FlaskClient:
    client = anybody.application.test_client()
    assert post(client, "director/login", pin=director_pin(anybody.application))["ok"]
    return client


def post(client: FlaskClient, path: str, **data: object) -> Any:
    return client.post(f"/api/v1/{path}", json=data, headers=CHANGE).get_json()


def from_address(client: FlaskClient, address: str, path: str, **data: object) -> Any:
    here = {"REMOTE_ADDR": address}
    return client.post(f"/api/v1/{path}", json=data, headers=CHANGE, environ_base=here).get_json()


def begin_a_round(director: FlaskClient) -> None:
    assert post(director, "director/open", name="Coupe", form="singles", system="swiss", minutes=None)["ok"]
    assert post(director, "director/enter", text="Ana\nBea\nChloé\nDan")["ok"]
    assert post(director, "director/pair")["ok"]
    assert post(director, "director/begin")["ok"]


def test_a_stranger_reads_the_hall_and_nothing_else(anybody: FlaskClient, director: FlaskClient) -> None:
    assert anybody.get("/api/v1/desk/hall").status_code == 200
    assert anybody.get("/api/v1/desk/standings").status_code == 200
    for path in ("director", "director/standings.csv", "director/evening.json"):
        assert anybody.get(f"/api/v1/{path}").status_code == 403
    for path in ("open", "enter", "withdraw", "pair", "begin", "time", "result", "close"):
        assert post(anybody, f"director/{path}")["code"] == "http/403"
    assert anybody.get("/cards").status_code == 303
    assert director.get("/api/v1/director").status_code == 200


def test_codes_are_not_guessed(anybody: FlaskClient) -> None:
    codes = [post(anybody, "director/login", pin="00000000")["code"] for _ in range(7)]
    assert codes[0] == "club/pin"
    assert codes[-1] == "club/wait"
    codes = [post(anybody, "sheet", code="AAAAAAAA")["code"] for _ in range(7)]
    assert codes[0] == "club/bad-code"
    assert codes[-1] == "club/wait"


def test_wrong_codes_of_tables_keep_no_director_out(anybody: FlaskClient) -> None:
    for number in range(8):
        wrong = [from_address(anybody, f"10.0.0.{number}", "sheet", code="AAAAAAAA") for _ in range(5)]
        assert [answer["code"] for answer in wrong] == ["club/bad-code"] * 5
    assert from_address(anybody, "10.0.1.1", "sheet", code="AAAAAAAA")["code"] == "club/wait"
    pin = director_pin(anybody.application)
    assert from_address(anybody, "10.0.1.1", "director/login", pin=pin)["ok"]


def test_after_too_many_guesses_a_right_code_waits_too(
    desk: Desk, anybody: FlaskClient, director: FlaskClient
) -> None:
    begin_a_round(director)
    code = anybody.application.extensions[DESK].code_of(1, 0)
    # Right codes are as free as a table needs them, and forgive no wrong ones.
    for _ in range(4):
        assert post(anybody, "sheet", code="AAAAAAAA")["code"] == "club/bad-code"
        assert post(anybody, "sheet", code=code)["ok"]
    assert post(anybody, "sheet", code="AAAAAAAA")["code"] == "club/bad-code"
    assert post(anybody, "sheet", code=code)["code"] == "club/wait"


def test_a_table_that_was_right_does_not_wait_for_the_wrong_codes_of_others(
    desk: Desk, anybody: FlaskClient, director: FlaskClient
) -> None:
    begin_a_round(director)
    code = anybody.application.extensions[DESK].code_of(1, 0)
    assert from_address(anybody, "10.0.1.1", "sheet", code=code)["ok"]
    for number in range(8):
        for _ in range(5):
            from_address(anybody, f"10.0.0.{number}", "sheet", code="AAAAAAAA")
    assert from_address(anybody, "10.0.1.2", "sheet", code=code)["code"] == "club/wait"
    assert from_address(anybody, "10.0.1.1", "sheet", code=code)["ok"]


def test_a_desk_knows_its_director_after_a_restart(desk: Desk, director: FlaskClient) -> None:
    cookie = director.get_cookie("tock_director")
    assert cookie is not None
    again = create_desk_app(desk).test_client()
    again.set_cookie("tock_director", cookie.value)
    assert again.get("/api/v1/director").status_code == 200


def test_each_device_of_the_director_has_a_secret_of_its_own_and_logs_out_alone(
    desk: Desk, director: FlaskClient
) -> None:
    second = director.application.test_client()
    assert post(second, "director/login", pin=director_pin(director.application))["ok"]
    secrets = [client.get_cookie("tock_director") for client in (director, second)]
    assert all(secrets)
    assert len({cookie.value for cookie in secrets if cookie is not None}) == 2
    assert post(second, "director/logout")["ok"]
    thief = create_desk_app(desk).test_client()
    assert secrets[1] is not None
    thief.set_cookie("tock_director", secrets[1].value)
    assert thief.get("/api/v1/director").status_code == 403
    assert second.get("/api/v1/director").status_code == 403
    assert director.get("/api/v1/director").status_code == 200


def test_a_director_s_secret_counts_for_half_a_day(tmp_path: Path) -> None:
    now = [0.0]
    with closing(ClubRepository(tmp_path)) as repository:
        secret = Directors(repository, lambda: now[0]).let_in()
        again = Directors(repository, lambda: now[0])
        assert again.knows(secret)
        assert not again.knows("")
        now[0] = STAYS_S
        assert not again.knows(secret)
        secrets = [again.let_in() for _ in range(MAX_DIRECTORS + 1)]
        assert [again.knows(secret) for secret in secrets] == [False] + [True] * MAX_DIRECTORS
        repository.choose("directors", "[nonsense")
        assert not Directors(repository, lambda: now[0]).knows(secrets[-1])


@pytest.mark.parametrize(
    ("text", "code"),
    [("Ana\n" + "x" * 300, "club/list"), ("Ana\nána", "club/twice")],
)
def test_a_list_with_a_mistake_enters_nobody(director: FlaskClient, text: str, code: str) -> None:
    assert post(director, "director/enter", text="Zoé")["code"] == "club/no-tournament"
    assert post(director, "director/open", name="Coupe", form="singles", system="swiss", minutes=None)["ok"]
    refused = post(director, "director/enter", text=text)
    assert refused["code"] == code
    assert set(refused["message"]) == {"fr", "en"}
    assert director.get("/api/v1/director").get_json()["entrants"] == []


def test_a_tournament_has_groups_and_rules_as_they_were_asked_for(desk: Desk, director: FlaskClient) -> None:
    asked: dict[str, object] = {"name": "Cup", "system": "groups", "group_entrants": 8, "ruleset": "chess"}
    assert post(director, "director/open", **asked)["code"] == "club/no-ruleset"
    assert desk.state.tournament is None
    chosen = director.get("/api/v1/director").get_json()["rulesets"][-1]["name"]
    assert post(director, "director/open", **{**asked, "ruleset": chosen})["ok"]
    assert desk.state.tournament is not None
    plan = desk.state.tournament.plan
    assert (plan.group_entrants, plan.ruleset, plan.draw > 0) == (8, chosen, True)


def test_a_spreadsheet_s_file_is_taken_and_its_names_are_no_formulas(director: FlaskClient) -> None:
    assert post(director, "director/open", name="Coupe")["ok"]
    data = "Nom;Prénom\nRoy;Béa\n=1+1;x\n".encode("latin-1")
    sent = director.post("/api/v1/director/list", data=data, headers=CHANGE, content_type="text/csv")
    assert sent.get_json() == {"ok": True, "text": "Roy Béa\n=1+1 x", "count": 2}
    assert director.get("/api/v1/director").get_json()["entrants"] == []
    assert post(director, "director/enter", text=sent.get_json()["text"])["ok"]
    text = director.get("/api/v1/director/standings.csv").get_data(as_text=True)
    assert "Roy Béa" in text
    assert "'=1+1 x" in text


def test_every_part_of_a_clubs_page_has_one_script_and_one_style_sheet(director: FlaskClient) -> None:
    tables = create_club_app(Club(BrokerAddress("127.0.0.1", 1))).test_client().get("/").text
    parts = {path: director.get(path).text for path in ("/", "/director", "/sheet", "/cards")}
    for path, text in {"tables": tables, **parts}.items():
        assert re.findall(r'<script type="module" src="\S*/js/bundle/(\S+)"', text) == ["club.js"], path
        assert re.findall(r'<link rel="stylesheet" href="\S*/css/bundle/(\S+)"', text) == ["club.css"], path
    titles = {re.findall("<title>(.*)</title>", text)[0] for text in (tables, *parts.values())}
    assert len(titles) == 5
