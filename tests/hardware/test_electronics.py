"""The board's wiring: the simulated netlist meets the expectations of firmware and companion."""

import random
import re
import tomllib
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from kiutils.schematic import Schematic

from tock_companion.boardfile import BoardFile
from tock_companion.boardfile.wiring import INPUTS_PER_BOARD, SpareInput, inputs_of, pin_of, spare_input
from tock_companion.panel.wiring import panel_wiring
from tock_companion.sources.reed import protocol
from tock_hardware.electronics import kicad, symbols
from tock_hardware.electronics.assembly import NANO_PINS, assembly, main_board
from tock_hardware.electronics.circuit import Circuit, Node
from tock_hardware.electronics.examine import complaints, lamps, resting, straps, switches
from tock_hardware.electronics.panel import PINS, panel_board, panel_settings
from tock_hardware.electronics.power import budget
from tock_hardware.electronics.sector import sector_board
from tock_hardware.electronics.simulate import WiredBoard
from tock_hardware.electronics.wirelist import wires

FIRMWARE = Path(__file__).resolve().parents[2] / "firmware"
LED_OHM = 680.0
FAULTS = 60


def built(zones: int) -> Circuit:
    return assembly(zones, LED_OHM, "PTC 1.1 A")


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
def test_a_board_without_faults_passes_every_test(zones: int) -> None:
    circuit = built(zones)
    assert list(complaints(circuit, zones)) == []
    assert WiredBoard(circuit).ring() == INPUTS_PER_BOARD * zones


@pytest.mark.whole
def test_every_player_button_and_light_is_its_own() -> None:
    circuit = built(4)
    board = WiredBoard(circuit)
    for zone in range(4):
        read = board.scan([f"S{zone}.SW31", *straps(circuit)])
        assert {n for n, bit in enumerate(read) if bit} == {spare_input(zone, SpareInput.BUTTON), *resting(4)}
    glow = lamps(circuit)
    assert sorted(glow) == sorted(inputs_of(4).values())
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


Fault = Callable[[Circuit, random.Random], str]


def swap(circuit: Circuit, one: Node, two: Node) -> str:
    circuit.net_of[one], circuit.net_of[two] = circuit.net_of[two], circuit.net_of[one]
    return f"{one} and {two} swapped"


def cut(circuit: Circuit, node: Node) -> str:
    del circuit.net_of[node]
    return f"{node[0]} {node[1]} cut"


def a_part(circuit: Circuit, rng: random.Random, symbol: symbols.Symbol) -> str:
    return rng.choice([part.ref for part in circuit.of(symbol)])


def two_switches_swapped(circuit: Circuit, rng: random.Random) -> str:
    one, two = rng.sample([part.ref for part in circuit.of(symbols.REED)], 2)
    return swap(circuit, (one, "1"), (two, "1"))


def switch_cut(circuit: Circuit, rng: random.Random) -> str:
    return cut(circuit, (a_part(circuit, rng, symbols.REED), rng.choice("12")))


def two_inputs_shorted(circuit: Circuit, rng: random.Random) -> str:
    one, two = rng.sample([circuit.net_of[part.ref, "1"] for part in circuit.of(symbols.REED)], 2)
    circuit.net_of = {node: one if net == two else net for node, net in circuit.net_of.items()}
    return f"{one} and {two} shorted"


def pull_up_missing(circuit: Circuit, rng: random.Random) -> str:
    ref = a_part(circuit, rng, symbols.RESISTORS)
    nodes = [node for node in circuit.net_of if node[0] == ref and not is_bridged(circuit, node)]
    return cut(circuit, rng.choice(nodes))


def is_bridged(circuit: Circuit, node: Node) -> bool:
    """A strap that is bridged to ground needs no pull-up: its loss changes nothing."""
    return any(circuit.net_of[part.ref, "1"] == circuit.net_of[node] for part in circuit.of(symbols.JUMPER))


def register_pin_cut(circuit: Circuit, rng: random.Random) -> str:
    ref = a_part(circuit, rng, symbols.HC165)
    return cut(circuit, rng.choice([node for node in circuit.net_of if node[0] == ref]))


def two_register_pins_swapped(circuit: Circuit, rng: random.Random) -> str:
    ref = a_part(circuit, rng, symbols.HC165)
    nodes = [node for node in circuit.net_of if node[0] == ref]
    pairs = [(a, b) for a in nodes for b in nodes if a < b and circuit.net_of[a] != circuit.net_of[b]]
    return swap(circuit, *rng.choice(pairs))


def buffer_pin_cut(circuit: Circuit, rng: random.Random) -> str:
    ref = a_part(circuit, rng, symbols.HC14)
    return cut(
        circuit,
        rng.choice([node for node in circuit.net_of if node[0] == ref and node[1] not in ("7", "14")]),
    )


def lamp_pin_cut(circuit: Circuit, rng: random.Random) -> str:
    ref = a_part(circuit, rng, symbols.TPIC6B595)
    last = max(part.ref for part in circuit.of(symbols.TPIC6B595))
    nodes = [node for node in circuit.net_of if node[0] == ref and (ref != last or node[1] != "18")]
    # A driver whose LED is not fitted (the centre's, on all sectors but one) has a wire that leads nowhere.
    nets = circuit.nets()
    return cut(circuit, rng.choice([node for node in nodes if len(nets[circuit.net_of[node]]) > 1]))


def lamp_reversed(circuit: Circuit, rng: random.Random) -> str:
    ref = a_part(circuit, rng, symbols.LED)
    return swap(circuit, (ref, "1"), (ref, "2"))


def two_lamps_swapped(circuit: Circuit, rng: random.Random) -> str:
    one, two = rng.sample([part.ref for part in circuit.of(symbols.LED)], 2)
    return swap(circuit, (one, "1"), (two, "1"))


def nano_pins_swapped(circuit: Circuit, rng: random.Random) -> str:
    pins = [symbols.NANO.by_name[NANO_PINS[name]].number for name in NANO_PINS if name != "BUZZER"]
    one, two = rng.sample(pins, 2)
    return swap(circuit, ("M.A1", one), ("M.A1", two))


def strap_wrong(circuit: Circuit, rng: random.Random) -> str:
    ref = a_part(circuit, rng, symbols.JUMPER)
    del circuit.parts[ref]
    return f"{ref} left out"


def line_between_sectors_cut(circuit: Circuit, rng: random.Random) -> str:
    nets = [net for net in set(circuit.net_of.values()) if re.fullmatch(r"(DATA|LIGHTS)[1-3]", net)]
    net = rng.choice(sorted(nets))
    side = f"S{net[-1]}."
    circuit.net_of = {
        node: f"{name} cut" if name == net and node[0].startswith(side) else name
        for node, name in circuit.net_of.items()
    }
    return f"{net} cut"


KINDS: tuple[Fault, ...] = (
    two_switches_swapped,
    switch_cut,
    two_inputs_shorted,
    pull_up_missing,
    register_pin_cut,
    two_register_pins_swapped,
    buffer_pin_cut,
    lamp_pin_cut,
    lamp_reversed,
    two_lamps_swapped,
    nano_pins_swapped,
    strap_wrong,
    line_between_sectors_cut,
)


@pytest.mark.whole
def test_every_wiring_fault_shows() -> None:
    rng = random.Random(2026)
    missed = []
    whole = built(4)
    for number in range(FAULTS):
        circuit = replace(whole, parts=dict(whole.parts), net_of=dict(whole.net_of))
        what = KINDS[number % len(KINDS)](circuit, rng)
        if next(complaints(circuit, 4), None) is None:
            missed.append(what)
    assert missed == []


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
        found = budget(built(zones), zones, fuse_ma=1100)
        assert found.is_safe
        assert found.lights_ma == pytest.approx((26 * zones + 1) * (5 - 1.9) / 0.68, abs=1)
    assert not budget(built(8), 8, fuse_ma=900).is_safe


def test_the_wire_list_names_every_hole_once_with_the_pin_of_the_circuit(board: BoardFile) -> None:
    circuit = built(board.zones)
    rows = list(wires(board))
    assert [row.hole for row in rows] == sorted(
        inputs_of(board.zones), key=inputs_of(board.zones).__getitem__
    )
    for row in rows:
        register = f"S{row.sector}.{row.register}"
        assert circuit.net_of[register, str(row.pin_number)] == circuit.net(switches(circuit)[row.hole], "1")
        assert 60 <= row.length_mm < board.size_mm[0]
