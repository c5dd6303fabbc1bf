"""A club's desk on a real broker, for tests."""

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from tests.support.waiting import PATIENCE_S
from tock_companion.club.broker import BrokerLink
from tock_companion.club.desk import Desk
from tock_companion.club.repository import ClubRepository
from tock_companion.mqtt.club_notes import (
    DESK,
    DeskNote,
    GameNote,
    JoinNote,
    ResultNote,
    ScoreNote,
    game_topic,
    join_topic,
    read,
    result_topic,
    written,
)
from tock_companion.mqtt.connection import BrokerAddress, BrokerConnection
from tock_companion.mqtt.topics import OFFLINE, ONLINE, status_topic
from tock_companion.tournament.decisions import begin_round, pair
from tock_companion.tournament.plan import Plan


@contextmanager
def running_desk(folder: Path, address: BrokerAddress, name: str = "Club") -> Iterator[Desk]:
    """A desk that tells its tables what to play."""
    repository = ClubRepository(folder)
    desk = Desk(repository, name)
    link = BrokerLink(desk, address)
    link.start()
    try:
        link.wait(PATIENCE_S)
        yield desk
    finally:
        desk.stop()
        link.stop()
        repository.close()


@contextmanager
def playing_desk(folder: Path) -> Iterator[Desk]:
    """A desk without a broker, in the first round of a cup of six."""
    with closing(ClubRepository(folder)) as repository:
        desk = Desk(repository, "Club")
        assert desk.open(Plan("Cup", seats=2, rounds=2)) is None
        assert desk.enter_all([(f"a{number}",) for number in range(6)]) is None
        assert desk.ask(pair) is None
        assert desk.ask(begin_round) is None
        yield desk


class PlainTable:
    """The MQTT side of a table: joins, receives games, and reports their results."""

    def __init__(self, address: BrokerAddress, name: str) -> None:
        """Prepare to connect under `name`."""
        self.name = name
        self.games: list[GameNote] = []
        self._results: dict[str, str] = {}
        self._club = self.desk_run = ""
        self.cuts = 0
        self._lock = threading.Lock()
        self._address = address
        self._connection = self._connected()

    @property
    def up(self) -> bool:
        """Whether the broker can be reached."""
        return self._connection.up

    @property
    def game(self) -> GameNote | None:
        """The game to play now."""
        return self.games[-1] if self.games else None

    def start(self) -> None:
        """Begin to connect."""
        self._connection.start()

    def stop(self) -> None:
        """Go away."""
        self._connection.stop((status_topic(self.name), OFFLINE))

    def _connected(self) -> BrokerConnection:
        will = (status_topic(self.name), OFFLINE)
        return BrokerConnection(
            self._address,
            f"tock-table-{self.name}",
            self._came_up,
            self._received,
            will,
            on_down=self._went_down,
        )

    def _went_down(self) -> None:
        self.cuts += 1

    def tell(self, game: GameNote, homes: tuple[int, ...], winner: int | None, name: str = "") -> None:
        """Say how a game ended; said again whenever the broker comes back, until it counts."""
        scores = tuple(ScoreNote(home, 10) for home in homes)
        note = ResultNote(game.club, game.game, name or f"{self.name}-{game.game}", scores, winner, ("{}",))
        with self._lock:
            self._results[result_topic(self.name, game.game)] = written(note)
        self._connection.publish(result_topic(self.name, game.game), written(note))

    def _came_up(self) -> None:
        self._connection.publish(status_topic(self.name), ONLINE)
        self._connection.subscribe(DESK, game_topic(self.name))
        with self._lock:
            kept = dict(self._results)
        for topic, payload in kept.items():
            self._connection.publish(topic, payload)
        if self._club:
            self._connection.publish(join_topic(self.name), written(JoinNote(self._club, 4)))

    def _received(self, topic: str, payload: bytes) -> None:
        with suppress(ValueError):
            self._take(topic, payload)

    def _take(self, topic: str, payload: bytes) -> None:
        if topic == DESK and payload:
            note = read(DeskNote, payload)
            self._club, self.desk_run = note.club, note.run
            self._connection.publish(join_topic(self.name), written(JoinNote(self._club, 4)))
        elif payload:
            self.games.append(read(GameNote, payload))
