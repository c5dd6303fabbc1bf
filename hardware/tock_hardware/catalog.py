"""Magnets and sensors that can be bought, with the spread of their data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from tock_companion.language import Text, catalog, in_every_language

MT_PER_AT = 0.107
"""Field at the middle of an upright reed that counts as one ampere-turn.

Fitted on the distances that the maker of the MS-214 publishes (18 of them, rms 0.36 mm); the usual rules of thumb
differ by a factor of two, which is why the calibration coupon exists.
"""


def named(key: str, **params: object) -> Text:
    """An article to buy, in words."""
    name = catalog("articles")[key]
    return in_every_language(lambda lang: name[lang].format(**params))


@dataclass(frozen=True, slots=True)
class Magnet:
    """A cylinder magnetised along its axis; `remanence_t` is the least and the most that its grade allows."""

    name: str
    diameter_mm: float
    length_mm: float
    remanence_t: tuple[float, float]
    label: Text = field(hash=False)


@dataclass(frozen=True, slots=True)
class Sensor:
    """A switch that closes for sure at `close_mt` along its axis and opens for sure below `open_mt`."""

    name: str
    close_mt: float
    open_mt: float
    middle_mm: float
    """From its upper end to the place that feels the field."""
    label: Text = field(hash=False)
    wires: int = 2


def _reed(name: str, least_at: int, most_at: int, drop_out_at: float) -> Sensor:
    return Sensor(
        name,
        close_mt=most_at * MT_PER_AT,
        open_mt=drop_out_at * MT_PER_AT,
        middle_mm=6.0,
        label=named("reed", least_at=least_at, most_at=most_at),
    )


N35 = (1.17, 1.22)
Y30 = (0.37, 0.40)


def _disc(name: str, diameter_mm: float, length_mm: float, grade: tuple[float, float], metal: str) -> Magnet:
    size = f"{diameter_mm:g} x {length_mm:g} mm"
    return Magnet(name, diameter_mm, length_mm, grade, named("magnet", metal=metal, size=size))


MAGNETS: Mapping[str, Magnet] = MappingProxyType(
    {
        magnet.name: magnet
        for magnet in (
            _disc("ferrite-5x5", 5, 5, Y30, "ferrite Y30"),
            _disc("neo-2x8", 2, 8, N35, "NdFeB N35"),
            _disc("neo-3x2", 3, 2, N35, "NdFeB N35"),
            _disc("neo-3x3", 3, 3, N35, "NdFeB N35"),
            _disc("neo-5x2", 5, 2, N35, "NdFeB N35"),
            _disc("neo-5x3", 5, 3, N35, "NdFeB N35"),
            _disc("neo-6x3", 6, 3, N35, "NdFeB N35"),
        )
    }
)

SENSORS: Mapping[str, Sensor] = MappingProxyType(
    {
        sensor.name: sensor
        for sensor in (
            _reed("reed-15-20", 15, 20, drop_out_at=11.2),
            _reed("reed-10-15", 10, 15, drop_out_at=7.7),
            Sensor(
                "hall-drv5032aj",
                close_mt=9.5,
                open_mt=3.0,
                middle_mm=0.8,
                label=named("hall", model="DRV5032AJ"),
                wires=3,
            ),
            Sensor(
                "hall-drv5032fa",
                close_mt=4.8,
                open_mt=0.5,
                middle_mm=0.8,
                label=named("hall", model="DRV5032FA"),
                wires=3,
            ),
        )
    }
)
"""Reed: bands of the MS-214, drop-outs fitted on the same table. Hall: largest operate and smallest release point of
the DRV5032's data sheet."""
