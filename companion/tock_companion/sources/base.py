"""The one small interface of everything that senses the table."""

from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import entry_points
from typing import Protocol, cast, runtime_checkable

from tock_companion.boardfile import BoardFile
from tock_companion.errors import BadInputError
from tock_companion.observation import SourceMessage
from tock_companion.sources.scene import Scene

ENTRY_POINT_GROUP = "tock.sources"

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
        """Return the newest frame as JPEG, None when there is none."""


@runtime_checkable
class CropSource(Protocol):
    """A source that can show single holes as they looked a while ago."""

    def crops(self, t_ms: int, names: Sequence[str]) -> Mapping[str, bytes]:
        """Return PNG pictures of holes (board-file ids) as they looked at that moment or as shortly before as it has.

        The name `card` asks for the card laid last. What it has not, or no longer, is left out; never raises.
        """


class SourceFactory(Protocol):
    """What an entry point of the group `tock.sources` gives."""

    def __call__(
        self, board_file: BoardFile, settings: Mapping[str, object], scene: Scene | None = None
    ) -> Source:
        """Make a source; raises BadInputError for settings that cannot be used."""


def source_names() -> tuple[str, ...]:
    """Return the names of all installed kinds of source."""
    return tuple(sorted(entry.name for entry in entry_points(group=ENTRY_POINT_GROUP)))


def source_factory(name: str) -> SourceFactory:
    """Return what makes a source of this kind; raises BadInputError when there is no such kind."""
    for entry in entry_points(group=ENTRY_POINT_GROUP):
        if entry.name == name:
            return cast(SourceFactory, entry.load())
    known = ", ".join(source_names())
    raise BadInputError(f"source '{name}' is not known; use one of: {known}")
