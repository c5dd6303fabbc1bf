"""`tock reed wizard`: checks every switch with a magnet, hole by hole."""

import json
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TextIO

from tock_app.cli.commands.firmware import the_port
from tock_app.cli.console import Parser
from tock_companion.background import run_once
from tock_companion.boardfile import load
from tock_companion.boardfile.model import ZONES, ZONES_TEXT
from tock_companion.boardfile.wiring import inputs_of
from tock_companion.errors import BadInputError
from tock_companion.sources.reed.link import ReedLink
from tock_companion.sources.reed.ports import AUTO, SerialLine
from tock_companion.sources.reed.trouble import Trouble
from tock_companion.sources.reed.wizard import Outcome, Wizard, WizardStep, advice
from tock_rules import BoardShape, Hole

START_WITHIN_S = 5.0


def run(arguments: Sequence[str], stdin: TextIO | None = None, stdout: TextIO | None = None) -> int:
    """Ask for a magnet in each hole; return 1 when a switch is faulty."""
    parser = Parser(prog="tock reed", description="Checks the reed board.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    wizard = commands.add_parser("wizard", help="a magnet in each hole in turn")
    wizard.add_argument("--port", default=AUTO, help="the board's port (default: found by its USB chip)")
    board = wizard.add_mutually_exclusive_group()
    board.add_argument("--board", type=Path, help="the board file")
    board.add_argument(
        "--zones", type=int, choices=ZONES, default=4, help=f"without a board file: {ZONES_TEXT}"
    )
    wizard.add_argument("--holes", nargs="+", metavar="HOLE", help="only these holes, in this order")
    wizard.add_argument("--json", action="store_true", help="one JSON object a hole instead of sentences")
    options = parser.parse_args(arguments)
    board_file = load(options.board) if options.board is not None else None
    shape = board_file.shape if board_file is not None else BoardShape(options.zones, has_centre=True)
    wires = dict(inputs_of(shape))
    if options.holes:
        strange = [hole for hole in options.holes if hole not in wires]
        if strange:
            raise BadInputError(f"hole '{strange[0]}' is not on a board of {shape.zones} zones")
        wires = {hole: wires[hole] for hole in map(Hole.parse, options.holes)}
    out = stdout or sys.stdout
    line = SerialLine(the_port(options.port))
    try:
        walk = _Walk(line, ReedLink(shape.zones), out if not options.json else None)
        found = walk.through(wires, _enters(stdin or sys.stdin))
    finally:
        line.close()
    if options.json:
        for finding in found.findings:
            row = {"hole": finding.hole, "outcome": finding.outcome.value, "inputs": finding.inputs}
            out.write(json.dumps(row) + "\n")
    else:
        bad = advice(found.findings, wires)
        out.write("\n".join([*bad, f"{len(wires)} holes checked, {len(bad)} things to mend"]) + "\n")
    out.flush()
    return 0 if all(finding.outcome is Outcome.RIGHT for finding in found.findings) else 1


class _Walk:
    """Keeps the link up while the person goes from hole to hole."""

    def __init__(self, line: SerialLine, link: ReedLink, out: TextIO | None) -> None:
        self._line, self._link, self._out = line, link, out
        self._shown = ""

    def through(self, wires: Mapping[Hole, int], entered: Callable[[], bool]) -> Wizard:
        """Run until every hole is done."""
        wizard = Wizard(wires, self._first_bitmap())
        while wizard.step is not WizardStep.DONE:
            self._say(wizard, len(wires))
            t_ms = _now_ms()
            self._line.write(self._link.send(t_ms))
            for edge in self._link.feed(self._line.read(), _now_ms()):
                wizard.feel(edge, t_ms)
            wizard.tick(_now_ms())
            if entered():
                wizard.skip()
            trouble = self._link.trouble(_now_ms())
            if trouble is not None:
                raise BadInputError(f"{self._line.name}: {trouble.value}; check the cables and begin again")
        return wizard

    def _first_bitmap(self) -> int:
        end_s = time.monotonic() + START_WITHIN_S
        trouble: Trouble | None = None
        while time.monotonic() < end_s:
            self._line.write(self._link.send(_now_ms()))
            self._link.feed(self._line.read(), _now_ms())
            trouble = self._link.trouble(_now_ms())
            if self._link.trusted is not None:
                return self._link.trusted
        why = trouble.value if trouble is not None else "no snapshot"
        raise BadInputError(f"{self._line.name}: the reed board does not say what its switches do ({why})")

    def _say(self, wizard: Wizard, count: int) -> None:
        place = f"[{len(wizard.findings) + 1}/{count}] {wizard.hole}"
        text = {
            WizardStep.PUT: f"{place}: put the magnet in (Enter if nothing happens)",
            WizardStep.TAKE: f"{place}: take it out",
        }.get(wizard.step, "")
        if self._out is not None and text and text != self._shown:
            self._shown = text
            self._out.write(text + "\n")
            self._out.flush()


def _enters(stdin: TextIO) -> Callable[[], bool]:
    """A function that returns whether Enter was pressed since its last call."""
    pressed = threading.Semaphore(0)

    def listen() -> None:
        for _ in stdin:
            pressed.release()

    run_once("enter", "hears the Enter key of `tock reed wizard`", listen)
    return lambda: pressed.acquire(blocking=False)


def _now_ms() -> int:
    return round(1000 * time.monotonic())
