"""The interface of everything that senses the table, and optional abilities of some sources."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Literal, Protocol, cast, runtime_checkable

from tock_companion.boardfile import BoardFile
from tock_companion.errors import BadInputError
from tock_companion.observation import SourceMessage
from tock_companion.schema import Schema
from tock_companion.sources.scene import Scene
from tock_rules import Hole, Seat

ENTRY_POINT_GROUP = "tock.sources"
SETTINGS_GROUP = "tock.source_settings"

CAMERA = "camera"
CAMERA_KEYS = frozenset({"device", "video", "frames", "url", "phone"})

Deliver = Callable[[SourceMessage], None]
ClockMs = Callable[[], int]


class Source(Protocol):
    """Something that senses the table and reports from a thread of its own."""

    name: str
    record_to: Callable[[int, bytes], None] | None
    """While set, gets the time and the encoded bytes of every frame, and the reading is made from those bytes."""

    def start(self, deliver: Deliver, clock_ms: ClockMs) -> None:
        """Begin to report; returns at once."""

    def stop(self) -> None:
        """End all reporting within a second."""

    def preview(self) -> bytes | None:
        """The newest frame as JPEG, None when there is none."""


@dataclass(frozen=True, slots=True)
class Defect:
    """A defect although the source still works: a stable code, and the hole if it concerns one."""

    code: str
    hole: Hole | None = None


# Optional abilities. Ask with `isinstance`: a source without one of these is as good as any other.


@runtime_checkable
class DefectSource(Protocol):
    """A source that can report defects before it fails."""

    def defects(self) -> tuple[Defect, ...]:
        """Its present defects."""


@runtime_checkable
class BoardPanelSource(Protocol):
    """A source whose board has a turn button for every seat and a light under every hole."""

    on_button: Callable[[Seat], object]
    """Called from the source's thread when a seat's button is pressed; the result is ignored."""

    def light(self, holes: Iterable[Hole]) -> None:
        """Light these holes and no others."""


@runtime_checkable
class CropSource(Protocol):
    """A source that can show single holes as they looked a while ago."""

    def crops(self, t_ms: int, names: Sequence[str]) -> Mapping[str, bytes]:
        """PNG pictures of holes (board-file ids) at that moment or shortly before it.

        The name `card` asks for the card laid last. Missing pictures are left out; never raises.
        """


@runtime_checkable
class TeachableSource(Protocol):
    """A source with a camera that can learn the place of the board and the appearance of its pawns."""

    def size_px(self) -> tuple[int, int] | None:
        """Width and height of the newest frame, None when there is none."""

    def overlay(self) -> bytes | None:
        """The newest frame with detections drawn onto it, as JPEG; None when none was read."""

    def touch(self, touches: Mapping[Hole, tuple[float, float]]) -> Mapping[str, object]:
        """Find the board from the places (pixels of the newest frame) of four or more holes.

        Returns `registered`, with `reason` when it is false; raises BadInputError for unusable touches.
        """

    def learn(self, shows: Literal["empty", "camps"]) -> Mapping[str, object]:
        """Learn the empty board, or all pawns in their camps, from the newest frame.

        Returns `learned`, and `reason` when it is false, else `score` (0 to 1), `weak_points` (`code` and `seats`)
        and `kept` (whether the next start knows it); raises BadInputError while there is no frame.
        """


class SourceFactory(Protocol):
    """The factory that an entry point of the group `tock.sources` provides."""

    def __call__(
        self, board_file: BoardFile, settings: Mapping[str, object], scene: Scene | None = None
    ) -> Source:
        """Make a source; raises BadInputError for unusable settings."""


def source_names() -> tuple[str, ...]:
    return tuple(sorted(entry.name for entry in entry_points(group=ENTRY_POINT_GROUP)))


def kind_of(name: str, settings: Mapping[str, object]) -> str:
    """The kind of a section's source: its name, or a camera where a section of any name has a camera's address."""
    return CAMERA if name not in source_names() and CAMERA_KEYS & settings.keys() else name


def cameras_of(sources: Mapping[str, Mapping[str, object]]) -> Mapping[str, Mapping[str, object]]:
    return {name: settings for name, settings in sources.items() if kind_of(name, settings) == CAMERA}


def source_settings(name: str) -> type[Schema] | None:
    """Find the schema of a source's settings; None for a source that checks them only on creation."""
    for entry in entry_points(group=SETTINGS_GROUP, name=name):
        return cast(type[Schema], entry.load())
    return None


def source_factory(name: str) -> SourceFactory:
    """The factory of this kind of source; raises BadInputError when there is none."""
    for entry in entry_points(group=ENTRY_POINT_GROUP):
        if entry.name == name:
            return cast(SourceFactory, entry.load())
    known = ", ".join(source_names())
    raise BadInputError(f"source '{name}' is not known; use one of: {known}")
