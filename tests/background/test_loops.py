"""A fault in a background thread does not end it: it is reported, the work goes on, and a stop ends it in time."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date
from pathlib import Path
from queue import Queue

import pytest

from tests.support.club import PlainTable
from tests.support.mosquitto import Broker
from tests.support.tables import BEFORE, BOARD, send
from tests.support.waiting import PATIENCE_S, until
from tock_app.config.load import load_config
from tock_app.service.control import ControlServer, call, running_file
from tock_app.service.panel import PanelInterface
from tock_app.service.upkeep import Upkeep
from tock_companion.background import running, troubles
from tock_companion.club.broker import BrokerLink
from tock_companion.club.desk import Desk
from tock_companion.club.repository import ClubRepository
from tock_companion.computer_seats import Computers
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Role
from tock_companion.mqtt.club import Club
from tock_companion.mqtt.connection import BrokerAddress
from tock_companion.mqtt.member import Member
from tock_companion.mqtt.publisher import Publisher
from tock_companion.panel.panel import Panel
from tock_companion.panel.pins import COLORS
from tock_companion.panel.signals import Light
from tock_companion.panel.wiring import panel_wiring
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_companion.table.runtime.publisher import Subscription
from tock_companion.views.schema import View
from tock_companion.voice.loudspeaker import Loudspeaker
from tock_companion.voice.speaker import Speaker
from tock_companion.voice.table_voice import TableVoice
from tock_rules import Seat
from tock_web import create_app
from tock_web.https.camera_server import CameraServer, create_camera_app
from tock_web.https.certificate import machine_names, own_certificate
from tock_web.https.certificate_files import Files

WIRING = {"turn": 17, "lights": {"P0": [5, 6, 13]}, "factory": "mock"}


class FaultySubscription(Subscription):
    """A stream whose first views cannot be had."""

    faults = 2

    def get(self, timeout_s: float) -> View | None:
        if self.faults:
            self.faults -= 1
            raise ValueError("a fault of a test")
        return super().get(timeout_s)


class FaultyTable(Table):
    """A table that throws a fault into whoever follows it."""

    def subscribe(self, role: Role, seat: Seat | None = None) -> Subscription:
        return FaultySubscription(lambda: self.view(role, seat), lambda _gone: None)


@pytest.fixture
def faulty(tmp_path: Path) -> Iterator[Table]:
    table = FaultyTable(BOARD, Store(tmp_path / "table"), setup=GameSetup(position=BEFORE))
    table.start()
    yield table
    table.stop()


def is_logged(thread: str) -> bool:
    return thread in [trouble.thread for trouble in troubles()]


def ends(stop: Callable[[], None], *threads: str) -> None:
    """Stop, and see that the threads have ended: a stop waits no longer than its limit."""
    stop()
    assert not {background.name for background in running()} & set(threads)


def test_the_publisher_publishes_all_the_same(faulty: Table, broker: Broker) -> None:
    address = BrokerAddress("127.0.0.1", broker.port)
    publisher, club = Publisher(faulty, address, "oak", "1.0"), Club(address)
    publisher.start()
    club.start()
    until(lambda: is_logged("mqtt-publisher"))
    until(lambda: [table.name for table in club.tables()[1] if table.view is not None] == ["oak"])
    ends(publisher.stop, "mqtt-publisher")
    club.stop()


def test_a_computer_plays_all_the_same(faulty: Table) -> None:
    assert send(faulty.request, "set_computer", {"seat": "P0", "strength": "easy"}, Role.HOST, None).ok
    computers = Computers(faulty, seed=1, pace_s=0.0)
    seq = faulty.view(Role.TABLE)["game"]["seq"]
    computers.start()
    until(lambda: is_logged("computers"))
    until(lambda: faulty.view(Role.TABLE)["game"]["seq"] > seq)
    ends(computers.stop, "computers")


def test_a_computer_in_the_middle_of_a_pause_ends_at_once(faulty: Table) -> None:
    assert send(faulty.request, "set_computer", {"seat": "P0", "strength": "easy"}, Role.HOST, None).ok
    computers = Computers(faulty, seed=1, pace_s=3600.0)
    computers.start()
    until(lambda: faulty.view(Role.SEAT, Seat.P0)["hand"]["cards"] != [])
    ends(computers.stop, "computers")


def test_a_member_of_a_club_goes_on(faulty: Table, broker: Broker) -> None:
    member = Member(faulty, BrokerAddress("127.0.0.1", broker.port), "oak")
    member.start()
    until(lambda: is_logged("club-member"))
    until(lambda: member.broker_up)
    ends(member.stop, "club-member")


def test_the_panel_shows_the_table_all_the_same(faulty: Table) -> None:
    panel = Panel(panel_wiring(WIRING), PanelInterface(faulty))
    panel.start()
    until(lambda: is_logged("tock-panel"))
    until(lambda: panel.pins.lights[Seat.P0].value == COLORS[Light.TURN])
    ends(panel.stop, "tock-panel")


def test_the_voice_finds_words_and_says_them_all_the_same(faulty: Table) -> None:
    voice = TableVoice(lambda: faulty.subscribe(Role.TABLE), faulty.choices, Loudspeaker())
    voice.start()
    voice.choose("fr")
    until(lambda: is_logged("tock-voice-listener"))
    ends(voice.stop, "tock-voice-listener", "tock-voice")


def test_a_sentence_that_could_not_be_spoken_is_not_the_last() -> None:
    spoken: Queue[str] = Queue()

    def say(text: str, _lang: str) -> None:
        if text == "one":
            raise ValueError("a fault of a test")
        spoken.put(text)

    speaker = Speaker(say)
    speaker.start()
    speaker.put("one", "en")
    until(lambda: is_logged("tock-voice"))
    speaker.put("two", "en")
    assert spoken.get(timeout=PATIENCE_S) == "two"
    ends(speaker.stop, "tock-voice")


def test_the_upkeep_outlives_a_fault_of_any_kind(tmp_path: Path) -> None:
    class FaultyUpkeep(Upkeep):
        def do_what_is_due(self, _today: date) -> None:
            raise ValueError("a fault of a test")

    upkeep = FaultyUpkeep(load_config(None, {"TOCK_DATA": str(tmp_path)}))
    upkeep.start()
    until(lambda: is_logged("upkeep"))
    assert "upkeep" in [background.name for background in running()]
    ends(upkeep.stop, "upkeep")


def test_a_desk_that_met_a_fault_tells_its_tables_all_the_same(tmp_path: Path, broker: Broker) -> None:
    class FaultyDesk(Desk):
        faults = 2

        def broker_is(self, *, up: bool) -> None:
            if self.faults:
                self.faults -= 1
                raise ValueError("a fault of a test")
            super().broker_is(up=up)

    address = BrokerAddress("127.0.0.1", broker.port)
    with closing(ClubRepository(tmp_path)) as repository:
        desk = FaultyDesk(repository, "Oaks")
        link = BrokerLink(desk, address)
        link.start()
        until(lambda: is_logged("club-desk"))
        link.wait(PATIENCE_S)
        table = PlainTable(address, "oak")
        table.start()
        until(lambda: "oak" in desk.state.tables)
        table.stop()
        ends(link.stop, "club-desk")


def test_a_certificate_that_cannot_be_had_for_a_moment_is_asked_for_again(
    faulty: Table, tmp_path: Path
) -> None:
    asked: list[None] = []

    def certificate() -> Files:
        asked.append(None)
        if len(asked) in (2, 3):
            raise ValueError("a fault of a test")
        return own_certificate(tmp_path, machine_names(frozenset()))

    server = CameraServer(lambda: create_camera_app(create_app(faulty)), "127.0.0.1", 0, certificate)
    until(lambda: is_logged("certificate"))
    until(lambda: len(asked) == 4)
    ends(server.stop, "certificate", "camera-server")


def test_a_caller_without_the_key_or_one_that_hangs_up_leaves_the_control_line_open(tmp_path: Path) -> None:
    begun: Queue[str] = Queue()

    def begin(command: str, _parameters: dict[str, str]) -> dict[str, str]:
        begun.put(command)
        return {}

    server = ControlServer(tmp_path, begin, lambda _command: None)
    address = ("127.0.0.1", int(str(running_file(tmp_path)["port"])))
    for _ in range(3):
        with socket.create_connection(address) as line:
            line.sendall(b"GET / HTTP/1.0\r\n\r\n")
    with call(tmp_path, "record"):
        assert begun.get(timeout=PATIENCE_S) == "record"
        # A command that stays on the line holds up no stop.
        ends(server.close, "control")
        until(lambda: "control-call" not in [thread.name for thread in threading.enumerate()])
