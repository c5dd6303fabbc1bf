"""The compiled firmware on an emulated chip, behind a terminal, read by the companion's own source."""

import os
import pty
import random
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from tests.support.lockstep import Lockstep
from tests.support.rig import SIDES_MM, Rig, rig
from tests.support.waiting import until
from tock_companion.boardfile import generate
from tock_companion.boardfile.wiring import SpareInput, spare_input
from tock_companion.observation import HoleState, SourceCondition
from tock_companion.sources.reed.emulator import Emulator
from tock_companion.sources.reed.frames import encode
from tock_companion.sources.reed.protocol import Hello, Reset, ResetCause
from tock_companion.sources.reed.source import ReedSource
from tock_rules import Hole

pytestmark = pytest.mark.whole
MIN_STACK_FREE = 500
MANY_BAD_FRAMES = 5


def test_it_starts_with_the_whole_board() -> None:
    with rig(8) as table:
        table.up()
        assert table.pawns() == frozenset()
        assert table.conditions() == [SourceCondition.OK]
        assert len(table.observations[-1].holes) == 209
        health = table.source.health()
        assert (health["firmware"], health["boards"], health["reset_cause"]) == ("1.0.0", 8, "power_on")


def test_a_pawn_that_comes_and_goes_is_two_edges_in_order() -> None:
    with rig() as table:
        table.up()
        table.put("T20")
        table.wait_for_pawns("T20")
        table.lift("T20")
        table.wait_for_pawns()
        assert [(edge.hole, edge.state) for edge in table.edges] == [
            ("T20", HoleState.PAWN),
            ("T20", HoleState.EMPTY),
        ]
        assert table.edges[0].t_ms <= table.edges[1].t_ms


def test_every_hole_of_the_largest_board_reaches_the_table() -> None:
    with rig(8) as table:
        table.up()
        for hole in table.inputs:
            table.put(hole)
        table.wait_for_pawns(*table.inputs)
        table.lift(*(hole for hole in table.inputs if hole.seat is None))
        table.wait_for_pawns(*(hole for hole in table.inputs if hole.seat is not None))
        assert table.conditions() == [SourceCondition.OK]


def test_a_bouncing_switch_is_one_edge() -> None:
    with rig() as table:
        table.up()
        table.board.tell("bounce", table.inputs[Hole.parse("T5")], 1, 12, 300)
        table.wait_for_pawns("T5")
        table.board.tell("bounce", table.inputs[Hole.parse("T5")], 0, 12, 300)
        table.wait_for_pawns()
        assert [edge.hole for edge in table.edges] == ["T5", "T5"]


def test_a_stuck_switch_stays_as_it_is_and_the_others_go_on() -> None:
    with rig() as table:
        table.board.tell("stick", table.inputs[Hole.parse("P2-H1")], 1)
        table.up()
        table.wait_for_pawns("P2-H1")
        table.lift("P2-H1")
        table.put("T1")
        table.wait_for_pawns("P2-H1", "T1")
        assert table.conditions() == [SourceCondition.OK]


def test_a_broken_chain_names_the_place_and_heals() -> None:
    with rig() as table:
        table.put("T60")
        table.wait_for_pawns("T60")
        table.board.tell("break", 2)
        assert "behind sector board 2" in table.wait_for_report("reed/chain_broken").detail
        table.wait("nothing is believed", lambda: table.pawns() is None)
        table.put("T61")
        table.board.tell("mend")
        table.wait_for_pawns("T60", "T61")
        assert table.conditions() == [SourceCondition.OK, SourceCondition.BLIND, SourceCondition.OK]


def test_a_chain_that_is_broken_at_the_start_is_distinguished_from_a_short_one() -> None:
    with rig() as table:
        table.up()
        table.board.tell("break", 3)
        table.board.tell("reset", "power")
        assert "behind sector board 3" in table.wait_for_report("reed/chain_broken").detail
    with rig(boards=3) as table:
        assert (
            "3 sector boards answer, the board file needs 4"
            in table.wait_for_report("reed/fewer_boards").detail
        )


def test_more_sector_boards_than_the_board_file_needs_are_refused() -> None:
    with rig(4, boards=6) as table:
        assert "6 sector boards answer" in table.wait_for_report("reed/more_boards").detail
        assert not table.observations


def straps(table: Rig, place: int, first: int, second: int) -> None:
    """Set the straps of the sector board in a place."""
    table.board.tell("stick", spare_input(place, SpareInput.STRAP_1), first)
    table.board.tell("stick", spare_input(place, SpareInput.STRAP_2), second)


def test_sector_boards_in_another_order_are_refused_until_they_are_exchanged() -> None:
    with rig() as table:
        straps(table, 1, 0, 1)
        straps(table, 2, 1, 0)
        table.board.tell("reset", "power")
        report = table.wait_for_report("reed/wrong_order")
        assert report.condition is SourceCondition.BLIND
        assert "place 2 of the chain" in report.detail
        straps(table, 1, 1, 0)
        straps(table, 2, 0, 1)
        table.board.tell("reset", "power")
        table.wait("the switches are known", lambda: table.conditions()[-1] is SourceCondition.OK)


def test_a_strap_that_was_forgotten_is_noted_and_disturbs_nobody() -> None:
    with rig() as table:
        straps(table, 3, 0, 1)
        table.board.tell("reset", "power")
        table.put("T12")
        table.wait_for_pawns("T12")
        until(lambda: bool(table.source.defects()), "a note")
        assert [defect.code for defect in table.source.defects()] == ["reed_straps"]
        assert SourceCondition.BLIND not in table.conditions()


def test_a_firmware_that_hangs_is_started_again_and_owns_up_to_it() -> None:
    with rig() as table:
        table.put("T8")
        table.wait_for_pawns("T8")
        table.board.tell("hang")
        table.lift("T8")
        table.put("T9")
        # The watchdog notices after a quarter of a second, a snapshot has the changes since.
        until(lambda: table.source.link.counts.starts == 2, "the board has started again")
        table.wait_for_pawns("T9")
        assert table.source.health()["reset_cause"] == "hang"
        assert table.conditions() == [SourceCondition.OK]
        table.put("T10")
        table.wait_for_pawns("T9", "T10")


def test_a_sector_board_that_is_plugged_in_later_is_taken_in() -> None:
    with rig(boards=3) as table:
        table.wait_for_report("reed/fewer_boards")
        table.board.tell("boards", 4)
        table.put("T70")
        table.wait_for_pawns("T70")
        assert table.conditions()[-1] is SourceCondition.OK


def test_no_sector_board_at_all_is_reported() -> None:
    with rig(boards=0) as table:
        assert "cable from the controller" in table.wait_for_report("reed/no_boards").detail


def test_a_broken_return_wire_alone_disturbs_nobody() -> None:
    with rig() as table:
        table.up()
        table.board.tell("cut_return")
        until(lambda: table.source.link.return_wire_broken, "the wire is missed")
        table.put("T3")
        table.wait_for_pawns("T3")
        assert table.source.health()["return_wire_broken"] is True
        assert table.conditions() == [SourceCondition.OK]


def test_after_unplugging_it_finds_the_board_again_and_what_has_changed_meanwhile() -> None:
    with rig() as table:
        table.put("T0")
        table.wait_for_pawns("T0")
        table.board.tell("unplug")
        table.wait_for_report("reed/unplugged")
        table.lift("T0")
        table.put("T6")
        table.board.tell("plug")
        table.wait_for_pawns("T6")
        # Nobody saw when it happened, so nobody says so.
        assert [edge.hole for edge in table.edges] in (["T0"], [])
        assert table.conditions()[-1] is SourceCondition.OK


@pytest.mark.parametrize(
    ("cause", "reported"), [("external", "external"), ("brown_out", "brown_out"), ("power", "power_on")]
)
def test_a_reset_in_the_middle_loses_nothing_and_its_cause_is_known(cause: str, reported: str) -> None:
    with rig() as table:
        table.put("T0", "P1-C1")
        table.wait_for_pawns("T0", "P1-C1")
        table.board.tell("reset", cause)
        table.lift("T0")
        until(lambda: table.source.link.counts.starts == 2, "the board has started again")
        table.wait_for_pawns("P1-C1")
        assert table.source.health()["reset_cause"] == reported


def test_a_reset_command_is_obeyed_once_through_the_watchdog_and_owned_up_to() -> None:
    rig = Lockstep(4)
    try:
        rig.until_known()
        hello = rig.link.hello
        assert hello is not None
        rig.link.command(lambda token: Reset(token, hello.nonce))
        rig.run(300)
        rig.run(300)
        again = rig.link.hello
        assert again is not None
        assert (again.nonce, again.reset_cause) == (hello.nonce + 1, ResetCause.COMMAND)
        # The old nonce does not reset it a second time.
        rig.link.command(lambda token: Reset(token, hello.nonce))
        rig.run(600)
        assert rig.link.hello == again
        assert rig.link.heartbeat is not None
        assert rig.link.heartbeat.stack_free > MIN_STACK_FREE
    finally:
        rig.close()


def test_a_board_that_falls_silent_is_lost_and_taken_up_again() -> None:
    with Emulator(4, lockstep=True) as board:
        source = ReedSource(generate(4, SIDES_MM[4]), {"port": board.port})
        table = Rig(source, board)
        try:
            until(lambda: bool(source.health()["port"]), "the port is open")
            until(lambda: board.run_ms(20) > 0 and table.pawns() is not None, "hello")
            table.wait_for_report("reed/silent")
            until(lambda: board.run_ms(20) > 0 and table.conditions()[-1] is SourceCondition.OK, "it is back")
            assert table.conditions() == [SourceCondition.OK, SourceCondition.LOST, SourceCondition.OK]
        finally:
            source.stop()


def test_lost_and_flipped_bytes_end_in_the_truth() -> None:
    rng = random.Random(3)
    with rig() as table:
        table.up()
        table.board.tell("damage", 10_000, 10_000, 7)
        standing: set[str] = set()

        def frames_are_spoilt() -> bool:
            hole = rng.choice(sorted(table.inputs))
            (table.lift if hole in standing else table.put)(hole)
            standing.symmetric_difference_update({hole})
            return table.source.link.counts.bad_frames >= MANY_BAD_FRAMES

        until(frames_are_spoilt, "frames are spoilt")
        table.board.tell("damage", 0, 0, 7)
        table.wait_for_pawns(*standing)
        until(lambda: table.source.link.trusted is not None, "a heartbeat agrees")
        assert table.pawns() == frozenset(standing)


def test_noise_and_half_frames_between_frames_are_no_events() -> None:
    with rig() as table:
        table.up()
        half = encode(Hello(1, 0, 1, 0, 0, 0, 1, 9, 1, 4, 4, 0, 7, 4, 2), 1)[:11]
        table.board.tell("say", half.hex(" "))
        table.board.tell("say", " ".join(["ff", "00", "13", "37"] * 40))
        table.put("T44")
        table.wait_for_pawns("T44")
        until(lambda: table.source.link.counts.bad_frames > 0, "the noise was noticed")
        assert {edge.hole for edge in table.edges} <= {"T44"}


def test_a_flood_of_switches_ends_in_the_truth() -> None:
    with rig(8) as table:
        table.up()
        for hole in table.inputs:
            table.board.tell("bounce", table.inputs[hole], 1, 20, 9000)
        table.wait_for_pawns(*table.inputs)
        assert {edge.hole for edge in table.edges} <= set(table.inputs)
        assert table.conditions() == [SourceCondition.OK]


def test_defects_are_noted_for_the_page() -> None:
    with rig() as table:
        table.board.tell("reset", "brown_out")
        table.up()
        table.board.tell("cut_return")
        table.board.tell("bounce", table.inputs[Hole.parse("T9")], 0, 20, 20_000)
        expected = {("reed_brown_out", None), ("reed_return_wire", None), ("reed_flutter", "T9")}
        until(lambda: len(table.source.defects()) == len(expected), "three notes")
        assert {(defect.code, defect.hole) for defect in table.source.defects()} == expected


@contextmanager
def other_device(answer: bytes) -> Iterator[Rig]:
    """A terminal on which something answers that is no reed board of ours."""
    master, slave = pty.openpty()
    done = threading.Event()

    def talk() -> None:
        while not done.is_set():
            try:
                os.read(master, 100)
                os.write(master, answer)
            except OSError:
                return

    threading.Thread(target=talk, daemon=True).start()
    source = ReedSource(generate(4, SIDES_MM[4]), {"port": os.ttyname(slave)})
    listener = Rig(source, None)  # type: ignore[arg-type]
    try:
        yield listener
    finally:
        done.set()
        source.stop()
        os.close(slave)
        os.close(master)


def test_another_device_on_the_port_is_reported_and_nothing_is_believed() -> None:
    modem, printer, noise, idle = b"\r\nOK\r\n", b"\x1b\x40ERROR\r\n", bytes(range(256)), b"\0" * 99
    with ExitStack() as devices:
        for listener in [
            devices.enter_context(other_device(answer)) for answer in (modem, printer, noise, idle)
        ]:
            assert "another device" in listener.wait_for_report("reed/no_answer").detail
            assert not listener.observations


def test_firmware_of_another_major_version_is_refused_with_the_command_that_helps() -> None:
    hello = encode(Hello(2, 0, 2, 0, 0, 0, 1, 9, 1, 4, 4, 0, 7, 4, 2), 0)
    with other_device(hello) as listener:
        assert "tock firmware flash" in listener.wait_for_report("reed/other_version").detail
        assert not listener.observations


def test_a_port_that_is_not_there_is_one_report() -> None:
    source = ReedSource(generate(4, SIDES_MM[4]), {"port": "/dev/tock-nowhere"})
    listener = Rig(source, None)  # type: ignore[arg-type]
    try:
        assert "does not exist" in listener.wait_for_report("reed/unplugged").detail
    finally:
        source.stop()
    assert len(listener.reports) == 1
