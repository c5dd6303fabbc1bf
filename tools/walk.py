"""Counts the walks of messages through a step of the table: rooms entered, and returns to a room that was left.

`python -m tools.walk` replays tests/data/recordings.txt. For each kind of message it prints the longest walk. A room is
a package as tools/house.py draws it; a function counts where it is called first, properties and comprehensions do not.
"""

import inspect
import sys
import tempfile
from pathlib import Path
from types import CodeType, FrameType

from tests.support.bundles import unpack
from tock_companion.core.step import step
from tock_companion.sources.recording import open_recording
from tock_companion.table.runtime import replaying
from tock_vision.replay import open_frames

ROOT = Path(__file__).resolve().parents[1]
HOUSES = (ROOT / "companion" / "tock_companion", ROOT / "rules")


def _room(code: CodeType) -> str | None:
    path = Path(code.co_filename)
    house = next((house for house in HOUSES if path.is_relative_to(house)), None)
    return None if house is None or code.co_name.startswith("<") else path.relative_to(house).parts[0]


def _properties() -> set[CodeType]:
    classes = {
        one for module in list(sys.modules.values()) for one in vars(module).values() if inspect.isclass(one)
    }
    found = [value.fget for one in classes for value in vars(one).values() if isinstance(value, property)]
    return {getter.__code__ for getter in found if inspect.isfunction(getter)}


def main() -> None:
    """Print a line for each kind of message."""
    longest: dict[str, tuple[int, int]] = {}
    skipped = _properties()

    def walked(state, message, t_ms):  # type: ignore[no-untyped-def]
        seen, stays = set(skipped), list[str]()

        def enter(frame: FrameType, event: str, _argument: object) -> None:
            room = _room(frame.f_code) if event == "call" and frame.f_code not in seen else None
            if room is not None:
                seen.add(frame.f_code)
                stays.extend([room] if stays[-1:] != [room] else [])

        sys.setprofile(enter)
        try:
            taken = step(state, message, t_ms)
        finally:
            sys.setprofile(None)
        kinds = [
            type(getattr(message, "body", message)).__name__,
            *(event.fact.KIND for event in taken.events),
        ]
        rooms = len(set(stays))
        longest[" ".join(kinds)] = max(longest.get(" ".join(kinds), (0, 0)), (len(stays) - rooms, rooms))
        return taken

    replaying.step = walked
    with tempfile.TemporaryDirectory() as name:
        unpack(ROOT / "tests/data/recordings.txt", Path(name))
        for recording in sorted(Path(name).glob("*/recording.json")):
            list(replaying.replay(open_recording(recording.parent), open_frames))
    for kinds, (returns, rooms) in sorted(longest.items(), key=lambda row: row[1], reverse=True):
        sys.stdout.write(f"{kinds}: {rooms} rooms, {returns} returns\n")


if __name__ == "__main__":
    main()
