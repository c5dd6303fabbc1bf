"""A circuit: parts at their places on a sheet, and the net that each pin is on."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tock_hardware.electronics.symbols import Symbol, SymbolPin

Node = tuple[str, str]
"""Reference of a part and number of its pin."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part; `at_mm` is its centre on the sheet, `note` a builder's instruction."""

    ref: str
    symbol: Symbol
    value: str
    at_mm: tuple[float, float]
    note: str = ""


@dataclass
class Circuit:
    """Parts and nets; pins that are on no net stay open on purpose."""

    name: str
    title: str
    sheet_mm: tuple[float, float] = (420.0, 297.0)
    parts: dict[str, Part] = field(default_factory=dict)
    net_of: dict[Node, str] = field(default_factory=dict)
    texts: list[tuple[float, float, str, float]] = field(default_factory=list)

    def add(
        self,
        ref: str,
        symbol: Symbol,
        value: str,
        at_mm: tuple[float, float],
        pins: Mapping[str, str],
        note: str = "",
    ) -> None:
        """Place a part on the sheet with its nets by pin name."""
        if ref in self.parts:
            raise ValueError(f"two parts are called {ref}")
        self.parts[ref] = Part(ref, symbol, value, at_mm, note)
        for name, net in pins.items():
            self.net_of[ref, symbol.by_name[name].number] = net

    def nets(self) -> dict[str, tuple[Node, ...]]:
        """List the nodes of every net, sorted."""
        nets: dict[str, list[Node]] = defaultdict(list)
        for node, net in self.net_of.items():
            nets[net].append(node)
        return {net: tuple(sorted(nodes)) for net, nodes in sorted(nets.items())}

    def of(self, symbol: Symbol) -> tuple[Part, ...]:
        """List all parts of a kind in the order in which they were placed."""
        return tuple(part for part in self.parts.values() if part.symbol is symbol)

    def net(self, ref: str, pin_name: str) -> str | None:
        """Find the net of a part's pin, None when it is open."""
        return self.net_of.get((ref, self.parts[ref].symbol.by_name[pin_name].number))

    def include(self, other: "Circuit", prefix: str, joined: Iterable[str]) -> None:
        """Add another circuit's parts and nets under a prefix; the nets in `joined` keep their names."""
        common = set(joined)
        for part in other.parts.values():
            self.parts[prefix + part.ref] = Part(
                prefix + part.ref, part.symbol, part.value, part.at_mm, part.note
            )
        for (ref, number), net in other.net_of.items():
            self.net_of[prefix + ref, number] = net if net in common else prefix + net


def place_of(part: Part, pin: SymbolPin) -> tuple[float, float]:
    """Locate where a pin's wire begins on the sheet."""
    return round(part.at_mm[0] + pin.x_mm, 3), round(part.at_mm[1] + pin.y_mm, 3)
