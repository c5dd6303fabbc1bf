"""`tock replay RECORDING`: runs a recorded table through the whole pipeline and prints the event log."""

from pathlib import Path

from tock_app.cli.console import Parser, silence_native_libraries
from tock_companion.events.codec import event_to_line
from tock_companion.sources.recording import open_recording
from tock_companion.table.runtime.replaying import replay


def run(arguments: list[str]) -> int:
    """Print the events as JSON lines; return 0 for any readable recording."""
    parser = Parser(prog="tock replay", description="Runs a recorded table and prints its events.")
    parser.add_argument("recording", type=Path, help="a folder with recording.json")
    options = parser.parse_args(arguments)
    recording = open_recording(options.recording)
    silence_native_libraries()
    from tock_vision.replay import open_frames

    for event in replay(recording, open_frames):
        print(event_to_line(event), flush=True)
    return 0
