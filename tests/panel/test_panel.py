"""The panel on gpiozero's mock pins, at a running table."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.boards import pawns
from tests.support.sources import HandSource
from tests.support.waiting import PATIENCE_S, is_prompt
from tock_app.service.panel import PanelInterface
from tock_companion.boardfile import generate
from tock_companion.core.game_setup import GameSetup
from tock_companion.core.requests import Role, parse_request
from tock_companion.panel.panel import Panel
from tock_companion.panel.pins import BOUNCE_S, COLORS, LONG_PRESS_S
from tock_companion.panel.signals import Light
from tock_companion.panel.wiring import panel_wiring
from tock_companion.storage import Store
from tock_companion.table.runtime.live import Table
from tock_rules import Seat

BEFORE = pawns("P0 T20, P1 T26")
WIRING = {
    "turn": 17,
    "undo": 27,
    "help": 22,
    "buzzer": 18,
    "lights": {"P0": [5, 6, 13], "P1": [19, 26, 21]},
    "factory": "mock",
}
PROMPT_S = 0.1
SHORTENED_S = 0.05
"""A long press, without the wait."""


class Setting:
    """A running table with a panel; `lit` are the holes that are lit now."""

    def __init__(self, table: Table, source: HandSource) -> None:
        self.table = table
        self.source = source
        self.lit: list[str] = []
        self.forgotten = 0
        self.panel = Panel(
            panel_wiring(WIRING),
            PanelInterface(table),
            lambda holes: setattr(self, "lit", list(holes)),
            self._forget,
        )
        self.panel.start()

    def _forget(self) -> None:
        self.forgotten += 1

    def press(self, name: str) -> None:
        pin = self.panel.pins.buttons[name].pin
        pin.drive_low()
        pin.drive_high()

    def hold(self, name: str, what: str, holds: Callable[[], bool]) -> None:
        """Keep a button down until something has come of it."""
        pin = self.panel.pins.buttons[name].pin
        pin.drive_low()
        self.until(what, holds)
        pin.drive_high()

    def color(self, seat: Seat) -> tuple[int, ...]:
        return tuple(round(value) for value in self.panel.pins.lights[seat].value)

    def until(self, what: str, holds: Callable[[], bool]) -> float:
        """Seconds until something held."""
        began_s = time.monotonic()
        while not holds():
            if time.monotonic() - began_s > PATIENCE_S:
                raise AssertionError(f"never happened: {what}")
            time.sleep(0.001)
        return time.monotonic() - began_s


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Setting]:
    source = HandSource()
    table = Table(generate(4, 440), Store(tmp_path), [source], setup=GameSetup(position=BEFORE))
    table.start()
    setting = Setting(table, source)
    source.show(BEFORE, 3)
    yield setting
    setting.panel.stop()
    table.stop()


def lay(at: Setting, card: str) -> None:
    assert at.table.request(parse_request("play_card", {"card": card}, Role.SEAT, Seat.P0)).ok


def test_the_light_follows_the_turn_at_once(at: Setting) -> None:
    at.until("green for P0", lambda: at.color(Seat.P0) == COLORS[Light.TURN])
    assert at.color(Seat.P1) == COLORS[Light.OFF]
    lay(at, "9H")
    at.source.show(pawns("P0 T29, P1 T26"), 6)
    at.until("turn of P1", lambda: at.table.view(Role.TABLE)["to_move"] == "P1")
    waited_s = at.until("green for P1", lambda: at.color(Seat.P1) == COLORS[Light.TURN])
    assert is_prompt(waited_s, PROMPT_S)
    assert at.color(Seat.P0) == COLORS[Light.OFF]


def test_the_turn_button_decides_at_once_and_the_page_hears_of_it(at: Setting) -> None:
    lay(at, "9H")
    at.source.show(pawns("P0 T29, P1 T26"), 1)
    at.press("turn")
    waited_s = at.until("the turn is over", lambda: at.table.view(Role.TABLE)["to_move"] == "P1")
    assert is_prompt(waited_s, PROMPT_S)


def test_help_held_very_long_forgets_the_pin_once_and_says_so(
    at: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tock_companion.panel.pins.VERY_LONG_PRESS_S", 4 * SHORTENED_S)
    monkeypatch.setattr("tock_companion.panel.panel.FORGOTTEN_S", 0.5)
    at.until("green for P0", lambda: at.color(Seat.P0) == COLORS[Light.TURN])
    for name in ("turn", "help"):
        at.panel.pins.buttons[name].hold_time = SHORTENED_S
    began_s = time.monotonic()
    at.hold("help", "forgotten", lambda: at.forgotten > 0)
    assert time.monotonic() - began_s >= 4 * SHORTENED_S
    at.until("white", lambda: at.color(Seat.P1) == COLORS[Light.FORGOTTEN])
    at.until("green for P0 again", lambda: at.color(Seat.P0) == COLORS[Light.TURN])
    at.hold("turn", "long", lambda: at.panel.pins.buttons["turn"].active_time > 6 * SHORTENED_S)
    assert at.forgotten == 1


def test_a_long_press_of_undo_pauses_and_another_goes_on(at: Setting) -> None:
    undo = at.panel.pins.buttons["undo"]
    assert undo.hold_time == LONG_PRESS_S
    undo.hold_time = SHORTENED_S
    at.hold("undo", "pause", lambda: at.table.view(Role.TABLE)["expects"] == "paused")
    at.until("lights out", lambda: at.color(Seat.P0) == COLORS[Light.OFF])
    at.hold("undo", "play", lambda: at.table.view(Role.TABLE)["expects"] != "paused")
    assert at.table.view(Role.TABLE)["expects"] == "card"


def test_a_wrong_board_is_red_and_sounds_and_lights_the_repair(at: Setting) -> None:
    lay(at, "9H")
    at.source.show(pawns("P0 T30, P1 T26"), 15)
    at.until("red", lambda: at.color(Seat.P0) == COLORS[Light.WRONG])
    at.until("the buzzer", lambda: at.panel.pins.buzzer.is_active)
    at.until("from and to", lambda: {"T30"} < set(at.lit))
    at.source.show(BEFORE, 15)
    at.until("green", lambda: at.color(Seat.P0) == COLORS[Light.TURN])
    at.until("dark", lambda: not at.lit)
    assert at.color(Seat.P0) == COLORS[Light.TURN]


def test_a_lifted_pawn_lights_where_it_may_go(at: Setting) -> None:
    lay(at, "9H")
    lifted = {**BEFORE, "P0": BEFORE["P0"][:3]}
    at.source.show(lifted, 3)
    at.until("a light", lambda: bool(at.lit))
    assert at.lit == ["T29"]


def test_help_lights_every_target(at: Setting) -> None:
    lay(at, "9H")
    at.press("help")
    at.until("a light", lambda: bool(at.lit))
    assert at.lit == ["T29"]


def test_buttons_are_debounced_by_the_pins() -> None:
    panel = Panel(panel_wiring({"turn": 4, "factory": "mock"}), None)  # type: ignore[arg-type]
    assert panel.pins.buttons["turn"].pin.bounce == BOUNCE_S
    panel.stop()


def test_stopping_gives_the_pins_back(at: Setting) -> None:
    at.panel.stop()
    assert at.lit == []
    again = Panel(panel_wiring(WIRING), None)  # type: ignore[arg-type]
    again.stop()
