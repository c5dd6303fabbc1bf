"""The panel's signals follow from the public view alone."""

import sys
from typing import Any, cast

import pytest

from tock_companion.errors import BadInputError
from tock_companion.panel.count_along import Count, count_along
from tock_companion.panel.pins import Pins
from tock_companion.panel.signals import Light, Sound, signals, sound
from tock_companion.panel.wiring import panel_wiring
from tock_companion.views.schema import PublicView, SeatView
from tock_rules import Hole, Seat


def view(**changes: Any) -> PublicView:
    """As much of a public view as the panel needs: P0 is to move, nothing lies on the table."""
    plain: dict[str, Any] = {
        "seats": [{"seat": name} for name in ("P0", "P1", "P2", "P3")],
        "to_move": "P0",
        "expects": "card",
        "card": None,
        "game": {"winner": None, "paused": False, "ruleset": "mjc", "options": {}},
        "board": {"zones": 4},
        "warning": None,
        "question": None,
        "seen": {},
        "history": [],
        "last_move": None,
    }
    return cast(PublicView, {**plain, **changes})


def with_moves(*moves: dict[str, Any]) -> SeatView:
    """As much of a seat's view as the panel needs."""
    return cast(SeatView, {"legal_moves": moves})


REPAIR = {"seat": "P2", "from_hole": "T64", "to_hole": "T63"}
WARNING = {"code": "move/too_far", "repair": [REPAIR, {"seat": "P3", "from_hole": "T1", "to_hole": "T2"}]}
MOVES = with_moves(
    {"targets": ["T26"], "arrows": [{"seat": "P0", "from": "T20", "to": "T26", "kind": "move"}]},
    {"targets": ["T46"], "arrows": [{"seat": "P0", "from": "T40", "to": "T46", "kind": "move"}]},
)


@pytest.mark.parametrize(
    ("changes", "lit"),
    [
        ({}, {"P0": Light.TURN}),
        ({"expects": "move", "card": "6H"}, {"P0": Light.TURN}),
        ({"expects": "paused"}, {}),
        ({"expects": "repair", "warning": WARNING}, {"P0": Light.WRONG, "P2": Light.MEND, "P3": Light.MEND}),
        ({"expects": "answer", "question": {"seat": "P1"}}, {"P1": Light.ASKED}),
        ({"expects": "over", "game": {"winner": ["P1", "P3"]}}, {"P1": Light.WON, "P3": Light.WON}),
    ],
)
def test_seat_lights(changes: dict[str, Any], lit: dict[str, Light]) -> None:
    shown = signals(view(**changes), None).seats
    assert {seat.name: light for seat, light in shown.items() if light is not Light.OFF} == lit
    assert set(shown) == {Seat.P0, Seat.P1, Seat.P2, Seat.P3}


def test_a_lifted_pawn_lights_its_own_targets_and_help_lights_all() -> None:
    laid = view(expects="move", card="6H", seen={"T20": {"state": "empty", "seat": None}})
    assert signals(laid, MOVES).holes == {"T26"}
    assert signals(laid, MOVES, all_targets=True).holes == {"T26", "T46"}
    assert signals(view(expects="move", card="6H"), MOVES).holes == frozenset()


def test_nothing_is_lit_before_a_card_lies_open() -> None:
    assert (
        signals(view(seen={"T20": {"state": "empty", "seat": None}}), MOVES, all_targets=True).holes
        == frozenset()
    )


def test_a_repair_lights_the_first_step_from_and_to() -> None:
    assert signals(view(expects="repair", warning=WARNING), None).holes == {"T64", "T63"}


def test_sounds() -> None:
    before = view()
    assert sound(None, before) is None
    assert sound(before, before) is None
    assert sound(before, view(history=[1], last_move=1)) is Sound.ACCEPTED
    warned = view(expects="repair", warning=WARNING)
    assert sound(before, warned) is Sound.WRONG
    assert sound(warned, warned) is None
    assert sound(warned, before) is Sound.MENDED
    assert sound(before, view(expects="over")) is Sound.OVER


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"bell": 4}, "'bell' is not known"),
        ({"turn": 28}, "BCM pin number"),
        ({"turn": "17"}, "BCM pin number"),
        ({"turn": 17, "undo": 17}, "pin 17 is used twice"),
        ({"lights": {"P0": [1, 2]}}, "three pins"),
        ({"lights": {"P9": [1, 2, 3]}}, "no such seat"),
        ({"factory": "rpi"}, "'factory' must be '', 'lgpio' or 'mock', not 'rpi'"),
        ({"lights": {"P0": [1, 2, "x" * 5000]}}, "'lights.P0' must be a BCM pin number"),
        ({"lights": [1]}, "'lights' must be a table"),
        ({"hole_lights": "no"}, "'hole_lights' must be true or false"),
    ],
)
def test_wrong_settings_are_one_line(settings: dict[str, object], complaint: str) -> None:
    with pytest.raises(BadInputError, match=complaint):
        panel_wiring(settings)


def test_every_part_is_optional() -> None:
    wiring = panel_wiring({"help": 22})
    assert (dict(wiring.buttons), wiring.buzzer, dict(wiring.lights)) == ({"help": 22}, None, {})


def laid(card: str, **states: str) -> PublicView:
    """A view with a card laid and these holes (`P0_H1`) looking different from the position."""
    seen = {hole.replace("_", "-"): {"state": state, "seat": None} for hole, state in states.items()}
    return view(expects="move", card=card, seen=seen)


def test_the_lights_count_along_with_a_pawn_that_walks() -> None:
    lifted = laid("6H", T20="empty")
    assert count_along(None, lifted, MOVES) is None
    at_two = count_along(None, laid("6H", T20="empty", T22="pawn"), MOVES)
    assert at_two == Count(Hole.parse("T20"), (Hole.parse("T21"), Hole.parse("T22")))
    in_the_air = count_along(at_two, lifted, MOVES)
    assert in_the_air == at_two
    assert signals(lifted, MOVES, count=in_the_air).holes == {"T21", "T22", "T26"}
    too_far = count_along(at_two, laid("6H", T20="empty", T27="pawn"), MOVES)
    assert too_far == at_two
    assert count_along(at_two, laid("6H"), MOVES) is None
    assert count_along(at_two, view(), MOVES) is None


def test_counting_goes_backwards_and_into_the_home() -> None:
    arrows = [
        {"seat": "P0", "from": "T68", "to": "P0-H3", "kind": "move"},
        {"seat": "P0", "from": "T68", "to": "T64", "kind": "move"},
        {"seat": "P0", "from": "T68", "to": "T5", "kind": "swap"},
    ]
    moves = with_moves(*({"targets": [arrow["to"]], "arrows": [arrow]} for arrow in arrows))
    home = count_along(None, laid("4H", T68="empty", P0_H1="pawn"), moves)
    assert home == Count(Hole.parse("T68"), (Hole.parse("T69"), Hole.parse("T70"), Hole.parse("P0-H1")))
    back = count_along(None, laid("4H", T68="empty", T66="pawn"), moves)
    assert back == Count(Hole.parse("T68"), (Hole.parse("T67"), Hole.parse("T66")))
    assert count_along(None, laid("4H", T68="empty", T3="pawn"), moves) is None


@pytest.mark.parametrize("factory", ["", "lgpio"])
def test_without_the_pins_library_one_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, factory: str
) -> None:
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", None)
    with pytest.raises(BadInputError, match="sudo apt install python3-lgpio") as refusal:
        Pins(panel_wiring({"turn": 17, "factory": factory}), lambda name, held: None)
    assert "\n" not in str(refusal.value)
