"""Two tables of one name on one broker: one speaks, both say so, and neither throws the other out."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.mosquitto import Broker
from tests.support.waiting import until
from tock_companion.boardfile import generate
from tock_companion.core.requests import Role
from tock_companion.mqtt.club import Club
from tock_companion.mqtt.connection import BrokerAddress
from tock_companion.mqtt.name_claim import ANSWER_S, ASK_AGAIN_S, NameClaim
from tock_companion.mqtt.publisher import Publisher
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table

STEP_S = 0.1
LATE_S = 0.5
"""The longest way of a message."""


class Machines:
    """Machines of one name and a broker whose messages take their time, but keep their order."""

    def __init__(self, seed: int, count: int) -> None:
        self.rng, self.now_s = random.Random(seed), 0.0
        self.on_the_way: list[tuple[float, str]] = []
        self.claims = [NameClaim(self.say, str(number)) for number in self.rng.sample(range(10), count)]
        self.up = [False] * count

    def say(self, message: str) -> None:
        latest_s = self.on_the_way[-1][0] if self.on_the_way else 0.0
        self.on_the_way.append((max(latest_s, self.now_s + self.rng.uniform(0, LATE_S)), message))

    def pass_time(self, for_s: float) -> None:
        end_s = self.now_s + for_s
        while self.now_s < end_s:
            self.now_s += STEP_S
            while self.on_the_way and self.on_the_way[0][0] <= self.now_s:
                _, message = self.on_the_way.pop(0)
                for claim, up in zip(self.claims, self.up, strict=True):
                    if up:
                        claim.hear(message, self.now_s)
            for claim, up in zip(self.claims, self.up, strict=True):
                if up:
                    claim.look(self.now_s)

    def switch(self, index: int) -> None:
        self.up[index] = not self.up[index]
        self.claims[index].speaks = False
        if self.up[index]:
            self.claims[index].came_up(self.now_s)

    def speaking(self) -> int:
        return sum(claim.speaks for claim, up in zip(self.claims, self.up, strict=True) if up)


@pytest.mark.parametrize("seed", range(200))
def test_of_the_machines_that_are_there_exactly_one_speaks(seed: int) -> None:
    machines = Machines(seed, count=3)
    for _ in range(12):
        machines.switch(machines.rng.randrange(3))
        machines.pass_time(machines.rng.uniform(0, 3))
    machines.pass_time(2 * ASK_AGAIN_S + ANSWER_S)
    assert machines.speaking() == int(any(machines.up))


def test_the_machine_that_speaks_keeps_the_name() -> None:
    machines = Machines(1, count=2)
    machines.switch(0)
    machines.pass_time(ANSWER_S + LATE_S)
    machines.switch(1)
    machines.pass_time(60)
    first, second = machines.claims
    assert (first.speaks, second.speaks) == (True, False)
    assert first.is_doubled(machines.now_s)
    assert second.is_doubled(machines.now_s)


def codes(table: Table) -> list[str]:
    return [note["code"] for note in table.view(Role.TABLE)["health"]]


@pytest.fixture
def twins(tmp_path: Path) -> Iterator[tuple[Table, Table]]:
    tables = tuple(Table(generate(4, 440.0), Store(tmp_path / name)) for name in ("one", "other"))
    for table in tables:
        table.start()
    yield tables[0], tables[1]
    for table in tables:
        table.stop()


@pytest.mark.whole
def test_two_tables_made_from_one_card_share_a_broker(
    twins: tuple[Table, Table],
    broker: Broker,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tock_companion.mqtt.name_claim.ASK_AGAIN_S", ANSWER_S + 1)
    address = BrokerAddress("127.0.0.1", broker.port)
    first, second = (Publisher(table, address, "table", "1.0") for table in twins)
    club = Club(address)
    club.start()
    try:
        first.start()
        until(lambda: any(found.online for found in club.tables()[1]))
        second.start()
        until(lambda: all(codes(table) == ["same_name"] for table in twins))
        first.stop()
        until(lambda: not club.tables()[1][0].online)
        until(lambda: club.tables()[1][0].online)
    finally:
        first.stop()
        second.stop()
        club.stop()
    assert "is away" not in caplog.text, "no connection was ended for the other"
