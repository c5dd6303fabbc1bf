"""The board's wiring: the simulated netlist meets the expectations of firmware and companion."""

import re
import tomllib
from collections import defaultdict
from pathlib import Path

import pytest
from kiutils.schematic import Schematic

from tests.support.wired_board import WiredBoard, lamps, resting, straps, switches
from tock_companion.boardfile import BoardFile
from tock_companion.boardfile.model import shape_of
from tock_companion.boardfile.wiring import INPUTS_PER_BOARD, SpareInput, inputs_of, pin_of, spare_input
from tock_companion.panel.wiring import panel_wiring
from tock_companion.sources.reed import protocol
from tock_hardware.electronics import kicad, symbols
from tock_hardware.electronics.assembly import NANO_PINS, assembly, main_board
from tock_hardware.electronics.circuit import Circuit, Node
from tock_hardware.electronics.panel import PINS, panel_board, panel_settings
from tock_hardware.electronics.power import budget
from tock_hardware.electronics.sector import sector_board
from tock_hardware.electronics.wirelist import wires
from tock_rules import BoardShape

FIRMWARE = Path(__file__).resolve().parents[2] / "firmware"
LED_OHM = 680.0
FAULTS = 60


def built(zones: int) -> Circuit:
    return assembly(shape_of(zones), LED_OHM, "PTC 1.1 A")


@pytest.mark.whole
@pytest.mark.parametrize("zones", [4, 6, 8])
def test_every_hole_reaches_exactly_its_bit(zones: int) -> None:
    circuit = built(zones)
    board = WiredBoard(circuit)
    contact, bridges = switches(circuit), straps(circuit)
    assert contact.keys() == inputs_of(zones).keys()
    for hole, number in inputs_of(zones).items():
        read = board.scan([contact[hole], *bridges])
        assert {place for place, bit in enumerate(read) if bit} == {number, *resting(zones)}, hole


@pytest.mark.whole
@pytest.mark.parametrize("zones", [4, 6, 8])
def test_the_ring_and_every_player_button_and_light_work(zones: int) -> None:
    circuit = built(zones)
    board = WiredBoard(circuit)
    assert board.ring() == INPUTS_PER_BOARD * zones
    for zone in range(zones):
        read = board.scan([f"S{zone}.SW31", *straps(circuit)])
        closed = {n for n, bit in enumerate(read) if bit}
        assert closed == {spare_input(zone, SpareInput.BUTTON), *resting(zones)}
    glow = lamps(circuit)
    assert sorted(glow) == sorted(inputs_of(zones).values())
    assert board.lit(glow) == set(glow.values())
    for number, lamp in glow.items():
        assert board.lit([number]) == {lamp}


def test_the_pins_are_those_of_the_wiring_table() -> None:
    circuit = built(6)
    for hole, number in inputs_of(6).items():
        pin = pin_of(number)
        register = f"S{pin.board}.U{pin.register}"
        assert circuit.net(register, pin.letter) == circuit.net(switches(circuit)[hole], "1")


def test_the_nano_is_wired_as_the_firmware_has_its_pins() -> None:
    header = (FIRMWARE / "port" / "avr328" / "pins.h").read_text(encoding="utf-8")
    found = {
        name: f"D{number if port == 'D' else int(number) + 8}"
        for name, port, number in re.findall(r"#define PIN_(\w+) P([BD])(\d)", header)
    }
    assert {name: found[name] for name in NANO_PINS} == NANO_PINS


def test_the_sector_board_ties_the_inputs_that_the_protocol_fixes() -> None:
    assert protocol.INPUTS_PER_BOARD == INPUTS_PER_BOARD
    assert spare_input(0, SpareInput.LOW) == protocol.FIXED_LOW_INPUT
    assert spare_input(0, SpareInput.HIGH) == protocol.FIXED_HIGH_INPUT


def sheets() -> list[Circuit]:
    return [main_board("PTC 1.1 A"), sector_board(LED_OHM), panel_board()]


@pytest.mark.whole
@pytest.mark.parametrize("circuit", sheets(), ids=lambda circuit: circuit.name)
def test_an_independent_reader_finds_every_part_of_the_sheet_and_each_wire_at_its_pin(
    circuit: Circuit, tmp_path: Path
) -> None:
    file = tmp_path / "sheet.kicad_sch"
    file.write_text(kicad.schematic(circuit), encoding="utf-8")
    read = Schematic.from_file(str(file))
    library = {symbol.libId: symbol for symbol in read.libSymbols}
    labels = {(label.position.X, label.position.Y): label.text for label in read.labels}
    ends = {
        (item.points[0].X, item.points[0].Y): (item.points[1].X, item.points[1].Y)
        for item in read.graphicalItems
        if item.type == "wire"
    }
    found: dict[str, set[Node]] = defaultdict(set)
    for placed in read.schematicSymbols:
        ref = next(item.value for item in placed.properties if item.key == "Reference")
        for unit in library[placed.libId].units:
            for pin in unit.pins:
                place = (
                    round(placed.position.X + pin.position.X, 3),
                    round(placed.position.Y - pin.position.Y, 3),
                )
                if place in ends:
                    found[labels[ends[place]]].add((ref, pin.number))
    assert found == {net: set(nodes) for net, nodes in circuit.nets().items()}


def test_the_panel_is_drawn_with_the_pins_of_its_settings_and_none_twice() -> None:
    circuit = panel_board()
    (header,) = circuit.of(symbols.PI)
    settings = panel_wiring(tomllib.loads(panel_settings())["panel"])
    wanted = {f"GPIO{pin}": name.upper() for name, pin in settings.buttons.items()}
    wanted |= {
        f"GPIO{pin}": f"{seat.name}_{color}"
        for seat, pins in settings.lights.items()
        for color, pin in zip("RGB", pins, strict=True)
    }
    wanted[f"GPIO{settings.buzzer}"] = "BUZZER"
    drawn = {
        pin.name: circuit.net(header.ref, pin.name)
        for pin in header.symbol.pins
        if pin.name.startswith("GPIO")
    }
    assert {name: net for name, net in drawn.items() if net is not None} == wanted
    assert len(set(PINS.numbers())) == len(PINS.numbers())


def test_no_five_volts_reach_a_pin_of_the_raspberry_pi() -> None:
    circuit = panel_board()
    at_five_volts = {node for node, net in circuit.net_of.items() if net == "+5V"}
    assert ("J1", symbols.PI.by_name["5V_2"].number) in at_five_volts
    assert {ref for ref, _ in at_five_volts} == {"J1", "BZ1", "D1", "#FLG1"}
    assert {node[1] for node in at_five_volts if node[0] == "J1"} == {"2"}


def test_all_lights_together_stay_below_their_fuse_and_usb_bears_the_logic() -> None:
    for zones in (4, 6, 8):
        found = budget(built(zones), BoardShape(zones), fuse_ma=1100)
        assert found.is_safe
        assert found.lights_ma == pytest.approx((26 * zones + 1) * (5 - 1.9) / 0.68, abs=1)
    assert not budget(built(8), BoardShape(8), fuse_ma=900).is_safe


def test_the_wire_list_names_every_hole_once_with_the_pin_of_the_circuit(board: BoardFile) -> None:
    circuit = assembly(board.shape, LED_OHM, "PTC 1.1 A")
    rows = list(wires(board))
    assert [row.hole for row in rows] == sorted(
        inputs_of(board.shape), key=inputs_of(board.shape).__getitem__
    )
    for row in rows:
        register = f"S{row.sector}.{row.register}"
        assert circuit.net_of[register, str(row.pin_number)] == circuit.net(switches(circuit)[row.hole], "1")
        assert 60 <= row.length_mm < board.size_mm[0]
