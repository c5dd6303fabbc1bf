"""Makes the source of the entry point `reed`: a board on a port, or the emulated one under the simulated table."""

from collections.abc import Mapping

from tock_companion.boardfile import BoardFile
from tock_companion.errors import BadInputError
from tock_companion.sources.base import Source
from tock_companion.sources.reed.simulated import EMULATED, SimulatedReed
from tock_companion.sources.reed.source import ReedSource
from tock_companion.sources.scene import Scene


def reed_source(board_file: BoardFile, settings: Mapping[str, object], scene: Scene | None = None) -> Source:
    """Make the source; raises BadInputError for settings that cannot be used."""
    if settings.get("port") != EMULATED:
        return ReedSource(board_file, settings)
    if scene is None:
        raise BadInputError(
            "source reed: port 'sim' needs the simulated table; start it with 'tock run --reed sim'"
        )
    return SimulatedReed(board_file, settings, scene)
