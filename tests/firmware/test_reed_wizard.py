"""`tock reed wizard`: a robot with a magnet finds every fault that was soldered in."""

import io
import threading
from collections.abc import Mapping

import pytest

from tock_app.cli.commands.reed import run
from tock_companion.boardfile.wiring import inputs_of
from tock_companion.errors import BadInputError
from tock_companion.sources.reed.emulator import Emulator
from tock_companion.sources.reed.link import InputEdge
from tock_companion.sources.reed.wizard import REST_MS, Outcome, Wizard, advice
from tock_rules import Hole

WIRES = inputs_of(4)


def walked(felt: Mapping[str, list[tuple[int, bool]]], closed_at_start: int = 0) -> Wizard:
    """Walk the holes; `felt` are the switch changes that a magnet causes where they are not the right ones."""
    wires = {
        hole: WIRES[hole]
        for hole in (
            Hole.parse("T0"),
            Hole.parse("T1"),
            Hole.parse("T2"),
            Hole.parse("T3"),
            Hole.parse("P0-C1"),
        )
    }
    wizard, t_ms = Wizard(wires, closed_at_start), 0
    while wizard.hole:
        t_ms += 1000
        changes = felt.get(wizard.hole, [(wires[wizard.hole], True)])
        if not changes:
            wizard.skip()
            continue
        for number, closed in changes:
            wizard.feel(InputEdge(t_ms, number, closed, int(closed) << number), t_ms)
        wizard.tick(t_ms + REST_MS)
        for number in {number for number, _ in changes}:
            wizard.feel(InputEdge(t_ms + 500, number, False, 0), t_ms + 500)
        wizard.tick(t_ms + 600)
    return wizard


def test_a_right_board_has_nothing_to_mend() -> None:
    wizard = walked({})
    assert {finding.outcome for finding in wizard.findings} == {Outcome.RIGHT}
    assert advice(wizard.findings, WIRES) == []


def test_every_fault_is_named_with_its_place() -> None:
    wizard = walked(
        {
            Hole.parse("T0"): [(WIRES[Hole.parse("T1")], True)],
            Hole.parse("T1"): [(WIRES[Hole.parse("T0")], True)],
            Hole.parse("T2"): [(WIRES[Hole.parse("T2")], True), (WIRES[Hole.parse("T3")], True)],
            Hole.parse("T3"): [
                (WIRES[Hole.parse("T3")], True),
                (WIRES[Hole.parse("T3")], False),
                (WIRES[Hole.parse("T3")], True),
            ],
            "P0-C1": [],
        }
    )
    assert [finding.outcome.value for finding in wizard.findings] == [
        "wrong_wire", "wrong_wire", "neighbours", "weak", "dead",
    ]  # fmt: skip
    output = advice(wizard.findings, WIRES)
    assert output[0].startswith(
        "T0 and T1 are swapped: exchange the wires at board 0, register 1, pin H and board 0"
    )
    assert "T2 is also felt by T3" in output[1]
    assert "T3 flutters" in output[2]
    assert "P0-C1 does not answer" in output[3]


def test_a_wire_on_a_spare_input_is_named_by_its_pin() -> None:
    wizard = walked({"T0": [(30, True)]})
    assert "T0 is wired to input 30 (board 0, register 4, pin B)" in advice(wizard.findings, WIRES)[0]


def test_a_switch_that_is_closed_at_the_start_is_passed_over_and_reported() -> None:
    wizard = walked({}, closed_at_start=1 << WIRES[Hole.parse("T2")])
    assert [finding.outcome for finding in wizard.findings].count(Outcome.STUCK) == 1
    assert "T2 is closed without a magnet" in advice(wizard.findings, WIRES)[0]


class Robot(io.StringIO):
    """Follows the wizard, on a board where T1 and T2 are swapped and T3 has no switch."""

    def __init__(self, board: Emulator, enter: io.TextIOBase) -> None:
        super().__init__()
        self.board = board
        self.enter = enter
        self.wires = {
            **WIRES,
            Hole.parse("T1"): WIRES[Hole.parse("T2")],
            Hole.parse("T2"): WIRES[Hole.parse("T1")],
        }

    def write(self, text: str) -> int:
        if "put the magnet in" in text:
            hole = Hole.parse(text.split()[1].rstrip(":"))
            if hole == "T3":
                self.enter.write("\n")
            else:
                self.board.switch(self.wires[hole], True)
        elif "take it out" in text:
            self.board.switch(self.wires[Hole.parse(text.split()[1].rstrip(":"))], False)
        return super().write(text)


class Keyboard(io.StringIO):
    """A person's Enter key."""

    def __init__(self) -> None:
        super().__init__()
        self.pressed = threading.Semaphore(0)

    def write(self, text: str) -> int:
        self.pressed.release()
        return len(text)

    def __next__(self) -> str:  # type: ignore[override]  # typeshed gives text streams the bytes of their base
        self.pressed.acquire()
        return "\n"


@pytest.mark.whole
def test_a_robot_with_a_magnet_finds_what_was_soldered_wrong() -> None:
    keyboard = Keyboard()
    with Emulator(4) as board:
        robot = Robot(board, keyboard)
        code = run(
            ["wizard", "--port", board.port, "--holes", "T0", "T1", "T2", "T3", "P3-H4", "C"], keyboard, robot
        )
    output = robot.getvalue()
    assert code == 1
    assert "T1 and T2 are swapped" in output
    assert "T3 does not answer" in output
    assert "6 holes checked, 2 things to mend" in output


@pytest.mark.whole
def test_a_board_of_another_size_and_a_strange_hole_are_one_line() -> None:
    with Emulator(6) as board:
        with pytest.raises(BadInputError, match="more_boards"):
            run(["wizard", "--port", board.port, "--zones", "4"], Keyboard(), io.StringIO())
        with pytest.raises(BadInputError, match="hole 'T72'"):
            run(["wizard", "--port", board.port, "--zones", "4", "--holes", "T72"], Keyboard(), io.StringIO())
