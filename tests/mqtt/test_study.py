"""A club evening: twenty tables on one broker, which is restarted in the middle."""

import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import quantiles

import pytest

from tests.support.broker import Broker
from tock_companion.boardfile import generate
from tock_companion.core.requests import Role, parse_request
from tock_companion.mqtt.club import Club
from tock_companion.mqtt.connection import BrokerAddress
from tock_companion.mqtt.publisher import Publisher
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_rules import Seat

TABLES = 20
ROUNDS = 20
PATIENCE_S = 20.0


@pytest.fixture
def tables(tmp_path: Path, broker: Broker) -> Iterator[dict[str, Table]]:
    with ExitStack() as stack:
        made = {}
        for number in range(TABLES):
            table = Table(generate(4, 440.0), Store(tmp_path / str(number)))
            stack.callback(table.stop)
            table.start()
            publisher = Publisher(table, BrokerAddress("127.0.0.1", broker.port), f"t{number}", "1.0")
            stack.callback(publisher.stop)
            publisher.start()
            made[f"t{number}"] = table
        yield made


def cards(club: Club) -> dict[str, object]:
    return {table.name: table.view["card"] if table.view is not None else "?" for table in club.tables()[1]}


def until_shown(club: Club, name: str, card: str | None) -> float:
    """Seconds until the club showed the card of a table."""
    start_s = time.monotonic()
    while cards(club).get(name, "?") != card:
        assert time.monotonic() - start_s < PATIENCE_S, f"{name} never showed {card}"
        with club.news:
            club.news.wait(0.01)
    return time.monotonic() - start_s


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_twenty_tables_and_a_broker_that_restarts(tables: dict[str, Table], broker: Broker) -> None:
    club = Club(BrokerAddress("127.0.0.1", broker.port))
    club.start()
    for name in tables:
        until_shown(club, name, None)
    delays = []
    for round_number in range(ROUNDS):
        if round_number == ROUNDS // 2:
            broker.stop()
        for name, table in tables.items():
            kind, data, card = (
                ("play_card", {"card": "KH"}, "KH") if round_number % 2 == 0 else ("undo", {}, None)
            )
            assert table.request(parse_request(kind, data, Role.HOST, Seat.P0)).ok
            if broker.running:
                delays.append(until_shown(club, name, card))
        if not broker.running:
            broker.start()
            for name in tables:
                until_shown(club, name, card)
    p95_ms = 1000 * quantiles(delays, n=20)[-1]
    sys.stdout.write(f"{len(tables)} tables, {len(delays)} changes, p95 {p95_ms:.0f} ms to the club\n")
    assert p95_ms < 1000
    club.stop()
