"""Board files: where the holes and markers of a wooden board are, and which colour each seat has.

Pure and without files or pixels, apart from `load`, which reads one text file.
"""

from tock_companion.boardfile.layouts import generate
from tock_companion.boardfile.model import (
    COLOR_NAMES,
    BoardFile,
    DrilledHole,
    Marker,
    NamedHole,
    PawnShape,
    Pile,
    camp_hole,
    home_hole,
    required_holes,
    track_hole,
    zone_text,
)
from tock_companion.boardfile.parse import load, parse
from tock_companion.boardfile.write import fingerprint, fingerprint_with_name, to_json, to_text
from tock_rules import HoleKind

__all__ = [
    "COLOR_NAMES",
    "BoardFile",
    "DrilledHole",
    "HoleKind",
    "Marker",
    "NamedHole",
    "PawnShape",
    "Pile",
    "camp_hole",
    "fingerprint",
    "fingerprint_with_name",
    "generate",
    "home_hole",
    "load",
    "parse",
    "required_holes",
    "to_json",
    "to_text",
    "track_hole",
    "zone_text",
]
