"""A club's desk on a real broker, for tests."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tests.support.plain_club_table import PlainTable
from tests.support.waiting import PATIENCE_S
from tock_companion.club.broker import BrokerLink
from tock_companion.club.desk import Desk
from tock_companion.club.repository import ClubRepository
from tock_companion.mqtt.connection import BrokerAddress
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


__all__ = ["PlainTable", "playing_desk", "running_desk"]
