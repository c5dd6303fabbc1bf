"""`tock replay RECORDING`: runs a recorded table through the whole pipeline and prints the event log."""

import importlib
from pathlib import Path
from typing import cast

from tock_companion.cli.console import Parser, silence_native_libraries
from tock_companion.events.codec import event_to_line
from tock_companion.sources.recording import open_recording
from tock_companion.table.replaying import ReadFrames, replay


def run(arguments: list[str]) -> int:
    """Print the events as JSON lines; 0 when the recording could be run, whatever happened in it."""
    parser = Parser(prog="tock replay", description="Runs a recorded table and prints its events.")
    parser.add_argument("recording", type=Path, help="a folder with recording.json")
    options = parser.parse_args(arguments)
    recording = open_recording(options.recording)
    silence_native_libraries()
    # Pixels are reached by name only: the companion does not depend on them.
    read_frames = cast(ReadFrames, importlib.import_module("tock_vision.replay").open_frames)
    for event in replay(recording, read_frames):
        print(event_to_line(event), flush=True)
    return 0
