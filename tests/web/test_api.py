"""Views out, requests in, and the description of both."""

import json
import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.support.page import OWN, Phone, game_without_p1
from tock_companion.table.runtime.live import Table


def test_every_role_gets_its_own_view(phone: Phone) -> None:
    phone.sit("P0")
    phone.post("host")
    for role in ("table", "seat", "watch", "host"):
        assert phone.get(f"view?role={role}").get_json()["role"] == role


def test_legal_moves_are_shown_to_their_seat_alone(phone: Phone, other_phone: Phone) -> None:
    phone.sit("P0")
    other_phone.sit("P1", "Bob")
    assert phone.post("request", kind="play_card", data={"card": "6H"}).status_code == 200
    assert [move["text"] for move in phone.get("view?role=seat").get_json()["legal_moves"]]
    assert other_phone.get("view?role=seat").get_json()["legal_moves"] == []
    for role in ("table", "watch"):
        assert "legal_moves" not in other_phone.get(f"view?role={role}").get_json()


def test_a_refused_wish_says_why_in_both_languages(phone: Phone) -> None:
    phone.sit("P1")
    answer = phone.post("request", kind="play_card", data={"card": "6H"})
    assert answer.status_code == 409
    assert answer.get_json()["code"] == "not_your_turn"
    assert set(answer.get_json()["message"]) == {"fr", "en"}


def test_a_wish_needs_a_seat_or_the_host(phone: Phone) -> None:
    assert phone.post("request", kind="undo").status_code == 401
    assert phone.post("request", kind="pause", role="host").status_code == 403
    phone.post("host")
    assert phone.post("request", kind="pause", role="host").status_code == 200
    assert phone.get("view").get_json()["expects"] == "paused"


def test_a_wish_formed_on_an_old_view_is_refused(phone: Phone) -> None:
    phone.sit("P0")
    seen = phone.get("view?role=seat").get_json()["revision"]
    assert phone.post("request", kind="play_card", data={"card": "6H"}).status_code == 200
    answer = phone.post("request", kind="withdraw_card", revision=seen)
    assert answer.status_code == 409
    assert answer.get_json()["code"] == "stale"


@pytest.mark.parametrize(
    "data",
    [{}, {"kind": 7}, {"kind": "x" * 100}, {"kind": "undo", "data": []}, {"kind": "undo", "revision": "1"}],
)
def test_a_malformed_wish_is_refused(phone: Phone, data: dict[str, object]) -> None:
    phone.sit("P0")
    assert phone.post("request", **data).status_code == 400


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"3", b"\xff", b'{"kind": NaN}'])
def test_a_body_other_than_a_json_object_is_refused(client: FlaskClient, body: bytes) -> None:
    headers = {**OWN, "Content-Type": "application/json"}
    assert client.post("/api/v1/join", data=body, headers=headers).status_code == 400


def test_a_game_without_the_seats_of_its_people_gives_them_its_own(
    app: Flask, phone: Phone, other_phone: Phone
) -> None:
    other_phone.post("host")
    phone.sit("P1")
    assert other_phone.post("games", log=game_without_p1()).status_code == 200
    view = phone.get("view?role=seat").get_json()
    taken = {seat["seat"]: seat["name"] for seat in view["seats"] if seat["name"]}
    assert taken == {view["seat"]: "Anna"}
    assert view["seat"] in {"P0", "P2"}
    (free,) = {"P0", "P2"} - {view["seat"]}
    refused = other_phone.post("join", name="Bob", seat="P1", lang="fr")
    assert (refused.status_code, refused.get_json()["code"]) == (409, "bad_request")
    other_phone.sit(free, "Bob")
    # A third has no seat there, and may watch.
    late = Phone(app.test_client())
    answer = late.post("join", name="Zoé", seat=free, lang="fr")
    assert (answer.status_code, answer.get_json()["code"]) == (409, "seat_taken")
    assert late.get("view?role=seat").status_code == 401
    assert late.get("view?role=watch").status_code == 200


def test_a_game_for_fewer_than_sit_seats_those_who_sat_first(
    app: Flask, phone: Phone, other_phone: Phone
) -> None:
    other_phone.post("host")
    phone.sit("P1")
    other_phone.sit("P3", "Bob")
    late = Phone(app.test_client()).sit("P0", "Zoé")
    refused = other_phone.post("request", kind="prepare", role="host", data={"ruleset": "mjc", "players": 2})
    assert (refused.status_code, refused.get_json()["code"]) == (409, "too_many_sit")
    chairs = other_phone.post("games/look", log=game_without_p1()).get_json()["chairs"]
    assert {chair["now"] for chair in chairs} == {"P1", "P3"}
    assert other_phone.post("games", log=game_without_p1()).status_code == 200
    seats = {one.get("view?role=seat").get_json()["seat"] for one in (phone, other_phone)}
    assert seats == {"P0", "P2"}
    assert late.get("view?role=seat").status_code == 401


def test_the_board_is_the_board_file(phone: Phone, table: Table) -> None:
    board = phone.get("board").get_json()
    assert board["zones"] == 4
    assert {hole["id"] for hole in board["holes"]} == set(table.board_file.by_id)


def test_rulesets_have_titles_and_say_who_plays(phone: Phone) -> None:
    rulesets = phone.get("rulesets").get_json()["rulesets"]
    assert rulesets[0]["name"] == "mjc"
    assert rulesets[0]["players"] == {"2": ["P0", "P2"], "4": ["P0", "P1", "P2", "P3"]}
    assert all(set(entry["title"]) == {"fr", "en"} for entry in rulesets)


def test_the_simulated_table_is_moved_by_hand(phone: Phone, table: Table) -> None:
    pawn = phone.get("sim/scene").get_json()["pawns"][0]
    hole = table.board_file.hole("T40")
    scene = phone.post("sim/pawn", id=pawn["id"], x_mm=hole.x_mm + 1, y_mm=hole.y_mm).get_json()
    assert next(entry for entry in scene["pawns"] if entry["id"] == pawn["id"])["hole"] == "T40"
    lost = phone.post("sim/pawn", id=pawn["id"], x_mm=None).get_json()["pawns"][-1]
    assert lost["id"] == pawn["id"]
    assert lost["x_mm"] < 0
    back = phone.post("sim/put-back").get_json()["pawns"]
    assert all(one["hole"] for one in back)
    assert phone.post("sim/card", card="6H", seat="P0").get_json()["card"] == {"card": "6H", "seat": "P0"}
    assert phone.post("sim/card", card=None).get_json()["card"] is None
    assert phone.post("sim/hand", x_mm=10, y_mm=20).get_json()["hand"] == {"x_mm": 10, "y_mm": 20}
    assert phone.post("sim/hand", x_mm=None).get_json()["hand"] is None
    assert phone.get("sim/frame").data.startswith(b"\xff\xd8")


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("sim/pawn", {"id": "P9-1", "x_mm": 1, "y_mm": 1}),
        ("sim/pawn", {"id": "P0-1", "x_mm": "1", "y_mm": 1}),
        ("sim/pawn", {"id": "P0-1", "x_mm": 1e9, "y_mm": 1}),
        ("sim/pawn", {"id": "P9-1", "x_mm": None}),
        ("sim/pawn", {"id": "P0-1", "x_mm": 1}),
        ("sim/pawn", {"id": "P0-1", "x_mm": True, "y_mm": 1}),
        ("sim/card", {"card": "11H", "seat": "P0"}),
        ("sim/card", {"card": "6H", "seat": "P8"}),
        ("sim/hand", {"x_mm": 5000, "y_mm": 1}),
    ],
)
def test_impossible_things_are_not_done_on_the_simulated_table(
    phone: Phone, path: str, data: dict[str, object]
) -> None:
    before = phone.get("sim/scene").get_json()
    assert phone.post(path, **data).status_code == 400
    assert phone.get("sim/scene").get_json() == before


def test_a_real_table_has_no_simulated_one(phone: Phone, table: Table) -> None:
    table.scene = None
    assert phone.get("sim/scene").status_code == 404
    assert phone.get("sim/frame").status_code == 404
    assert phone.client.get("/sim").headers["Location"] == "/"


def test_the_description_names_every_route_and_no_other(app: Flask, client: FlaskClient) -> None:
    described = client.get("/api/v1/openapi.json").get_json()
    assert described["openapi"].startswith("3.1")
    routes = {
        (rule.rule, method.lower())
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert {(path, method) for path, item in described["paths"].items() for method in item} == routes


def test_the_description_refers_to_what_it_has(client: FlaskClient) -> None:
    text = client.get("/api/v1/openapi.json").text
    schemas = json.loads(text)["components"]["schemas"]
    assert set(re.findall(r"#/components/schemas/(\w+)", text)) <= set(schemas)


def test_the_rules_are_explained_in_plain_words_and_both_languages(phone: Phone) -> None:
    sheet = phone.get("rules").get_json()
    assert sheet["name"] == "mjc"
    lines = [line for section in sheet["sections"] for line in section["lines"]]
    assert len(lines) > 20
    assert all(
        line["fr"] and line["en"] and line["fr"] != line["en"] for line in lines if len(line["fr"]) > 20
    )
    assert phone.get("rules?ruleset=gladius").get_json()["name"] == "gladius"
    assert phone.get("rules?ruleset=chess").status_code == 409


def test_the_camera_is_shown_to_the_host(phone: Phone) -> None:
    phone.post("host")
    assert phone.get("preview").data.startswith(b"\xff\xd8")
