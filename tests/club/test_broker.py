"""A desk and its tables on a real broker: every result counts once, also after either was switched off."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.support.club import PlainTable, running_desk
from tests.support.mosquitto import Broker
from tests.support.waiting import until
from tock_companion.club.access import accounts_for, write_access
from tock_companion.club.desk import Desk
from tock_companion.errors import BadInputError, TockError
from tock_companion.mqtt.club_notes import (
    GameNote,
    JoinNote,
    game_topic,
    join_topic,
    result_topic,
    written,
)
from tock_companion.mqtt.connection import BrokerAddress, BrokerConnection
from tock_companion.tournament.decisions import begin_round, pair
from tock_companion.tournament.facts import GameKey
from tock_companion.tournament.plan import Plan
from tock_companion.tournament.state import Tournament

pytestmark = pytest.mark.whole


def tournament(desk: Desk) -> Tournament:
    assert desk.state.tournament is not None
    return desk.state.tournament


def begin(desk: Desk, people: int = 4) -> None:
    assert desk.open(Plan("Evening", seats=2, rounds=3)) is None
    assert desk.enter_all([(f"a{number}",) for number in range(people)]) is None
    assert desk.ask(pair) is None
    assert desk.ask(begin_round) is None


@pytest.fixture
def tables(address: BrokerAddress) -> Iterator[tuple[PlainTable, PlainTable]]:
    made = PlainTable(address, "oak"), PlainTable(address, "pine")
    for table in made:
        table.start()
    yield made
    for table in made:
        table.stop()


def test_results_come_by_themselves_through_a_desk_and_a_broker_that_restart(
    tmp_path: Path, broker: Broker, address: BrokerAddress, tables: tuple[PlainTable, PlainTable]
) -> None:
    oak, pine = tables
    with running_desk(tmp_path / "club", address) as desk:
        until(lambda: len(desk.state.tables) == 2)
        begin(desk)
        until(lambda: bool(oak.games) and bool(pine.games))
        game = oak.games[0]
        assert {name for side in game.sides for name in side} <= {"a0", "a1", "a2", "a3"}
        oak.tell(game, (4, 2), 0)
        until(lambda: len(tournament(desk).results) == 1)
        until(lambda: oak.game is not None and oak.game.result == "oak-1.1." + str(game.table))
    # The desk is away, the broker forgets everything, and a game ends.
    broker.stop()
    pine.tell(pine.games[0], (1, 4), 1)
    broker.start()
    until(lambda: oak.up and pine.up)
    with running_desk(tmp_path / "club", address) as desk:
        until(lambda: len(tournament(desk).results) == 2)
        assert not tournament(desk).open_games
        for table in tables:
            table.tell(table.games[0], (4, 2) if table is oak else (1, 4), 0 if table is oak else 1)
        assert desk.ask(pair) is None
        assert desk.ask(begin_round) is None
        until(lambda: oak.game is not None and oak.game.round == 2)
        assert len(tournament(desk).results) == 2


def test_a_second_desk_on_the_broker_is_refused(tmp_path: Path, address: BrokerAddress) -> None:
    with (
        running_desk(tmp_path / "one", address, "Oaks"),
        pytest.raises(TockError, match="desk of 'Oaks'"),
        running_desk(tmp_path / "two", address, "Pines"),
    ):
        pass
    with running_desk(tmp_path / "two", address, "Pines") as desk:
        assert desk.name == "Pines"


def test_an_impossible_result_is_left_out_and_the_director_reads_why(
    tmp_path: Path, address: BrokerAddress, tables: tuple[PlainTable, PlainTable]
) -> None:
    oak, pine = tables
    with running_desk(tmp_path / "club", address) as desk, ExitStack() as stack:
        until(lambda: len(desk.state.tables) == 2)
        begin(desk)
        until(lambda: bool(oak.games) and bool(pine.games))
        game = oak.games[0]

        def trouble() -> str:
            return desk.state.trouble.code if desk.state.trouble is not None else ""

        pine.tell(game, (4, 0), 0)
        until(lambda: trouble() == "club/not-its-game")
        desk.warn(None)
        oak.tell(GameNote(game.club, f"1.9.{game.table}", "x", 9, game.table, game.sides), (4, 0), 0)
        until(lambda: trouble() == "club/not-paired-game")
        desk.warn(None)
        stranger = BrokerConnection(address, "stranger", lambda: None)
        stack.callback(stranger.stop)
        stranger.start()
        until(lambda: stranger.up)
        stranger.publish(join_topic("elm"), written(JoinNote("another", 4)))
        until(lambda: trouble() == "club/other-club")
        for topic in (
            join_topic("elm"),
            result_topic("oak", "1.1.1"),
            "tock/oak/club/progress",
            "tock-club/desk",
        ):
            stranger.publish(topic, '{"nonsense": [')
        oak.tell(game, (4, 3), 0)
        until(lambda: GameKey(1, game.table) in tournament(desk).results)
        assert "elm" not in desk.state.tables


def test_rights_hold_every_table_to_its_own_topics(tmp_path: Path) -> None:
    accounts = accounts_for(["oak", "pine"])
    folder = tmp_path / "broker"
    folder.mkdir()
    write_access(folder, accounts, 8883, "unused", "unused")
    lines = [f"acl_file {folder / 'tock.acl'}", f"password_file {folder / 'tock.passwd'}"]
    broker = Broker(tmp_path, lines)
    broker.start()
    received: dict[str, list[str]] = {}

    def connected(user: str, password: str = "") -> BrokerConnection:
        received[user] = []
        address = BrokerAddress("127.0.0.1", broker.port, user, password)
        made = BrokerConnection(
            address,
            f"{user}-test",
            lambda: made.subscribe("#"),
            lambda topic, _: received[user].append(topic),
        )
        made.start()
        until(lambda: made.up)
        return made

    with ExitStack() as stack:
        stack.callback(broker.stop)
        people = {user: connected(user, accounts[user]) for user in ("desk", "oak", "pine")}
        people[""] = connected("")
        for person in people.values():
            stack.callback(person.stop)
        people["oak"].publish("tock/pine/state", "forged")
        people["oak"].publish(game_topic("oak"), "forged")
        people[""].publish("tock-club/public/standings", "forged")
        people["oak"].publish("tock/oak/state", "true")
        people["desk"].publish("tock-club/public/standings", "true")
        people["desk"].publish(game_topic("pine"), "true")
        until(lambda: game_topic("pine") in received["pine"] and "tock-club/public/standings" in received[""])
        until(lambda: "tock/oak/state" in received["desk"])
        # The broker serves one client after the other.
        until(lambda: "tock-club/public/standings" in received["oak"])
        assert set(received[""]) == {"tock-club/public/standings"}
        assert "tock/pine/state" not in received["desk"]
        assert game_topic("oak") not in received["desk"]
        assert received["oak"] == ["tock-club/public/standings"]


@pytest.mark.parametrize("names", [["a/b"], ["#"], ["oak", "oak"], ["desk"], [""]])
def test_an_invalid_table_name_gets_no_account(names: list[str]) -> None:
    with pytest.raises(BadInputError):
        accounts_for(names)
