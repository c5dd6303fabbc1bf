"""Crowds of strangers at a relay: their bytes, lines and rooms are counted, and people who play still find a place."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from time import monotonic, time

import pytest
from websockets.exceptions import WebSocketException

from tests.support.light_line import LightLine, RefusedError
from tests.support.relay_process import HERE, RunningRelay, ask, context_of
from tests.support.waiting import run_apart, until
from tock_companion.far.link import RoomKeys, new_link, room_keys
from tock_companion.mqtt.connection import BrokerAddress
from tock_web.relay.keys import relay_key
from tock_web.relay.limits import LINES, Limits, Windows, sources_of
from tock_web.relay.own_broker import RELAY_USER
from tock_web.relay.rights import ABANDONED_S, Rights

pytestmark = pytest.mark.whole
PLACES = 30
LIMITS = Limits(
    replace(LINES, connections=PLACES, connections_per_address=PLACES), tables_per_hour=100, requests=500
)
CRAMMED = (OSError, WebSocketException, RefusedError, EOFError, TimeoutError)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningRelay]:
    place = RunningRelay(tmp_path_factory.mktemp("relay"), LIMITS).start()
    yield place
    place.stop()


def keys_for(table: tuple[str, str]) -> RoomKeys:
    return room_keys(table[0], new_link("https://relay.example", table[0]).secret)


def nothing(_topic: str, _payload: bytes) -> None: ...


def test_networks_of_homes_are_counted_at_each_of_their_sizes() -> None:
    assert sources_of("192.0.2.7") == sources_of("::ffff:192.0.2.7") == ("192.0.2.7",)
    assert sources_of("2001:db8:12:3456::9") == (
        *("2001:db8:12:3456::/64", "2001:db8:12:3400::/56", "2001:db8:12::/48"),
    )
    windows = Windows(10, 3600.0)

    def taken(addresses: Iterator[str]) -> int:
        return sum(windows.take(address) == 0 for address in addresses)

    assert taken(f"2001:db8:1:1::{one:x}" for one in range(50)) == 10
    assert taken(f"2001:db8:1:{one:x}::1" for one in range(0x100)) == 10
    assert taken(f"2001:db8:1:{one:x}::1" for one in range(0, 0x10000, 0x81)) == 20
    assert windows.take("2001:db8:2::1") == 0


def test_lines_without_a_home_make_room_and_those_of_a_small_address_stay(place: RunningRelay) -> None:
    """Two addresses and one account took all places, and every other line was reset."""

    async def crowd() -> None:
        trust, stranger, table = context_of(place.ca), place.table(), place.table()
        keys, idle_keys = keys_for(table), keys_for(stranger)
        for account, room in ((table, keys), (stranger, idle_keys)):
            assert place.room(account, room)[0] == 201
        idle_account = (idle_keys.room, idle_keys.broker_password)
        home = await LightLine.open(place.port, trust, table, nothing, HERE)
        held = []
        for number in range(2 * PLACES):
            with suppress(*CRAMMED):
                local = f"127.0.0.{2 + number % 2}"
                held.append(
                    await LightLine.open(place.port, trust, idle_account, nothing, local, f"{number}")
                )
        guests = [
            await LightLine.open(
                place.port,
                trust,
                (keys.room, keys.broker_password),
                nothing,
                f"127.0.0.{number}",
                f"own {number}",
            )
            for number in range(10, 15)
        ]
        await asyncio.sleep(0.2)
        assert len(place.front.guard) <= PLACES
        assert home.is_open
        assert all(guest.is_open for guest in guests)
        assert ask(place.url, place.ca, "GET", "/relay/v1/about")[0] == 200
        for line in (home, *guests, *held):
            with suppress(*CRAMMED):
                await line.close()

    run_apart(crowd())


def test_the_lines_of_one_account_share_its_pace_also_those_opened_again(place: RunningRelay) -> None:
    """Each line had an allowance of its own, so that 127 MB of one account were at the broker within a minute."""
    table, seconds, lines = place.table(), 6.0, 5
    keys = keys_for(table)
    assert place.room(table, keys)[0] == 201
    topic, came = f"far/{table[0]}/{keys.room}/down", [0]

    def received(_topic: str, payload: bytes) -> None:
        came[0] += len(payload)

    async def flood() -> None:
        trust, account = context_of(place.ca), (keys.room, keys.broker_password)
        guest = await LightLine.open(place.port, trust, account, received, HERE)
        await guest.subscribe(topic)

        end_s = monotonic() + seconds

        async def one(number: int) -> None:
            while monotonic() < end_s:
                with suppress(*CRAMMED):
                    line = await LightLine.open(place.port, trust, table, nothing, f"127.0.0.{2 + number}")
                    try:
                        while monotonic() < end_s:
                            await line.publish(topic, b"x" * 300_000)
                    finally:
                        await line.close()

        await asyncio.gather(*(one(number) for number in range(lines)))
        await guest.close()

    run_apart(flood())
    assert 300_000 < came[0] < LIMITS.bytes_at_once + seconds * LIMITS.bytes_per_s + lines * 300_000
    other = place.table()
    assert place.room(other, keys_for(other))[0] == 201


def test_rooms_of_a_table_whose_home_is_away_for_an_hour_end_and_with_them_all_that_is_kept(
    place: RunningRelay,
) -> None:
    table, other = place.table(), place.table()
    gone, there = keys_for(table), keys_for(other)
    for account, keys in ((table, gone), (other, there)):
        assert place.room(account, keys, for_s=5 * ABANDONED_S)[0] == 201
    clock = [time()]
    address = BrokerAddress(
        HERE, place.broker_port, RELAY_USER, relay_key(place.folder).broker_password(RELAY_USER)
    )
    later = Rights(address, clock_s=lambda: clock[0])
    later.start()

    async def connected(*, until_true: Callable[[], bool]) -> None:
        trust = context_of(place.ca)
        lines = [
            await LightLine.open(place.port, trust, account, nothing, HERE) for account in (table, other)
        ]
        for line, (name, _) in zip(lines, (table, other), strict=True):
            await line.publish(f"far/{name}/home", b"here", retain=True)
        await asyncio.to_thread(until, until_true)
        # The broker publishes the will of the first alone.
        await lines[0].close()
        await asyncio.to_thread(until, lambda: table[0] not in later.homes)
        clock[0] += ABANDONED_S + 1
        later.sweep()
        await asyncio.to_thread(until, lambda: not place.rights.is_open(gone.room))
        later.sweep()
        assert place.rights.is_open(there.room)
        await lines[1].close()

    try:
        run_apart(connected(until_true=lambda: {table[0], other[0]} <= set(later.homes)))
        until(lambda: other[0] not in later.homes)
        clock[0] += ABANDONED_S + 1
        later.sweep()
        until(lambda: not place.rights.is_open(there.room))
        later.sweep()
        # Nothing is left of either: a relay that comes now hears of no table.
        fresh = Rights(address)
        fresh.start()
        until(lambda: fresh.up)
        assert place.room(table, gone)[0] == 201
        until(lambda: fresh.is_open(gone.room))
        assert fresh.counts() == (1, 1)
        assert fresh.announced == set()
        fresh.stop()
    finally:
        later.stop()
