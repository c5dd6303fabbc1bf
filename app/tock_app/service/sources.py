"""The sources that a configuration asks for, made but not started."""

from tock_app.config.load import SIMULATED, Config
from tock_companion.sources.base import Source, kind_of, source_factory
from tock_companion.sources.reed.simulated import EMULATED
from tock_companion.sources.scene import Scene


def make_sources(config: Config) -> tuple[Scene | None, list[Source]]:
    """Make every source, and the scene that simulated ones share; raises BadInputError for one that cannot be made."""
    simulated = SIMULATED in config.sources or config.sources.get("reed", {}).get("port") == EMULATED
    scene = Scene(config.board_file) if simulated else None
    return scene, [
        source_factory(kind_of(name, settings))(config.board_file, settings, scene)
        for name, settings in config.sources.items()
    ]
