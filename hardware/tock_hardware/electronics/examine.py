"""Does a wired board do what firmware and companion expect? Every hole, every light, the fixed inputs, the ring."""

from collections.abc import Iterator

from tock_companion.boardfile.wiring import INPUTS_PER_BOARD, SpareInput, inputs_of, spare_input, straps_of
from tock_hardware.electronics import symbols
from tock_hardware.electronics.circuit import Circuit
from tock_hardware.electronics.simulate import WiredBoard


def switches(circuit: Circuit) -> dict[str, str]:
    """Map every hole to the switch under it."""
    return {part.value: part.ref for part in circuit.of(symbols.REED)}


def lamps(circuit: Circuit) -> dict[int, str]:
    """Map every input's number to its LED, by the LED's position on its sector board."""
    found = {}
    for part in circuit.of(symbols.LED):
        sector, _, name = part.ref.partition(".")
        found[INPUTS_PER_BOARD * int(sector[1:]) + int(name[1:]) - 1] = part.ref
    return found


def resting(zones: int) -> set[int]:
    """List the inputs that read closed on an empty board: those tied to ground, and the straps."""
    closed = set()
    for zone in range(zones):
        closed.add(spare_input(zone, SpareInput.LOW))
        for use, bridged in zip((SpareInput.STRAP_1, SpareInput.STRAP_2), straps_of(zone), strict=True):
            if bridged:
                closed.add(spare_input(zone, use))
    return closed


def straps(circuit: Circuit) -> list[str]:
    """List the fitted jumpers, which are always closed."""
    return [part.ref for part in circuit.of(symbols.JUMPER)]


def complaints(circuit: Circuit, zones: int) -> Iterator[str]:
    """Yield the faults, by a builder's own tests: nothing, everything, and groups of pawns and lights.

    In the groups each hole takes part by the binary digits of its number, so no two holes take part in the same groups.
    """
    board = WiredBoard(circuit)
    length = INPUTS_PER_BOARD * zones
    ring = board.ring()
    if ring != length:
        yield f"ring: {ring} clocks instead of {length}"
    holes = inputs_of(zones)
    contact = switches(circuit)
    bridges = straps(circuit)
    for name, group in _groups(sorted(holes.values())):
        closed = [contact[hole] for hole, number in holes.items() if number in group and hole in contact]
        read = board.scan([*closed, *bridges])
        expected = [int(number in group | resting(zones)) for number in range(length)]
        if read != expected:
            wrong = [number for number, (a, b) in enumerate(zip(read, expected, strict=True)) if a != b]
            yield f"{name}: inputs {wrong}"
    glow = lamps(circuit)
    for name, group in _groups(sorted(glow)):
        lit = board.lit(group)
        if lit != {glow[number] for number in group}:
            yield f"lights, {name}"


def _groups(numbers: list[int]) -> list[tuple[str, set[int]]]:
    everything = set(numbers)
    groups: list[tuple[str, set[int]]] = [("nothing", set()), ("everything", everything)]
    for digit in range(max(numbers).bit_length()):
        group = {number for number in numbers if number >> digit & 1}
        groups += [(f"digit {digit}", group), (f"not digit {digit}", everything - group)]
    return groups
