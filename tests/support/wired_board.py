"""Simulates the readings of a wired board: follows the netlist from pin to pin, with the parts and the firmware known.

Levels are 1, 0, or None for a wire that floats or is driven both ways; None equals no level, so tests notice it.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property

from tock_companion.boardfile.wiring import (
    INPUTS_PER_BOARD,
    REGISTER_PINS,
    SpareInput,
    spare_input,
    straps_of,
)
from tock_hardware.electronics import symbols
from tock_hardware.electronics.assembly import NANO_PINS
from tock_hardware.electronics.circuit import Circuit, Part
from tock_hardware.electronics.power import ohms

Level = int | None
Source = tuple[str, int] | Level
"""A level that never changes, or the register (`shift` or `lamp` and its number) whose last stage drives it."""
LOW_OHM = 1000.0
"""A resistor below this only slows an edge; above it pulls."""


class WiredBoard:
    """A circuit with a Nano that behaves as the firmware does."""

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self.parent: dict[str, str] = {}
        for name in set(circuit.net_of.values()):
            self.parent[name] = name
        (self.nano,) = circuit.of(symbols.NANO)
        self.registers = circuit.of(symbols.HC165)
        self.lamps = circuit.of(symbols.TPIC6B595)
        self.pulls: dict[str, list[str]] = defaultdict(list)
        for part in circuit.of(symbols.RESISTOR):
            one, two = circuit.net(part.ref, "1"), circuit.net(part.ref, "2")
            if one is None or two is None:
                continue
            if ohms(part.value) < LOW_OHM:
                self.join(one, two)
            else:
                self.pulls[two].append(one)
        self.drivers: dict[str, list[tuple[Part, str]]] = defaultdict(list)
        for part in (*self.registers, *self.lamps, self.nano, *circuit.of(symbols.HC14)):
            for pin in part.symbol.pins:
                driven = circuit.net(part.ref, pin.name)
                if pin.role is symbols.Role.OUTPUT and driven is not None:
                    self.drivers[self.root(driven)].append((part, pin.name))
        self.pulls = self._pulls()
        self.alive = {part.ref: self._powered(part) for part in (*self.registers, *self.lamps)}
        self.numbers = {part.ref: number for number, part in enumerate(self.registers)}
        self.lamp_numbers = {part.ref: number for number, part in enumerate(self.lamps)}

    def root(self, net: str) -> str:
        """Give the representative of all nets joined to this one."""
        while self.parent[net] != net:
            net = self.parent[net]
        return net

    def join(self, one: str, two: str) -> None:
        """Take two nets as one wire."""
        self.parent[self.root(one)] = self.root(two)

    def _pulls(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for pulled, others in self.pulls.items():
            found[self.root(pulled)].extend(others)
        for part in self.circuit.of(symbols.RESISTORS):
            common = self.circuit.net(part.ref, "COM")
            for pin in part.symbol.pins[1:]:
                net = self.circuit.net(part.ref, pin.name)
                if net is not None and common is not None:
                    found[self.root(net)].append(common)
        return found

    def _supply(self, net: str | None) -> Level:
        if net is None:
            return None
        high, low = self.circuit.net(self.nano.ref, "5V"), self.circuit.net(self.nano.ref, "GND")
        is_high = high is not None and self.root(net) == self.root(high)
        is_low = low is not None and self.root(net) == self.root(low)
        return None if is_high == is_low else int(is_high)

    def _powered(self, part: Part) -> bool:
        grounds = [pin.name for pin in part.symbol.pins if pin.name.startswith("GND")]
        return self._supply(self.circuit.net(part.ref, "VCC")) == 1 and all(
            self._supply(self.circuit.net(part.ref, name)) == 0 for name in grounds
        )

    def source(
        self, part: Part, pin_name: str, outputs: Mapping[str, int], seen: frozenset[str] = frozenset()
    ) -> Source:
        """Find what drives a pin while the Nano's outputs have these levels by pin name."""
        net = self.circuit.net(part.ref, pin_name)
        if net is None or self.root(net) in seen:
            return None
        root = self.root(net)
        found: set[Source] = set()
        supply = self._supply(net)
        if supply is not None:
            found.add(supply)
        for driver, pin in self.drivers.get(root, ()):
            found.add(self._driven(driver, pin, outputs, seen | {root}))
        if not found:
            found = {self._supply(pull) for pull in self.pulls.get(root, ())}
        return found.pop() if len(found) == 1 else None

    def _driven(self, driver: Part, pin: str, outputs: Mapping[str, int], seen: frozenset[str]) -> Source:
        if driver is self.nano:
            return outputs.get(pin, 0)
        if driver.ref in self.alive and not self.alive[driver.ref]:
            return None
        if driver.symbol is symbols.HC165:
            return ("shift", self.numbers[driver.ref]) if pin == "QH" else None
        if driver.symbol is symbols.TPIC6B595:
            return ("lamp", self.lamp_numbers[driver.ref])
        level = self.source(driver, f"{pin[0]}A", outputs, seen)
        return 1 - level if isinstance(level, int) else None

    def clocked(self, part: Part, pin_name: str, signal: str) -> bool:
        """Whether a pin follows a signal of the Nano, both ways."""
        pin = NANO_PINS[signal]
        return [self.source(part, pin_name, {pin: level}) for level in (0, 1)] == [0, 1]

    def scan(self, closed: Iterable[str]) -> list[Level]:
        """Simulate the firmware's reading with these switches closed: 1 is closed, in input order."""
        contacts = dict(self.parent)
        for ref in closed:
            one, two = (self.circuit.net_of.get((ref, number)) for number in ("1", "2"))
            if one is not None and two is not None:
                self.join(one, two)
        try:
            states = [self._loaded(part) for part in self.registers]
        finally:
            self.parent = contacts
        return self._shifted(states, 8 * len(self.registers), [])

    @cached_property
    def _loading(self) -> frozenset[str]:
        """Registers that take in their inputs when the firmware says so."""
        return frozenset(
            part.ref
            for part in self.registers
            if self.alive[part.ref] and self.clocked(part, "SH/LD", "LOAD")
        )

    @cached_property
    def _feeds(self) -> list[list[Source]]:
        """By register: what comes in behind it while the return line is low, and while it is high."""
        back = NANO_PINS["RETURN"]
        return [[self.source(part, "SER", {back: level}) for level in (0, 1)] for part in self.registers]

    @cached_property
    def _moving(self) -> list[bool]:
        """By register: whether it shifts at a clock."""
        return [
            self.alive[part.ref] and self.clocked(part, "CLK", "CLOCK") and self.source(part, "INH", {}) == 0
            for part in self.registers
        ]

    @cached_property
    def _arriving(self) -> list[Source]:
        """The source of the bits at the Nano while the return line is low, and while it is high."""
        return [self._at_the_nano(level) for level in (0, 1)]

    @cached_property
    def _lights_work(self) -> bool:
        return all(
            self.alive[part.ref]
            and self.clocked(part, "SRCK", "CLOCK")
            and self.clocked(part, "RCK", "LATCH")
            and self.source(part, "/CLR", {}) == 1
            and self.source(part, "/G", {}) == 0
            for part in self.lamps
        )

    @cached_property
    def _light_feeds(self) -> list[list[Source]]:
        line = NANO_PINS["LIGHTS"]
        return [[self.source(part, "SER", {line: level}) for level in (0, 1)] for part in self.lamps]

    def _loaded(self, part: Part) -> list[Level]:
        if part.ref not in self._loading:
            return [None] * 8
        levels = [self.source(part, letter, {}) for letter in REGISTER_PINS]
        return [level if isinstance(level, int) else None for level in levels]

    def _shifted(self, states: list[list[Level]], clocks: int, return_levels: list[int]) -> list[Level]:
        """Simulate the bits that arrive; `return_levels` are those of the return line, clock by clock."""
        bits: list[Level] = []
        for clock in range(clocks):
            level = return_levels[clock] if clock < len(return_levels) else 0
            data = _level(self._arriving[level], states)
            bits.append(None if data is None else 1 - data)
            arriving = [_level(feed[level], states) for feed in self._feeds]
            states = [
                [*state[1:], new] if moving else state
                for state, new, moving in zip(states, arriving, self._moving, strict=True)
            ]
        return bits

    def _at_the_nano(self, level: int) -> Source:
        if self.circuit.net(self.nano.ref, NANO_PINS["DATA"]) is None:
            return 1
        return self.source(self.nano, NANO_PINS["DATA"], {NANO_PINS["RETURN"]: level})

    def ring(self) -> int | None:
        """Count the clocks a single bit takes round the chain; None when it never arrives or something floats."""
        length = 8 * len(self.registers)
        empty: list[list[Level]] = [[0] * 8 for _ in self.registers]
        bits = self._shifted(empty, length + 9, [1])
        came = [clock for clock, bit in enumerate(bits) if bit == 0]
        return came[0] if came and None not in bits else None

    def lit(self, lights: Iterable[int]) -> set[str] | None:
        """Simulate which LEDs glow after the firmware has sent these lights; None when a driver is undefined."""
        if not self._lights_work:
            return None
        wanted = set(lights)
        states: list[list[Level]] = [[0] * 8 for _ in self.lamps]
        for number in reversed(range(8 * len(self.lamps))):
            level = int(number in wanted)
            arriving = [_level(feed[level], states) for feed in self._light_feeds]
            states = [[new, *state[:-1]] for state, new in zip(states, arriving, strict=True)]
        if any(None in state for state in states):
            return None
        return self._glowing(states)

    def _glowing(self, states: list[list[Level]]) -> set[str]:
        sinks = {
            self.root(net)
            for part, state in zip(self.lamps, states, strict=True)
            for step, level in enumerate(state)
            if level == 1 and (net := self.circuit.net(part.ref, f"DRAIN{step}")) is not None
        }
        (fuse,) = self.circuit.of(symbols.FUSE)
        supply = self.circuit.net(fuse.ref, "2")
        glowing = set()
        for part in self.circuit.of(symbols.LED):
            anode, cathode = self.circuit.net(part.ref, "A"), self.circuit.net(part.ref, "K")
            if anode is None or cathode is None or supply is None:
                continue
            if self.root(anode) == self.root(supply) and self.root(cathode) in sinks:
                glowing.add(part.ref)
        return glowing


def _level(source: Source, states: list[list[Level]]) -> Level:
    if isinstance(source, tuple):
        # A 74HC165 hands on its first stage here, a lamp driver its last: lists are kept so that both move by one.
        return states[source[1]][0 if source[0] == "shift" else -1]
    return source


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
