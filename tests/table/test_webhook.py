"""The public events at a program elsewhere: signed, in order, none lost though it fails, never to this machine."""

import base64
import hmac
import json
import random
import threading
from collections.abc import Iterator
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.support.played import log_of
from tests.support.waiting import until
from tock_companion.boardfile import generate
from tock_companion.errors import BadInputError
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_companion.views.public_events import PublicEvent, Translator
from tock_companion.webhook import KEPT_AS, Webhook, addresses_elsewhere, is_own

SECRET = "the house and the table know it"
EVENTS = 10_000


class Receiver:
    """A program that fails at random: it says so, hangs up before it has read, or after it has kept the event."""

    def __init__(self, fails: float, seed: int = 1) -> None:
        self.got: list[PublicEvent] = []
        self.forged = 0
        rng, receiver = random.Random(seed), self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                failure = rng.choice(["status", "hang up", "late"]) if rng.random() < fails else ""
                if failure == "hang up":
                    return
                if failure != "status":
                    receiver.keep(body, {name.lower(): value for name, value in self.headers.items()})
                if failure != "late":
                    self.send_response(500 if failure else 204)
                    self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://house.test:{self.server.server_port}/tock?room=1"

    def keep(self, body: bytes, headers: dict[str, str]) -> None:
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
        right = base64.b64encode(hmac.digest(SECRET.encode(), signed, sha256)).decode()
        self.forged += headers["webhook-signature"] != f"v1,{right}"
        event = json.loads(body)
        assert event["id"] == headers["webhook-id"]
        if event["id"] not in {one["id"] for one in self.got[-1:]}:
            self.got.append(event)

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


@pytest.fixture
def table(store: Store) -> Iterator[Table]:
    table = Table(generate(4, 440), store, [])
    table.start()
    yield table
    table.stop()


def hook(table: Table, receiver: Receiver) -> Webhook:
    return Webhook(
        table, receiver.url, SECRET, find=lambda _host, _port: ["127.0.0.1"], first_pause_s=0.000_1
    )


@pytest.mark.whole
def test_ten_thousand_events_arrive_once_and_in_order_at_a_receiver_that_fails(
    table: Table, store: Store
) -> None:
    receiver = Receiver(fails=0.1)
    number, expected = 100, list[PublicEvent]()
    store.choices.keep(KEPT_AS, "99.0.0")
    while len(expected) < EVENTS:
        log = log_of(number % 7)
        store.append(number, log)
        expected += Translator(number).events_of(log, {})
        number += 1
    webhook = hook(table, receiver)
    webhook.start()
    try:
        until(lambda: len(receiver.got) >= EVENTS // 2, within_s=60)
        # The companion starts again in the middle.
        webhook.stop()
        webhook = hook(table, receiver)
        webhook.start()
        until(lambda: len(receiver.got) >= len(expected), within_s=60)
    finally:
        webhook.stop()
        receiver.close()
    assert receiver.got == expected
    assert receiver.forged == 0


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.8.8.8",
        "::1",
        "0.0.0.0",
        "::",
        "::ffff:127.0.0.1",
        "169.254.169.254",
        "fe80::1%lo",
        "224.0.0.1",
    ],
)
def test_addresses_of_this_machine_are_known(address: str) -> None:
    assert is_own(address)


def test_nothing_is_sent_to_this_machine(
    table: Table, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    receiver = Receiver(fails=0)
    store.choices.keep(KEPT_AS, "0.0.0")
    webhook = Webhook(
        table, f"http://localhost:{receiver.server.server_port}/", SECRET, first_pause_s=0.000_1
    )
    webhook.start()
    until(lambda: "localhost is this machine" in caplog.text)
    webhook.stop()
    receiver.close()
    assert receiver.got == []
    with pytest.raises(ConnectionRefusedError):
        addresses_elsewhere("localhost", 80)
    assert addresses_elsewhere("192.0.2.7", 80) == ["192.0.2.7"]


@pytest.mark.parametrize("url", ["", "house", "ftp://house/", "http://", "http://me:pass@house/"])
def test_a_wrong_address_is_one_clear_line(table: Table, url: str) -> None:
    with pytest.raises(BadInputError, match=r"webhook\.url"):
        Webhook(table, url, SECRET)
