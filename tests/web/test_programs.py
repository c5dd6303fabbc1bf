"""Programs of others: a key of the host opens the public events and nothing else, until it is taken away."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import jsonschema_rs
import pytest
from flask import Flask
from flask.testing import FlaskClient
from websockets.exceptions import ConnectionClosedOK, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from werkzeug.test import TestResponse

from tests.support.page import Phone, machine_code
from tests.support.waiting import until
from tock_companion.table.runtime.live import Table
from tock_companion.views.public_events import Kind
from tock_web import PageServer
from tock_web.context import context_of
from tock_web.programs.keys import KEPT_AS, MAX_KEYS

DATA = Path(__file__).parents[1] / "data" / "web"


@pytest.fixture
def host(phone: Phone) -> Phone:
    assert phone.post("host").status_code == 200
    return phone


def made(host: Phone, **asked: object) -> str:
    if asked.get("scope") == "host":
        asked = {"proof": machine_code(host.client.application), **asked}
    answer = host.post("programs", **{"name": "lamp", **asked})
    assert answer.status_code == 200, answer.text
    return str(answer.get_json()["key"])


def program(host: Phone, key: str, **headers: str) -> TestResponse:
    client: FlaskClient = host.client.application.test_client()
    headers = {"Authorization": f"Bearer {key}", **headers}
    return client.get("/api/v1/events/public", headers=headers, buffered=False)


def events(answer: TestResponse) -> Iterator[dict[str, Any]]:
    for chunk in answer.iter_encoded():
        fields = dict(line.split(": ", 1) for line in chunk.decode().strip().splitlines())
        if "data" in fields:
            event = json.loads(fields["data"])
            assert event["id"] == fields["id"]
            yield event


def test_a_program_with_a_key_gets_what_happens_from_then_on(host: Phone) -> None:
    answer = program(host, made(host))
    host.sit("P0", "Léa")
    host.post("request", kind="pause", role="host", data={})
    assert next(events(answer))["kind"] == "paused"
    answer.close()


def test_a_stream_resumes_behind_the_last_event_that_arrived(host: Phone, table: Table) -> None:
    key, place = made(host), "0.0.0"
    whole = [event["id"] for event in table.public_feed.after((0, 0, 0))]
    assert whole
    for event_id in whole:
        answer = program(host, key, **{"Last-Event-ID": place})
        assert next(events(answer))["id"] == event_id
        place = event_id
        answer.close()


@pytest.mark.parametrize("key", ["", "x", "Bearer", "é" * 32])
def test_without_a_valid_key_nothing_opens(host: Phone, key: str) -> None:
    made(host)
    assert program(host, key).status_code == 403


def test_a_key_taken_away_opens_nothing_more_and_ends_its_stream(host: Phone) -> None:
    key = made(host)
    answer = program(host, key)
    chunks = answer.iter_encoded()
    next(chunks)
    (row,) = host.get("programs").get_json()["keys"]
    host.post("programs/end", number=row["number"])
    assert list(chunks) == []
    assert program(host, key).status_code == 403
    assert host.get("programs").get_json()["keys"] == []


def test_a_key_ends_on_its_day(host: Phone, table: Table) -> None:
    key = made(host, days=1)
    kept: Any = table.choices.get(KEPT_AS)
    table.choices.keep(KEPT_AS, [{**row, "ends_at": "2026-01-01T00:00:00+00:00"} for row in kept])
    assert program(host, key).status_code == 403


def rights(host: Phone, key: str) -> Phone:
    """A program that sends its key with every request, and has no cookies."""
    client = host.client.application.test_client(use_cookies=False)
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {key}"
    return Phone(client)


def test_a_key_for_reading_is_nobody(host: Phone) -> None:
    reader = rights(host, made(host))
    assert reader.get("view?role=table").status_code == 200
    assert reader.get("view?role=host").status_code == 403
    assert reader.get("view?role=seat").status_code == 401
    assert reader.post("request", kind="pause", role="host").status_code == 403


def test_a_key_for_a_seat_sits_down_plays_and_stands_up(host: Phone) -> None:
    bot = rights(host, made(host, scope="seat"))
    bot.sit("P0", "Bot")
    assert bot.get("view?role=seat").get_json()["seat"] == "P0"
    assert bot.get("view?role=host").status_code == 403
    assert bot.post("request", kind="deal", data={"count": 5}).status_code in (200, 409)
    bot.sit("P3", "Bot")
    assert bot.get("session").get_json()["seat"] == "P3"
    (row,) = host.get("programs").get_json()["keys"]
    assert (row["scope"], row["seat"]) == ("seat", "P3")
    assert bot.post("leave").status_code == 200
    assert bot.get("session").get_json()["seat"] is None


def test_a_bot_is_never_host_by_its_seat(phone: Phone, other_phone: Phone) -> None:
    assert phone.post("host").status_code == 200
    bot = rights(phone, made(phone, scope="seat"))
    assert phone.post("host/release").status_code == 200
    bot.sit("P0", "Bot")
    assert not bot.get("session").get_json()["host"]
    assert bot.post("request", kind="pause", role="host").status_code == 403


def test_a_seat_of_a_key_taken_away_is_free(host: Phone, other_phone: Phone) -> None:
    bot = rights(host, made(host, scope="seat"))
    bot.sit("P0", "Bot")
    host.post("programs/end", number=1)
    assert bot.get("view?role=table").status_code == 403
    other_phone.sit("P0", "Léa")


def test_a_key_opens_no_other_seat(host: Phone, other_phone: Phone) -> None:
    other_phone.sit("P0", "Léa")
    bots = [rights(host, made(host, scope="seat")) for _ in range(2)]
    assert [bot.get("session").get_json()["seat"] for bot in bots] == [None, None]
    bots[0].sit("P3", "Bot")
    assert bots[1].get("session").get_json()["seat"] is None


def test_a_key_for_the_host_hosts_but_makes_no_keys(host: Phone) -> None:
    key = made(host, scope="host")
    program = rights(host, key)
    assert program.get("view?role=host").status_code == 200
    assert program.post("request", kind="pause", role="host").status_code == 200
    assert program.get("programs").status_code == 403
    assert program.post("programs", name="heir", scope="host").status_code == 403
    assert program.post("host/pin", pin="4711").status_code == 403
    host.post("programs/end", number=1)
    assert program.get("view?role=host").status_code == 403


@pytest.mark.parametrize("scope", ["read", "seat", "host"])
def test_only_a_key_that_hosts_needs_the_proof(host: Phone, scope: str) -> None:
    """A host of one minute made itself host for ten years."""
    answer = host.post("programs", name="lamp", scope=scope)
    assert answer.status_code == (403 if scope == "host" else 200)
    host.choose_pin("4711")
    answer = host.post("programs", name="lamp", scope=scope, proof="4712")
    assert answer.status_code == (403 if scope == "host" else 200)
    assert host.post("programs", name="lamp", scope=scope, proof="4711").status_code == 200


@pytest.mark.usefixtures("quick_pins")
def test_a_new_pin_ends_the_keys_that_host_and_no_others(host: Phone) -> None:
    """A host by the old PIN stayed host by a key that they had made for themselves."""
    keys = {scope: made(host, scope=scope) for scope in ("read", "seat", "host")}
    for before, after in ((None, "4711"), ("4711", "0815"), ("0815", None)):
        program, player = rights(host, keys["host"]), rights(host, keys["seat"])
        assert program.get("view?role=host").status_code == 200
        stream = program.client.get("/api/v1/events?role=host&tab=12345678", buffered=False)
        chunks = stream.iter_encoded()
        next(chunks)
        assert host.choose_pin(after, before or "").status_code == 200
        assert len(list(chunks)) <= 1
        assert program.get("view?role=host").status_code == 403
        assert player.get("view?role=table").status_code == 200
        keys["host"] = made(host, scope="host")
    scopes = [row["scope"] for row in host.get("programs").get_json()["keys"]]
    assert scopes == ["read", "seat", "host"]


def test_a_host_s_stream_of_a_key_ends_with_it(host: Phone) -> None:
    program = rights(host, made(host, scope="host"))
    answer = program.client.get("/api/v1/events?role=host&tab=12345678", buffered=False)
    assert answer.status_code == 200
    chunks = answer.iter_encoded()
    next(chunks)
    host.post("programs/end", number=1)
    assert len(list(chunks)) <= 1


def test_the_secret_is_kept_nowhere(host: Phone, table: Table) -> None:
    key = made(host)
    assert key not in json.dumps(table.choices.get(KEPT_AS))
    assert key not in host.get("programs").text


def test_there_are_not_more_keys_than_a_host_can_overlook(host: Phone) -> None:
    for number in range(MAX_KEYS):
        made(host, name=f"lamp {number}")
    answer = host.post("programs", name="one more")
    assert answer.status_code == 409
    assert answer.get_json()["code"] == "programs/full"


def test_the_description_is_what_asyncapi_asks_for(phone: Phone) -> None:
    document = phone.get("asyncapi.json").get_json()
    schema = json.loads((DATA / "asyncapi-3.0.0.schema.json").read_text(encoding="utf-8"))
    errors = [error.message for error in jsonschema_rs.validator_for(schema).iter_errors(document)]
    assert errors == []


def test_each_event_is_a_message_of_the_description(phone: Phone, table: Table) -> None:
    document = phone.get("asyncapi.json").get_json()
    messages = document["components"]["messages"]
    assert set(messages) == set(get_args(Kind)) == set(document["channels"]["public"]["messages"])
    happened = table.public_feed.after((0, 0, 0))
    assert happened
    for event in happened:
        shape = {**messages[event["kind"]]["payload"], "components": document["components"]}
        jsonschema_rs.validate(shape, event)


def socket(server: PageServer, key: str, query: str = "") -> ClientConnection:
    headers = {"Authorization": f"Bearer {key}"}
    return connect(f"ws://127.0.0.1:{server.port}/api/v1/events/public{query}", additional_headers=headers)


def test_a_websocket_brings_the_same_events(host: Phone, table: Table, server: PageServer) -> None:
    key, whole = made(host), table.public_feed.after((0, 0, 0))
    with socket(server, key, "?since=0.0.0") as line:
        line.send("nobody reads this")
        assert [json.loads(line.recv(5)) for _ in whole] == whole
        host.sit("P0", "Léa")
        host.post("request", kind="pause", role="host", data={})
        assert json.loads(line.recv(5))["kind"] == "paused"


def test_a_websocket_ends_with_its_key(host: Phone, app: Flask, server: PageServer) -> None:
    with socket(server, made(host)) as line:
        host.post("programs/end", number=1)
        with pytest.raises(ConnectionClosedOK):
            line.recv(5)
    until(lambda: len(context_of(app).streams) == 0)


def test_a_websocket_that_is_left_frees_its_place(host: Phone, app: Flask, server: PageServer) -> None:
    key = made(host)
    for _ in range(4):
        with socket(server, key):
            pass
    until(lambda: len(context_of(app).streams) == 0)


@pytest.mark.parametrize(
    ("path", "status"),
    [("events/public", 403), ("events?tab=12345678", 404), ("health", 404), ("nothing", 404)],
)
def test_no_other_websocket_opens(server: PageServer, path: str, status: int) -> None:
    with pytest.raises(InvalidStatus) as refused:
        connect(f"ws://127.0.0.1:{server.port}/api/v1/{path}")
    assert refused.value.response.status_code == status
