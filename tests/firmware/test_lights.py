"""Lights, buttons and the buzzer of the emulated board: targets of a lifted pawn, counting along, the way to repair."""

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from tests.support.rig import EMULATOR_SILENCE_MS, SIDES_MM, rig
from tests.support.waiting import until
from tock_app.service.panel import panel_of
from tock_companion.boardfile import generate
from tock_companion.boardfile.wiring import SpareInput, inputs_of, spare_input
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Role, parse_request
from tock_companion.referee.matching.settle import Timing
from tock_companion.sources.reed.emulator import Emulator
from tock_companion.sources.reed.source import ReedSource
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_rules import Hole, Seat, camp_holes_of

pytestmark = pytest.mark.whole
INPUTS = inputs_of(4)
PATIENT = Timing(*[600_000] * len(fields(Timing)))
"""On a busy machine the hand is slow; the turn button says when the referee is to speak."""
STANDING = {"P0": ["T20"], "P1": ["T26"], "P2": [], "P3": []}


class LitTable:
    """A table over an emulated board, with nothing else on its panel."""

    def __init__(self, folder: Path, board: Emulator) -> None:
        self.board = board
        before = {name: ["camp"] * (4 - len(places)) + places for name, places in STANDING.items()}
        for name, places in STANDING.items():
            for hole in [*map(Hole.parse, places), *camp_holes_of(Seat[name])[: 4 - len(places)]]:
                board.switch(INPUTS[hole], True)
        board_file = generate(4, SIDES_MM[4])
        source = ReedSource(board_file, {"port": board.port}, silence_ms=EMULATOR_SILENCE_MS)
        setup = GameSetup(position=before)
        self.table = Table(board_file, Store(folder), [source], setup=setup, timing=PATIENT)
        panel = panel_of(self.table, {})
        assert panel is not None
        self.panel = panel
        self.table.start()
        panel.start()
        until(lambda: source.link.trusted is not None, "the switches are known")
        until(lambda: self.view()["expects"] == "card" and not self.view()["seen"], "the table is right")

    def view(self) -> Any:
        return self.table.view(Role.TABLE)

    def lay(self, seat: Seat, card: str) -> None:
        assert self.table.request(parse_request("play_card", {"card": card}, Role.SEAT, seat)).ok

    def decide(self) -> None:
        assert self.table.request(parse_request("decide_now", {}, Role.HOST)).ok

    def lift(self, hole: str) -> None:
        self.board.switch(INPUTS[Hole.parse(hole)], False)

    def put(self, hole: str) -> None:
        self.board.switch(INPUTS[Hole.parse(hole)], True)

    def lit(self, *holes: str) -> None:
        """Wait until these lights are lit and no others."""
        wanted = {INPUTS[Hole.parse(hole)] for hole in holes}
        until(lambda: self.board.lights() == wanted, f"lights at {holes}")


@pytest.fixture
def at(tmp_path: Path) -> Iterator[LitTable]:
    with Emulator(4) as board:
        lit = LitTable(tmp_path, board)
        yield lit
        lit.panel.stop()
        lit.table.stop()


def test_lights_show_the_target_count_along_and_lead_a_wrong_pawn_back(at: LitTable) -> None:
    at.lit()
    at.lay(Seat.P0, "9H")
    at.lift("T20")
    at.lit("T29")
    at.put("T21")
    at.lit("T21", "T29")
    at.lift("T21")
    at.put("T22")
    at.lit("T21", "T22", "T29")
    # In the air nothing is forgotten.
    at.lift("T22")
    at.lit("T21", "T22", "T29")
    at.put("T30")
    until(lambda: "T30" in at.view()["seen"], "the pawn is seen")
    at.decide()
    until(lambda: at.view()["expects"] == "repair", "a warning")
    step = at.view()["warning"]["repair"][0]
    assert (step["from_hole"], step["to_hole"]) == ("T30", "T20")
    at.lit("T30", "T20")
    at.lift("T30")
    at.put("T29")
    until(lambda: "T29" in at.view()["seen"], "the pawn is seen")
    at.decide()
    until(lambda: at.view()["to_move"] == "P1", "the next turn")
    at.lit()


def test_a_button_on_a_sector_board_is_its_seats() -> None:
    pressed: list[Seat] = []
    with rig() as table:
        table.source.on_button = pressed.append
        table.up()
        table.board.switch(spare_input(2, SpareInput.BUTTON), True)
        until(lambda: pressed == [Seat.P2], "the button")
        assert table.pawns() == frozenset()


def test_lights_are_lit_and_lit_again_after_a_reset() -> None:
    with rig() as table:
        table.up()
        table.source.light([Hole.parse("T3"), Hole.parse("P3-H4")])
        lit = {table.inputs[Hole.parse("T3")], table.inputs[Hole.parse("P3-H4")]}
        until(lambda: table.board.lights() == lit, "two lights")
        table.board.tell("reset", "power")
        until(lambda: table.source.link.counts.starts == 2, "the start")
        until(lambda: table.board.lights() == lit, "two lights again")
        table.source.light([])
        until(lambda: not table.board.lights(), "no lights")
        assert table.source.link.counts.starts == 2


def test_the_buzzer_sounds_once_for_each_wish() -> None:
    with rig() as table:
        table.up()
        table.source.buzz(1000, 50)
        until(lambda: int(table.board.tell("tone")) >= 98, "a tone of 50 ms")
        until(lambda: table.source.link.idle, "the answer")
        assert int(table.board.tell("tone")) <= 106
